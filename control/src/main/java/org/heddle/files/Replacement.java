package org.heddle.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Replaces a file by a complete new one. */
public final class Replacement {
  private Replacement() {}

  /**
   * Gives a file another's name, in the same directory. Whoever opens the name finds the old file
   * or the new one, never half of one; that holds after a loss of power, too, which is why the new
   * one's content is forced to the disk before the old one goes.
   *
   * @throws IOException if it cannot be done; the old file is still there then
   */
  public static void put(Path fresh, Path target) throws IOException {
    if (Files.exists(target)) {
      try (FileChannel file = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
        file.force(true);
      }
    }
    Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Makes what is in a file durable. */
  public static void sync(Path written) throws IOException {
    try (FileChannel file = FileChannel.open(written, StandardOpenOption.WRITE)) {
      file.force(true);
    }
  }

  /** Makes the names of a directory durable. Not all systems can; then new ones may be lost. */
  public static void syncNames(Path directory) throws IOException {
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
    }
  }
}
