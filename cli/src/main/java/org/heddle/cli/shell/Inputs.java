package org.heddle.cli.shell;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.heddle.text.Source;

/** Reads input files whole. {@code -} is standard input; gzip is unpacked on the way. */
public final class Inputs {
  private static final long LARGEST = Integer.MAX_VALUE - 64;
  private static final int FARTHEST_SUGGESTION = 3;

  private final InputStream in;
  private boolean standardInputTaken;

  public Inputs(InputStream in) {
    this.in = in;
  }

  /**
   * The bytes of a file.
   *
   * @param name path, or {@code -} for standard input (once a run)
   * @throws Failure exit code 2 with a hint, if it cannot be read
   */
  public Source read(String name) {
    try {
      byte[] bytes = name.equals("-") ? readStandardInput() : readFile(name);
      return new Source(name, isGzip(bytes) ? gunzip(name, bytes) : bytes);
    } catch (IOException e) {
      throw Failure.badInput("cannot read " + name + ": " + reason(e));
    }
  }

  /**
   * The bytes of a file of another program as that one sees them: not unpacked.
   *
   * @throws Failure exit code 2, if it cannot be read, or is packed or no text at all
   */
  public Source readText(String name) {
    byte[] bytes;
    try {
      bytes = readFile(name);
    } catch (IOException e) {
      throw Failure.badInput("cannot read " + name + ": " + reason(e));
    }
    if (isGzip(bytes)) {
      throw Failure.badInput(
          name + " is packed by gzip, which is no text for who reads it", "gunzip it first");
    }
    for (byte b : bytes) {
      if (b == 0) {
        throw Failure.badInput(name + " is no text: it has bytes of 0");
      }
    }
    if (bytes.length > 2
        && bytes[0] == (byte) 0xef
        && bytes[1] == (byte) 0xbb
        && bytes[2] == (byte) 0xbf) {
      throw Failure.badInput(
          name + " begins with a byte order mark, which would be part of its first name",
          "sed -i '1s/^\\xef\\xbb\\xbf//' " + name + " removes it");
    }
    return new Source(name, bytes);
  }

  /**
   * A stream over a file of any size, not unpacked.
   *
   * @throws Failure exit code 2 with a hint, if it cannot be opened
   */
  public InputStream open(String name) {
    if (name.equals("-")) {
      takeStandardInput();
      return in;
    }
    Path path = path(name);
    if (Files.isDirectory(path)) {
      throw Failure.badInput(name + " is a directory; a file is expected");
    }
    try {
      return Files.newInputStream(path);
    } catch (NoSuchFileException e) {
      throw missing(name, path);
    } catch (IOException e) {
      throw Failure.badInput("cannot read " + name + ": " + reason(e));
    }
  }

  private void takeStandardInput() {
    if (standardInputTaken) {
      throw Failure.badInput("standard input (-) can be read only once in a command");
    }
    standardInputTaken = true;
  }

  /** The next line of standard input; empty at its end. */
  String line() {
    takeStandardInput();
    StringBuilder out = new StringBuilder();
    try {
      for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
        out.append((char) c);
      }
    } catch (IOException e) {
      throw Failure.badInput("cannot read the answer: " + reason(e));
    }
    return out.toString();
  }

  private static Failure missing(String name, Path path) {
    String close = closestSibling(path);
    return close == null
        ? Failure.badInput("no such file: " + name)
        : Failure.badInput("no such file: " + name, "did you mean " + close + "?");
  }

  private byte[] readStandardInput() throws IOException {
    takeStandardInput();
    return in.readAllBytes();
  }

  private static byte[] readFile(String name) throws IOException {
    Path path = path(name);
    if (Files.isDirectory(path)) {
      throw Failure.badInput(name + " is a directory; a file is expected");
    }
    try {
      if (Files.size(path) > LARGEST) {
        throw Failure.badInput(
            name + " is larger than 2 GiB", "tables of that size: write them as .hlft");
      }
      return Files.readAllBytes(path);
    } catch (NoSuchFileException e) {
      throw missing(name, path);
    }
  }

  /** True if there is something of that name. */
  public boolean exists(String name) {
    return Files.exists(path(name));
  }

  /** A path from what the user typed. */
  public static Path path(String name) {
    if (name.isEmpty()) {
      throw Failure.badInput("a file name is empty; is a variable of the shell not set?");
    }
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw Failure.badInput("not a file name: " + name);
    }
  }

  private static boolean isGzip(byte[] bytes) {
    return bytes.length > 2 && bytes[0] == 0x1f && (bytes[1] & 0xff) == 0x8b;
  }

  private static byte[] gunzip(String name, byte[] bytes) throws IOException {
    try (InputStream zipped = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      byte[] plain = zipped.readNBytes((int) LARGEST);
      if (zipped.read() >= 0) {
        throw Failure.badInput(name + " unpacks to more than 2 GiB");
      }
      return plain;
    }
  }

  private static String closestSibling(Path path) {
    Path parent = path.toAbsolutePath().getParent();
    if (parent == null || path.getFileName() == null || !Files.isDirectory(parent)) {
      return null;
    }
    try (Stream<Path> files = Files.list(parent)) {
      List<String> names = files.map(f -> f.getFileName().toString()).sorted().toList();
      String wanted = path.getFileName().toString();
      String best = Suggestions.closest(wanted, names, FARTHEST_SUGGESTION);
      return best == null ? null : path.resolveSibling(best).toString();
    } catch (IOException e) {
      return null; // a hint is not worth a second error
    }
  }

  /** An I/O error in words: Java's messages are often only the file name. */
  public static String reason(IOException e) {
    return switch (e) {
      case java.nio.file.AccessDeniedException _ -> "permission denied";
      case NoSuchFileException _ -> "no such file or directory";
      case java.nio.file.NotDirectoryException _ -> "not a directory";
      case java.nio.file.FileAlreadyExistsException _ -> "a file of that name is in the way";
      case java.nio.file.FileSystemException f when f.getReason() != null -> f.getReason();
      default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    };
  }
}
