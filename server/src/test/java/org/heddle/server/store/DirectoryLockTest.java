package org.heddle.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.heddle.control.port.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryLockTest {
  @TempDir Path directory;

  @Test
  void theSecondIsRefusedAndTheNextMayWhenTheFirstHasGone() {
    Path data = directory.resolve("data");
    try (DirectoryLock first = new DirectoryLock(data);
        DirectoryLock second = new DirectoryLock(data)) {
      assertThat(first.take()).isTrue();
      assertThat(first.take()).isTrue();
      assertThat(first.holds()).isTrue();
      assertThatThrownBy(second::take)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("another heddle serve")
          .hasMessageContaining(String.valueOf(ProcessHandle.current().pid()))
          .hasMessageContaining(data.toString());
      assertThat(second.holds()).isFalse();
      first.release();
      assertThat(first.holds()).isFalse();
      assertThat(second.take()).isTrue();
    }
  }

  /** Who can open the file can hold a lock on it, and so keep the controller from its start. */
  @Test
  void otherUsersCanNeitherReachNorOpenIt() throws Exception {
    Path data = directory.resolve("data");
    Path file = data.resolve("heddle.lock");
    try (DirectoryLock lock = new DirectoryLock(data)) {
      lock.take();
    }
    assertThat(rights(data)).isEqualTo("rwx------");
    assertThat(rights(file)).isEqualTo("rw-------");
    Path old = Files.createDirectory(directory.resolve("old"));
    Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("rwxr-x---"));
    Path lock = Files.createFile(old.resolve("heddle.lock"));
    Files.setPosixFilePermissions(lock, PosixFilePermissions.fromString("rw-r--r--"));
    try (DirectoryLock held = new DirectoryLock(old)) {
      held.take();
      assertThat(rights(lock)).isEqualTo("rw-------");
      assertThat(rights(old)).isEqualTo("rwxr-x---"); // who made it decides
    }
  }

  private static String rights(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void aFileIsNoDirectory() throws Exception {
    Path file = Files.writeString(directory.resolve("data"), "x");
    try (DirectoryLock lock = new DirectoryLock(file)) {
      assertThatThrownBy(lock::take)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("is a file: a directory is expected");
    }
  }
}
