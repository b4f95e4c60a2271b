package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills at random moments, on both databases: 50 under {@code CI=true}, else 10; {@code
 * -Dheddle.crash.kills=N} and {@code -Dheddle.crash.seed=N} for more and other ones.
 */
@Tag("slow")
class CrashIT {
  private static final int KILLS =
      Integer.getInteger("heddle.crash.kills", "true".equals(System.getenv("CI")) ? 50 : 10);
  private static final long SEED = Long.getLong("heddle.crash.seed", 1);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  private void crash(String what, String... options) throws Exception {
    String figures = new CrashRun(directory, List.of(options), SEED).run(KILLS);
    System.err.println("CrashIT, " + what + ": " + figures);
    assertThat(figures).isNotEmpty();
  }

  @Test
  void nothingAcknowledgedIsLostAndNothingHappensTwiceOnSqlite() throws Exception {
    crash("SQLite", "--data", directory.resolve("data").toString());
  }

  @Test
  void nothingAcknowledgedIsLostAndNothingHappensTwiceOnPostgresql() throws Exception {
    Program.need(Program.POSTGRES);
    try (PostgresCluster cluster = PostgresCluster.start(directory)) {
      Path file = directory.resolve("serve.yaml");
      Files.writeString(file, "version: 1\ndatabase_user: " + PostgresCluster.USER + "\n");
      crash("PostgreSQL", "--config", file.toString(), "--database", cluster.url());
    }
  }
}
