package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.text.Source;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.lft.TableFormats;
import org.heddle.text.topology.FabricFormats;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What commands say and do about wrong identities, and about findings that are expected. */
class IdentityCommandsTest {
  private static final String TREE = "XGFT(2;4,4;1,2)";

  @TempDir private Path dir;

  private String net;
  private String lfts;
  private String dump;

  @BeforeEach
  void fabric() throws IOException {
    net = dir.resolve("a.net").toString();
    lfts = dir.resolve("a.lfts").toString();
    run(0, "fabric", "generate", TREE, "-o", dir.resolve("g.net").toString());
    run(0, "route", dir.resolve("g.net").toString(), "-e", "ftree", "-o", lfts);
    byte[] tree = Files.readAllBytes(dir.resolve("g.net"));
    Fabric fabric = FabricFormats.read(new Source("g", tree)).get().withAssignedLids();
    try (OutputStream out = Files.newOutputStream(Path.of(net))) {
      FabricFormats.IBNETDISCOVER.write(fabric, out);
    }
    dump = Files.readString(Path.of(net));
  }

  private static Cli.Result run(int code, String... words) {
    Cli.Result result = Cli.run(words);
    assertThat(result.code())
        .as("%s: %s%s", String.join(" ", words), result.err(), result.out())
        .isEqualTo(code);
    return result;
  }

  private static JsonNode json(int code, String... words) {
    return JsonMapper.shared().readTree(run(code, words).out());
  }

  private String file(String name, String text) throws IOException {
    Path file = dir.resolve(name);
    Files.writeString(file, text);
    return file.toString();
  }

  private static JsonNode coded(JsonNode problems, String code) {
    for (JsonNode problem : problems) {
      if (problem.path("code").asString("").equals(code)) {
        return problem;
      }
    }
    throw new AssertionError("no " + code + " in " + problems);
  }

  @Test
  void aPortGuidThatTwoPortsHaveIsAnErrorEverywhereWithBothPlaces() throws IOException {
    String twice = file("twice.net", dump.replace("(100009)", "(100001)"));
    String tenants =
        file(
            "t.yaml",
            """
            version: 1
            tenants:
              - name: blue
                exclusive: true
                members: [H_0_0]
              - name: green
                exclusive: true
                members: [H_1_0]
            """);
    String plan = dir.resolve("plan").toString();
    String[][] commands = {
      {"fabric", "check", twice},
      {"route", twice, "-e", "ftree"},
      {"audit", twice, lfts},
      {"tenants", "validate", tenants, twice},
      {"plan", twice, tenants, "-o", plan},
      {"allocate", twice, "--state", dir.resolve("s").toString(), "add", "a", "-n", "2"}
    };
    for (String[] words : commands) {
      String[] withJson = java.util.Arrays.copyOf(words, words.length + 1);
      withJson[words.length] = "--json";
      JsonNode problem = coded(json(2, withJson).path("problems"), "duplicate-port-guid");
      assertThat(problem.path("severity").asString()).isEqualTo("error");
      JsonNode places = problem.path("places");
      assertThat(places.size()).isEqualTo(2);
      assertThat(places.get(0).path("node").asString()).isEqualTo("H_0_0");
      assertThat(places.get(0).path("neighbour").asString()).isEqualTo("S1_0");
      assertThat(places.get(1).path("node").asString()).isEqualTo("H_1_0");
      assertThat(places.get(1).path("neighbour").asString()).isEqualTo("S1_1");
      assertThat(places.get(1).path("neighbour_port").asInt()).isEqualTo(1);
      assertThat(places.get(1).path("line").asInt()).isPositive();
    }
    assertThat(Path.of(plan)).doesNotExist();
  }

  @Test
  void aWarningOfAReaderIsInTheJsonOfEveryCommandAndItsExitCode() throws IOException {
    Fabric fabric = FabricFormats.read(new Source("n", Files.readAllBytes(Path.of(net)))).get();
    int lid = fabric.lid(fabric.findPort(0x100009));
    int kept = fabric.lid(fabric.findPort(0x100001));
    String text =
        dump.replace("# lid " + lid + " lmc", "# lid " + kept + " lmc")
            .replace("\" lid " + lid + " ", "\" lid " + kept + " ");
    String twice = file("twice.net", text);
    JsonNode route = json(1, "route", twice, "-e", "ftree", "--json");
    assertThat(coded(route.path("problems"), "duplicate-lid").path("places").size()).isEqualTo(2);
    JsonNode check = json(1, "fabric", "check", twice, "--json");
    JsonNode finding = coded(check.path("findings"), "duplicate-lid");
    assertThat(finding.path("severity").asString()).isEqualTo("warning");
    assertThat(finding.path("places").size()).isEqualTo(2);
    JsonNode audit = json(1, "audit", twice, lfts, "--json");
    assertThat(coded(audit.path("findings"), "duplicate-lid").path("count").asInt()).isEqualTo(1);
    String accept =
        file("accept.txt", "duplicate-lid H_1_0 in repair\nduplicate-lid H_0_0 in repair\n");
    JsonNode accepted = json(0, "fabric", "check", twice, "--accept", accept, "--json");
    assertThat(accepted.path("findings").isEmpty()).isTrue();
    assertThat(accepted.path("accepted").size()).isEqualTo(2);
    // one of the two places is not enough
    String half = file("half.txt", "duplicate-lid H_1_0 in repair\n");
    json(1, "fabric", "check", twice, "--accept", half, "--json");
    // clean input says so
    assertThat(json(0, "route", net, "-e", "ftree", "--json").path("problems").isEmpty()).isTrue();
  }

  @Test
  void notesDoNotChangeTheExitCode() throws IOException {
    String noisy = file("noisy.net", "ibwarn: [1] something\n" + dump);
    JsonNode route = json(0, "route", noisy, "-e", "ftree", "--json");
    assertThat(route.path("problems").get(0).path("severity").asString()).isEqualTo("note");
    assertThat(route.path("problems").get(0).path("line").asInt()).isEqualTo(1);
  }

  @Test
  void adaptersWithoutANameAreMachinesOfTheirOwnAndNotExportedByName() throws IOException {
    String text = dump;
    for (String host : new String[] {"H_0_1", "H_1_0", "H_2_2"}) {
      text = text.replace("\"" + host + "\"", "\"MT4119 ConnectX5   Mellanox Technologies\"");
    }
    text =
        text.replace("\"H_3_0\"", "\"localhost mlx5_0\"")
            .replace("\"H_3_1\"", "\"localhost mlx5_0\"");
    String unnamed = file("unnamed.net", text);
    JsonNode check = json(1, "fabric", "check", unnamed, "--json");
    assertThat(coded(check.path("findings"), "unnamed-adapters").path("places").size())
        .isEqualTo(5);
    String tenants =
        file("t.yaml", "version: 1\ntenants:\n  - name: a\n    members: [0x100009, H_0_0]\n");
    assertThat(run(0, "tenants", "explain", tenants, unnamed).out()).doesNotContain("MT4119");
    String state = dir.resolve("s").toString();
    String files = dir.resolve("x").toString();
    run(0, "allocate", unnamed, "--state", state, "add", "blue", "-n", "16", "--no-links");
    Cli.Result export = run(1, "allocate", unnamed, "--state", state, "export", files);
    assertThat(export.err()).contains("5 hosts have a description that names no machine");
    String slurm = Files.readString(Path.of(files, "slurm", "topology.conf"));
    assertThat(slurm.lines().filter(l -> !l.startsWith("#")))
        .noneMatch(l -> l.contains("MT4119") || l.contains("localhost") || l.contains("0x"));
    assertThat(slurm).contains("# left out, its description names no machine: 0x0000000000100");
    assertThat(Files.readString(Path.of(files, "openstack", "blue-add.sh")))
        .doesNotContain("MT4119", "localhost", " 0x");
  }

  /** An entry for a LID of a virtual function, as its hypervisor's, in every table. */
  private String withVirtualFunction() throws IOException {
    String tables = Files.readString(Path.of(lfts));
    return file(
        "vf.lfts",
        tables.replaceAll(
            "(?m)^0x[0-9a-f]+ ([0-9]+) (# Channel Adapter portguid) 0x0*100001: .*$",
            "$0\n0x0040 $1 $2 0x02000000000000aa: 'VF'"));
  }

  @Test
  void routesOfLidsThatTheFabricDoesNotKnowAreKeptAndTold() throws IOException {
    String tables = withVirtualFunction();
    String tenants =
        file("t.yaml", "version: 1\ntenants:\n  - name: a\n    members: [H_0_0, H_1_0]\n");
    String plan = dir.resolve("plan").toString();
    JsonNode document =
        json(
            0, "plan", net, tenants, "--current", tables, "--format", "hlft", "-o", plan, "--json");
    JsonNode told = coded(document.path("problems"), "unknown-lid");
    assertThat(told.path("message").asString()).contains("LID 64 of port 0x02000000000000aa");
    assertThat(told.path("places").get(0).path("node").asString()).isEqualTo("H_0_0");
    assertDelivered(plan + "/tables.hlft");
    String next = dir.resolve("next.hlft").toString();
    JsonNode rerouted = json(0, "reroute", net, tables, "--minimal", "-o", next, "--json");
    assertThat(rerouted.path("lost").path("ports")).isEmpty(); // nobody is gone
    assertDelivered(next);
    // an audit finds it, and a site that has virtual functions accepts it
    coded(json(1, "audit", net, tables, "--json").path("findings"), "unknown-lid");
    String accept = file("accept.txt", "unknown-lid H_0_0 SR-IOV\n");
    json(0, "audit", net, tables, "--accept", accept, "--json");
  }

  /** A host whose place another one took is lost, though its LID ends at a host port. */
  @Test
  void aHostInWhosePlaceAnotherOneIsIsLost() throws IOException {
    String other = file("other.net", Files.readString(Path.of(net)).replace("100001", "1000f1"));
    String next = dir.resolve("next.hlft").toString();
    JsonNode document = json(0, "reroute", other, lfts, "--minimal", "-o", next, "--json");
    assertThat(document.path("lost").path("ports"))
        .singleElement()
        .satisfies(p -> assertThat(p.asString()).isEqualTo("0x0000000000100001"));
  }

  private void assertDelivered(String tables) throws IOException {
    Fabric fabric = FabricFormats.read(new Source("n", Files.readAllBytes(Path.of(net)))).get();
    BoundTables bound;
    try (var in = Files.newInputStream(Path.of(tables))) {
      bound = TableFormats.read(tables, in, fabric).get();
    }
    int port = fabric.findPort(0x100001);
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      int at = sw;
      for (int hops = 0; hops < 5 && fabric.isSwitch(at); hops++) {
        int out = bound.tables().port(at, 64);
        assertThat(out).as("switch %d", sw).isNotEqualTo(ForwardingTables.NO_PORT);
        at = fabric.peerNode(fabric.port(at, out));
      }
      assertThat(at).as("from switch %d", sw).isEqualTo(fabric.nodeOf(port));
    }
  }

  @Test
  void anAuditIsCleanOnceWhatIsExpectedIsAccepted() throws IOException {
    String an = dir.resolve("an.net").toString();
    String tables = dir.resolve("an.lfts").toString();
    run(0, "fabric", "generate", TREE, "--aggregation-nodes", "--sm-on-spine", "-o", an);
    run(0, "route", an, "-e", "ftree", "-o", tables);
    JsonNode before = json(1, "audit", an, tables, "--json");
    coded(before.path("findings"), "down-up-route");
    String accept =
        file(
            "accept.txt",
            """
            # aggregation nodes of two spines have no path that goes up, then down
            down-up-route class:aggregation-nodes  SHARP does not cross spines
            half-used-link * gone
            """);
    Cli.Result result = run(0, "audit", an, tables, "--accept", accept, "--json");
    JsonNode after = JsonMapper.shared().readTree(result.out());
    assertThat(after.path("accepted").size()).isEqualTo(1);
    assertThat(after.path("accepted").get(0).path("reason").asString())
        .isEqualTo("SHARP does not cross spines");
    assertThat(result.err())
        .contains("accept.txt:3: note: nothing is found that 'half-used-link *'");
    // a host that is lost besides is new
    String text = Files.readString(Path.of(tables));
    String broken =
        file("broken.lfts", text.replaceFirst("(?m)^0x[0-9a-f]+ [0-9]+ # .*'H_2_1'$", ""));
    JsonNode worse = json(1, "audit", an, broken, "--accept", accept, "--json");
    coded(worse.path("findings"), "unreachable-ca-ca");
  }

  /** As OpenSM's ftree makes them: no entries of roots for each other, a subnet manager on one. */
  @Test
  void theLidsOfSwitchesAndASubnetManagerOnASpineMayBeAccepted() throws IOException {
    String sm = dir.resolve("sm.net").toString();
    String tables = dir.resolve("sm.lfts").toString();
    run(
        0,
        "fabric",
        "generate",
        TREE,
        "--sharp",
        "--sm-on-spine",
        "--shuffle-ports",
        "4",
        "-o",
        sm);
    run(0, "route", sm, "-e", "ftree", "-o", tables);
    String text = Files.readString(Path.of(tables));
    StringBuilder out = new StringBuilder();
    boolean root = false;
    for (String line : text.lines().toList()) {
      root = line.startsWith("Unicast lids") ? line.contains("'S2_") : root;
      boolean own = line.startsWith("Unicast lids") || line.matches("0x[0-9a-f]+ 000 .*");
      if (!root || own || !line.contains("'S2_")) {
        out.append(line).append('\n');
      }
    }
    String without = file("without.lfts", out.toString());
    JsonNode before = json(1, "audit", sm, without, "--json");
    assertThat(coded(before.path("findings"), "unreachable-switch-switch").path("count").asInt())
        .isEqualTo(2);
    coded(before.path("findings"), "down-up-route");
    for (String named : new String[] {"class:roots", "class:switches", "\"S2_*\""}) {
      String accept =
          file(
              "accept.txt",
              "unreachable-switch-switch "
                  + named
                  + " roots are not managed by LID\n"
                  + "unreachable-ca-switch "
                  + named
                  + " nor does SHARP ask them\n"
                  + "down-up-route class:upper-hosts the manager sends little\n"
                  + "down-up-route class:aggregation-nodes SHARP does not cross spines\n");
      JsonNode after = json(0, "audit", sm, without, "--accept", accept, "--json");
      assertThat(after.path("accepted").size()).isEqualTo(4);
      assertThat(after.path("problems").isEmpty()).isTrue();
    }
    String one = file("one.txt", "unreachable-switch-switch S2_0 in repair\n");
    JsonNode left = json(1, "audit", sm, without, "--accept", one, "--json");
    assertThat(coded(left.path("findings"), "unreachable-switch-switch").path("count").asInt())
        .isEqualTo(1);
    // a leaf that does not reach a root is new
    String broken =
        file("worse.lfts", out.toString().replaceFirst("(?m)^0x[0-9a-f]+ [0-9]+ # .*'S1_1'$", ""));
    String roots = file("roots.txt", "unreachable-switch-switch class:roots known\n");
    JsonNode worse = json(1, "audit", sm, broken, "--accept", roots, "--json");
    coded(worse.path("findings"), "unreachable-switch-switch");
  }

  @Test
  void anAcceptFileMustSayWhy() throws IOException {
    String accept = file("accept.txt", "slow-link *\n");
    assertThat(run(2, "fabric", "check", net, "--accept", accept).err())
        .contains("accept.txt:1: error: say why 'slow-link' is accepted");
    String unknown = file("unknown.txt", "slow-link class:nobody because\n");
    assertThat(run(2, "fabric", "check", net, "--accept", unknown).err())
        .contains("there is no class 'class:nobody'");
  }

  @Test
  void aSlowLinkIsFoundAndMayBeAccepted() throws IOException {
    String slow = file("slow.net", dump.replaceFirst("(\"H_2_1\" lid \\d+) 4xHDR", "$1 4xSDR"));
    JsonNode finding =
        coded(json(1, "fabric", "check", slow, "--json").path("findings"), "slow-link");
    assertThat(finding.path("places").get(0).path("node").asString()).isEqualTo("S1_2");
    assertThat(finding.path("places").get(1).path("node").asString()).isEqualTo("H_2_1");
  }

  @Test
  void groupsFasterThanAMembersLinkAreTold() throws IOException {
    String text =
        dump.replaceFirst("(\"H_0_0\" lid \\d+) 4xHDR", "$1 4xSDR")
            .replaceFirst("(\\[1\\]\\(100001\\).*) 4xHDR", "$1 4xSDR");
    String slow = file("slow.net", text);
    String conf =
        file(
            "p.conf",
            "Default=0x7fff, ipoib, rate=16 : ALL=full ;\n"
                + "fits=0x21, ipoib, rate=3 : 0x100001=full, 0x100003=full ;\n");
    JsonNode audit = json(1, "audit", slow, lfts, "--partitions", conf, "--json");
    JsonNode findings = audit.path("partitions").path("findings");
    assertThat(findings.size()).isEqualTo(1);
    assertThat(coded(findings, "group-rate").path("message").asString())
        .contains("0x7fff", "rate 16 (100 Gbit/s)", "'H_0_0'", "4xSDR");
  }

  /**
   * Rates are compared by what lanes signal, as OpenSM compares them. 12 lanes of QDR signal 120
   * Gbit/s and carry 96; 4 of EDR signal 100 and carry 100: their port may not join.
   */
  @Test
  void aGroupIsTooFastByItsSignalsNotByItsData() throws IOException {
    String text =
        dump.replaceFirst("(\"H_0_0\" lid \\d+) 4xHDR", "$1 4xEDR")
            .replaceFirst("(\\[1\\]\\(100001\\).*) 4xHDR", "$1 4xEDR");
    String edr = file("edr.net", text);
    for (int rate : new int[] {10, 16}) { // 120 Gbit/s, 100 Gbit/s
      String conf = file("p.conf", "Default=0x7fff, ipoib, rate=" + rate + " : ALL=full ;\n");
      int tooFast = rate == 10 ? 1 : 0;
      JsonNode audit = json(tooFast, "audit", edr, lfts, "--partitions", conf, "--json");
      assertThat(audit.path("partitions").path("findings").size()).isEqualTo(tooFast);
    }
  }

  @Test
  void onePlaceholderLineDoesNotRefuseANameMap() throws IOException {
    String map = file("names.map", "0x100000 \"first\"\n<guid> \"nobody\"\n0x200000 \"leaf\"\n");
    String out = dir.resolve("named.net").toString();
    assertThat(run(1, "fabric", "convert", net, "--names", map, "-o", out).err())
        .contains("names.map:2: warning: expected a GUID");
    assertThat(Files.readString(Path.of(out))).contains("\"first\"", "\"leaf\"");
  }
}
