package org.heddle.agent;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.heddle.opensm.FileDifference;
import org.heddle.opensm.OpensmFiles;

/**
 * The files that were written last, and whether they are still what they were.
 *
 * <p>A file is read again (SHA-256) if the file system says anything else of it than the last time:
 * inode, size, permissions, time of its content or of the inode; or if it said so too soon after a
 * change for the next change to show in its times. So a look at files nobody has touched takes a
 * question to the file system each. A file that was touched and says the same as before is told as
 * well: OpenSM may have read it in between. Thread-safe.
 */
final class WrittenFiles {
  /** Larger files are compared by their digest alone. */
  private static final long KEEP = 4L << 20;

  /** Changes of a file within this time may have one and the same time stamp. */
  private static final long GRAIN_MILLIS = 1_000;

  private final InstantSource clock;
  private final Map<String, Written> files = new TreeMap<>();
  private Path directory;

  /** Files that were found touched since OpenSM was told, by name. */
  private final Map<String, String> touched = new TreeMap<>();

  /** How often a file was found that is not what was written. */
  private long damages;

  /** One file as it was written. */
  private static final class Written {
    private final Fresh fresh;

    /** As it was written. */
    private final Stamp stamp;

    /** As it was when it was seen last. */
    private Stamp known;

    /** As it was when it was read last; null if that was not yet, or did not work. */
    private Stamp read;

    private long readMillis;

    /** In what it is not what was written; empty if it is. */
    private String wrong = "";

    private Written(Fresh fresh, Stamp stamp) {
      this.fresh = fresh;
      this.stamp = stamp;
      this.known = stamp;
    }
  }

  /** What the file system says of a file. */
  private record Stamp(
      Object inode, long size, FileTime content, Object change, Object mode, Object owner) {
    static Stamp of(Path file) throws IOException {
      if (!file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
        Map<String, Object> a = Files.readAttributes(file, "*", LinkOption.NOFOLLOW_LINKS);
        FileTime time = (FileTime) a.get("lastModifiedTime");
        return new Stamp(a.get("fileKey"), (long) a.get("size"), time, time, "", "");
      }
      Map<String, Object> a =
          Files.readAttributes(
              file, "unix:ino,size,lastModifiedTime,ctime,mode,uid", LinkOption.NOFOLLOW_LINKS);
      return new Stamp(
          a.get("ino"),
          (long) a.get("size"),
          (FileTime) a.get("lastModifiedTime"),
          a.get("ctime"),
          a.get("mode"),
          a.get("uid"));
    }

    long changedMillis() {
      return Math.max(content.toMillis(), ((FileTime) change).toMillis());
    }

    boolean access(Stamp other) {
      return mode.equals(other.mode) && owner.equals(other.owner);
    }
  }

  /** Nothing is written yet. */
  WrittenFiles(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * A file that is about to get its name.
   *
   * @param size its bytes
   * @param content empty if it is too large to be kept
   */
  record Fresh(byte[] digest, long size, Optional<byte[]> content) {
    /** Reads it, and has it checked. */
    static Fresh read(Path file, OpensmFiles.Check check) throws IOException {
      MessageDigest sha = sha();
      try (InputStream in = new DigestInputStream(Files.newInputStream(file), sha)) {
        check.read(in);
        in.transferTo(OutputStream.nullOutputStream());
      }
      long size = Files.size(file);
      Optional<byte[]> content =
          size <= KEEP ? Optional.of(Files.readAllBytes(file)) : Optional.empty();
      return new Fresh(sha.digest(), size, content);
    }
  }

  private static MessageDigest sha() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  /** The digest of what will be in a file. */
  static byte[] digest(OpensmFiles.Content content) throws IOException {
    MessageDigest sha = sha();
    try (OutputStream out =
        new BufferedOutputStream(
            new DigestOutputStream(OutputStream.nullOutputStream(), sha), 1 << 16)) {
      content.writeTo(out);
    }
    return sha.digest();
  }

  private static byte[] digest(Path file, MessageDigest sha) throws IOException {
    try (InputStream in = new DigestInputStream(Files.newInputStream(file), sha)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return sha.digest();
  }

  /**
   * Gives a file its name and remembers it; nobody looks meanwhile.
   *
   * @param rename what gives it the name
   */
  synchronized void put(Path file, Fresh fresh, Rename rename) throws IOException {
    rename.run();
    directory = file.getParent();
    files.put(file.getFileName().toString(), new Written(fresh, Stamp.of(file)));
  }

  /** Gives a file its name. */
  interface Rename {
    void run() throws IOException;
  }

  /** True if a file was written with this digest, and was still so at the last look. */
  synchronized boolean has(String name, byte[] digest) {
    Written file = files.get(name);
    return file != null && file.wrong.isEmpty() && MessageDigest.isEqual(file.fresh.digest, digest);
  }

  /** Forgets all files but these: others are not used any more. */
  synchronized void retain(List<String> names) {
    files.keySet().retainAll(names);
    touched.keySet().retainAll(names);
  }

  /** OpenSM was told to read them: what was done to them before does not matter any more. */
  synchronized void told() {
    touched.clear();
  }

  /** How often a file was found damaged since the start. */
  synchronized long damages() {
    return damages;
  }

  /** How many files are not what was written, at the last look. */
  synchronized int wrong() {
    return (int) files.values().stream().filter(f -> !f.wrong.isEmpty()).count();
  }

  /**
   * Looks at all of them. One sentence for each that is not what was written, or that was touched
   * since OpenSM was told; empty if there is none.
   */
  synchronized List<String> look() {
    List<String> out = new ArrayList<>();
    for (Map.Entry<String, Written> entry : files.entrySet()) {
      String name = entry.getKey();
      Written file = entry.getValue();
      look(name, file);
      if (!file.wrong.isEmpty()) {
        out.add(name + " is not what was written: " + file.wrong);
      } else if (touched.containsKey(name)) {
        out.add(name + " was " + touched.get(name) + " meanwhile: OpenSM may have read that");
      }
    }
    return out;
  }

  private void look(String name, Written file) {
    Path path = directory.resolve(name);
    try {
      Stamp now = Stamp.of(path);
      if (now.equals(file.read) && !worthReading(now, file.readMillis)) {
        return;
      }
      file.readMillis = clock.millis();
      file.read = now;
      if (!MessageDigest.isEqual(digest(path, sha()), file.fresh.digest)) {
        damaged(name, file, difference(name, path, file), "changed");
      } else if (!now.access(file.stamp)) {
        damaged(name, file, "it has another owner or other permissions", "closed");
      } else {
        file.wrong = "";
        if (!now.equals(file.known)) {
          touched.putIfAbsent(name, "touched");
        }
      }
      file.known = now;
    } catch (NoSuchFileException _) {
      file.read = null;
      damaged(name, file, "it is gone", "away");
    } catch (IOException e) {
      file.read = null;
      damaged(name, file, "it cannot be read (" + e.getMessage() + ")", "unreadable");
    }
  }

  private void damaged(String name, Written file, String how, String was) {
    if (file.wrong.isEmpty()) {
      damages++;
    }
    file.wrong = how;
    touched.put(name, was);
  }

  /**
   * True if a file whose stamp is the same as when it was read may have changed since. Large ones
   * are read again once, when that can be told for good.
   */
  private boolean worthReading(Stamp now, long readMillis) {
    long sure = now.changedMillis() + GRAIN_MILLIS;
    return readMillis <= sure && (now.size <= KEEP || clock.millis() > sure);
  }

  private static String difference(String name, Path path, Written file) throws IOException {
    long size = Files.size(path);
    if (file.fresh.content.isPresent() && size <= KEEP) {
      return FileDifference.of(name, file.fresh.content.get(), Files.readAllBytes(path));
    }
    return size == file.fresh.size
        ? "it has other content"
        : "it has " + size + " bytes, not " + file.fresh.size;
  }
}
