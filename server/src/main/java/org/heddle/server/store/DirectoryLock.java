package org.heddle.server.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.heddle.control.port.Leadership;
import org.heddle.control.port.StoreException;
import org.heddle.files.OwnersOnly;

/**
 * The leadership of the one process on a data directory: a lock on a file there, which the
 * operating system takes back when the process ends. There is no standing by: a second process is
 * refused.
 */
public final class DirectoryLock implements Leadership {
  private static final String FILE = "heddle.lock";

  private final Path directory;
  private FileChannel channel;
  private FileLock lock;

  /** A lock that is not held yet. */
  public DirectoryLock(Path directory) {
    this.directory = directory;
  }

  /**
   * Takes the lock.
   *
   * @throws StoreException if another process has it, or the file cannot be made
   */
  @Override
  public synchronized boolean take() {
    if (lock != null) {
      return true;
    }
    Path file = directory.resolve(FILE);
    try {
      OwnersOnly.directory(directory);
      channel = OwnersOnly.open(file); // who could read it could lock it
      lock = channel.tryLock();
      if (lock == null) {
        throw refused();
      }
      channel.truncate(0);
      String own = ProcessHandle.current().pid() + "\n";
      channel.write(ByteBuffer.wrap(own.getBytes(StandardCharsets.US_ASCII)), 0);
      return true;
    } catch (OverlappingFileLockException _) {
      throw refused();
    } catch (FileAlreadyExistsException e) {
      throw new StoreException(directory + " is a file: a directory is expected", e, false);
    } catch (AccessDeniedException e) {
      throw new StoreException("may not write in " + directory, e, false);
    } catch (IOException e) {
      throw new StoreException("cannot lock " + file + ": " + e.getMessage(), e, false);
    }
  }

  private StoreException refused() {
    String holder = "";
    try {
      String text = Files.readString(directory.resolve(FILE)).strip();
      holder = text.matches("\\d+") ? " (process " + text + ")" : "";
      channel.close();
    } catch (IOException _) {
      // the message goes without it
    }
    return new StoreException(
        "another heddle serve" + holder + " works in " + directory, null, false);
  }

  @Override
  public synchronized boolean holds() {
    return lock != null;
  }

  @Override
  public void onLost(Runnable listener) {
    // the operating system takes no lock back from a process that lives
  }

  @Override
  public String leader() {
    return "";
  }

  @Override
  public synchronized void release() {
    if (lock == null) {
      return;
    }
    lock = null;
    try {
      channel.close();
    } catch (IOException e) {
      throw new StoreException("unlocking: " + e.getMessage(), e, false);
    }
  }

  @Override
  public void close() {
    release();
  }
}
