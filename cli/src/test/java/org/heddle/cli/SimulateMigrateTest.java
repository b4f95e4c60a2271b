package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.heddle.cli.shell.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code heddle simulate migrate} on small trees. */
class SimulateMigrateTest {
  @TempDir private Path dir;

  private static Cli.Result run(int code, String... words) {
    List<String> all = new ArrayList<>(List.of("simulate", "migrate"));
    all.addAll(List.of(words));
    Cli.Result result = Cli.run(all.toArray(new String[0]));
    assertThat(result.code()).as("%s: %s", all, result.err()).isEqualTo(code);
    return result;
  }

  private static Cli.Result small(String... more) {
    List<String> words =
        new ArrayList<>(List.of("--fabric", "XGFT(2;2,2;1,2)", "--from", "uniform"));
    words.addAll(List.of("--to", "consolidate", "-n", "100", "--samples", "3"));
    words.addAll(List.of(more));
    return run(ExitCode.OK, words.toArray(new String[0]));
  }

  @Test
  void costsAndBandwidthsArePrinted() {
    // a machine a host, all go to the first: the numbers are counted in MigrationSimulationTest
    String out = small().out();
    assertThat(out)
        .contains(
            "uniform to consolidate: 4 VMs (25 % of 4 per host) on 4 hosts, 4 switches;"
                + " 3 moves");
    assertThat(out).containsPattern("(?m)^ftree-minrc +3.00 +4 +3.00 +4 +9 +2.33 +0$");
    assertThat(out).containsPattern("(?m)^itrc +3.33 +4 +3.33 +4 +10 +2.33 +0$");
    assertThat(out).containsPattern("(?m)^ +3 +100 +1.0000 +1.0000 +0.0 +1.00 +1.00 ");
  }

  @Test
  void theFilesHoldTheSameWhateverTheNumberOfThreads() throws IOException {
    Path one = dir.resolve("one");
    Path two = dir.resolve("two");
    small("-o", one.toString(), "--threads", "1", "--seed", "5");
    small("-o", two.toString(), "--threads", "2", "--seed", "5");
    List<String> csv = Files.readAllLines(one.resolve("migration.csv"));
    assertThat(csv.getFirst())
        .isEqualTo(
            "moves,percent,tables,bandwidth,lost_flows,switches_mean,switches_max,smps_mean,"
                + "smps_max,minimum_mean,noted,fresh_smps");
    // four states, three sets of tables
    assertThat(csv).hasSize(1 + 4 * 3);
    assertThat(csv.getLast())
        .startsWith("3,100.00,itrc,1.000000,0,2.000000,2,2.000000,2,1.000000,");
    for (String name : List.of("migration.csv", "report.json")) {
      assertThat(two.resolve(name)).hasSameBinaryContentAs(one.resolve(name));
    }
    assertThat(one.resolve("report.json"))
        .content()
        .contains("heddle.simulate-migrate/1", "\"vms_per_host\" : 4", "\"seed\" : 5");
    assertThat(small("--csv", "--seed", "5").out())
        .isEqualTo(Files.readString(one.resolve("migration.csv")));
    assertThat(small("--json", "--seed", "5").out())
        .isEqualTo(Files.readString(one.resolve("report.json")));
  }

  @Test
  void aFabricFileAndOtherSettingsDo() {
    String fabric = dir.resolve("tree.net").toString();
    Cli.run("fabric", "generate", "XGFT(2;4,4;1,2)", "-o", fabric);
    String out =
        run(
                ExitCode.OK,
                "--fabric",
                fabric,
                "--to",
                "grouping",
                "--groups",
                "3",
                "--vms-per-host",
                "3",
                "--population",
                "50",
                "--scheme",
                "prepopulated",
                "--method",
                "itrc",
                "--engine",
                "ftree",
                "-n",
                "0")
            .out();
    assertThat(out).contains("random to grouping: 24 VMs (50 % of 3 per host) on 16 hosts");
    assertThat(out).contains("itrc").doesNotContain("ftree-minrc");
  }

  @Test
  void wrongWordsAreRefusedWithExitTwo() throws IOException {
    String tree = "XGFT(2;2,2;1,2)";
    String[][] wrong = {
      {"--fabric", tree, "--to", "sideways", "values: random, uniform, consolidate, grouping"},
      {"--fabric", tree, "--from", "up", "--to", "random", "--from up"},
      {"--fabric", tree, "--from", "uniform", "--to", "uniform", "nothing moves"},
      {"--fabric", tree, "--to", "random", "--population", "0", "1 to 100"},
      {"--fabric", tree, "--to", "random", "--population", "x", "--population"},
      {"--fabric", tree, "--to", "random", "--vms-per-host", "127", "1 to 126"},
      {"--fabric", tree, "--to", "random", "--groups", "0", "groups"},
      {"--fabric", tree, "--to", "random", "--scheme", "shared-port", "own LIDs"},
      {"--fabric", tree, "--to", "random", "--scheme", "static", "values: prepopulated"},
      {"--fabric", tree, "--to", "random", "--method", "itrc,itrc", "twice"},
      {"--fabric", tree, "--to", "random", "--method", "best", "values: itrc"},
      {"--fabric", tree, "--to", "random", "--engine", "vswitch-ftre", "did you mean"},
      {"--fabric", tree, "--to", "random", "--samples", "0", "--samples 0"},
      {"--fabric", tree, "--to", "random", "--bisections", "-1", "--bisections -1"},
      {"--fabric", tree, "--to", "random", "--threads", "-1", "--threads -1"},
      {"--fabric", tree, "--to", "random", "--csv", "--json", "standard output"},
      {"--fabric", "XGFT(2;2)", "--to", "random", "XGFT(2;2)"},
      {"--fabric", tree, "--to"}
    };
    for (String[] words : wrong) {
      String[] line = java.util.Arrays.copyOf(words, words.length - 1);
      assertThat(run(ExitCode.BAD_INPUT, line).err()).contains(words[words.length - 1]);
    }
    Path file = dir.resolve("broken.net");
    Files.writeString(file, "Switch\t36 \"S-0000000000000001\"\n[1] \"S-2\"[1]\n[300] \"S-2\"\n");
    assertThat(run(ExitCode.BAD_INPUT, "--fabric", file.toString(), "--to", "random").err())
        .contains("broken.net:");
  }

  @Test
  void whatCannotBeDoneIsAReasonedRefusal() throws IOException {
    String[] full = {"--fabric", "XGFT(2;2,2;1,2)", "--to", "random", "--population", "100"};
    assertThat(run(ExitCode.FINDINGS, full).err()).contains("no other hypervisor has a free");
    String[] groups = {
      "--fabric", "XGFT(2;2,2;1,2)", "--to", "grouping", "--population", "100", "--groups", "5"
    };
    // 16 machines in five groups of three or four: a host of four functions for each
    assertThat(run(ExitCode.FINDINGS, groups).err()).contains("need 5 hypervisors");
    Path file = dir.resolve("empty.net");
    Files.writeString(file, "Switch\t36 \"S-0000000000000001\"\n");
    assertThat(run(ExitCode.FINDINGS, "--fabric", file.toString(), "--to", "random").err())
        .contains("not a fat-tree");
  }
}
