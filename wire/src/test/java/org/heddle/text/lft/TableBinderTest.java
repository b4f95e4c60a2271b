package org.heddle.text.lft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.text.Parsed;
import org.heddle.text.Problem;
import org.heddle.text.Source;
import org.heddle.text.TableSamples;
import org.junit.jupiter.api.Test;

class TableBinderTest {
  private static LftDump dump(String... lines) {
    return LftTextReader.read(Source.of("t.lfts", String.join("\n", lines) + "\n")).get();
  }

  private static List<String> messages(Parsed<?> parsed) {
    return parsed.problems().stream().map(Problem::toString).toList();
  }

  @Test
  void theDumpsLidsReplaceThoseOfTheFabric() {
    LftDump dump =
        dump(
            "Unicast lids [0-9] of switch Lid 9 guid 0x200000 ('left'):",
            "0x0001 002 # Channel Adapter portguid 0x100003: 'h1'",
            "0x0004 001 # Channel Adapter portguid 0x100001: 'h0'",
            "0x0005 001 # Channel Adapter portguid 0x100001: 'h0'",
            "0x0009 000 # Switch portguid 0x200000: 'left'",
            "Unicast lids [0-9] of switch Lid 2 guid 0x200001 ('right'):",
            "0x0002 000 # Switch portguid 0x200001: 'right'");
    for (Fabric before : List.of(TableSamples.twoSwitches(), TableSamples.addressed())) {
      Parsed<BoundTables> bound = TableBinder.bind(dump, before);
      Fabric after = bound.get().fabric();
      int h0 = after.findPort(0x100001);
      assertThat(after.lid(h0)).isEqualTo(4);
      assertThat(after.lmc(h0)).isEqualTo(1);
      assertThat(after.lid(after.findPort(0x100003))).isEqualTo(1);
      assertThat(after.lid(after.port(0, 0))).isEqualTo(9);
      assertThat(after.lid(after.port(1, 0))).isEqualTo(2);
      assertThat(bound.get().tables().port(0, 5)).isEqualTo(1);
      assertThat(bound.get().tables().port(1, 5)).isEqualTo(255);
      int h2 = after.findPort(0x100005); // not in the dump: keeps its LID 3, which is free
      assertThat(after.lid(h2)).isEqualTo(before.lid(h2));
      assertThat(bound.problems()).isEmpty();
    }
  }

  @Test
  void theSameFabricComesBackWhereLidsAgree() {
    Fabric fabric = TableSamples.addressed();
    LftDump dump =
        dump(
            "Unicast lids [0-9] of switch Lid 4 guid 0x200000 ('left'):",
            "0x0001 001 # Channel Adapter portguid 0x100001: 'h0'",
            "Unicast lids [0-9] of switch Lid 5 guid 0x200001 ('right'):",
            "0x0001 004 # Channel Adapter portguid 0x100001: 'h0'");
    assertThat(TableBinder.bind(dump, fabric).get().fabric()).isSameAs(fabric);
  }

  @Test
  void anOldLidThatTheDumpGivesToAnotherPortIsTakenAway() {
    LftDump dump =
        dump(
            "Unicast lids [0-9] of switch Lid 4 guid 0x200000 ('left'):",
            "0x0003 001 # Channel Adapter portguid 0x100001: 'h0'",
            "Unicast lids [0-9] of switch Lid 5 guid 0x200001 ('right'):");
    Parsed<BoundTables> bound = TableBinder.bind(dump, TableSamples.addressed());
    Fabric after = bound.get().fabric();
    assertThat(after.lid(after.findPort(0x100005))).isZero();
    assertThat(messages(bound))
        .containsExactly(
            "t.lfts: warning: 2 ports have the LID 3: 'h0' 0x0000000000100000 port 1, on 'left; 'x''"
                + " 0x0000000000200000 port 1; 'h2' 0x0000000000100004 port 1, on 'right'"
                + " 0x0000000000200001 port 1; the second is left without LID");
  }

  @Test
  void unknownAndMissingSwitchesUnknownPortsAndImpossiblePortNumbersAreReported() {
    LftDump dump =
        dump(
            "Unicast lids [0-9] of switch Lid 4 guid 0x200000 ('left'):",
            "0x0001 001 # Channel Adapter portguid 0x100001: 'h0'",
            "0x0002 009 # Channel Adapter portguid 0x100003: 'h1'",
            "0x0007 077 # Channel Adapter portguid 0x999999: 'gone'",
            "Unicast lids [0-9] of switch Lid 5 guid 0x300000 ('other'):");
    Parsed<BoundTables> bound = TableBinder.bind(dump, TableSamples.addressed());
    assertThat(messages(bound))
        .containsExactly(
            "t.lfts:5: note: switch 0x0000000000300000 'other' is not in the fabric, ignored",
            "t.lfts: note: 1 of 2 switches of the file are not in the fabric",
            "t.lfts: note: no table for switch 0x0000000000200001 'right': its row is empty",
            "t.lfts: note: 2 ports of the file are not in the fabric, the first is"
                + " 0x0000000000300000",
            "t.lfts:1: warning: switch 0x0000000000200000 'left' has 4 ports, but 2 entries name a"
                + " larger one: LID 0x0002 leaves by port 9");
    assertThat(bound.get().tables().port(0, 2)).as("kept for the audit").isEqualTo(9);
    assertThat(TableSamples.row(bound.get().tables(), 1)).containsOnly(255);
  }

  @Test
  void tablesOfAnotherFabricAreAnError() {
    Parsed<BoundTables> bound =
        TableBinder.bind(
            dump("Unicast lids [0-9] of switch Lid 4 guid 0x77 ('left'):", "0x0001 001"),
            TableSamples.addressed());
    assertThat(bound.ok()).isFalse();
    assertThat(messages(bound))
        .contains("t.lfts: tables of another fabric: of its 1 switch none is in the fabric");
  }

  @Test
  void withoutGuidsTheFabricsLidsCountAndWithoutThoseNothingDoes() {
    LftDump dump =
        dump(
            "Unicast lids [0-9] of switch Lid 4 guid 0x200000 ('left'):",
            "0x0001 001",
            "Unicast lids [0-9] of switch Lid 5 guid 0x200001 ('right'):",
            "0x0001 004");
    Fabric fabric = TableSamples.addressed();
    assertThat(TableBinder.bind(dump, fabric).get().fabric()).isSameAs(fabric);
    Parsed<BoundTables> bound = TableBinder.bind(dump, TableSamples.twoSwitches());
    assertThat(bound.ok()).isFalse();
    assertThat(messages(bound)).first().asString().contains("nothing to match by");
  }

  @Test
  void lidsThatNoLmcExplainsAreReported() {
    LftDump dump =
        dump(
            "Unicast lids [0-999] of switch Lid 4 guid 0x200000 ('left'):",
            "0x0001 001 # Channel Adapter portguid 0x100001: 'h0'",
            "0x0201 001 # Channel Adapter portguid 0x100001: 'h0'",
            "Unicast lids [0-9] of switch Lid 5 guid 0x200001 ('right'):");
    Parsed<BoundTables> bound = TableBinder.bind(dump, TableSamples.twoSwitches());
    assertThat(messages(bound)).first().asString().contains("which no LMC explains");
    Fabric after = bound.get().fabric();
    assertThat(after.lid(after.findPort(0x100001))).isEqualTo(1);
  }
}
