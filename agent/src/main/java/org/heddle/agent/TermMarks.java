package org.heddle.agent;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The terms of the leaders that have written into a directory, as names of empty files. A mark is
 * never changed, and only marks of earlier terms are removed, so a process of an earlier term that
 * was stopped at any moment cannot hide that there was a later one. A lock would not do, because a
 * stopped process keeps it.
 */
final class TermMarks {
  private static final String PREFIX = ".term-";

  private final Path directory;

  TermMarks(Path directory) {
    this.directory = directory;
  }

  /** The latest term that is marked, 0 if there is none. */
  long latest() throws IOException {
    long out = 0;
    try (DirectoryStream<Path> marks = Files.newDirectoryStream(directory, PREFIX + "*")) {
      for (Path mark : marks) {
        out = Math.max(out, term(mark));
      }
    }
    return out;
  }

  private static long term(Path mark) {
    String digits = mark.getFileName().toString().substring(PREFIX.length());
    return digits.matches("\\d{1,18}") ? Long.parseLong(digits) : 0;
  }

  Path mark(long term) {
    return directory.resolve(PREFIX + term);
  }

  /** Marks a term, and takes those before it away. Without leaders (term 0) there is no mark. */
  void put(long term) throws IOException {
    if (term == 0) {
      return;
    }
    try {
      Files.createFile(mark(term));
    } catch (FileAlreadyExistsException _) {
      return; // of this very leader
    }
    try (DirectoryStream<Path> marks = Files.newDirectoryStream(directory, PREFIX + "*")) {
      for (Path mark : marks) {
        if (term(mark) < term) {
          Files.deleteIfExists(mark);
        }
      }
    }
  }
}
