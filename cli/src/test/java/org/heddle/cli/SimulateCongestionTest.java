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

/** {@code heddle simulate congestion}, {@code merge} and {@code interference} on small trees. */
class SimulateCongestionTest {
  @TempDir private Path dir;
  private String fabric;
  private String tables;

  @BeforeEach
  void routed() {
    fabric = file("tree.net");
    tables = file("tree.hlft");
    run(ExitCode.OK, "fabric", "generate", "XGFT(2;4,6;1,2)", "-o", fabric);
    run(ExitCode.OK, "route", fabric, "--engine", "ftree", "-o", tables);
  }

  private String file(String name) {
    return dir.resolve(name).toString();
  }

  private static Cli.Result run(int code, String... words) {
    Cli.Result result = Cli.run(words);
    assertThat(result.code()).as("%s: %s", List.of(words), result.err()).isEqualTo(code);
    return result;
  }

  private Cli.Result congestion(int code, String... words) {
    List<String> all = new ArrayList<>(List.of("simulate", "congestion", fabric, tables));
    all.addAll(List.of(words));
    return run(code, all.toArray(new String[0]));
  }

  @Test
  void theEffectiveBandwidthIsPrinted() {
    String out = congestion(ExitCode.OK, "--trials", "500").out();
    assertThat(out).contains("bisect on 24 of 24 hosts; trials 0 to 499 of 500, seed 1");
    assertThat(out).contains("effective bandwidth  0.");
    assertThat(congestion(ExitCode.OK, "-p", "gather", "--no-shuffle", "-m", "sum_max_cong").out())
        .contains("min 23, mean 23.000000, max 23");
  }

  @Test
  void partsOfARunAddUpToTheRunByteForByte() {
    String[] common = {"-n", "1001", "-m", "dep_max_delay,channel_load", "--seed", "5"};
    String whole = json(common);
    List<String> merge = new ArrayList<>(List.of("simulate", "merge", "--json"));
    for (int i = 7; i >= 1; i--) {
      String part = file("part" + i + ".json");
      List<String> words = new ArrayList<>(List.of(common));
      words.addAll(List.of("--shard", i + "/7", "-o", part));
      congestion(ExitCode.OK, words.toArray(new String[0]));
      merge.add(part);
    }
    assertThat(run(ExitCode.OK, merge.toArray(new String[0])).out()).isEqualTo(whole);
    merge.remove(merge.size() - 1);
    assertThat(run(ExitCode.BAD_INPUT, merge.toArray(new String[0])).err())
        .contains("trials 0 to 142 are in none of the files");
  }

  @Test
  void anExchangeOfAllHostsIsTheSameWithAndWithoutTracedRoutes() {
    String metrics = "dep_max_delay,channel_load";
    String direct = json("-p", "all-to-all", "-m", metrics, "-n", "7");
    // Ranks that enter delays are a matter of trials, so this one is traced.
    String traced = json("-p", "all-to-all", "-m", metrics, "-n", "7", "--delay-ranks", "23");
    assertThat(traced.replace("\"delay_ranks\" : 23", "\"delay_ranks\" : 24")).isEqualTo(direct);
    assertThat(direct).contains("\"trials\" : 7", "\"lost_flows\" : 0");
  }

  @Test
  void messagesThatAreLostInAnExchangeAreFindings() throws IOException {
    run(ExitCode.OK, "route", fabric, "--engine", "ftree", "-o", file("text.lfts"));
    String all = Files.readString(dir.resolve("text.lfts"));
    String cut = all.replaceFirst("(?m)^0x[0-9A-Fa-f]+ 00[1-4] .*\\R", "");
    assertThat(cut).hasSizeLessThan(all.length());
    Files.writeString(dir.resolve("text.lfts"), cut);
    tables = file("text.lfts");
    Cli.Result direct = congestion(ExitCode.FINDINGS, "-p", "all-to-all");
    assertThat(direct.err()).contains("flows do not arrive");
    assertThat(congestion(ExitCode.FINDINGS, "-p", "all-to-all", "--delay-ranks", "23").err())
        .contains("flows do not arrive");
  }

  private String json(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.add("--json");
    return congestion(ExitCode.OK, all.toArray(new String[0])).out();
  }

  @Test
  void partsOfOtherRunsAndOtherFilesAreRefused() throws IOException {
    String one = file("one.json");
    String two = file("two.json");
    congestion(ExitCode.OK, "--shard", "1/2", "-o", one);
    congestion(ExitCode.OK, "--shard", "2/2", "--seed", "2", "-o", two);
    assertThat(run(ExitCode.BAD_INPUT, "simulate", "merge", one, two).err())
        .contains("is from another run");
    assertThat(run(ExitCode.BAD_INPUT, "simulate", "merge", one, one).err())
        .contains("another file also holds");
    Files.writeString(dir.resolve("two.json"), "{\n\"format\": 3x\n}");
    assertThat(run(ExitCode.BAD_INPUT, "simulate", "merge", two).err()).contains("two.json:2:");
    Files.writeString(dir.resolve("two.json"), "{}");
    run(ExitCode.BAD_INPUT, "simulate", "merge", two);
    run(ExitCode.BAD_INPUT, "simulate", "merge", fabric);
  }

  @Test
  void partsWhoseCountsDoNotAddUpAreRefused() throws IOException {
    String file = file("part.json");
    congestion(ExitCode.OK, "-n", "20", "-m", "dep_max_delay,channel_load", "-o", file);
    String good = Files.readString(dir.resolve("part.json"));
    String[][] changes = {
      {"\"count\" : 240", "\"count\" : 241"},
      {"\"count\" : 20,", "\"count\" : 19,"},
      {"\"lost_flows\" : 0", "\"lost_flows\" : -1"},
      {"\"peak\" : 1", "\"peak\" : 100"},
      {"\"value\" : 1,", "\"value\" : -1,"},
      {"\"group\" : \"all\"", "\"group\" : null"},
      {"\"to\" : 20", "\"to\" : 19"},
    };
    for (String[] change : changes) {
      String bad = good.replaceFirst(change[0], change[1]);
      assertThat(bad).as(change[0]).isNotEqualTo(good);
      Files.writeString(dir.resolve("part.json"), bad);
      assertThat(run(ExitCode.BAD_INPUT, "simulate", "merge", file).err()).contains("part.json");
    }
    // A value that is absurd, but counted, takes no memory.
    Files.writeString(
        dir.resolve("part.json"), good.replaceFirst("\"value\" : 1,", "\"value\" : 2147483647,"));
    run(ExitCode.OK, "simulate", "merge", file);
  }

  @Test
  void everyMetricCanBePrintedAsTextAndCsv() {
    String all =
        "hist_max_cong,hist_acc_band,sum_max_cong,dep_max_delay,effective_bandwidth,channel_load";
    String text = congestion(ExitCode.OK, "-n", "50", "-m", all).out();
    assertThat(text).contains("WEIGHT", "BANDWIDTH", "SUM", "DELAY", "AT A TIME");
    String csv = congestion(ExitCode.OK, "-n", "50", "-m", all, "--csv").out();
    assertThat(csv).startsWith("metric,value,count\nhist_max_cong,1,");
    assertThat(csv).contains("\nnode,port,flows,peak\n0x");
  }

  @Test
  void flowListsAreSentAsWritten() throws IOException {
    String flows = file("flows.csv");
    Files.writeString(
        dir.resolve("flows.csv"),
        "from,to,level # heading\nH_0_0,H_1_0,0\nH_0_0,H_2_0,0\n\nH_1_0,H_0_0,1\n");
    String csv = congestion(ExitCode.OK, "--flows", flows, "--csv").out();
    assertThat(csv).isEqualTo("metric,value,count\nhist_max_cong,1,1\nhist_max_cong,2,2\n");
    Files.writeString(
        dir.resolve("flows.csv"), "H_0_0,H_0_0\nH_0_0\nH_0_0,nobody\nH_0_0,H_1_0,x\n");
    assertThat(congestion(ExitCode.BAD_INPUT, "--flows", flows).err())
        .contains("flows.csv:1:", "flows.csv:2:", "flows.csv:3:", "flows.csv:4:");
  }

  @Test
  void wrongWordsAreRefusedWithAHint() {
    assertThat(congestion(ExitCode.BAD_INPUT, "-p", "bisekt").err())
        .contains("did you mean bisect?");
    assertThat(congestion(ExitCode.BAD_INPUT, "-m", "speed").err()).contains("metrics: ");
    for (String[] words :
        new String[][] {
          {"--shard", "0/3"},
          {"--shard", "4/3"},
          {"--trials", "0"},
          {"--ranks", "25"},
          {"--threads", "-1"},
          {"-p", "stencil2d:100x100"},
          {"--tenant", "a"},
          {"--csv", "--json"},
          {"--slurm", "3"},
          {"--slurm", "3", "-o", "-"},
          {"--slurm", "0", "-o", file("sum.json")},
          {"--slurm", "3", "--shard", "1/2", "-o", file("sum.json")},
          {"--slurm", "3", "--flows", "-", "-o", file("sum.json")},
          {"--delay-ranks", "-2"}
        }) {
      congestion(ExitCode.BAD_INPUT, words);
    }
  }

  @Test
  void tenantsAreSlowedDownByOthersAndAPlanKeepsThemApart() throws IOException {
    Files.writeString(
        dir.resolve("tenants.yaml"),
        """
        version: 1
        tenants:
          - name: victim
            pkey: 0x1
            policy: phy
            members: [H_0_0, H_0_1, H_1_0, H_1_1]
          - name: noisy
            pkey: 0x2
            members: [H_0_2, H_0_3, H_1_2, H_1_3, H_2_0, H_2_1]
        """);
    String tenants = file("tenants.yaml");
    run(ExitCode.OK, "plan", fabric, tenants, "-o", file("plan"));
    String[] words = {"simulate", "interference", fabric, tables, tenants, "--csv"};
    String csv = run(ExitCode.OK, words).out();
    assertThat(csv.lines()).hasSize(3);
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--plan", file("plan/tables.hlft"), "-o", file("result")));
    csv = run(ExitCode.OK, all.toArray(new String[0])).out();
    String planned =
        csv.lines().filter(l -> l.startsWith("\"victim\",4,bisect,plan")).findFirst().get();
    String now = csv.lines().filter(l -> l.startsWith("\"victim\",4,bisect,now")).findFirst().get();
    assertThat(planned.split(",")[6]).isEqualTo("1.000000");
    assertThat(Double.parseDouble(now.split(",")[6])).isGreaterThan(1);
    assertThat(dir.resolve("result/report.json")).content().contains("simulate-interference/1");
    assertThat(dir.resolve("result/interference.csv")).content().isEqualTo(csv);
    Cli.Result wrong =
        run(
            ExitCode.BAD_INPUT,
            "simulate",
            "interference",
            fabric,
            tables,
            tenants,
            "--runs",
            "nobody=ring");
    assertThat(wrong.err()).contains("no such tenant");
  }
}
