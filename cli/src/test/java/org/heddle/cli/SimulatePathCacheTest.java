package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.heddle.cli.shell.ExitCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code heddle simulate path-cache} on a small tree, as users type it. */
class SimulatePathCacheTest {
  @TempDir private Path dir;

  private Cli.Result run(int code, String... words) {
    List<String> all =
        new ArrayList<>(
            List.of("simulate", "path-cache", file("f.net"), file("f.hlft"), "--moves", "40"));
    all.addAll(List.of(words));
    Cli.Result result = Cli.run(all.toArray(new String[0]));
    assertThat(result.code()).as("%s: %s", all, result.err()).isEqualTo(code);
    return result;
  }

  private String file(String name) {
    return dir.resolve(name).toString();
  }

  @BeforeEach
  void fabric() {
    Cli.run("fabric", "generate", "XGFT(2;4,8;1,4)", "-o", file("f.net"));
    Cli.run("route", file("f.net"), "-e", "ftree", "-o", file("f.hlft"));
  }

  @Test
  void everySchemeIsShownWithEveryCache() {
    String out = run(ExitCode.OK).out();
    assertThat(out.lines()).hasSize(1 + 5 * 3);
    assertThat(out).containsPattern("dynamic +checked +40 +0 +0.0");
    assertThat(out).containsPattern("dynamic +off +40 +7,200 +180.0 +100.0%");
    assertThat(out).containsPattern("shared-port +checked +40 +1,200 +30.0 +100.0%");
    assertThat(out).doesNotContain("LONGEST WAIT");
  }

  @Test
  void anAdministratorWithALimitIsWaitedFor() {
    String out = run(ExitCode.OK, "--scheme", "dynamic", "--cache", "off", "--sa-rate", "5").out();
    assertThat(out).contains("LONGEST WAIT");
  }

  @Test
  void aMixedFabricMakesSomePeersAskAgain() {
    String out =
        run(ExitCode.OK, "--scheme", "dynamic", "--cache", "checked", "--slow", "50", "--json")
            .out();
    assertThat(out).contains("\"format\" : \"heddle.simulate-path-cache/1\"");
    assertThat(out).containsPattern("\"wrong_mtu\" : [1-9]");
    assertThat(out).containsPattern("\"peer_queries\" : [1-9]");
    assertThat(out).contains("\"broken\" : 0,");
  }

  @Test
  void theLoadOverTimeIsWritten() throws IOException {
    String out =
        run(ExitCode.OK, "--scheme", "dynamic,shared-port", "--cache", "off", "-o", file("storm"))
            .out();
    assertThat(out).contains("wrote " + file("storm"));
    List<String> load = Files.readAllLines(dir.resolve("storm").resolve("load.csv"));
    assertThat(load.getFirst()).isEqualTo("second,dynamic/off,shared-port/off");
    long sum = load.stream().skip(1).mapToLong(l -> Long.parseLong(l.split(",")[1])).sum();
    assertThat(sum).isEqualTo(7200);
    assertThat(Files.readString(dir.resolve("storm").resolve("report.json")))
        .contains("queries_per_second");
    assertThat(dir.resolve("storm").resolve("load.svg")).isNotEmptyFile();
  }

  @Test
  void whatMakesNoSenseIsBadInput() {
    assertThat(run(ExitCode.BAD_INPUT, "--scheme", "own").err()).contains("no scheme 'own'");
    assertThat(run(ExitCode.BAD_INPUT, "--cache", "maybe").err()).contains("no cache 'maybe'");
    assertThat(run(ExitCode.BAD_INPUT, "--rate", "0").err()).contains("moves a second");
    assertThat(run(ExitCode.BAD_INPUT, "--slow", "101").err()).contains("--slow");
    assertThat(run(ExitCode.BAD_INPUT, "--population", "100").err()).contains("population");
  }

  @Test
  void machinesThatDoNotFitAreRefused() {
    String err = run(ExitCode.FINDINGS, "--population", "1", "--functions", "1").err();
    assertThat(err).contains("fewer than two VMs", "--population", "--functions");
  }
}
