package org.heddle.text.lft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.text.Fixtures;
import org.heddle.text.Mutations;
import org.heddle.text.Parsed;
import org.heddle.text.Problem;
import org.heddle.text.Source;
import org.heddle.text.TableSamples;
import org.junit.jupiter.api.Test;

class LftTextReaderTest {
  private static final String TWO =
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
      0x0002 004 # Channel Adapter portguid 0x0000000000100003: 'h1'
      0x0003 001 # Channel Adapter portguid 0x0000000000100005: 'h2'
      0x0004 004 # Switch portguid 0x0000000000200000: 'left; 'x''
      0x0005 000 # Switch portguid 0x0000000000200001: 'right'
      5 lids dumped
      """;

  private static Parsed<LftDump> read(String text) {
    return LftTextReader.read(Source.of("t.lfts", text));
  }

  private static List<String> messages(Parsed<?> parsed) {
    return parsed.problems().stream().map(Problem::toString).toList();
  }

  @Test
  void readsWhatOpensmDumps() {
    Parsed<LftDump> parsed = read(TWO);
    assertThat(parsed.problems()).isEmpty();
    LftDump dump = parsed.get();
    assertThat(dump.switchCount()).isEqualTo(2);
    assertThat(dump.switchAt(0)).isEqualTo(new LftDump.Switch(0x200000, "left; 'x'", 4, 1));
    assertThat(dump.switchAt(1).line()).isEqualTo(8);
    assertThat(dump.port(0, 2)).isEqualTo(2);
    assertThat(dump.port(1, 3)).isEqualTo(1);
    assertThat(dump.port(1, 6)).isEqualTo(ForwardingTables.NO_PORT);
    assertThat(dump.guidOfLid(3)).isEqualTo(0x100005);
    assertThat(dump.topLid()).isEqualTo(5);
    assertThat(dump.entryCount()).isEqualTo(10);
  }

  @Test
  void carriageReturnsEscapesBannersAndIndentationDoNoHarm() {
    String crlf = TWO.replace("\n", "\r\n");
    assertThat(read(crlf).problems()).isEmpty();
    assertSame(read(crlf).get(), read(TWO).get());
    String noisy =
        "Script started on Monday\n\u001b[1m$ dump_lfts\u001b[0m\n"
            + TWO.replace("0x0002", "  \u001b[32m0x0002").replace("'h1'", "'h1'\u001b[0m")
            + "ibwarn: [4711] mad_rpc: _do_madrpc failed\n";
    Parsed<LftDump> parsed = read(noisy);
    assertSame(parsed.get(), read(TWO).get());
    assertThat(messages(parsed))
        .containsExactly(
            "t.lfts:1: note: line ignored, not part of a table: 'Script started on Monday'",
            "t.lfts:2: note: line ignored, not part of a table: '$ dump_lfts'",
            "t.lfts:17: note: line ignored, not part of a table: 'ibwarn: [4711] mad_rpc:"
                + " _do_madrpc failed'");
  }

  @Test
  void readsIbrouteWithoutSwitchNameAndWithLmcPaths() {
    String text =
        """
        Unicast lids [0x0-0x7] of switch DR path slid 0; dlid 0; 0,1 guid 0x0000000000200000 ():
          Lid  Out   Destination
               Port     Info\s
        0x0002 001 : (Channel Adapter portguid 0x0000000000100001: 'a (b) 'c'')
        0x0003 001 : (path #2 out of 2: portguid 0x0000000000100001)
        0x0004 255 : (illegal port)
        0x0005 003 : (unknown node and type)
        0x0006 003\s
        4 valid lids dumped\s
        Unicast lids [0x0-0x7] of switch Lid 0x9 guid 0x200001:
        0x2 7
        """;
    LftDump dump = read(text).get();
    assertThat(read(text).problems()).hasSize(1).first().asString().contains("no end line");
    assertThat(dump.guidOfLid(3)).isEqualTo(0x100001);
    assertThat(dump.port(0, 4)).isEqualTo(ForwardingTables.NO_PORT);
    assertThat(dump.port(0, 6)).isEqualTo(3);
    assertThat(dump.switchAt(1)).isEqualTo(new LftDump.Switch(0x200001, "", 9, 10));
    assertThat(dump.port(1, 2)).isEqualTo(7);
  }

  @Test
  void aWrongCountInTheEndLineIsReported() {
    assertThat(
            messages(
                read(
                    "Unicast lids [0x0-0x5] of switch Lid 1 guid 0x1 (a):\n"
                        + "0x0001 001 \n3 valid lids dumped\n")))
        .containsExactly("t.lfts:3: warning: end line counts 3 entries, 1 was read");
  }

  @Test
  void repeatedTablesAndEntriesAndConflictingGuidsAreReported() {
    String text =
        """
        Unicast lids [0-5] of switch Lid 4 guid 0x1 ('a'):
        0x0001 001 # Channel Adapter portguid 0x0000000000100001: 'h0'
        0x0001 002 # Channel Adapter portguid 0x0000000000100001: 'h0'
        Unicast lids [0-5] of switch Lid 4 guid 0x2 ('b'):
        0x0001 003 # Channel Adapter portguid 0x0000000000100007: 'h0'
        Unicast lids [0-5] of switch Lid 4 guid 0x1 ('a'):
        0x0002 001 # Channel Adapter portguid 0x0000000000100003: 'h1'
        """;
    Parsed<LftDump> parsed = read(text);
    assertThat(messages(parsed))
        .containsExactly(
            "t.lfts:5: warning: LID 0x0001 is port 0x0000000000100007 here, but"
                + " 0x0000000000100001 before; the first counts",
            "t.lfts:6: warning: second table of switch 0x0000000000000001 (first at line 1): it"
                + " replaces the first",
            "t.lfts:3: warning: 1 entry repeats a LID of the same table, the last one counts"
                + " (first here)");
    assertThat(parsed.get().port(0, 1)).isEqualTo(ForwardingTables.NO_PORT);
    assertThat(parsed.get().port(0, 2)).isEqualTo(1);
  }

  @Test
  void multicastTablesAndEntriesWithoutHeaderAreSkipped() {
    String text =
        "0x0001 001\nMulticast mlids [0xc000-0xc3ff] of switch Lid 4 guid 0x1 (a):\n"
            + "0xc000      x x\n"
            + TWO
            + "Unicast lids of switch nobody:\n0x0001 001\n";
    Parsed<LftDump> parsed = read(text);
    assertSame(parsed.get(), read(TWO).get());
    assertThat(messages(parsed))
        .containsExactly(
            "t.lfts:18: warning: table header without switch GUID, its entries are ignored"
                + " (expected 'Unicast lids [..] of switch Lid N guid 0x...')",
            "t.lfts:1: warning: 2 entries without a table header ignored",
            "t.lfts: note: 1 multicast table ignored");
  }

  @Test
  void nonsenseEntriesAreReportedOneByOne() {
    Parsed<LftDump> parsed =
        read(
            "Unicast lids [0-5] of switch Lid 4 guid 0x1 ('a'):\n0x0001\n0xzz 1\n0x0001 x\n"
                + "0xc001 001\n0x0002 300\n0x123456789 1\n0x0003 1x\n0x0004 3\n");
    assertThat(parsed.problems()).hasSize(7).allMatch(p -> p.line() > 1 && p.line() < 9);
    assertThat(parsed.get().entryCount()).isEqualTo(1);
  }

  @Test
  void aFileWithoutTablesIsAnError() {
    for (String text : List.of("", "hello\n", "{\"a\":1}", "Multicast mlids [] guid 0x1 ():\n")) {
      assertThat(read(text).ok()).isFalse();
      assertThat(messages(read(text))).last().asString().contains("no forwarding table found");
    }
  }

  @Test
  void aLineThatIsCutGivesNoWrongEntry() {
    LftDump whole = read(TWO).get();
    for (int length = 0; length < TWO.length(); length++) {
      Parsed<LftDump> parsed = read(TWO.substring(0, length));
      if (!parsed.ok()) {
        assertThat(length).isLessThan(TWO.indexOf('(') + 1);
        continue;
      }
      LftDump dump = parsed.get();
      for (int sw = 0; sw < dump.switchCount(); sw++) {
        assertThat(dump.switchAt(sw).guid()).isEqualTo(whole.switchAt(sw).guid());
        for (int lid = 0; lid < 8; lid++) {
          assertThat(dump.port(sw, lid)).isIn(whole.port(sw, lid), ForwardingTables.NO_PORT);
          assertThat(dump.guidOfLid(lid)).isIn(whole.guidOfLid(lid), 0L);
        }
      }
    }
  }

  @Test
  void aStreamInSmallPiecesGivesTheSame() throws IOException {
    String text = "x\n".repeat(50) + TWO.repeat(3).replace("h2", "h2".repeat(700));
    LftDump whole = read(text).get();
    for (int piece : new int[] {1, 2, 7, 64, 1000}) {
      InputStream in =
          new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] b, int off, int len) {
              return super.read(b, off, Math.min(len, piece));
            }
          };
      Parsed<LftDump> parsed = LftTextReader.read("t.lfts", in);
      assertSame(parsed.get(), whole);
      assertThat(messages(parsed)).isEqualTo(messages(read(text)));
    }
  }

  @Test
  void noMutationThrowsOrHangs() {
    SplittableRandom random = new SplittableRandom(42);
    byte[] original = TWO.getBytes(StandardCharsets.UTF_8);
    Fabric fabric = TableSamples.addressed();
    for (int i = 0; i < 2000; i++) {
      Source source = new Source("fuzz", Mutations.mutate(original, random));
      TableFormats.read(source, fabric).problems();
      Parsed<LftDump> dump = LftTextReader.read(source);
      if (dump.ok()) {
        TableBinder.bind(dump.get(), fabric).problems();
        TableBinder.bind(dump.get(), TableSamples.twoSwitches()).problems();
      }
    }
  }

  @Test
  void tablesOfOpensmHaveTheEntriesItMade() throws IOException {
    // 24 LIDs x 8 switches = 192; ftree leaves out 4 x 3 pairs of roots
    assertEntries("x16-ftree/%s", 8, 24, 192 - 12);
    // 54 LIDs x 27 switches = 1,458; ftree leaves out what no switch sends: 234
    assertEntries("x27-ftree/%s.gz", 27, 54, 1_458 - 234);
    assertEntries("x27-minhop/%s.gz", 27, 54, 1_458);
  }

  private static void assertEntries(String set, int switches, int top, int entries)
      throws IOException {
    Source source = Fixtures.source("opensm/" + set.formatted("opensm-lfts.dump"));
    Parsed<LftDump> parsed = LftTextReader.read(source);
    assertThat(parsed.problems()).isEmpty();
    assertThat(parsed.get().switchCount()).isEqualTo(switches);
    assertThat(parsed.get().topLid()).isEqualTo(top);
    assertThat(parsed.get().entryCount()).isEqualTo(entries);
    Fabric fabric = Fixtures.fabric("opensm/" + set.formatted("ibnetdiscover.txt"));
    Parsed<BoundTables> bound = TableBinder.bind(parsed.get(), fabric);
    assertThat(bound.problems()).isEmpty();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    OpensmLftsWriter.write(bound.get().fabric(), bound.get().tables(), out);
    assertThat(Arrays.equals(out.toByteArray(), source.bytes())).as("same bytes").isTrue();
  }

  @Test
  void theDiagnosticsShowTheSameTables() throws IOException {
    LftDump opensm = LftTextReader.read(Fixtures.source("opensm/x16-ftree/opensm-lfts.dump")).get();
    Fabric fabric = Fixtures.fabric("opensm/x16-ftree/ibnetdiscover.txt");
    Parsed<LftDump> fts = LftTextReader.read(Fixtures.source("opensm/x16-ftree/dump_fts.txt"));
    assertThat(fts.problems()).isEmpty();
    assertThat(TableBinder.bind(fts.get(), fabric).get().tables())
        .isEqualTo(TableBinder.bind(opensm, fabric).get().tables());
    Parsed<LftDump> one = LftTextReader.read(Fixtures.source("opensm/x16-ftree/ibroute.txt"));
    assertThat(one.problems()).isEmpty();
    assertThat(one.get().switchCount()).isEqualTo(1);
    assertThat(one.get().entryCount()).isEqualTo(24);
    assertThat(one.get().guidOfLid(6)).isEqualTo(0x200003);
    assertThat(one.get().switchAt(0).name()).isEqualTo("S1_3");
    int there = 0;
    while (opensm.switchAt(there).guid() != 0x200003) {
      there++;
    }
    assertThat(one.get().row(0, 24)).isEqualTo(opensm.row(there, 24));
  }

  private static void assertSame(LftDump a, LftDump b) {
    assertThat(a.switchCount()).isEqualTo(b.switchCount());
    assertThat(a.topLid()).isEqualTo(b.topLid());
    for (int sw = 0; sw < a.switchCount(); sw++) {
      assertThat(a.switchAt(sw).guid()).isEqualTo(b.switchAt(sw).guid());
      assertThat(a.switchAt(sw).name()).isEqualTo(b.switchAt(sw).name());
      assertThat(a.row(sw, a.topLid())).isEqualTo(b.row(sw, a.topLid()));
    }
    for (int lid = 0; lid <= a.topLid(); lid++) {
      assertThat(a.guidOfLid(lid)).isEqualTo(b.guidOfLid(lid));
    }
  }
}
