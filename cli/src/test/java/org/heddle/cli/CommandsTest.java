package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.heddle.catalog.Catalog;
import org.heddle.routing.RoutingEngine;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands on a small tree, as users type them. */
class CommandsTest {
  private static final String TREE = "XGFT(2;4,4;1,4)";

  @TempDir private Path dir;

  private String net;
  private String lfts;
  private String hlft;

  @BeforeEach
  void names() {
    net = dir.resolve("a.net").toString();
    lfts = dir.resolve("a.lfts").toString();
    hlft = dir.resolve("a.hlft").toString();
  }

  private static Cli.Result ok(String... words) {
    Cli.Result result = Cli.run(words);
    assertThat(result.code()).as("%s: %s", List.of(words), result.err()).isZero();
    return result;
  }

  private static Cli.Result bad(int code, String... words) {
    Cli.Result result = Cli.run(words);
    assertThat(result.code()).as("%s: %s", List.of(words), result.err()).isEqualTo(code);
    return result;
  }

  private List<String> files() throws IOException {
    try (Stream<Path> list = Files.list(dir)) {
      return list.map(p -> p.getFileName().toString()).sorted().toList();
    }
  }

  private void routed() {
    ok("fabric", "generate", TREE, "-o", net);
    ok("route", net, "--engine", "ftree", "-o", hlft);
  }

  /** The tables as text with one entry changed. */
  private void routedWith(String entry, String replacement) throws IOException {
    routed();
    ok("fabric", "convert", net, "--lfts", hlft, "-o", lfts);
    String text = Files.readString(Path.of(lfts));
    assertThat(text).contains(entry);
    Files.writeString(Path.of(lfts), text.replaceFirst(entry, replacement));
  }

  // ---- fabric generate

  @Test
  void generateSaysWhatItMade() {
    assertThat(ok("fabric", "generate", TREE, "-o", net).out())
        .isEqualTo(net + ": 8 switches, 16 hosts, 32 links\n");
  }

  @Test
  void generateWritesTheFabricToStandardOutput() throws IOException {
    String text = ok("fabric", "generate", TREE).out();
    ok("fabric", "generate", TREE, "-o", net);
    assertThat(Files.readString(Path.of(net))).isEqualTo(text).contains("Switch\t");
  }

  @Test
  void generateBreaksTheSameLinksForTheSameSeed() throws IOException {
    String[] words = {"fabric", "generate", TREE, "--break-links", "25%", "--seed", "3"};
    String once = ok(words).out();
    assertThat(ok(words).out()).isEqualTo(once);
    words[6] = "4";
    assertThat(ok(words).out()).isNotEqualTo(once);
  }

  @Test
  void generateShufflesPortsBeforeItBreaksLinks() throws IOException {
    String plain = ok("fabric", "generate", TREE).out();
    String[] words = {"fabric", "generate", TREE, "--shuffle-ports", "5"};
    String shuffled = ok(words).out();
    assertThat(shuffled).isNotEqualTo(plain).isEqualTo(ok(words).out());
    words[4] = "6";
    assertThat(ok(words).out()).isNotEqualTo(shuffled);
    String[] broken = {
      "fabric", "generate", TREE, "--shuffle-ports", "5", "--break-links", "3", "-o", net, "--json"
    };
    String json = ok(broken).out();
    assertThat(json).contains("\"shuffle_ports\" : 5", "\"links\" : 29");
    // What is left are lines of the shuffled fabric, and what was removed is named by its ports.
    assertThat(Files.readAllLines(Path.of(net))).isSubsetOf(shuffled.lines().toList());
    Matcher gone = Pattern.compile("'(\\w+)' \\(\\w+\\) port (\\d+) - ").matcher(json);
    assertThat(gone.results().map(m -> m.group(1)).toList()).hasSize(3);
    assertThat(bad(2, "fabric", "generate", TREE, "--shuffle-ports", "x").err())
        .contains("--shuffle-ports");
  }

  @Test
  void generateAttachesExtras() {
    String[] words = {
      "fabric",
      "generate",
      TREE,
      "--sm-on-spine",
      "--storage",
      "3",
      "--aggregation-nodes",
      "-o",
      net
    };
    assertThat(ok(words).out()).contains("8 switches, 20 hosts");
  }

  @Test
  void generateExplainsAWrongTree() {
    assertThat(bad(2, "fabric", "generate", "XGFT(2;4;1,4)", "-o", net).err())
        .contains("height 2 needs 2 values of m, not 1");
    assertThat(Files.exists(Path.of(net))).isFalse();
  }

  @Test
  void generateRefusesANameOfTables() {
    assertThat(bad(2, "fabric", "generate", TREE, "-o", lfts).err())
        .contains("is a name for forwarding tables");
  }

  @Test
  void jsonAndTheFabricCannotShareStandardOutput() {
    assertThat(bad(2, "fabric", "generate", TREE, "--json").err())
        .contains("would both go to standard output");
  }

  // ---- recover

  @Test
  void whatIsNoJournalNeedsNoConnection() throws IOException {
    Path file = Files.writeString(dir.resolve("journal"), "garbage\n");
    assertThat(bad(2, "recover", file.toString(), "--undo").err()).contains(file + ":1: ");
  }

  // ---- fabric draw

  @Test
  void aPictureIsSvgWhateverItsNamePromises() {
    ok("fabric", "generate", TREE, "-o", net);
    String png = dir.resolve("x.png").toString();
    assertThat(bad(2, "fabric", "draw", net, "-o", png).err()).contains("SVG", ".svg");
    assertThat(Path.of(png)).doesNotExist();
  }

  @Test
  void aLoadToShowNeedsTables() {
    ok("fabric", "generate", TREE, "-o", net);
    assertThat(bad(2, "fabric", "draw", net, "--load", "up").err()).contains("--lfts");
  }

  // ---- fabric check

  @Test
  void factsAloneDoNotFailACheckUnlessAsked() {
    ok("fabric", "generate", TREE, "--sm-on-spine", "-o", net);
    assertThat(ok("fabric", "check", net).out()).contains("upper-hosts: ");
    assertThat(bad(1, "fabric", "check", net, "--fail-on", "info", "--json").out())
        .contains("\"severity\" : \"info\"");
    ok("fabric", "generate", TREE, "--break-links", "1", "-o", net);
    bad(1, "fabric", "check", net);
    ok("fabric", "check", net, "--fail-on", "error");
  }

  @Test
  void checkFindsTheTree() {
    ok("fabric", "generate", TREE, "-o", net);
    assertThat(ok("fabric", "check", net).out())
        .contains("8 switches, 16 hosts")
        .contains("a fat-tree of 2 levels, 4 leaves");
  }

  @Test
  void checkReadsStandardInput() {
    String text = ok("fabric", "generate", TREE).out();
    Cli.Result result = Cli.run(Map.of(), text, "fabric", "check", "-");
    assertThat(result.code()).isZero();
    assertThat(result.out()).startsWith("-: 8 switches");
  }

  @Test
  void damageIsAFinding() {
    ok("fabric", "generate", TREE, "--break-links", "1", "-o", net);
    Cli.Result result = bad(1, "fabric", "check", net, "--json");
    assertThat(result.out())
        .contains("\"format\" : \"heddle.fabric-check/1\"")
        .contains("\"tree\" : true")
        .contains("\"code\" : \"missing-links\"");
  }

  @Test
  void aTableFileInPlaceOfAFabricIsRecognised() {
    routed();
    assertThat(bad(2, "fabric", "check", hlft).err())
        .contains("these are forwarding tables; the fabric file is expected here");
  }

  @Test
  void aMissingFileIsAnsweredWithTheNearestName() {
    ok("fabric", "generate", TREE, "-o", net);
    assertThat(bad(2, "fabric", "check", dir.resolve("b.net").toString()).err())
        .isEqualTo(
            "heddle: error: no such file: %s%n  did you mean %s?%n"
                .formatted(dir.resolve("b.net"), net));
  }

  @Test
  void aDirectoryIsNoFabric() {
    assertThat(bad(2, "fabric", "check", dir.toString()).err()).contains("is a directory");
  }

  @Test
  void garbageIsPositioned() throws IOException {
    Files.writeString(Path.of(net), "nothing of the kind\n");
    assertThat(bad(2, "fabric", "check", net).err()).startsWith(net).contains("not a fabric");
  }

  // ---- fabric convert, draw

  @Test
  void convertKeepsTheFabric() throws IOException {
    ok("fabric", "generate", TREE, "-o", net);
    String ibsim = dir.resolve("a.ibsim").toString();
    ok("fabric", "convert", net, "-o", ibsim);
    String back = dir.resolve("back.net").toString();
    ok("fabric", "convert", ibsim, "-o", back);
    assertThat(ok("fabric", "check", back).out()).contains("8 switches, 16 hosts");
  }

  @Test
  void convertKeepsTheTables() throws IOException {
    routed();
    ok("fabric", "convert", net, "--lfts", hlft, "-o", lfts);
    String again = dir.resolve("again.hlft").toString();
    ok("fabric", "convert", net, "--lfts", lfts, "-o", again);
    assertThat(Path.of(again)).hasSameBinaryContentAs(Path.of(hlft));
  }

  @Test
  void convertDoesNotOverwriteItsInput() throws IOException {
    ok("fabric", "generate", TREE, "-o", net);
    String before = Files.readString(Path.of(net));
    assertThat(bad(2, "fabric", "convert", net, "--to", "ibsim", "-o", net).err())
        .contains("is an input of this command and would be overwritten");
    assertThat(Files.readString(Path.of(net))).isEqualTo(before);
  }

  @Test
  void drawMakesAnSvg() throws IOException {
    routed();
    String svg = dir.resolve("a.svg").toString();
    ok("fabric", "draw", net, "--lfts", hlft, "-o", svg);
    assertThat(Files.readString(Path.of(svg))).contains("<svg").endsWith("</svg>\n");
  }

  // ---- route

  @Test
  void routeSummarises() {
    ok("fabric", "generate", TREE, "-o", net);
    assertThat(ok("route", net, "--engine", "ftree", "-o", lfts).out())
        .contains("8 switches, 16 hosts, top LID 24, a tree of 2 levels")
        .contains("routed with ftree in ")
        .contains(": 192 entries")
        .contains("wrote " + lfts + " (opensm-lfts)")
        .contains("next: heddle audit " + net + " " + lfts);
  }

  @Test
  void routeIsDeterministic() throws IOException {
    routed();
    byte[] once = Files.readAllBytes(Path.of(hlft));
    ok("route", net, "--engine", "ftree", "-o", hlft);
    assertThat(Files.readAllBytes(Path.of(hlft))).isEqualTo(once);
  }

  @Test
  void routeWithoutOutputWritesNothing() throws IOException {
    ok("fabric", "generate", TREE, "-o", net);
    assertThat(ok("route", net, "-e", "updn").out()).contains("nothing written");
    assertThat(files()).containsExactly("a.net");
  }

  @Test
  void routeWritesToStandardOutputAndNothingElse() {
    ok("fabric", "generate", TREE, "-o", net);
    assertThat(ok("route", net, "-e", "ftree", "-o", "-").out()).startsWith("Unicast lids [0-24]");
  }

  @Test
  void anUnknownEngineIsAnsweredWithTheNearestOne() {
    assertThat(bad(2, "route", net, "-e", "ftre").err())
        .contains("did you mean ftree?")
        .contains("engines: dmodk, ftree, ")
        .contains(Catalog.engines().stream().map(RoutingEngine::name).toList());
  }

  @Test
  void anUnknownEndingIsRefusedBeforeAnyWork() {
    assertThat(bad(2, "route", net, "-e", "ftree", "-o", dir.resolve("a.x").toString()).err())
        .contains("does not say which format to write")
        .contains("--format opensm-lfts|hlft|fdbs");
  }

  @Test
  void anEngineThatCannotSaysWhy() throws IOException {
    // Two leaves, each with one host, without anything between them.
    Files.writeString(
        Path.of(net),
        """
        Switch 2 "S-0000000000000020" # "a" base port 0 lid 0 lmc 0
        [1] "H-0000000000000010"[1](11) # "h" lid 0 4xHDR

        Switch 2 "S-0000000000000021" # "b" base port 0 lid 0 lmc 0
        [1] "H-0000000000000012"[1](13) # "i" lid 0 4xHDR

        Ca 1 "H-0000000000000010" # "h"
        [1](11) "S-0000000000000020"[1] # lid 0 lmc 0 "a" lid 0 4xHDR

        Ca 1 "H-0000000000000012" # "i"
        [1](13) "S-0000000000000021"[1] # lid 0 lmc 0 "b" lid 0 4xHDR
        """);
    Cli.Result result = Cli.run("route", net, "-e", "ftree", "-o", lfts);
    if (result.code() == 1) {
      assertThat(result.err()).contains("ftree cannot route this fabric: ");
      assertThat(files()).containsExactly("a.net");
    } else {
      assertThat(result.code()).isZero();
      assertThat(bad(1, "audit", net, lfts).out()).contains("split-fabric");
    }
  }

  // ---- audit

  @Test
  void goodTablesAreClean() {
    routed();
    assertThat(ok("audit", net, hlft).out())
        .contains("between hosts: no credit loop")
        .endsWith("clean\n");
  }

  @Test
  void badTablesAreFound() throws IOException {
    routedWith("0x0001 001 #", "0x0001 002 #");
    assertThat(bad(1, "audit", net, lfts).out())
        .contains("error   wrong-host")
        .contains("do not use these tables");
    assertThat(bad(1, "audit", net, lfts, "--json").out())
        .contains("\"format\" : \"heddle.audit/1\"")
        .contains("\"clean\" : false")
        .contains("\"code\" : \"wrong-host\"")
        .contains("\"severity\" : \"error\"");
  }

  @Test
  void auditChecksPartitions() throws IOException {
    routed();
    Path conf = dir.resolve("partitions.conf");
    Files.writeString(
        conf,
        """
        Default=0x7fff,ipoib : ALL=limited, SELF=full ;
        a=0x0101 , defmember=full : 0x100001, 0x100003 ;
        b=0x0102 : 0x100005, 0x999999 ;
        """);
    assertThat(bad(1, "audit", net, hlft, "--partitions", conf.toString()).out())
        .contains("0x0101")
        .contains("unknown-member")
        .contains("no-full-member")
        .contains("partitions: 2 findings\ntables: clean\n");
  }

  @Test
  void brokenPartitionsAreBadInput() throws IOException {
    routed();
    Path conf = dir.resolve("partitions.conf");
    Files.writeString(conf, "a=0x0101 : nonsense=full ;\n");
    assertThat(bad(2, "audit", net, hlft, "--partitions", conf.toString()).err())
        .contains(conf + ":1: ")
        .contains("OpenSM would drop every key in this file");
  }

  /** In this tree destination k of every leaf comes down through one root: hosts 0 and 1 part. */
  private String tenants(String mode, String policy, String second) throws IOException {
    Path file = dir.resolve("tenants.yaml");
    Files.writeString(
        file,
        """
        version: 1
        mode: %s
        tenants:
          - name: red
            pkey: 0x0101
            policy: %s
            members: [H_0_0, H_1_0]
          - name: blue
            pkey: 0x0102
            members: [%s]
        """
            .formatted(mode, policy, second));
    return file.toString();
  }

  @Test
  void auditSaysWhichTenantsMeet() throws IOException {
    routed();
    String apart = tenants("strict", "phy", "H_0_1, H_1_1");
    assertThat(ok("audit", net, hlft, "--tenants", apart).out())
        .contains("2 partitions, 2 of them share no channel with another; 0 of 1 pair meets")
        .endsWith("tables: clean\nisolation: every policy is kept\n");
    // a route each way is one channel up and one down, each way
    String together = tenants("strict", "phy", "H_0_0, H_1_0, H_2_0");
    Cli.Result broken = bad(1, "audit", net, hlft, "--tenants", together);
    assertThat(broken.out())
        .contains("red shares 4 of its 4 channels with blue, same lane (2 up, 2 down): physical-")
        .contains("error   physical-shared")
        .endsWith("isolation: NOT kept (physical-shared)\n");
    assertThat(bad(1, "audit", net, hlft, "--tenants", together, "--json").out())
        .contains("\"kept\" : false")
        .contains("\"violation\" : \"physical-shared\"")
        .contains("\"policy\" : \"phy\"");
    String effort = tenants("best-effort", "phy", "H_0_0, H_1_0, H_2_0");
    assertThat(bad(1, "audit", net, hlft, "--tenants", effort, "--fail-on", "error").out())
        .contains("warning physical-shared");
  }

  @Test
  void lanesOfTenantsComeFromPartitionsConf() throws IOException {
    routed();
    String tenants = tenants("strict", "vlane", "H_0_0, H_1_0, H_2_0");
    assertThat(bad(1, "audit", net, hlft, "--tenants", tenants).out())
        .contains("lanes are not known")
        .endsWith("isolation: NOT kept (lane-shared)\n");
    Path conf = dir.resolve("partitions.conf");
    Files.writeString(
        conf,
        """
        Default=0x7fff : ALL=limited, SELF=full ;
        red=0x0101, sl=1, defmember=full : 0x100001, 0x100003 ;
        blue=0x0102, sl=2, defmember=full : 0x100001, 0x100003 ;
        """);
    String both =
        ok("audit", net, hlft, "--tenants", tenants, "--partitions", conf.toString()).out();
    assertThat(both).contains("channels with blue, separate lanes").contains("policy is kept");
    // without tenants file the partitions promise nothing
    assertThat(ok("audit", net, hlft, "--partitions", conf.toString()).out())
        .contains("Isolation of partitions")
        .contains("red")
        .endsWith("isolation: every policy is kept\n");
  }

  @Test
  void aTenantsFileThatDoesNotFitTheFabricIsBadInput() throws IOException {
    routed();
    String wrong = tenants("strict", "phy", "H_9_9");
    assertThat(bad(2, "audit", net, hlft, "--tenants", wrong).err())
        .contains("tenants.yaml:")
        .contains("H_9_9");
  }

  @Test
  void drawColoursHostsByTenant() throws IOException {
    ok("fabric", "generate", TREE, "-o", net);
    String svg = dir.resolve("t.svg").toString();
    ok("fabric", "draw", net, "--tenants", tenants("strict", "phy", "H_0_1"), "-o", svg);
    String picture = Files.readString(Path.of(svg));
    // two hosts and a key of the first tenant, one host and a key of the second
    assertThat(picture.split("fill:#4e79a7", -1)).hasSize(4);
    assertThat(picture.split("fill:#f28e2b", -1)).hasSize(3);
    assertThat(picture).contains(">red<").contains(">blue<");
  }

  // ---- trace

  @Test
  void traceListsBothWaysPortByPort() {
    routed();
    assertThat(ok("trace", net, hlft, "H_0_0", "H_3_3").out())
        .contains("'H_0_0' (0x0000000000100000) -> 'H_3_3' (0x000000000010001e)")
        .contains("'H_3_3' (0x000000000010001e) -> 'H_0_0' (0x0000000000100000)")
        .contains("4x HDR");
  }

  @Test
  void nodesAreNamedByDescriptionGuidOrLid() {
    routed();
    String byName = ok("trace", net, hlft, "H_0_0", "H_3_3").out();
    assertThat(ok("trace", net, hlft, "0x100000", "16").out()).isEqualTo(byName);
    assertThat(ok("trace", net, hlft, "0x100001", "lid:0x10").out()).isEqualTo(byName);
    assertThat(ok("trace", net, hlft, "H_0_0/1", "H_3_3").out()).isEqualTo(byName);
  }

  @Test
  void anUnknownNodeIsAnsweredWithTheNearestOne() {
    routed();
    assertThat(bad(2, "trace", net, hlft, "H_0_0", "H_3_9").err()).contains("did you mean 'H_3_");
  }

  @Test
  void anAmbiguousNameIsListed() throws IOException {
    ok("fabric", "generate", TREE, "-o", net);
    String text = Files.readString(Path.of(net));
    Files.writeString(Path.of(net), text.replaceAll("H_[01]_0", "localhost"));
    ok("route", net, "-e", "ftree", "-o", hlft);
    assertThat(bad(2, "trace", net, hlft, "localhost", "H_3_3").err())
        .contains("'localhost' is the name of 2 nodes")
        .contains("0x0000000000100000  localhost")
        .contains("0x0000000000100008  localhost");
  }

  @Test
  void aRouteThatDoesNotArriveSaysWhy() throws IOException {
    routedWith("0x0001 001 #", "0x0001 002 #");
    assertThat(bad(1, "trace", net, lfts, "H_3_3", "H_0_0").out())
        .contains("does not arrive: it is given to 'H_0_1'");
  }

  // ---- apply

  @Test
  void applyWritesWhatOpensmLoads() throws IOException {
    routed();
    Path conf = dir.resolve("p.conf");
    Files.writeString(conf, "Default=0x7fff : ALL=full ;\na=0x0101 : 0x100001=full ;\n");
    Path to = dir.resolve("opensm");
    Cli.Result result =
        ok(
            "apply",
            net,
            hlft,
            to.toString(),
            "--partitions",
            conf.toString(),
            "--to",
            "opensm-files");
    assertThat(result.out())
        .contains(
            "opensm -R file,no_fallback -U %s/opensm.lfts -P %s/partitions.conf".formatted(to, to));
    assertThat(Files.readString(to.resolve("opensm.lfts"))).contains("portguid 0x");
    assertThat(Files.readString(to.resolve("partitions.conf"))).contains("0x0101");
    assertThat(Files.readString(to.resolve("opensm.conf")))
        .contains("routing_engine file,no_fallback");
  }

  @Test
  void applyRefusesTablesWithErrors() throws IOException {
    routedWith("0x0001 001 #", "0x0001 002 #");
    Path to = dir.resolve("opensm");
    assertThat(bad(1, "apply", net, lfts, to.toString(), "--to", "opensm-files").err())
        .contains("these tables have errors, nothing is written")
        .contains("wrong-host: ");
    assertThat(Files.exists(to)).isFalse();
    ok("apply", net, lfts, to.toString(), "--to", "opensm-files", "--force");
    assertThat(Files.exists(to.resolve("opensm.lfts"))).isTrue();
  }

  // ---- all

  @Test
  void applyRefusesTablesForAPartOfTheFabric() throws IOException {
    routed();
    ok("fabric", "convert", net, "--lfts", hlft, "-o", lfts);
    Files.writeString(
        Path.of(lfts), Files.readString(Path.of(lfts)).replaceAll("(?m)^0x0010 \\d+ # .*\n", ""));
    String to = dir.resolve("opensm").toString();
    assertThat(bad(1, "apply", net, lfts, to, "--to", "opensm-files").err())
        .contains("do not cover all of this fabric")
        .contains("endport-without-lid: 1 endport has no LID.");
    assertThat(dir.resolve("opensm")).doesNotExist();
    assertThat(ok("apply", net, lfts, to, "--to", "opensm-files", "--force").out())
        .contains("the audit has 0 errors and 1 warning: heddle audit ");
  }

  @Test
  void aFabricInPlaceOfTablesIsNamedOnce() {
    ok("fabric", "generate", TREE, "-o", net);
    assertThat(bad(2, "audit", net, net).err().lines())
        .hasSize(2)
        .first()
        .asString()
        .contains("no forwarding tables; expected")
        .endsWith("but this looks like an ibnetdiscover topology");
  }

  @Test
  void theErrorsOfAWrongFileDoNotFillTheScreen() {
    ok("fabric", "generate", TREE, "-o", net);
    Cli.Result result = bad(2, "fabric", "check", net, "--roots", net);
    assertThat(result.err().lines()).hasSizeLessThan(40);
    assertThat(result.err()).containsPattern("\\.\\.\\. and \\d+ more errors");
  }

  @Test
  void guidsThatAreNotInTheFabricAreWarnedOf() throws IOException {
    ok("fabric", "generate", TREE, "-o", net);
    Path roots = dir.resolve("roots.txt");
    Files.writeString(roots, "0x200004\n0x999\n");
    assertThat(ok("route", net, "-e", "updn", "--roots", roots.toString()).err())
        .endsWith("1 of 2 GUIDs are not in the fabric, the first 0x0000000000000999\n");
  }

  @Test
  void anEmptyFileNameIsNamed() {
    assertThat(bad(2, "fabric", "check", "").err()).contains("a file name is empty");
  }

  @Test
  void onesAreSingular() {
    ok("fabric", "generate", "XGFT(1;1;1)", "-o", net);
    assertThat(ok("fabric", "check", net).out())
        .contains(": 1 switch, 1 host, 0 routers, 1 link\na fat-tree of 1 level, 1 leaf: XGFT");
  }

  @Test
  void namesWithBlanksAreQuotedInWhatToDoNext() {
    String blank = dir.resolve("a b.net").toString();
    ok("fabric", "generate", TREE, "-o", blank);
    assertThat(ok("route", blank, "-e", "ftree", "-o", hlft).out())
        .contains("next: heddle audit '" + blank + "' " + hlft);
  }

  @Test
  void noTemporaryFileStaysBehind() throws IOException {
    routed();
    bad(2, "fabric", "convert", net, "--lfts", net, "-o", lfts);
    assertThat(files()).containsExactly("a.hlft", "a.net");
  }

  @Test
  void anOutputIntoAMissingDirectoryIsRefusedBeforeAnyWork() {
    ok("fabric", "generate", TREE, "-o", net);
    assertThat(bad(2, "route", net, "-e", "ftree", "-o", dir + "/no/a.lfts").err())
        .contains("there is no directory " + dir + "/no")
        .contains("mkdir -p " + dir + "/no");
  }

  @Test
  void theDemoRunsAllTheWay() throws IOException {
    String to = dir.resolve("demo").toString();
    assertThat(ok("demo", "--dir", to).out())
        .contains("$ heddle fabric generate 'XGFT(3;6,6,6;1,6,6)'")
        .contains("Done in ");
    assertThat(Path.of(to, "fabric.svg")).exists();
    assertThat(Path.of(to, "opensm", "opensm.lfts")).exists();
    assertThat(ok("demo", "--dir", to, "--json").out()).contains("\"exit_code\" : 0");
  }
}
