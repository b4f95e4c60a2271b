package org.heddle.server.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.heddle.control.port.StoreException;
import org.heddle.files.OwnersOnly;
import org.heddle.files.Replacement;

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

  /** Says, beside a database, that there is one. */
  private static Path mark(Path database) {
    return database.resolveSibling(database.getFileName() + ".made");
  }

  /**
   * Looks whether there is a database to open, or one may be made. An empty file is none that was
   * made here ({@link #make}); where one was and is no more, nobody should go on without tenants.
   *
   * @return true if one has to be made
   * @throws StoreException if it is gone or empty
   */
  static boolean absent(Path database) throws IOException {
    boolean there = Files.exists(database);
    if (there && Files.size(database) > 0) {
      return false;
    }
    if (there || Files.exists(mark(database))) {
      throw lost(database, there ? "empty" : "gone, and there was a database", "");
    }
    return true;
  }

  /**
   * Looks whether a database that was there has the tables of one: an empty one is as good as none.
   *
   * @throws StoreException if it has not
   */
  static void requireTables(Path database, Statement statement) throws SQLException {
    if (!Migrations.hasRun(statement)) {
      throw lost(database, "without Heddle's tables", " --force");
    }
  }

  private static StoreException lost(Path database, String how, String option) {
    String remove =
        Stream.of(database, mark(database))
            .filter(Files::exists)
            .map(Path::toString)
            .collect(Collectors.joining(" and "));
    return new StoreException(
        "%s is %s: put a copy there with 'heddle serve restore%s', or, to begin without tenants, remove %s"
            .formatted(database, how, option, remove),
        null,
        false);
  }

  /** A step of making a database. */
  interface Making {
    void in(Path file) throws SQLException;
  }

  /** Makes a database for its owner only; it gets its name when it is complete. */
  static void make(Path database, Making content) throws IOException, SQLException {
    Path directory = database.toAbsolutePath().getParent();
    Path fresh = Files.createTempFile(directory, ".database", ".new");
    try {
      content.in(fresh);
      Replacement.put(fresh, database);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  /** Notes that there is a database. */
  static void note(Path database) {
    try {
      if (Files.exists(mark(database))) {
        OwnersOnly.keep(mark(database)); // older ones were for everybody to read
      } else {
        OwnersOnly.write(
            mark(database),
            database.getFileName()
                + " was made. While this file is here, heddle serve begins with no empty one.\n");
        Replacement.syncNames(database.toAbsolutePath().getParent());
      }
    } catch (IOException _) {
      // it is open, and that is what counts; the next start notes it
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
