package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without anybody noticing, commands would start slowly if the training ended early. */
class StartTrainingTest {
  @TempDir Path dir;

  @Test
  void theTrainingRunsToItsEnd() {
    StartTraining.main(new String[] {dir.toString()});
    assertThat(dir.resolve("opensm/opensm.lfts")).exists();
    assertThat(dir.resolve("plan/report.json")).exists();
    assertThat(dir.resolve("plan/fabric.svg")).exists();
  }
}
