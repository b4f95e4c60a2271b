package org.heddle.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
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
