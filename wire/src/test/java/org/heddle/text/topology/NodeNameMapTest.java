package org.heddle.text.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.heddle.text.FabricTexts.messages;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.text.FabricTexts;
import org.heddle.text.Parsed;
import org.heddle.text.Source;
import org.junit.jupiter.api.Test;

class NodeNameMapTest {
  private static Parsed<NodeNameMap> read(String text) {
    return NodeNameMapReader.read(Source.of("names", text));
  }

  @Test
  void readsQuotedAndBareNames() {
    Parsed<NodeNameMap> parsed =
        read(
            "# IB1\n0x5 \"IB1 (Rack 11 slot 1   ) sLB-24D\" # c\n\n0x6\tplain name # c\n0x7 \"open\n");
    assertThat(parsed.problems()).isEmpty();
    assertThat(parsed.get().names())
        .isEqualTo(
            Map.of(
                new Guid(5), "IB1 (Rack 11 slot 1   ) sLB-24D",
                new Guid(6), "plain name",
                new Guid(7), "open"));
  }

  @Test
  void theFirstOfTwoNamesCounts() {
    Parsed<NodeNameMap> parsed = read("0x5 \"a\"\n0x5 \"b\"\n0x6\n0x7 \"\"\n");
    assertThat(parsed.get().names()).isEqualTo(Map.of(new Guid(5), "a"));
    assertThat(messages(parsed))
        .containsExactly(
            "names:2: warning: 0x0000000000000005 was named before; kept the first name",
            "names:3: note: 0x0000000000000006 has no name; ignored",
            "names:4: note: 0x0000000000000007 has no name; ignored");
    assertThat(messages(read("spine \"a\"\n")).getFirst())
        .startsWith("names:1: warning: expected a GUID");
  }

  @Test
  void namesReplaceDescriptions() {
    Fabric f = FabricTexts.readCleanly(FabricTexts.DUMP);
    Fabric named =
        new NodeNameMap(Map.of(new Guid(0x5001), "leaf 1", new Guid(0x9999), "no such")).apply(f);
    assertThat(named.description(named.findNode(0x5001))).isEqualTo("leaf 1");
    assertThat(named.description(named.findNode(0xa01))).isEqualTo("node1 HCA-1");
    assertThat(named.fingerprint()).isEqualTo(f.fingerprint());
    assertThat(named.portOfLid(13)).isEqualTo(f.portOfLid(13));
    assertThat(f.description(f.findNode(0x5001))).as("unchanged").startsWith("MF0;");
  }

  @Test
  void mapsAreWrittenAndComeBack() throws IOException {
    NodeNameMap map = new NodeNameMap(Map.of(new Guid(-1), "last", new Guid(5), "a \"b\" #1"));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    NodeNameMapWriter.write(map, out);
    String text = out.toString(StandardCharsets.UTF_8);
    assertThat(text).isEqualTo("0x0000000000000005 \"a  b   1\"\n0xffffffffffffffff \"last\"\n");
    NodeNameMap back = read(text).get();
    assertThat(back.names().get(new Guid(5))).isEqualTo("a  b   1");
    ByteArrayOutputStream again = new ByteArrayOutputStream();
    NodeNameMapWriter.write(back, again);
    assertThat(again.toString(StandardCharsets.UTF_8)).isEqualTo(text);
  }
}
