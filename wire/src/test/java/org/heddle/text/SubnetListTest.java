package org.heddle.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.heddle.text.FabricTexts.SUBNET_LIST;
import static org.heddle.text.FabricTexts.messages;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.text.topology.FabricFormats;
import org.heddle.text.topology.SubnetListReader;
import org.junit.jupiter.api.Test;

class SubnetListTest {
  private static Parsed<Fabric> read(String text) {
    return SubnetListReader.read(Source.of("lst", text));
  }

  @Test
  void readsHexadecimalCountsPortsAndLids() {
    Parsed<Fabric> parsed = read(SUBNET_LIST);
    assertThat(parsed.problems()).isEmpty();
    Fabric f = parsed.get();
    int sw = f.findNode(0x20);
    assertThat(f.portCount(sw)).isEqualTo(36);
    assertThat(f.description(sw)).isEqualTo("sw 1");
    assertThat(f.lid(f.port(sw, 0))).isEqualTo(2);
    int host = f.findNode(0x15);
    assertThat(f.peer(f.port(host, 1))).isEqualTo(f.port(sw, 36));
    assertThat(f.lid(f.port(host, 1))).isEqualTo(11);
    assertThat(f.portGuid(f.port(host, 1))).isEqualTo(0x16);
    assertThat(f.speed(f.port(host, 1))).isEqualTo(LinkSpeed.EDR);
    assertThat(f.width(f.port(host, 1))).isEqualTo(LinkWidth.X4);
    assertThat(f.description(f.findNode(0x10))).as("braces in a name").isEqualTo("h{1}");
    assertThat(f.vendorId(sw)).isEqualTo(0x2c9);
  }

  @Test
  void theFarEndsDeviceIdIsReadInOpensmsByteOrder() {
    Fabric f = read(SUBNET_LIST).get();
    assertThat(f.deviceId(f.findNode(0x20))).isEqualTo(0x1003);
    assertThat(f.deviceId(f.findNode(0x10))).isEqualTo(0x1003);
  }

  @Test
  void speedsAreReadAsOpensmPrintsThem() {
    String[] texts = {"2.5", "5", "10", "FDR10", "14", "25", "50", "100", "200", "??"};
    LinkSpeed[] speeds = {
      LinkSpeed.SDR,
      LinkSpeed.DDR,
      LinkSpeed.QDR,
      LinkSpeed.FDR10,
      LinkSpeed.FDR,
      LinkSpeed.EDR,
      LinkSpeed.HDR,
      LinkSpeed.NDR,
      LinkSpeed.XDR,
      LinkSpeed.UNKNOWN
    };
    for (int i = 0; i < texts.length; i++) {
      Fabric f = read(SUBNET_LIST.replace("SPD=25", "SPD=" + texts[i])).get();
      assertThat(f.speed(f.port(f.findNode(0x15), 1))).isEqualTo(speeds[i]);
    }
  }

  @Test
  void aNodeThatOnlyNeighboursNameMeansACutFile() {
    String cut =
        SUBNET_LIST.substring(
            0,
            SUBNET_LIST.indexOf(
                "{ SW Ports:24 SystemGUID:0000000000000020 NodeGUID",
                SUBNET_LIST.indexOf("\n{ SW")));
    Parsed<Fabric> parsed = read(cut);
    assertThat(parsed.ok()).isFalse();
    assertThat(messages(parsed).toString())
        .contains("lst:1: 1 node(s) are named by neighbours and have no line of their own")
        .contains("'sw 1' (0x0000000000000020)");
  }

  @Test
  void ibdiagnetListsEachLinkOnce() {
    Parsed<Fabric> once = read(FabricTexts.IBDIAGNET_LIST);
    assertThat(once.problems()).isEmpty();
    Fabric f = once.get();
    assertThat(f.nodeCount()).isEqualTo(read(SUBNET_LIST).get().nodeCount());
    int host = f.findNode(0x15);
    int sw = f.findNode(0x20);
    assertThat(f.peer(f.port(host, 1))).isEqualTo(f.port(sw, 36));
    assertThat(f.lid(f.port(host, 1))).isEqualTo(11);
    assertThat(f.lid(f.port(sw, 0))).isEqualTo(2);
    assertThat(f.portGuid(f.port(host, 1))).isEqualTo(0x16);
    assertThat(f.speed(f.port(host, 1))).isEqualTo(LinkSpeed.EDR);
    assertThat(
            read(FabricTexts.IBDIAGNET_HEAD + SUBNET_LIST + FabricTexts.IBDIAGNET_END).problems())
        .as("both ends listed")
        .isEmpty();
  }

  @Test
  void ibdiagnetsListIsWholeIfItSaysSo() {
    assertThat(messages(read(FabricTexts.IBDIAGNET_HEAD + FabricTexts.IBDIAGNET_LINKS)))
        .containsExactly(
            "lst:6: the last line of ibdiagnet's list, '# File closed at ...', is missing: the"
                + " file is cut off; take the dump again");
    String old = FabricTexts.IBDIAGNET_HEAD.replaceAll("# File created.*", "");
    Parsed<Fabric> parsed = read(old + FabricTexts.IBDIAGNET_LINKS);
    assertThat(parsed.ok()).isTrue();
    assertThat(messages(parsed))
        .containsExactly(
            "lst: note: a list of an old ibdiagnet, without a last line: check that it was not"
                + " cut off");
  }

  @Test
  void strayLinesAreSkippedAndContradictionsRefused() {
    Parsed<Fabric> stray = read("hello\n" + SUBNET_LIST);
    assertThat(stray.ok()).isTrue();
    assertThat(messages(stray))
        .containsExactly("lst:1: note: not a link of two ends, ignored: hello");
    Parsed<Fabric> two = read(SUBNET_LIST.replaceFirst("CA Ports:02", "CA Ports:03"));
    assertThat(messages(two).toString()).contains("2 nodes have the node GUID");
    assertThat(messages(read("x\n")).toString()).contains("expected opensm-subnet.lst");
    assertThat(messages(read(FabricTexts.DUMP)).toString()).contains("an ibnetdiscover topology");
  }

  @Test
  void randomFabricsComeBackAsFarAsTheListCarriesThem() {
    for (long seed = 0; seed < 100; seed++) {
      Fabric f = carried(FabricTexts.random(seed));
      Parsed<Fabric> back = read(FabricTexts.write(FabricFormats.SUBNET_LIST, f));
      assertThat(back.ok()).as("seed %s: %s", seed, back.problems()).isTrue();
      assertThat(back.get()).as("seed %s", seed).isEqualTo(f);
    }
  }

  /** Without unlinked nodes, LMC, labels and the kind of port 0: the documented losses. */
  private static Fabric carried(Fabric random) {
    Fabric f = FabricTexts.carriedByDump(random);
    FabricBuilder b = new FabricBuilder();
    Map<Integer, Integer> handles = new HashMap<>();
    for (int port = 0; port < f.portIdLimit(); port++) {
      int n = f.nodeOf(port);
      if (f.peer(port) != Fabric.NONE && !handles.containsKey(n)) {
        // The end of a name is found by what follows it.
        String name = f.description(n).replace("} {", "");
        handles.put(n, b.addNode(f.nodeType(n), f.nodeGuid(n), f.portCount(n), name));
        b.setIds(handles.get(n), f.vendorId(n), f.deviceId(n), f.systemGuid(n));
        if (f.isSwitch(n)) {
          b.setLid(handles.get(n), 0, f.lid(f.port(n, 0)), 0);
        }
      }
    }
    for (int port = 0; port < f.portIdLimit(); port++) {
      int far = f.peer(port);
      if (far == Fabric.NONE) {
        continue;
      }
      int n = handles.get(f.nodeOf(port));
      int number = f.numberOf(port);
      b.setLink(n, number, f.width(port), f.speed(port));
      if (!f.isSwitch(f.nodeOf(port))) {
        b.setPortGuid(n, number, f.portGuid(port));
        b.setLid(n, number, f.lid(port), 0);
      }
      if (port <= far) {
        b.connect(n, number, handles.get(f.nodeOf(far)), f.numberOf(far));
      }
    }
    return b.build();
  }

  @Test
  void opensmAndIbnetdiscoverShowTheSameFabric() throws IOException {
    for (String set : new String[] {"x16-ftree/%s", "x27-ftree/%s.gz", "x27-minhop/%s.gz"}) {
      Fabric dump = Fixtures.fabric("opensm/" + set.formatted("ibnetdiscover.txt"));
      Fabric list = Fixtures.fabric("opensm/" + set.formatted("opensm-subnet.lst"));
      assertThat(list).as(set).isEqualTo(dump);
    }
    Fabric rates = Fixtures.fabric("opensm/x16-ftree/opensm-subnet.lst");
    int[] hosts = {0x10000a, 0x100010, 0x100012, 0x100014, 0x100018};
    LinkSpeed[] speeds = {
      LinkSpeed.HDR, LinkSpeed.FDR10, LinkSpeed.NDR, LinkSpeed.XDR, LinkSpeed.SDR
    };
    for (int i = 0; i < hosts.length; i++) {
      assertThat(rates.speed(rates.port(rates.findNode(hosts[i]), 1))).isEqualTo(speeds[i]);
    }
    assertThat(rates.width(rates.port(rates.findNode(hosts[0]), 1))).isEqualTo(LinkWidth.X2);
    assertThat(rates.description(rates.findNode(0x100004))).isEqualTo("it's; \"odd\" #2");
  }
}
