package org.heddle.server;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.zip.GZIPOutputStream;
import org.heddle.control.model.AuditRecord;
import org.heddle.control.port.Part;
import org.heddle.control.port.Store;
import org.heddle.control.port.StoreException;
import org.heddle.files.Replacement;
import org.heddle.plan.model.Event;
import org.heddle.plan.model.JournalEntry;
import org.heddle.server.http.Threads;
import org.heddle.server.v1.ArchiveLines;
import org.heddle.text.config.ServeFile;

/**
 * Keeps history, events and requests from growing without end: of each, as many as a rule says
 * stay, and older ones go into files of JSON lines, packed with gzip, many at once. They are
 * forgotten when the file is complete and on the disk: a process that ends in between writes the
 * same file again. Another file of that name stays, beside the new one. What the tenants are now
 * does not depend on the history; a rollback goes back as far as it reaches.
 */
public final class Retention implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Retention.class.getName());

  private static final Duration EVERY = Duration.ofMinutes(10);

  /** Things that go into one file. */
  private static final int FILE = 10_000;

  private static final int READ = 500;

  private final Store store;
  private final String fabric;
  private final ServeFile.Keep keep;
  private final Path directory;
  private final int file;
  private final Thread thread;

  /**
   * One that does nothing yet.
   *
   * @param directory of the files
   */
  public Retention(Store store, String fabric, ServeFile.Keep keep, Path directory) {
    this(store, fabric, keep, directory, FILE);
  }

  /** The same with another number of things in a file. */
  Retention(Store store, String fabric, ServeFile.Keep keep, Path directory, int file) {
    this.store = store;
    this.fabric = fabric;
    this.keep = keep;
    this.directory = directory;
    this.file = file;
    this.thread = Thread.ofPlatform().name("heddle-retention").daemon().unstarted(this::run);
  }

  /** Begins: looks every few minutes. */
  public void start() {
    thread.start();
  }

  private void run() {
    try {
      while (true) {
        Thread.sleep(EVERY);
        pass();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Archives and forgets what is too old now; what fails is logged, and tried again. */
  void pass() {
    pass(
        Store.Kept.HISTORY,
        keep.history(),
        part -> store.journal(fabric, part),
        JournalEntry::epoch,
        ArchiveLines::of);
    pass(
        Store.Kept.EVENTS,
        keep.events(),
        part -> store.events(fabric, part),
        Event::id,
        ArchiveLines::of);
    pass(Store.Kept.AUDIT, keep.audit(), store::audit, AuditRecord::id, ArchiveLines::of);
  }

  private <T> void pass(
      Store.Kept what,
      int most,
      Function<Part, List<T>> read,
      ToLongFunction<T> number,
      Function<T, String> line) {
    try {
      while (most > 0 && files(what, most, read, number, line)) {
        LOG.log(Level.DEBUG, "archived a part of the " + word(what));
      }
    } catch (IOException e) {
      LOG.log(
          Level.WARNING,
          "the %s is not archived, and nothing of it forgotten: %s: %s"
              .formatted(word(what), directory, e.getMessage()));
    } catch (StoreException e) {
      LOG.log(Level.WARNING, "the " + word(what) + " is not archived: " + e.getMessage());
    } catch (RuntimeException e) {
      // a fault of this program: the thread goes on with the others, and tries this again
      LOG.log(Level.ERROR, "the " + word(what) + " is not archived", e);
    }
  }

  private static String word(Store.Kept what) {
    return what.name().toLowerCase(Locale.ROOT);
  }

  /** Archives a file's worth, if there is so much more than has to stay. */
  private <T> boolean files(
      Store.Kept what,
      int most,
      Function<Part, List<T>> read,
      ToLongFunction<T> number,
      Function<T, String> line)
      throws IOException {
    List<T> newest = read.apply(new Part(Long.MAX_VALUE, true, 1));
    List<T> oldest = read.apply(Part.after(0, 1));
    if (newest.isEmpty()
        || number.applyAsLong(newest.getFirst()) - number.applyAsLong(oldest.getFirst()) + 1
            < (long) most + file) {
      return false;
    }
    Files.createDirectories(directory);
    Path fresh = Files.createTempFile(directory, "." + word(what), ".new"); // the owner's only
    try {
      Span span = write(fresh, read, number, line);
      keep(fresh, "%s-%012d-%012d".formatted(word(what), span.first, span.last));
      store.forget(what, fabric, span.last);
      LOG.log(Level.INFO, "%s up to %d is in %s".formatted(word(what), span.last, directory));
    } finally {
      Files.deleteIfExists(fresh);
    }
    return true;
  }

  /** Numbers of the first and the last thing in a file. */
  private record Span(long first, long last) {}

  /** Writes the oldest things, a few at once: a file's worth is much to hold in memory. */
  private <T> Span write(
      Path fresh, Function<Part, List<T>> read, ToLongFunction<T> number, Function<T, String> line)
      throws IOException {
    long first = 0;
    long last = 0;
    int count = 0;
    try (OutputStream out =
        new BufferedOutputStream(new GZIPOutputStream(Files.newOutputStream(fresh)))) {
      List<T> part;
      do {
        part = read.apply(Part.after(last, Math.min(READ, file - count)));
        for (T thing : part) {
          out.write((line.apply(thing) + "\n").getBytes(StandardCharsets.UTF_8));
          last = number.applyAsLong(thing);
          first = count++ == 0 ? last : first;
        }
      } while (count < file && !part.isEmpty());
    }
    return new Span(first, last);
  }

  /**
   * Gives a file its name, or the next one that is free: no file that is there is replaced. If it
   * is the same, a process ended between writing and forgetting, and one is enough.
   */
  private void keep(Path fresh, String name) throws IOException {
    Replacement.sync(fresh);
    for (int again = 0; ; again++) {
      Path target = directory.resolve(name + (again == 0 ? "" : "-" + again) + ".jsonl.gz");
      if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
        Files.move(fresh, target);
        break;
      }
      if (Files.isRegularFile(target) && Files.mismatch(fresh, target) < 0) {
        break;
      }
    }
    Replacement.syncNames(directory);
  }

  @Override
  public void close() {
    Threads.end(thread);
  }
}
