package org.heddle.server.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Brings a database to the newest schema; the same scripts for every kind of database. */
final class Migrations {
  /**
   * Machines are the third's, jobs and what is out of service the fourth's, uses of credentials the
   * fifth's, formats of documents and the fabric that lacked nothing the sixth's.
   */
  static final int NEWEST = 6;

  private Migrations() {}

  /** True if a SQLite database has tables of some schema. */
  static boolean hasRun(Statement s) throws SQLException {
    String table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_version'";
    try (ResultSet r = s.executeQuery(table)) {
      if (!r.next()) {
        return false;
      }
    }
    try (ResultSet r = s.executeQuery("SELECT 1 FROM schema_version")) {
      return r.next();
    }
  }

  /** One transaction; a database of a newer program is refused. */
  static void run(Connection c) throws SQLException {
    try (Statement s = c.createStatement()) {
      s.execute("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY)");
      int have;
      try (ResultSet r = s.executeQuery("SELECT COALESCE(MAX(version), 0) FROM schema_version")) {
        have = r.next() ? r.getInt(1) : 0;
      }
      if (have > NEWEST) {
        throw new SQLException("the database is of a newer Heddle: schema " + have);
      }
      for (int v = have + 1; v <= NEWEST; v++) {
        for (String statement : script(v).split(";\\s*\n")) {
          if (!statement.isBlank()) {
            s.execute(statement);
          }
        }
        s.execute("INSERT INTO schema_version (version) VALUES (" + v + ")");
      }
      c.commit();
    }
  }

  private static String script(int version) {
    try (InputStream in = Migrations.class.getResourceAsStream("V" + version + ".sql")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
