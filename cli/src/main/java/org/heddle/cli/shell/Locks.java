package org.heddle.cli.shell;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Locks of files that are read, changed and replaced. Since a replaced file is another file, the
 * lock is on one beside it, {@code FILE.lock}, which stays there: removing it would let two in.
 */
final class Locks implements AutoCloseable {
  private final List<FileChannel> held = new ArrayList<>();

  /**
   * Takes the lock of a file until {@link #close}.
   *
   * @throws Failure exit code 2 if another process has it, or it cannot be made
   */
  synchronized void take(String name) {
    Path target = Inputs.path(name).toAbsolutePath();
    Path lock = target.resolveSibling(target.getFileName() + ".lock");
    try {
      FileChannel channel =
          FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      held.add(channel);
      if (channel.tryLock() == null) {
        throw inUse(name);
      }
    } catch (OverlappingFileLockException e) {
      throw inUse(name);
    } catch (IOException e) {
      throw Failure.badInput("cannot lock " + name + ": " + Inputs.reason(e));
    }
  }

  private static Failure inUse(String name) {
    return Failure.badInput(
        name + " is in use by another heddle", "try again when that one has " + "finished");
  }

  @Override
  public synchronized void close() {
    for (FileChannel channel : held) {
      try {
        channel.close();
      } catch (IOException e) {
        // The lock ends with the process at the latest.
      }
    }
    held.clear();
  }
}
