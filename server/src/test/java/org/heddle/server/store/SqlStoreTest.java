package org.heddle.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;

class SqlStoreTest extends StoreContract {
  @Override
  SqlStore open() {
    return SqlStore.sqlite(directory.resolve("s.db"));
  }

  @Test
  void aNewDatabaseAndItsLogAreForTheirOwnerOnly() throws IOException {
    Path file = directory.resolve("new").resolve("s.db");
    try (SqlStore _ = SqlStore.sqlite(file)) {
      for (String name : new String[] {"s.db", "s.db-wal", "s.db-shm"}) {
        assertThat(
                PosixFilePermissions.toString(
                    Files.getPosixFilePermissions(file.resolveSibling(name))))
            .as(name)
            .isEqualTo("rw-------");
      }
    }
  }
}
