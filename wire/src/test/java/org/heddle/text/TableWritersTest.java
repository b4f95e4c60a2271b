package org.heddle.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.routing.ForwardingTables;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.lft.FdbsReader;
import org.heddle.text.lft.LftDump;
import org.heddle.text.lft.LftTextReader;
import org.heddle.text.lft.OpensmLftsWriter;
import org.heddle.text.lft.TableFormat;
import org.heddle.text.lft.TableFormats;
import org.junit.jupiter.api.Test;

class TableWritersTest {
  private static byte[] written(TableFormat format, Fabric fabric, ForwardingTables tables)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    TableFormats.write(format, fabric, tables, out);
    return out.toByteArray();
  }

  private static String text(TableFormat format, Fabric fabric, ForwardingTables tables)
      throws IOException {
    return new String(written(format, fabric, tables), StandardCharsets.UTF_8);
  }

  @Test
  void opensmTextIsExact() throws IOException {
    ForwardingTables tables = TableSamples.tables().with(1, 2, ForwardingTables.NO_PORT);
    assertThat(text(TableFormat.OPENSM_LFTS, TableSamples.addressed(), tables))
        .isEqualTo(
            """
            Unicast lids [0-5] of switch Lid 4 guid 0x0000000000200000 ('left; 'x''):
            0x0001 001 # Channel Adapter portguid 0x0000000000100001: 'h0'
            0x0002 002 # Channel Adapter portguid 0x0000000000100003: 'h1'
            0x0003 004 # Channel Adapter portguid 0x0000000000100005: 'h2'
            0x0004 000 # Switch portguid 0x0000000000200000: 'left; 'x''
            0x0005 004 # Switch portguid 0x0000000000200001: 'right'
            5 lids dumped
            Unicast lids [0-5] of switch Lid 5 guid 0x0000000000200001 ('right'):
            0x0001 004 # Channel Adapter portguid 0x0000000000100001: 'h0'
            0x0003 001 # Channel Adapter portguid 0x0000000000100005: 'h2'
            0x0004 004 # Switch portguid 0x0000000000200000: 'left; 'x''
            0x0005 000 # Switch portguid 0x0000000000200001: 'right'
            5 lids dumped
            """);
  }

  @Test
  void fdbsTextIsExact() throws IOException {
    ForwardingTables tables =
        TableSamples.tables().with(0, 5, 1).with(1, 1, 1).with(1, 4, ForwardingTables.NO_PORT);
    assertThat(text(TableFormat.FDBS, TableSamples.addressed(), tables))
        .isEqualTo(
            """
            dump_ucast_routes: Switch 0x0000000000200000
            LID    : Port : Hops : Optimal
            0x0001 : 001  : 01   : yes
            0x0002 : 002  : 01   : yes
            0x0003 : 004  : 02   : yes
            0x0004 : 000  : 00   : yes
            0x0005 : 001  : HOPS UNKNOWN
            dump_ucast_routes: Switch 0x0000000000200001
            LID    : Port : Hops : Optimal
            0x0001 : 001  : HOPS UNKNOWN
            0x0002 : 004  : 02   : yes
            0x0003 : 001  : 01   : yes
            0x0004 : UNREACHABLE
            0x0005 : 000  : 00   : yes
            """);
  }

  @Test
  void ofIbdiagnetsTablesNumberZeroCounts() throws IOException {
    Fabric fabric = TableSamples.addressed();
    String plain = text(TableFormat.FDBS, fabric, TableSamples.tables());
    String numbered =
        plain.replaceAll(
            "(?s)dump_ucast_routes: (Switch \\w+)\n(.*?yes\n)(?=dump|$)",
            "osm_ucast_mgr_dump_ucast_routes: $1\nPLFT_NUM: 0\n$2\nPLFT_NUM: 1\nLID    : Port :"
                + " Hops : Optimal\n0x0001 : 003  : 00   : yes\n\n");
    assertThat(numbered).contains("PLFT_NUM: 1");
    Parsed<BoundTables> read = TableFormats.read(Source.of("ibdiagnet2.fdbs", numbered), fabric);
    assertThat(read.get().tables()).isEqualTo(TableSamples.tables());
    assertThat(FabricTexts.messages(read))
        .containsExactly(
            "ibdiagnet2.fdbs: note: 2 private tables (PLFT_NUM 1 and above, for adaptive"
                + " routing) ignored; number 0 of each switch was read");
  }

  @Test
  void filesThatHoldNoTablesAreNamed() {
    assertKind("Multicast mlids [0xc000-0xc3ff] of switch Lid 1 guid 0x1 (a):\n", "without -M");
    assertKind("Switch 0x0002c9\nLID    : Out Port(s)\n0xC000 : 0x1\n", "opensm.mcfdbs");
    assertKind("Switch: guid 0x0000000000200000\n0x0001: ff 01\n", "opensm-lfts.dump");
    assertKind("\u00fd7zXZ\0", "xz -dc");
    assertKind("(\u00b5/\u00fd", "zstd -dc");
    assertKind("\u00ff\u00feU\0n\0", "iconv");
  }

  private static void assertKind(String text, String part) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    Parsed<BoundTables> read = TableFormats.read(new Source("t", bytes), TableSamples.addressed());
    assertThat(FabricTexts.messages(read)).singleElement().asString().contains(part);
  }

  @Test
  void fdbsNamesABetterPort() throws IOException {
    FabricBuilder b = new FabricBuilder();
    for (int i = 0; i < 3; i++) {
      b.addSwitch(1 + i, 3, "s" + i);
      b.setLid(i, 0, 1 + i, 0);
    }
    b.connect(0, 1, 1, 1);
    b.connect(1, 2, 2, 2);
    b.connect(0, 3, 2, 3);
    ForwardingTables tables =
        ForwardingTables.ofRows(new byte[][] {{-1, 0, 3, 3}, {-1, 1, 0, 2}, {-1, 3, 2, 0}}, 3);
    assertThat(text(TableFormat.FDBS, b.build(), tables))
        .contains("\n0x0002 : 003  : 02   : No 1 hop path possible via port 1!\n");
  }

  @Test
  void allFormatsComeBackTheSamePackedOrNot() throws IOException {
    Fabric fabric = TableSamples.addressed();
    for (TableFormat format : TableFormat.values()) {
      byte[] file = written(format, fabric, TableSamples.tables());
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
        gzip.write(file);
      }
      assertThat(TableFormats.detect(new Source("x", file))).isEqualTo(format);
      for (byte[] bytes : new byte[][] {file, packed.toByteArray()}) {
        Parsed<BoundTables> whole = TableFormats.read(new Source("x", bytes), fabric);
        Parsed<BoundTables> stream =
            TableFormats.read("x", new ByteArrayInputStream(bytes), fabric);
        for (Parsed<BoundTables> back : List.of(whole, stream)) {
          assertThat(back.problems()).isEmpty();
          assertThat(back.get().tables()).isEqualTo(TableSamples.tables());
          assertThat(back.get().fabric()).isEqualTo(fabric);
        }
      }
      byte[] cut = Arrays.copyOf(packed.toByteArray(), packed.size() - 9);
      assertThat(TableFormats.read(new Source("x", cut), fabric).ok()).as("cut gzip").isFalse();
    }
  }

  @Test
  void namesCannotBreakTheirLine() throws IOException {
    FabricBuilder b = new FabricBuilder();
    b.addSwitch(5, 1, "a\n0x0001 009 portguid 0x1:\r\t'" + "\u00e4\ud83d\ude00".repeat(40));
    b.setLid(0, 0, 1, 0);
    Fabric fabric = b.build();
    String text =
        text(TableFormat.OPENSM_LFTS, fabric, ForwardingTables.ofRows(new byte[][] {{-1, 0}}, 1));
    assertThat(text.lines())
        .hasSize(3)
        .allMatch(l -> l.getBytes(StandardCharsets.UTF_8).length < 200);
    Parsed<LftDump> back = LftTextReader.read(Source.of("x", text));
    assertThat(back.problems()).isEmpty();
    assertThat(back.get().guidOfLid(1)).isEqualTo(5);
    assertThat(back.get().entryCount()).isEqualTo(1);
  }

  @Test
  void lidsOfNoPortAreWrittenWithoutGuid() throws IOException {
    String text =
        text(
            TableFormat.OPENSM_LFTS,
            TableSamples.addressed(),
            ForwardingTables.ofRows(
                new byte[][] {{-1, 1, 2, 4, 0, 4, 3}, {-1, 4, 4, 1, 4, 0, -1}}, 6));
    assertThat(text).contains("0x0006 003 # unknown node and type\n6 lids dumped\n");
  }

  @Test
  void portsThatOpensmWouldRejectAreNotWritten() {
    ForwardingTables tables = TableSamples.tables().with(1, 2, 9);
    assertThat(OpensmLftsWriter.refusal(TableSamples.addressed(), tables))
        .contains("LID 0x0002 leaves switch 0x0000000000200001 'right' by port 9, it has 4");
    assertThat(OpensmLftsWriter.refusal(TableSamples.addressed(), TableSamples.tables())).isEmpty();
    assertThatThrownBy(() -> written(TableFormat.OPENSM_LFTS, TableSamples.addressed(), tables))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("LID 0x0002");
  }

  @Test
  void formatsAreFoundByNameAndExtension() {
    assertThat(TableFormat.ofFileName("a/b.HLFT")).contains(TableFormat.HLFT);
    assertThat(TableFormat.ofFileName("opensm-lfts.dump")).contains(TableFormat.OPENSM_LFTS);
    assertThat(TableFormat.ofFileName("x.lfts")).contains(TableFormat.OPENSM_LFTS);
    assertThat(TableFormat.ofFileName("opensm.fdbs")).contains(TableFormat.FDBS);
    assertThat(TableFormat.ofFileName("x.net")).isEqualTo(Optional.empty());
    assertThat(TableFormat.ofLabel("fdbs")).contains(TableFormat.FDBS);
    assertThat(TableFormat.ofLabel("what")).isEmpty();
  }

  @Test
  void fdbsOfOpensmHaveTheSameTablesAsItsDumps() throws IOException {
    for (String name : new String[] {"x16-ftree/%s", "x27-ftree/%s.gz", "x27-minhop/%s.gz"}) {
      Fabric fabric = Fixtures.fabric("opensm/" + name.formatted("ibnetdiscover.txt"));
      Source fdbs = Fixtures.source("opensm/" + name.formatted("opensm.fdbs"));
      Source dump = Fixtures.source("opensm/" + name.formatted("opensm-lfts.dump"));
      Parsed<BoundTables> a = TableFormats.read(fdbs, fabric);
      Parsed<BoundTables> b = TableFormats.read(dump, fabric);
      assertThat(a.problems()).isEmpty();
      assertThat(a.get().tables().equals(b.get().tables())).isTrue();
      String ours = text(TableFormat.FDBS, fabric, a.get().tables());
      String[] theirs = new String(fdbs.bytes(), StandardCharsets.UTF_8).split("\n");
      String[] lines = ours.split("\n");
      assertThat(lines).hasSameSizeAs(theirs);
      for (int i = 0; i < lines.length; i++) {
        if (!lines[i].equals(theirs[i])) {
          // OpenSM names the least loaded of the better ports, we the first
          assertThat(lines[i].replaceFirst("port \\d+!", ""))
              .as("%s line %d", name, i + 1)
              .isEqualTo(theirs[i].replaceFirst("port \\d+!", ""));
        }
      }
    }
  }

  @Test
  void noMutationOfFdbsThrows() throws IOException {
    Fabric fabric = TableSamples.addressed();
    byte[] file = written(TableFormat.FDBS, fabric, TableSamples.tables());
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 2000; i++) {
      TableFormats.read(new Source("f", Mutations.mutate(file, random)), fabric).problems();
    }
    for (int length = 0; length < file.length; length++) {
      FdbsReader.read(new Source("f", Arrays.copyOf(file, length))).problems();
    }
  }
}
