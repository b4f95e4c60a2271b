package org.heddle.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Files and directories that no other user of the machine may read or open: who can open a file can
 * also lock it. Where the file system knows no such rights, they are as others.
 */
public final class OwnersOnly {
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwx------");

  private OwnersOnly() {}

  private static boolean hasRights(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private static FileAttribute<?>[] rights(Path path, Set<PosixFilePermission> rights) {
    return hasRights(path)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(rights)}
        : new FileAttribute<?>[0];
  }

  /**
   * Makes a directory, and those above it as usual. One that is there stays as it is.
   *
   * @throws IOException if it cannot be made
   */
  public static void directory(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    Path above = directory.toAbsolutePath().getParent();
    if (above != null) {
      Files.createDirectories(above);
    }
    try {
      Files.createDirectory(directory, rights(directory, DIRECTORY));
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(directory)) { // otherwise somebody was faster
        throw e;
      }
    }
  }

  /**
   * Opens a file to read and write, made if it is not there; one that is there is closed to others
   * if it is this user's.
   *
   * @throws IOException if it cannot be opened
   */
  public static FileChannel open(Path file) throws IOException {
    Set<OpenOption> options =
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    FileChannel out = FileChannel.open(file, options, rights(file, FILE));
    keep(file);
    return out;
  }

  /**
   * Writes a file, made if it is not there.
   *
   * @throws IOException if it cannot be written
   */
  public static void write(Path file, String text) throws IOException {
    try (FileChannel out = open(file)) {
      out.truncate(0);
      out.write(StandardCharsets.UTF_8.encode(text));
    }
  }

  /**
   * Takes away what rights others have on a file, if it is this user's.
   *
   * @return true if they had some
   */
  public static boolean keep(Path file) {
    try {
      if (!hasRights(file) || FILE.containsAll(Files.getPosixFilePermissions(file))) {
        return false;
      }
      Files.setPosixFilePermissions(file, FILE);
      return true;
    } catch (IOException _) {
      return false; // another user's, or gone
    }
  }
}
