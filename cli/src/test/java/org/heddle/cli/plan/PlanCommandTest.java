package org.heddle.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.heddle.cli.Cli;
import org.heddle.text.Parsed;
import org.heddle.text.Source;
import org.heddle.text.opensm.PartitionsConf;
import org.heddle.text.opensm.PartitionsConfReader;
import org.heddle.text.opensm.QosPolicy;
import org.heddle.text.opensm.QosPolicyReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanCommandTest {
  private static final String TENANTS =
      """
      version: 1
      data_lanes: 4
      tenants:
        - name: red
          pkey: 0x0101
          policy: phy
          members: [{count: 20}]
        - name: blue
          pkey: 0x0102
          policy: vlane
          members: [{count: 20}]
        - name: green
          pkey: 0x0103
          members: [{count: 30}, "0x00000000deadbeef"]
      """;

  /** Two physically isolated tenants over all leaves of a tree with a single root. */
  private static final String IMPOSSIBLE =
      """
      version: 1
      mode: strict
      tenants:
        - {name: red, pkey: 0x0101, policy: phy, members: [{guid: 0x100001}, {guid: 0x10000d}]}
        - {name: blue, pkey: 0x0102, policy: phy, members: [{guid: 0x100003}, {guid: 0x10000f}]}
      """;

  @TempDir Path dir;

  @BeforeEach
  void fabric() throws IOException {
    run("fabric", "generate", "XGFT(2;12,12;1,12)", "--shuffle-ports", "4", "-o", path("f.net"));
    Files.writeString(dir.resolve("tenants.yaml"), TENANTS);
  }

  private String path(String name) {
    return dir.resolve(name).toString();
  }

  private String read(String name) throws IOException {
    return Files.readString(dir.resolve("plan").resolve(name), StandardCharsets.ISO_8859_1);
  }

  private static Cli.Result run(String... words) {
    return Cli.run(words);
  }

  private Cli.Result plan(String... more) {
    Stream<String> words =
        Stream.concat(
            Stream.of("plan", path("f.net"), path("tenants.yaml"), "-o", path("plan")),
            Arrays.stream(more));
    return run(words.toArray(String[]::new));
  }

  private List<String> files() throws IOException {
    Path plan = dir.resolve("plan");
    try (Stream<Path> found = Files.walk(plan)) {
      return found
          .filter(Files::isRegularFile)
          .map(f -> plan.relativize(f).toString())
          .sorted()
          .toList();
    }
  }

  @Test
  void theEngineIsThatOfTheCommandLineThenThatOfTheFile() throws IOException {
    String plain = "version: 1\n%stenants:\n  - {name: a, members: [{count: 2}]}\n";
    Files.writeString(dir.resolve("tenants.yaml"), plain.formatted("engine: updn\n"));
    assertThat(plan().out()).startsWith("updn, ");
    assertThat(plan("--engine", "ftree").out()).startsWith("ftree, ");
    Files.writeString(dir.resolve("tenants.yaml"), plain.formatted(""));
    assertThat(plan().out()).startsWith("pftree-ext, ");
    Files.writeString(dir.resolve("tenants.yaml"), plain.formatted("engine: updm\n"));
    Cli.Result wrong = plan();
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err())
        .contains("tenants.yaml:2: there is no engine 'updm'", "did you mean updn?");
  }

  @Test
  void aPlanIsADirectoryOfFilesAndASummary() throws IOException {
    Cli.Result result = plan();
    assertThat(result.err()).isEmpty();
    assertThat(result.code()).isZero();
    assertThat(files())
        .containsExactly(
            "fabric.svg",
            "opensm.conf",
            "opensm.lfts",
            "partitions.conf",
            "qos-policy.conf",
            "report.json",
            "report.txt",
            "tables.hlft",
            "tenants/blue.env",
            "tenants/green.env",
            "tenants/red.env");
    assertThat(result.out())
        .contains("Plan: 3 tenants, 70 of 144 hosts\n")
        .contains("start OpenSM with: opensm -F " + dir.resolve("plan/opensm.conf"))
        .startsWith(read("report.txt"));
    assertThat(run("audit", path("f.net"), path("plan/tables.hlft")).code()).isZero();
    assertThat(read("fabric.svg")).contains("#4477aa").contains("#ee6677");
  }

  @Test
  void partitionsStateLevelsAndPendingMembers() throws IOException {
    plan();
    Parsed<PartitionsConf> conf =
        PartitionsConfReader.read(Source.of("partitions.conf", read("partitions.conf")));
    assertThat(conf.problems()).isEmpty();
    List<PartitionsConf.Definition> definitions = conf.get().definitions();
    assertThat(definitions)
        .extracting(PartitionsConf.Definition::name)
        .containsExactly("Default", "red", "blue", "green");
    assertThat(definitions)
        .extracting(PartitionsConf.Definition::ipoib)
        .containsExactly(false, false, true, true);
    assertThat(definitions.getLast().members())
        .hasSize(31)
        .contains(PartitionsConf.Member.of(0xdeadbeefL, PartitionsConf.Membership.FULL));
    Parsed<QosPolicy> policy =
        QosPolicyReader.read(Source.of("qos-policy.conf", read("qos-policy.conf")));
    for (PartitionsConf.Definition d : definitions.subList(1, 4)) {
      assertThat(policy.get().rules())
          .contains(
              QosPolicy.Rule.ofKey(d.pkey(), "SL" + d.flags().sl()),
              QosPolicy.Rule.ofGroup("P%04x".formatted(d.pkey()), "SL" + d.flags().sl()));
      assertThat(read("tenants/" + d.name() + ".env"))
          .contains("UCX_IB_PKEY=0x%04x\n".formatted(d.pkey()))
          .contains("NCCL_IB_SL=" + d.flags().sl() + "\n");
    }
    assertThat(read("opensm.conf"))
        .contains("routing_engine file,no_fallback\n")
        .contains("qos TRUE\n")
        .contains("qos_swe_sl2vl 0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3\n")
        .contains("qos_ca_vlarb_low 0:64,1:64,2:64,3:64\n")
        .contains("qos_ca_vlarb_high 0:0,1:0,2:0,3:0\n");
  }

  @Test
  void environmentFilesHoldAssignmentsAndCommentsOnly() throws IOException {
    plan();
    assertThat(read("tenants/red.env").lines())
        .allMatch(line -> line.matches("#.*|[A-Za-z0-9_]+=[0-9a-fx]+"));
  }

  @Test
  void changesAreCountedAgainstTheTablesInForce() {
    plan();
    Cli.Result again = plan("--current", path("plan/tables.hlft"));
    assertThat(again.code()).isZero();
    assertThat(again.out())
        .contains("Plan: 3 tenants, 70 of 144 hosts; 0 switches change, 0 blocks, 0 SMPs");
    run("route", path("f.net"), "--engine", "minhop", "-o", path("old.lfts"));
    Cli.Result other = plan("--current", path("old.lfts"), "--json");
    assertThat(other.out()).containsPattern("\"smps\" : [1-9]").contains("\"lid_changes\" : [ ]");
  }

  @Test
  void theSamePlanHasTheSameBytes() throws IOException {
    plan();
    List<String> names = files();
    String before = "";
    for (String name : names) {
      before += read(name);
    }
    plan();
    String after = "";
    for (String name : files()) {
      after += read(name);
    }
    assertThat(after).isEqualTo(before);
  }

  @Test
  void foreignFilesStayAndLeftOverTenantsAreNamed() throws IOException {
    Files.createDirectories(dir.resolve("plan/tenants"));
    Files.writeString(dir.resolve("plan/README"), "mine");
    Files.writeString(dir.resolve("plan/tenants/gone.env"), "old");
    Cli.Result result = plan();
    assertThat(result.code()).isZero();
    assertThat(result.err()).contains("gone.env belongs to no tenant of this plan");
    assertThat(read("README")).isEqualTo("mine");
    assertThat(read("tenants/gone.env")).isEqualTo("old");
  }

  @Test
  void whatStrictRulesForbidIsListedAndNothingIsWritten() throws IOException {
    run("fabric", "generate", "XGFT(2;6,2;1,1)", "-o", path("f.net"));
    Files.writeString(dir.resolve("tenants.yaml"), IMPOSSIBLE);
    for (String engine : List.of("pftree-ext", "ftree")) {
      Cli.Result result = plan("--engine", engine);
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err()).contains("red").contains("blue").contains("nothing was written");
      assertThat(dir.resolve("plan")).doesNotExist();
    }
  }

  @Test
  void whatBestEffortCannotKeepIsWrittenAndAFinding() throws IOException {
    run("fabric", "generate", "XGFT(2;6,2;1,1)", "-o", path("f.net"));
    Files.writeString(dir.resolve("tenants.yaml"), IMPOSSIBLE);
    Cli.Result result = plan("--best-effort");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).contains("physical-shared").contains("broken");
    assertThat(files()).contains("opensm.lfts", "report.json");
    assertThat(read("report.json")).contains("\"kept\" : false").contains("\"strict\" : false");
  }

  @Test
  void compactPlansHoldNoTextAndApplyMakesIt() throws IOException {
    plan();
    String text = read("opensm.lfts");
    Cli.Result old = plan("--format", "hlft", "--no-picture");
    assertThat(old.err()).contains("opensm.lfts is of an earlier plan");
    Files.delete(dir.resolve("plan/opensm.lfts"));
    Files.delete(dir.resolve("plan/fabric.svg"));
    Cli.Result result = plan("--format", "hlft", "--no-picture");
    assertThat(result.err()).isEmpty();
    assertThat(files()).contains("tables.hlft", "opensm.conf").doesNotContain("fabric.svg");
    assertThat(files()).doesNotContain("opensm.lfts");
    String tables = path("plan/tables.hlft");
    assertThat(result.out())
        .contains("start OpenSM with: heddle apply " + path("f.net") + " " + tables + " ")
        .contains(" --to opensm-files --tables-only && opensm -F ");
    String options = read("opensm.conf");
    String to = path("plan");
    Cli.Result apply =
        run("apply", path("f.net"), tables, to, "--to", "opensm-files", "--tables-only");
    assertThat(apply.code()).isZero();
    assertThat(apply.out()).contains("opensm.lfts").doesNotContain("opensm.conf");
    assertThat(read("opensm.lfts")).isEqualTo(text);
    assertThat(read("opensm.conf")).isEqualTo(options);
  }

  @Test
  void ipoibIsAChoice() throws IOException {
    plan("--ipoib", "none");
    assertThat(read("partitions.conf")).doesNotContain("ipoib");
    plan("--ipoib", "all");
    assertThat(read("partitions.conf")).contains("red=0x0101, ipoib");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--engine=nope",
        "--current=nope",
        "--ipoib=nope",
        "--format=nope",
        "--format=fdbs",
        "--strict"
      })
  void badInputIsRefusedAndNothingIsWritten(String option) {
    Cli.Result result = plan(option, "--best-effort");
    assertThat(result.code()).isEqualTo(2);
    assertThat(dir.resolve("plan")).doesNotExist();
  }

  @Test
  void badTenantsAreNamedWithTheirLine() throws IOException {
    Files.writeString(dir.resolve("tenants.yaml"), "version: 1\ntenants:\n  - {nome: red}\n");
    Cli.Result result = plan();
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("tenants.yaml:3:");
    assertThat(dir.resolve("plan")).doesNotExist();
  }

  @Test
  void thePriceOfIsolationIsReported() throws IOException {
    Cli.Result result = plan();
    assertThat(result.out()).contains("Price of isolation\n");
    assertThat(read("report.json")).containsPattern("\"fullest_channel_without\" : [0-9]");
    Cli.Result saved = plan("--no-price");
    assertThat(saved.out()).doesNotContain("Price of isolation");
    assertThat(read("report.json")).contains("\"price_of_isolation\" : null");
    assertThat(plan("--engine", "pftree").out()).doesNotContain("Price of isolation");
  }

  @Test
  void whoPaysForIsolationIsNamedWithBothFigures() throws IOException {
    run("fabric", "generate", "XGFT(2;8,4;1,4)", "-o", path("f.net"));
    Files.writeString(
        dir.resolve("tenants.yaml"),
        """
        version: 1
        tenants:
          - name: red
            policy: phy
            members: [{guid: 0x100001}, {guid: 0x100011}]
          - name: blue
            members: [{count: 30}]
        """);
    Cli.Result result = plan();
    assertThat(result.code()).isZero();
    assertThat(result.out())
        .containsPattern(
            "blue: fullest channel carries [0-9]+ instead of [0-9]+ destinations; "
                + "total contention [0-9]+ instead of [0-9]+\n");
  }

  @Test
  void isolationIsAnOptionOfTheCombinedEngineOnly() throws IOException {
    assertThat(plan("--engine", "pftree-mix", "--isolation", "1").code()).isZero();
    Cli.Result ignored = plan("--isolation", "0.5");
    assertThat(ignored.code()).isEqualTo(2);
    assertThat(ignored.err())
        .contains("pftree-ext does not use --isolation")
        .contains("pftree-mix");
    Cli.Result outside = plan("--engine", "pftree-mix", "--isolation", "1.5");
    assertThat(outside.code()).isEqualTo(2);
    assertThat(outside.err()).contains("--isolation must be 0 to 1, got: 1.5");
  }

  @Test
  void theTenantsFileCanSayHowMuchIsolationCounts() throws IOException {
    String file = TENANTS.replace("data_lanes: 4", "data_lanes: 4\nisolation: 0");
    Files.writeString(dir.resolve("tenants.yaml"), file);
    Cli.Result other = plan();
    assertThat(other.code()).isZero();
    assertThat(other.err()).contains("pftree-ext does not use 'isolation' of");
    assertThat(plan("--engine", "pftree-mix").err()).isEmpty();
    String none = read("opensm.lfts");
    plan("--engine", "pftree-mix", "--isolation", "1");
    assertThat(read("opensm.lfts")).isNotEqualTo(none);
    plan("--engine", "pftree-wt");
    assertThat(read("opensm.lfts")).isEqualTo(none);
  }

  @Test
  void weightsAreLearnedFromCounters() throws IOException {
    StringBuilder counters = new StringBuilder();
    for (int host = 0; host < 144; host++) {
      int received = host % 7 == 0 ? 1_000_000 : 10;
      counters.append("0x%x,1,%d\n".formatted(0x100001 + 2 * host, received));
    }
    Files.writeString(dir.resolve("counters.csv"), counters);
    plan("--engine", "pftree-wt");
    String equal = read("opensm.lfts");
    Cli.Result learned = plan("--engine", "pftree-wt", "--counters", path("counters.csv"));
    assertThat(learned.err()).isEmpty();
    assertThat(read("opensm.lfts")).isNotEqualTo(equal);
    Cli.Result ignored = plan("--counters", path("counters.csv"));
    assertThat(ignored.code()).isEqualTo(2);
    assertThat(ignored.err()).contains("pftree-ext does not use --counters").contains("pftree-wt");
  }

  @Test
  void routeRefusesOptionsThatTheEngineWouldIgnore() throws IOException {
    Files.writeString(dir.resolve("order.txt"), "0x100001\n");
    String[][] refused = {
      {"dmodk", "--order", path("order.txt"), "ftree, metabase, metabase-rank, noftree"},
      {"ftree", "--isolation", "0.5", "pftree-mix"},
      {"ftree", "--tenants", path("tenants.yaml"), "pftree-wt"},
      {"pftree-mix", "--isolation", "0.5", "--tenants"}
    };
    for (String[] r : refused) {
      Cli.Result result = run("route", path("f.net"), "--engine", r[0], r[1], r[2]);
      assertThat(result.code()).as(String.join(" ", r)).isEqualTo(2);
      assertThat(result.err()).contains(r[1]).contains(r[3]);
    }
    String tenants = path("tenants.yaml");
    for (String a : List.of("0", "1")) {
      Cli.Result result =
          run(
              "route",
              path("f.net"),
              "--engine=pftree-mix",
              "--tenants",
              tenants,
              "--isolation",
              a,
              "-o",
              path(a + ".lfts"));
      assertThat(result.code()).isZero();
    }
    assertThat(Files.readString(dir.resolve("0.lfts")))
        .isNotEqualTo(Files.readString(dir.resolve("1.lfts")));
  }
}
