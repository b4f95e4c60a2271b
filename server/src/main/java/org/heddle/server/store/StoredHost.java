package org.heddle.server.store;

import org.heddle.plan.model.HostRef;

/** A host in a document. */
record StoredHost(StoredGuid guid, String name) {
  static StoredHost of(HostRef h) {
    return new StoredHost(new StoredGuid(h.guid()), h.name());
  }

  HostRef value() {
    return new HostRef(guid.guid(), name);
  }
}
