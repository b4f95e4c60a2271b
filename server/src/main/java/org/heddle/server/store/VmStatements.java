package org.heddle.server.store;

import java.sql.SQLException;
import java.util.List;
import org.heddle.control.port.Store;
import org.heddle.plan.model.Migration;
import org.heddle.plan.model.Vm;

/** What a store does for machines, inside its transactions. */
final class VmStatements {
  private final SqlStore store;

  VmStatements(SqlStore store) {
    this.store = store;
  }

  List<Vm> all(String fabric) throws SQLException {
    return store.documents(
        StoredVm.class, "SELECT document, format FROM vm WHERE fabric = ? ORDER BY name", fabric);
  }

  void put(String fabric, Store.Machines m) throws SQLException {
    for (String gone : m.removed()) {
      store.update("DELETE FROM vm WHERE fabric = ? AND name = ?", fabric, gone);
    }
    for (Vm vm : m.put()) {
      store.update(
          "INSERT INTO vm (fabric, name, format, document) VALUES (?, ?, ?, ?) ON CONFLICT (fabric,"
              + " name) DO UPDATE SET format = excluded.format, document = excluded.document",
          fabric,
          vm.name(),
          StoredDocument.FORMAT,
          StoredVm.of(vm).json());
    }
    for (Migration migration : m.migrations()) {
      store.update(
          "INSERT INTO migration (fabric, epoch, format, document) VALUES (?, ?, ?, ?)",
          fabric,
          migration.epoch(),
          StoredDocument.FORMAT,
          StoredMigration.of(migration).json());
    }
    if (m.nextVguid() != 0) { // never back: no vGUID is given twice
      store.update(
          "UPDATE fabric SET next_vguid = ? WHERE name = ? AND next_vguid < ?",
          m.nextVguid(),
          fabric,
          m.nextVguid());
    }
  }
}
