package org.heddle.text.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.text.Mutations;
import org.heddle.text.Parsed;
import org.heddle.text.Problem;
import org.heddle.text.Source;
import org.junit.jupiter.api.Test;

class CounterFileReaderTest {
  private static final Fabric FABRIC = TenantsResolverTest.fabric().withAssignedLids();

  private static Parsed<Map<Guid, Long>> read(String text) {
    return CounterFileReader.read(Source.of("c", text), FABRIC);
  }

  private static List<String> messages(String text) {
    return read(text).problems().stream().map(Problem::toString).toList();
  }

  @Test
  void readsCommaSeparatedBytes() {
    Parsed<Map<Guid, Long>> parsed =
        read("host,port,bytes\nn11,1,500\nn12,,7\n0x1131,1,9\n0x1140,0,3\n# note\n");
    assertThat(parsed.problems()).isEmpty();
    assertThat(parsed.get())
        .containsExactly(
            Map.entry(new Guid(0x1111), 500L),
            Map.entry(new Guid(0x1121), 7L),
            Map.entry(new Guid(0x1131), 9L),
            Map.entry(new Guid(0x1141), 3L));
  }

  @Test
  void readsPerfqueryOutput() {
    int lid = FABRIC.lid(FABRIC.findPort(0x1111));
    int leaf = FABRIC.lid(FABRIC.port(FABRIC.findNode(0x201), 0));
    String text =
        """
        # Port extended counters: Lid %d port 1 (CapMask: 0x5300)
        PortSelect:......................1
        PortXmitData:....................11
        PortRcvData:.....................10
        # Port counters: Lid %d port 2 (CapMask: 0x00)
        PortXmitData:....................4294967295
        PortRcvData:.....................12
        # Port counters: Lid %d port 10 (CapMask: 0x00)
        PortXmitData:....................99
        """
            .formatted(lid, leaf, leaf);
    assertThat(messages(text))
        .containsExactly(
            "c:6: warning: PortXmitData stands at its 32-bit limit: the real value is higher; use"
                + " perfquery -x");
    assertThat(read(text).get())
        .containsExactly(
            Map.entry(new Guid(0x1111), 40L), Map.entry(new Guid(0x1121), 4 * 4294967295L));
  }

  @Test
  void readsIbqueryerrorsOutputAndTheHostsOwnCounterWins() {
    String text =
        """
        Errors for 0x201 "leaf1"
           GUID 0x201 port ALL: [PortXmitData == 5]
           GUID 0x201 port 1: [SymbolErrorCounter == 1] [PortXmitData == 5 (20.000B)] [PortRcvData == 6]
           GUID 0x201 port 2: [PortXmitData == 7]
        Errors for "n11 HCA-1"
           GUID 0x1110 port 1: [PortXmitData == 8] [PortRcvData == 9]
        """;
    assertThat(messages(text)).isEmpty();
    assertThat(read(text).get())
        .containsExactly(Map.entry(new Guid(0x1111), 36L), Map.entry(new Guid(0x1121), 28L));
  }

  @Test
  void wrongLinesHaveTheirPosition() {
    assertThat(messages("n11,1\nn15,1,3\nn11,7,3\nn11,1,-3\ng1,,3\n"))
        .containsExactly(
            "c:1: expected host-or-GUID,port,bytes, got: n11,1",
            "c:2: 'n15' has no linked port 1 in this fabric, or more than one fits; did you mean"
                + " 'n11'?",
            "c:3: 'n11' has no linked port 7 in this fabric, or more than one fits",
            "c:4: expected host-or-GUID,port,bytes, got: n11,1,-3",
            "c:5: 'g1' has no linked port in this fabric, or more than one fits");
    assertThat(messages("hello\n")).singleElement().asString().startsWith("c: no receive counter");
  }

  @Test
  void damagedFilesGiveProblemsOnly() {
    byte[] seed =
        "# Port extended counters: Lid 4 port 1\nPortRcvData:...10\nn11,1,5\n  GUID 0x1110 port 1: [PortRcvData == 9]\n"
            .getBytes(java.nio.charset.StandardCharsets.UTF_8);
    int good = 0;
    for (int i = 0; i < 1000; i++) {
      byte[] bytes = Mutations.mutate(seed, new SplittableRandom(i));
      Parsed<Map<Guid, Long>> parsed = CounterFileReader.read(new Source("c", bytes), FABRIC);
      good += parsed.ok() ? 1 : 0;
      assertThat(parsed.ok() || !parsed.problems().isEmpty()).isTrue();
    }
    assertThat(good).isBetween(50, 950);
  }
}
