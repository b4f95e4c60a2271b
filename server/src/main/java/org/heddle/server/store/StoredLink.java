package org.heddle.server.store;

import org.heddle.plan.model.LinkRef;

/** A link in a document, its lower end first. */
record StoredLink(StoredGuid from, int port, StoredGuid to, int toPort) {
  static StoredLink of(LinkRef l) {
    return new StoredLink(new StoredGuid(l.from()), l.port(), new StoredGuid(l.to()), l.toPort());
  }

  LinkRef value() {
    return new LinkRef(from.guid(), port, to.guid(), toPort);
  }
}
