package org.heddle.server.store;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import org.heddle.control.port.StoreException;

/**
 * The files of an open SQLite database. SQLite does not notice when they are deleted or replaced:
 * it would go on to write into files that nobody finds again.
 */
final class SqliteFiles {
  private static final int BUSY = 5;
  private static final int LOCKED = 6;
  private static final int READONLY = 8;
  private static final int CORRUPT = 11;
  private static final int FULL = 13;
  private static final int CANNOT_OPEN = 14;
  private static final int NO_DATABASE = 26;
  private static final int FAILED_WRITE = 778;

  /** Extended codes have the kind of error in their lowest byte. */
  private static final int KIND = 0xff;

  private final Path database;
  private final Path log;
  private final Object databaseKey;
  private final Object logKey;

  private SqliteFiles(Path database) {
    this.database = database.toAbsolutePath();
    this.log = this.database.resolveSibling(this.database.getFileName() + "-wal");
    this.databaseKey = key(this.database);
    this.logKey = key(log);
  }

  /** Of a database that has just been opened and written to. */
  static SqliteFiles of(Path database) {
    return new SqliteFiles(database);
  }

  /** An empty file for its owner only, if there is none: SQLite takes it as a new database. */
  static void prepare(Path database) throws IOException {
    if (Files.exists(database)
        || !database.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return;
    }
    try {
      Files.createFile(
          database,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (FileAlreadyExistsException _) {
      // another process was faster, and made it in the same way
    }
  }

  /** What tells a file from others under the same name; null if there is none. */
  private static Object key(Path file) {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (IOException _) {
      return null;
    }
  }

  /**
   * Looks whether the files are still there.
   *
   * @throws StoreException if they are not, or others are
   */
  void require() {
    for (Path file : new Path[] {database, log}) {
      Object was = file.equals(log) ? logKey : databaseKey;
      if (!Objects.equals(was, key(file))) {
        throw new StoreException(
            file
                + " was moved, deleted or replaced while it was in use: nothing is written until it"
                + " is back; or stop the controller and restore a copy",
            null,
            false);
      }
    }
  }

  /**
   * Looks whether a database is whole: of one that has lost a part nobody should believe that there
   * are no tenants. O(size).
   *
   * @throws StoreException if it is not
   */
  static void requireSound(Path file, Statement statement) throws SQLException {
    try (ResultSet r = statement.executeQuery("PRAGMA quick_check(1)")) {
      String found = r.next() ? r.getString(1) : "";
      if (!found.equals("ok")) {
        throw new StoreException(
            file + " is damaged (" + found.strip() + "): 'heddle serve restore' puts a copy there",
            null,
            false);
      }
    }
  }

  /** True if a commit that failed so has not happened: SQLite had not written the whole of it. */
  static boolean undone(SQLException e) {
    return switch (e.getErrorCode() & KIND) {
      case BUSY, LOCKED, READONLY, FULL, CANNOT_OPEN -> true;
      default -> code(e) == FAILED_WRITE; // not a failed sync: then it may be there
    };
  }

  /** The driver's exception has only the kind as its code, and the rest in its text. */
  private static int code(SQLException e) {
    return String.valueOf(e.getMessage()).contains("SQLITE_IOERR_WRITE")
        ? FAILED_WRITE
        : e.getErrorCode();
  }

  /** What is wrong, and what helps. */
  static String trouble(Exception e) {
    int kind = e instanceof SQLException sql ? sql.getErrorCode() & KIND : 0;
    if (e instanceof SQLException sql && code(sql) == FAILED_WRITE) {
      return "the disk of the database takes no more; changes are taken again when it does";
    }
    return switch (kind) {
      case FULL -> "the disk of the database is full; changes are taken again when there is room";
      case READONLY -> "the database cannot be written: it, or its directory, is read-only";
      case BUSY, LOCKED -> "another process has the database locked";
      case CORRUPT -> "the database is damaged: 'heddle serve restore' puts a copy there";
      case NO_DATABASE -> "it is no SQLite database; 'heddle serve restore' puts a copy there";
      default -> e.getMessage();
    };
  }
}
