package org.heddle.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.heddle.text.FabricTexts.DUMP;
import static org.heddle.text.FabricTexts.messages;
import static org.heddle.text.FabricTexts.read;
import static org.heddle.text.FabricTexts.readCleanly;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.LinkSpeed;
import org.heddle.text.topology.IbnetdiscoverReader;
import org.junit.jupiter.api.Test;

/** What real files suffer, and what becomes of it. */
class IbnetdiscoverTroubleTest {
  private static final Fabric WHOLE = readCleanly(DUMP);

  private static void assertWarns(String text, Fabric expected, String... parts) {
    Parsed<Fabric> parsed = read(text);
    assertThat(parsed.ok()).as("%s", parsed.problems()).isTrue();
    assertThat(parsed.get()).isEqualTo(expected);
    assertThat(String.join("\n", messages(parsed)))
        .contains(parts)
        .containsPattern("(warning|note): ");
  }

  private static void assertRefused(String text, String... parts) {
    Parsed<Fabric> parsed = read(text);
    assertThat(parsed.ok()).isFalse();
    assertThat(String.join("\n", messages(parsed))).contains(parts);
  }

  // ---- what terminals, pipes and editors add

  @Test
  void strayMessagesAreSkippedAndReported() {
    String text =
        DUMP.replace(
            "[2]\t\"H-0000000000000b01\"[1]",
            "ibwarn: [4711] mad_rpc: _do_madrpc failed; dport (DR path slid 0; dlid 0; 0,1,3)\n"
                + "src/query_smp.c:197; umad (DR path 0,1) bad status 110; Connection timed out\n"
                + "[2]\t\"H-0000000000000b01\"[1]");
    assertWarns(
        text,
        WHOLE,
        "net:12: note: not part of a topology, ignored: ibwarn: [4711]",
        "net:13: note: not part of a topology, ignored: src/query_smp.c:197");
  }

  @Test
  void terminalSessionsAreReadThroughTheirDecoration() {
    String text =
        "Script started on 2024-05-01\n"
            + "\u001b]0;root@sm\u0007\u001b[01;32m[root@sm ~]#\u001b[0m ibnetdiscover\r\n"
            + DUMP.replace("\n", "\r\n").replace("Switch\t", "\u001b[1mSwitch\u001b[0m\t")
            + "[root@sm ~]$ exit\nScript done on 2024-05-01";
    assertWarns(
        text, WHOLE, "Script started", "[root@sm ~]# ibnetdiscover", "terminal escape sequences");
  }

  @Test
  void lineEndsMarksAndNulBytesDoNoHarm() {
    assertThat(readCleanly(DUMP.replace("\n", "\r\n"))).isEqualTo(WHOLE);
    assertThat(readCleanly("\ufeff" + DUMP)).isEqualTo(WHOLE);
    assertWarns(DUMP.replace("[1]", "[\0001]"), WHOLE, "control bytes");
    byte[] utf16 = ("\ufeff" + DUMP).getBytes(StandardCharsets.UTF_16LE);
    Parsed<Fabric> parsed = IbnetdiscoverReader.read(new Source("net", utf16));
    assertThat(parsed.get()).isEqualTo(WHOLE);
    assertThat(messages(parsed)).singleElement().asString().contains("UTF-16");
  }

  // ---- cut off

  @Test
  void aFileCutInsideALineIsRefused() {
    String cut = DUMP.substring(0, DUMP.lastIndexOf("\"S-0000000000005002\"[1]") + 10);
    assertRefused(cut, "the file is cut off in the middle of a line", "net:36:");
  }

  @Test
  void aFileCutBetweenLinesIsRefusedWhenNodesAreMissing() {
    String cut = DUMP.substring(0, DUMP.indexOf("caguid=0xa01"));
    assertRefused(
        cut,
        "net:11: 3 port line(s) lead to nodes that have no record of their own,"
            + " the first to 0x0000000000000a01; the file is cut off");
  }

  @Test
  void aFileWithoutItsLastLineEndIsReadWithAWarning() {
    assertWarns(DUMP.stripTrailing(), WHOLE, "net:36: warning: the last line has no line end");
  }

  @Test
  void aNodeWithoutItsHeadIsRefused() {
    assertRefused(DUMP.replace("Ca\t1 \"H-0000000000000a01\"", "xx"), "no record of their own");
    assertRefused(DUMP.replace("Switch\t36 ", "Switch\tmany "), "net:19:", "no record");
    assertRefused(DUMP.replace("Switch\t36 ", "Switch\t"), "net:19: expected a number of ports");
    assertRefused(
        DUMP.replace("Switch\t36 ", "Switch\t255 "), "expected a number of ports, 0..254");
  }

  // ---- cables that do not fit

  @Test
  void aCableNamedByOneEndIsAccepted() {
    String line = "[2](b03) \t\"S-0000000000005002\"[1]\t\t# lid 12 lmc 0 \"spine\" lid 14 4xFDR\n";
    assertThat(DUMP).contains(line);
    // The switch's line still tells the port's GUID and LID.
    assertWarns(
        DUMP.replace(line, ""),
        WHOLE,
        "net:20: warning: the link to port 2 of 'node2 HCA-1'",
        "is not listed there; accepted");
  }

  @Test
  void ofTwoEndsThatDisagreeTheAgreeingPairWins() {
    Parsed<Fabric> parsed =
        read(DUMP.replace("[40]\t\"S-0000000000005002\"[7]", "[40]\t\"S-0000000000005002\"[1]"));
    Fabric f = parsed.get();
    int spine = f.findNode(0x5002);
    assertThat(f.peerNode(f.port(spine, 1))).as("both ends agree").isEqualTo(f.findNode(0xb01));
    assertThat(f.peer(f.port(spine, 7))).isEqualTo(f.port(f.findNode(0x5001), 40));
    assertThat(String.join("\n", messages(parsed)))
        .contains("is contradicted by line 13; kept line 21");
  }

  @Test
  void aPortListedTwiceKeepsTheFirstLine() {
    String again = "[1]\t\"H-0000000000000b01\"[2](b03) \t\t# \"x\" lid 12 4xHDR\n";
    assertWarns(
        DUMP.replace("[40]\t\"S", again + "[40]\t\"S"),
        WHOLE,
        "net:13: warning: port 1 of 'MF0;leaf:MQM8700/U1' (0x0000000000005001) is listed twice;"
            + " kept line 11");
  }

  @Test
  void portsBeyondTheCountAreDropped() {
    String extra = "[42]\t\"H-0000000000000b01\"[9](b09) \t\t# \"x\" lid 12 4xHDR\n";
    assertWarns(
        DUMP.replace("[40]\t\"S", extra + "[40]\t\"S"), WHOLE, "has ports 1..41, no port 42");
    String far = "[41]\t\"H-0000000000000b01\"[9](b09) \t\t# \"x\" lid 12 4xHDR\n";
    assertWarns(
        DUMP.replace("[40]\t\"S", far + "[40]\t\"S"),
        WHOLE,
        "has ports 1..2, no port 9; link dropped");
    String zero = "[0]\t\"H-0000000000000b01\"[1](b09) \t\t# \"x\" lid 12 4xHDR\n";
    assertWarns(DUMP.replace("[40]\t\"S", zero + "[40]\t\"S"), WHOLE, "no port 0");
  }

  @Test
  void endsThatDifferInSpeedKeepTheSlower() {
    Parsed<Fabric> parsed =
        read(DUMP.replace("\"spine\" lid 14 4xFDR\n", "\"spine\" lid 14 1xQDR\n"));
    Fabric f = parsed.get();
    int port = f.port(f.findNode(0x5002), 1);
    assertThat(f.width(port).lanes()).isEqualTo(1);
    assertThat(f.speed(port)).isEqualTo(LinkSpeed.QDR);
    assertThat(f.speed(f.peer(port))).isEqualTo(LinkSpeed.QDR);
    assertThat(messages(parsed)).singleElement().asString().contains("kept the slower");
  }

  // ---- nodes that do not fit

  @Test
  void aRecordRepeatedWordForWordIsIgnored() {
    int second = DUMP.indexOf("\nvendid", DUMP.indexOf("\nvendid") + 1);
    String record = DUMP.substring(DUMP.indexOf("\nvendid"), second);
    assertWarns(DUMP + record, WHOLE, "1 node(s) are listed more than once");
  }

  @Test
  void aGuidUsedByTwoNodesIsRefused() {
    assertRefused(
        DUMP + "\nCa\t3 \"H-0000000000000a01\"\t\t# \"other\"\n",
        "2 nodes have the node GUID 0x0000000000000a01: 'node1 HCA-1' 0x0000000000000a01 port 1",
        "on 'MF0;leaf:MQM8700/U1' 0x0000000000005001 port 1, line 28; 'other'");
    assertRefused(
        DUMP
            + "\nCa\t1 \"H-0000000000000a01\"\t\t# \"node1\"\n"
            + "[1](a02) \t\"S-0000000000005001\"[9]\t\t# lid 9 lmc 0 \"x\" lid 13 4xHDR\n",
        "net:39: 2 nodes have the node GUID 0x0000000000000a01: 'node1 HCA-1'",
        "on 'MF0;leaf:MQM8700/U1' 0x0000000000005001 port 1, line 28; 'node1'",
        "on 'MF0;leaf:MQM8700/U1' 0x0000000000005001 port 9, line 39");
    assertRefused("Switch\t8 \"S-0000000000000000\"\n", "net:1: node GUID 0");
  }

  @Test
  void anIdThatContradictsTheGuidLineCounts() {
    assertWarns(
        DUMP.replace("caguid=0xa01", "caguid=0xa99"), WHOLE, "the id says GUID 0x0000000000000a01");
  }

  @Test
  void netlistPartsThatCannotBeFollowedAreErrors() {
    assertRefused("include \"other.net\"\n", "net:1: include is not followed");
    assertRefused("Hca 1 \"a\"\n@[1] \"alias\"\n", "net:2: ibsim aliases are not supported");
    assertRefused("Hca 1 \"a\"\n[1] \"b\"[1]\n", "lead to nodes that have no record", "'b'");
  }

  // ---- addresses

  @Test
  void lidsThatCannotBeAreTakenAsNone() {
    for (String lid : new String[] {"65535", "49152", "99999999999"}) {
      Parsed<Fabric> parsed = read(DUMP.replace("lid 14", "lid " + lid));
      Fabric f = parsed.get();
      assertThat(f.lid(f.port(f.findNode(0x5002), 0))).as(lid).isZero();
      if (lid.length() == 5) {
        assertThat(messages(parsed).getFirst()).contains("is not a unicast LID");
      }
    }
  }

  @Test
  void aLidUsedTwiceStaysWithTheFirst() {
    Parsed<Fabric> parsed = read(DUMP.replace("lid 14", "lid 13"));
    Fabric f = parsed.get();
    assertThat(f.lid(f.port(f.findNode(0x5001), 0))).isEqualTo(13);
    assertThat(f.lid(f.port(f.findNode(0x5002), 0))).isZero();
    assertThat(messages(parsed).getFirst())
        .contains("net:19: warning: 2 ports have the LID 13: 'MF0;leaf:MQM8700/U1'");
  }

  @Test
  void twoSubnetsInOneFileAreSuspected() {
    StringBuilder two = new StringBuilder();
    for (int subnet = 0; subnet < 2; subnet++) {
      for (int host = 1; host <= 10; host++) {
        String id = "H-%016x".formatted(0x100 * subnet + 2 * host);
        String next = "H-%016x".formatted(0x100 * subnet + 2 * (host % 10 + 1));
        two.append("Ca\t2 \"%s\"\n[1]\t\"%s\"[2]\t# lid %d\n".formatted(id, next, 2 * host));
        String before = "H-%016x".formatted(0x100 * subnet + 2 * ((host + 8) % 10 + 1));
        two.append("[2]\t\"%s\"[1]\t# lid %d\n\n".formatted(before, 2 * host + 1));
      }
    }
    assertThat(messages(read(two.toString())))
        .contains("net: warning: 12 more LIDs used twice")
        .element(9)
        .asString()
        .contains("two subnets in one file: read each from a file of its own");
  }

  @Test
  void aLidThatIsNoMultipleOfItsRangeLosesTheRange() {
    Parsed<Fabric> parsed = read(DUMP.replace("lid 10 lmc 1", "lid 10 lmc 2"));
    Fabric f = parsed.get();
    int port = f.port(f.findNode(0xb01), 1);
    assertThat(f.lid(port)).isEqualTo(10);
    assertThat(f.lmc(port)).isZero();
    assertThat(messages(parsed).getFirst()).contains("LID 10 is not a multiple of 2^2");
    assertThat(messages(read(DUMP.replace("lid 10 lmc 1", "lid 10 lmc 9"))).getFirst())
        .contains("LMC 9 does not fit");
  }

  @Test
  void aNeighboursOpinionOfALidOnlyCountsWhereTheOwnIsMissing() {
    assertWarns(
        DUMP.replace("lid 9 4xHDR", "lid 8 4xHDR"), WHOLE, "a port has the LID 9 ('node1 HCA-1'");
    Parsed<Fabric> parsed = read(DUMP.replace(" base port 0 lid 14 lmc 0", ""));
    assertThat(parsed.get()).isEqualTo(WHOLE);
    assertThat(parsed.problems()).isEmpty();
  }

  // ---- files of another kind

  @Test
  void filesOfAnotherKindAreNamed() {
    assertRefused(
        "", "no node found; expected ibnetdiscover output, but this looks like an empty file");
    assertRefused(" \n\n", "a file of blank lines");
    assertRefused("<!DOCTYPE html><html></html>", "an HTML page");
    assertRefused("{\"nodes\": []}\n", "a JSON file");
    assertRefused("Unicast lids [0x0-0x5] of switch Lid 1 guid 0x1 ('x'):\n", "forwarding tables");
    assertRefused(FabricTexts.SUBNET_LIST, "opensm-subnet.lst");
    assertRefused(
        "Switch\t : 0x0001 ports 36 devid 0xc738 vendid 0x2c9 \"x\"\n", "ibnetdiscover -l");
    assertRefused("SW    13  1 0xb859 4x HDR - CA 3 1 0x1 ( 'a' - 'b' )\n", "ibnetdiscover -p");
    assertRefused("< vendid=0x2c9\n< Ca\t1 \n", "ibnetdiscover --diff");
    assertRefused("\"leaf\", Mellanox, 0x5001, LID 3\n  # : IB# : Sta\n", "ibdiagnet2.lst");
    assertRefused("# made\nSTART_NODES\nNodeDesc,NumPorts\n", "ibdiagnet2.db_csv (take");
    assertRefused("   1  1[ ] ==( 4X 106.25 Gbps Active/ LinkUp)==> \n", "iblinkinfo");
    assertRefused("0x00000000001001b7 0x0120 0x0120\n\n", "guid2lid");
    assertRefused("BZh91AY&SY123", "bzip2 -dc");
    assertRefused("PK\3\4\0\0", "unzip -p");
    assertRefused("Default=0x7fff,ipoib : ALL=full;\n", "partitions.conf");
    assertRefused("# roots\n0x0002c903007b78b0\n", "a list of GUIDs");
    assertRefused("\u007fELF\2\1\1\0\0\0", "a binary file");
  }

  @Test
  void garbageOfAnySizeIsRefusedQuicklyAndBriefly() {
    byte[] noise = new byte[8 << 20];
    SplittableRandom random = new SplittableRandom(7);
    random.nextBytes(noise);
    assertBrief(noise);
    byte[] oneLine = new byte[8 << 20];
    Arrays.fill(oneLine, (byte) '[');
    assertBrief(oneLine);
    byte[] lines =
        "[1] \"x\"[1]\nSwitch \"\nCa\n\n#\n".repeat(200_000).getBytes(StandardCharsets.UTF_8);
    assertBrief(lines);
    Arrays.fill(noise, (byte) '\n');
    assertBrief(noise);
  }

  private static void assertBrief(byte[] bytes) {
    Parsed<Fabric> parsed = IbnetdiscoverReader.read(new Source("net", bytes));
    assertThat(parsed.ok()).isFalse();
    assertThat(parsed.problems()).hasSizeLessThan(210);
    assertThat(parsed.problems()).allMatch(p -> p.message().length() < 200);
  }

  @Test
  void aFileThatAsksForEndlessPortsIsRefusedBeforeTheMemoryIsGone() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      text.append("Switch 254 \"n").append(i).append("\"\n\n");
    }
    assertRefused(text.toString(), "more nodes and ports than any fabric has");
    StringBuilder hosts = new StringBuilder();
    for (int i = 0; i < 300_000; i++) {
      hosts.append("Ca 1 \"n").append(i).append("\"\n\n");
    }
    assertRefused(hosts.toString(), "more nodes and ports than any fabric has");
  }
}
