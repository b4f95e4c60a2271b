package org.heddle.server.store;

import java.util.List;
import org.heddle.plan.model.HostRef;

/** A host in a document. */
record StoredHost(StoredGuid guid, String name, List<StoredGuid> adapters) {
  static StoredHost of(HostRef h) {
    return new StoredHost(
        new StoredGuid(h.guid()), h.name(), h.adapters().stream().map(StoredGuid::new).toList());
  }

  /** Databases of before adapters were kept say nothing of them. */
  HostRef value() {
    List<Long> all =
        adapters == null ? List.of() : adapters.stream().map(StoredGuid::guid).toList();
    return new HostRef(guid.guid(), name, all);
  }
}
