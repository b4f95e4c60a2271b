package org.heddle.server.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.heddle.control.port.Store;
import org.heddle.control.port.StoreException;
import org.heddle.files.OwnersOnly;

/**
 * A SQLite database that is filled before anybody sees it: it is made in a directory of its own
 * beside its place, and is in its place complete or not at all, also if the process is killed.
 */
public final class FreshDatabase {
  private static final String DIRECTORY = ".import";

  private FreshDatabase() {}

  /**
   * Makes a database where there is none. The caller holds the {@link DirectoryLock}.
   *
   * @param fill puts in what belongs in it
   * @throws StoreException if there is one, or it cannot be made
   */
  public static void make(Path database, Consumer<Store> fill) {
    if (!absent(database)) {
      throw new StoreException("there is a database already: " + database, null, false);
    }
    Path beside = database.toAbsolutePath().resolveSibling(DIRECTORY);
    try {
      delete(beside); // of one that was killed
      OwnersOnly.directory(beside);
      Path own = beside.resolve(database.getFileName());
      try (Store store = SqlStore.sqlite(own)) {
        fill.accept(store);
      }
      Backups.backup(own, database);
      SqliteFiles.note(database);
    } catch (IOException e) {
      throw new StoreException("cannot make " + database + ": " + e.getMessage(), e, false);
    } finally {
      try {
        delete(beside);
      } catch (IOException _) {
        // the next one deletes it
      }
    }
  }

  private static boolean absent(Path database) {
    try {
      return SqliteFiles.absent(database);
    } catch (IOException e) {
      throw new StoreException("cannot look at " + database + ": " + e.getMessage(), e, false);
    }
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> walk = Files.walk(directory)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      Files.deleteIfExists(path);
    }
  }
}
