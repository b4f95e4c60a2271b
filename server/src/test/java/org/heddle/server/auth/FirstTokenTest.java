package org.heddle.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.heddle.server.store.SqlStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The provider's token beside the database: lost, made anew, and for its owner only. */
class FirstTokenTest {
  private static final Instant NOW = Instant.parse("2026-11-30T00:00:00Z");

  @TempDir Path directory;

  private static String secret(Path file) throws Exception {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    return Files.readString(file).strip();
  }

  @Test
  void whoHasLostItGetsAnotherAndTheOneBeforeCountsNoMore() throws Exception {
    try (SqlStore store = SqlStore.sqlite(directory.resolve("s.db"))) {
      Credentials credentials = new Credentials();
      Path file = FirstToken.make(store, credentials, directory, NOW).orElseThrow();
      String before = secret(file);
      assertThat(FirstToken.valid(credentials, directory)).contains(file);
      assertThat(FirstToken.make(store, credentials, directory, NOW)).isEmpty();
      Files.delete(file);
      assertThat(FirstToken.make(store, credentials, directory, NOW)).isEmpty();
      assertThat(FirstToken.valid(credentials, directory)).isEmpty();
      assertThat(FirstToken.renew(store, credentials, directory, NOW)).isEqualTo(file);
      String after = secret(file);
      Credentials again = new Credentials(); // of a process that starts now
      store.credentials().forEach(again::accept);
      for (Credentials c : new Credentials[] {credentials, again}) {
        assertThat(c.isToken(before)).isFalse();
        assertThat(c.isToken(after)).isTrue();
        assertThat(FirstToken.valid(c, directory)).contains(file);
      }
    }
  }

  @Test
  void othersMayNotReadIt() throws Exception {
    assertThat(FirstToken.close(directory)).isEmpty();
    Path file = Files.writeString(directory.resolve("heddle.token"), "secret");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(FirstToken.close(directory)).contains(FirstToken.file(directory));
    assertThat(secret(file)).isEqualTo("secret");
    assertThat(FirstToken.close(directory)).isEmpty();
  }
}
