package org.heddle.cli.shell.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.control.LogContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Isolated // there is one log of a process
class LogOutputTest {
  private static final System.Logger LOG = System.getLogger("org.heddle.some.Part");
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir Path directory;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream err = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private List<String> lines() {
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void textHasTimeLevelNameMessageContextAndTheStack() throws Exception {
    try (LogOutput _ = LogOutput.start("info", false, Optional.empty(), err)) {
      LogContext.run(
          Map.of(LogContext.REQUEST, "r-1"),
          () ->
              LogContext.run(
                  Map.of(LogContext.EPOCH, "7"),
                  () -> LOG.log(Level.ERROR, "failed", new IllegalStateException("taken twice"))));
      LOG.log(Level.INFO, "later");
      LOG.log(Level.DEBUG, "never");
    }
    LOG.log(Level.ERROR, "after the end");
    assertThat(lines().getFirst())
        .matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z error   Part: failed request=r-1 epoch=7");
    assertThat(lines().get(1)).isEqualTo("java.lang.IllegalStateException: taken twice");
    assertThat(lines().get(2)).contains("LogOutputTest");
    assertThat(lines().getLast()).endsWith(" info    Part: later");
    assertThat(bytes.toString(StandardCharsets.UTF_8)).doesNotContain("never", "after the end");
  }

  @Test
  void whatComesFromOutsideMakesNoLinesOfItsOwn() throws Exception {
    try (LogOutput _ = LogOutput.start("info", false, Optional.empty(), err)) {
      LOG.log(Level.INFO, "one\n2026-01-01T00:00:00.000Z info    Part: two\u001b[31m {0} \u2028");
    }
    assertThat(lines()).hasSize(1);
    assertThat(lines().getFirst())
        .contains("one 2026-01-01")
        .contains("{0}")
        .doesNotContain("\u001b");
  }

  @Test
  void jsonIsOneObjectALineWithTheStackInIt() throws Exception {
    try (LogOutput _ = LogOutput.start("debug", true, Optional.empty(), err)) {
      LogContext.run(
          Map.of(LogContext.PASS, "3", LogContext.REQUEST, ""),
          () -> LOG.log(Level.WARNING, "a \"word\"\nand more", new RuntimeException("x")));
      LOG.log(Level.DEBUG, "there");
    }
    JsonNode first = JSON.readTree(lines().getFirst());
    assertThat(lines()).hasSize(2);
    assertThat(first.get("level").stringValue()).isEqualTo("warning");
    assertThat(first.get("message").stringValue()).isEqualTo("a \"word\"\nand more");
    assertThat(first.get("pass").stringValue()).isEqualTo("3");
    assertThat(first.has("request")).isFalse();
    assertThat(first.get("stack").stringValue()).startsWith("java.lang.RuntimeException: x\n");
    assertThat(JSON.readTree(lines().getLast()).get("level").stringValue()).isEqualTo("debug");
  }

  @Test
  void aFileIsAppendedTo() throws Exception {
    Path file = directory.resolve("heddle.log");
    for (int i = 0; i < 2; i++) {
      try (LogOutput _ = LogOutput.start("warning", false, Optional.of(file), err)) {
        LOG.log(Level.WARNING, "line " + i);
        LOG.log(Level.INFO, "not this");
      }
    }
    assertThat(Files.readAllLines(file)).hasSize(2).last().asString().endsWith("line 1");
    assertThat(lines()).isEmpty();
  }
}
