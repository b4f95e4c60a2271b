package org.heddle.server.store;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** In SQLite. */
class OldDatabasesTest extends OldDatabases {
  @Override
  SqlStore open(String sql) throws SQLException {
    Path file = directory.resolve("old.db");
    try (Connection c = DriverManager.getConnection("jdbc:sqlite:" + file)) {
      execute(c, sql);
    }
    return SqlStore.sqlite(file);
  }
}
