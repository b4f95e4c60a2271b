package org.heddle.server.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.heddle.control.port.StoreException;
import org.heddle.files.OwnersOnly;
import org.heddle.files.Replacement;

/**
 * Copies of a SQLite database: taken while a controller writes to it, and put back where none does.
 * Files get their names when they are complete. O(size).
 */
public final class Backups {
  private static final int SQLITE_BUSY = 5;
  private static final int SQLITE_LOCKED = 6;
  private static final int WAIT_MILLIS = 5000;

  private Backups() {}

  /**
   * What a database holds.
   *
   * @param schema version of its tables
   * @param epoch the highest of its fabrics
   */
  public record Summary(int schema, int fabrics, long epoch, int tenants, long bytes) {}

  private static Connection open(Path file) throws SQLException {
    Connection c = DriverManager.getConnection("jdbc:sqlite:" + file);
    try (Statement s = c.createStatement()) {
      s.execute("PRAGMA busy_timeout=" + WAIT_MILLIS);
    }
    return c;
  }

  /**
   * Copies a database as it is at one moment, the last commit included; a controller goes on with
   * it meanwhile. The copy is readable by its owner only: hashes of tokens are in it.
   *
   * @return what is in the copy
   * @throws StoreException if there is no such database, or the copy is not sound
   */
  public static Summary backup(Path database, Path target) {
    if (!Files.isRegularFile(database)) {
      throw new StoreException("there is no database " + database, null, false);
    }
    Path fresh = null;
    try {
      // SQLite copies into a file that is not there or empty; this one is the owner's only
      fresh = temporary(target);
      try (Connection c = open(database);
          Statement s = c.createStatement()) {
        s.execute("VACUUM INTO '" + fresh.toString().replace("'", "''") + "'");
      }
      Summary out = check(fresh);
      Replacement.put(fresh, target);
      return out;
    } catch (SQLException | IOException e) {
      throw new StoreException("cannot copy " + database + ": " + e.getMessage(), e, false);
    } finally {
      delete(fresh);
    }
  }

  /**
   * Looks whether a file is a sound database of this program or an older one.
   *
   * @throws StoreException if it is not, and why
   */
  public static Summary check(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new StoreException("there is no file " + file, null, false);
    }
    try (Connection c = DriverManager.getConnection("jdbc:sqlite:file:" + uri(file) + "?mode=ro");
        Statement s = c.createStatement()) {
      String sound = text(s, "PRAGMA integrity_check");
      if (!sound.equals("ok")) {
        throw new StoreException(file + " is damaged: " + sound, null, false);
      }
      int schema = (int) number(s, "SELECT COALESCE(MAX(version), 0) FROM schema_version");
      if (schema < 1 || schema > Migrations.NEWEST) {
        throw new StoreException(
            file + " has schema " + schema + ", this Heddle knows 1 to " + Migrations.NEWEST,
            null,
            false);
      }
      return new Summary(
          schema,
          (int) number(s, "SELECT COUNT(*) FROM fabric"),
          number(s, "SELECT COALESCE(MAX(epoch), 0) FROM fabric"),
          (int) number(s, "SELECT COUNT(*) FROM tenant"),
          Files.size(file));
    } catch (SQLException | IOException e) {
      throw new StoreException(file + " is no database of Heddle: " + e.getMessage(), e, false);
    }
  }

  private static String uri(Path file) {
    return file.toUri().getRawPath();
  }

  private static String text(Statement s, String sql) throws SQLException {
    try (ResultSet r = s.executeQuery(sql)) {
      return r.next() ? r.getString(1) : "";
    }
  }

  private static long number(Statement s, String sql) throws SQLException {
    try (ResultSet r = s.executeQuery(sql)) {
      return r.next() ? r.getLong(1) : 0;
    }
  }

  /**
   * True if there is something in a database's place that a copy would replace: an empty file is
   * nothing.
   */
  public static boolean replaces(Path database) {
    try {
      return Files.exists(database)
          && !(Files.isRegularFile(database) && Files.size(database) == 0);
    } catch (IOException _) {
      return true;
    }
  }

  /**
   * Puts a checked copy in a database's place. What was there is gone.
   *
   * @throws StoreException if the copy is not sound, or a process has the old database open
   */
  public static Summary restore(Path copy, Path database) {
    Summary out = check(copy);
    Path fresh = null;
    try {
      OwnersOnly.directory(database.toAbsolutePath().getParent());
      fresh = temporary(database);
      Files.copy(copy, fresh, StandardCopyOption.REPLACE_EXISTING);
      check(fresh);
      if (Files.exists(database)) {
        requireUnused(database);
      }
      // a log of the old one must not be played into the new one
      Files.deleteIfExists(database.resolveSibling(database.getFileName() + "-wal"));
      Files.deleteIfExists(database.resolveSibling(database.getFileName() + "-shm"));
      Replacement.put(fresh, database);
      SqliteFiles.note(database);
      return out;
    } catch (IOException e) {
      throw new StoreException("cannot write " + database + ": " + e.getMessage(), e, false);
    } finally {
      delete(fresh);
    }
  }

  /** SQLite leaves its write-ahead log only for the one process that has the database open. */
  private static void requireUnused(Path database) {
    try (Connection c = open(database);
        Statement s = c.createStatement()) {
      s.execute("PRAGMA busy_timeout=0");
      s.execute("PRAGMA journal_mode=DELETE");
    } catch (SQLException e) {
      if (e.getErrorCode() == SQLITE_BUSY || e.getErrorCode() == SQLITE_LOCKED) {
        throw new StoreException(database + " is in use: stop the controller first", e, false);
      } // otherwise it is damaged, which may be why it is replaced
    }
  }

  private static Path temporary(Path target) throws IOException {
    Path full = target.toAbsolutePath();
    return Files.createTempFile(full.getParent(), "." + full.getFileName(), ".heddle");
  }

  private static void delete(Path file) {
    try {
      if (file != null) {
        Files.deleteIfExists(file);
      }
    } catch (IOException _) {
      // a file too much; the command's own message matters more
    }
  }
}
