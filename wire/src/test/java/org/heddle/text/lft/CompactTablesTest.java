package org.heddle.text.lft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.fabric.NodeType;
import org.heddle.routing.ForwardingTables;
import org.heddle.text.Mutations;
import org.heddle.text.Parsed;
import org.heddle.text.Problem;
import org.heddle.text.Source;
import org.heddle.text.TableSamples;
import org.junit.jupiter.api.Test;

class CompactTablesTest {
  private static byte[] written(Fabric fabric, ForwardingTables tables) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    CompactTables.write(fabric, tables, out);
    return out.toByteArray();
  }

  private static Parsed<BoundTables> read(byte[] file, Fabric fabric) {
    return CompactTables.read(new Source("t.hlft", file), fabric);
  }

  private static List<String> messages(Parsed<?> parsed) {
    return parsed.problems().stream().map(Problem::toString).toList();
  }

  @Test
  void theBytesAreTheDocumentedOnes() throws IOException {
    byte[] file = written(TableSamples.addressed(), TableSamples.tables());
    ByteBuffer b = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(HexFormat.of().formatHex(file, 0, 16)).isEqualTo("89484c46540d0a1a0100000080000000");
    assertThat(b.getLong(16)).isEqualTo(TableSamples.addressed().fingerprint());
    // 2 switches, 5 endports, top LID 5, rows of 64
    assertThat(HexFormat.of().formatHex(file, 24, 40))
        .isEqualTo("02000000050000000500000040000000");
    assertThat(b.getLong(40)).isEqualTo(128);
    assertThat(b.getLong(48)).isEqualTo(128 + 5 * 16);
    assertThat(b.getLong(56)).isEqualTo(4096);
    assertThat(b.getLong(64)).isEqualTo(4096 + 2 * 64).isEqualTo(file.length);
    // endports in port order, so the switches first: GUID, LID, LMC, type, zero
    assertThat(HexFormat.of().formatHex(file, 128, 144))
        .isEqualTo("00002000000000000400000000000000");
    assertThat(HexFormat.of().formatHex(file, 160, 176))
        .isEqualTo("01001000000000000100000100000000");
    assertThat(b.getLong(208)).isEqualTo(0x200000);
    assertThat(b.getLong(216)).isEqualTo(0x200001);
    assertThat(b.getLong(224)).isZero();
    assertThat(HexFormat.of().formatHex(file, 4096, 4104)).isEqualTo("ff0102040004ffff");
    assertThat(HexFormat.of().formatHex(file, 4160, 4168)).isEqualTo("ff0404010400ffff");
  }

  @Test
  void whatIsWrittenComesBack() throws IOException {
    Fabric fabric = TableSamples.addressed();
    Parsed<BoundTables> back = read(written(fabric, TableSamples.tables()), fabric);
    assertThat(back.problems()).isEmpty();
    assertThat(back.get().fabric()).isSameAs(fabric);
    assertThat(back.get().tables()).isEqualTo(TableSamples.tables());
  }

  @Test
  void theLidsOfTheFileAreGivenToTheFabric() throws IOException {
    byte[] file = written(TableSamples.addressed(), TableSamples.tables());
    Parsed<BoundTables> back = read(file, TableSamples.twoSwitches());
    assertThat(back.problems()).isEmpty();
    assertThat(back.get().fabric()).isEqualTo(TableSamples.addressed());
  }

  @Test
  void lmcAndRoutersAndLastLidsSurvive() throws IOException {
    FabricBuilder b = new FabricBuilder();
    int sw = b.addSwitch(0xf000000000000001L, 254, "s");
    int router = b.addNode(NodeType.ROUTER, 7, 1, "r");
    b.setPortGuid(router, 1, 8);
    b.connect(sw, 254, router, 1, LinkWidth.X4, LinkSpeed.HDR);
    b.setLid(sw, 0, 1, 0);
    b.setLid(router, 1, 0xbf80, 7);
    Fabric fabric = b.build();
    byte[] row = new byte[0xc000];
    Arrays.fill(row, (byte) 254);
    ForwardingTables tables = ForwardingTables.ofRows(new byte[][] {row}, 0xbfff);
    Parsed<BoundTables> back =
        CompactTables.read(
            "m", ByteBuffer.wrap(written(fabric, tables)).asReadOnlyBuffer(), fabric);
    // every LID is sent to the router, 128 of them are its own
    assertThat(messages(back))
        .singleElement()
        .asString()
        .startsWith("m: note: 49022 LIDs are delivered to ports");
    assertThat(back.get().fabric()).isEqualTo(fabric);
    assertThat(back.get().tables()).isEqualTo(tables);
  }

  @Test
  void everyCutIsAnError() throws IOException {
    byte[] file = written(TableSamples.addressed(), TableSamples.tables());
    Fabric fabric = TableSamples.addressed();
    for (int length = 0; length < file.length; length++) {
      Parsed<BoundTables> back = read(Arrays.copyOf(file, length), fabric);
      assertThat(back.ok()).as("%d bytes", length).isFalse();
    }
    assertThat(read(Arrays.copyOf(file, file.length + 1), fabric).ok()).isFalse();
    assertThat(messages(read(Arrays.copyOf(file, 200), fabric)))
        .containsExactly("t.hlft: cut: 200 of 4224 bytes");
  }

  @Test
  void everyFlippedBitIsAnError() throws IOException {
    byte[] file = written(TableSamples.addressed(), TableSamples.tables());
    Fabric fabric = TableSamples.addressed();
    for (int bit = 0; bit < 8 * file.length; bit++) {
      file[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(read(file, fabric).ok()).as("bit %d", bit).isFalse();
      file[bit / 8] ^= (byte) (1 << bit % 8);
    }
    assertThat(read(file, fabric).ok()).isTrue();
  }

  @Test
  void noMutationThrows() throws IOException {
    byte[] file = written(TableSamples.addressed(), TableSamples.tables());
    Fabric fabric = TableSamples.addressed();
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 2000; i++) {
      TableFormats.read(new Source("f", Mutations.mutate(file, random)), fabric).problems();
    }
  }

  @Test
  void anotherCablingOfTheSameSwitchesIsAWarning() throws IOException {
    byte[] file = written(TableSamples.addressed(), TableSamples.tables());
    FabricBuilder b = new FabricBuilder();
    int left = b.addSwitch(TableSamples.SWITCH, 4, "left");
    int right = b.addSwitch(TableSamples.SWITCH + 1, 4, "right");
    b.addSwitch(TableSamples.SWITCH + 2, 4, "new");
    b.connect(left, 3, right, 3);
    Parsed<BoundTables> back = read(file, b.build());
    assertThat(messages(back))
        .containsExactly(
            "t.hlft: note: made for another cabling of these switches; matched by GUID, check"
                + " the tables",
            "t.hlft: note: no table for switch 0x0000000000200002 'new': its row is empty",
            "t.hlft: note: 3 ports of the file are not in the fabric, the first is"
                + " 0x0000000000100001");
    assertThat(back.get().tables().port(1, 3)).isEqualTo(1);
    assertThat(back.get().tables().port(2, 3)).isEqualTo(255);
    assertThat(back.get().fabric().lid(back.get().fabric().port(1, 0))).isEqualTo(5);
  }

  @Test
  void switchesThatAreGoneAreNamedAndTheOthersKeepTheirRows() throws IOException {
    byte[] file = written(TableSamples.addressed(), TableSamples.tables());
    FabricBuilder b = new FabricBuilder();
    b.addSwitch(TableSamples.SWITCH, 4, "left");
    Parsed<BoundTables> back = read(file, b.build());
    assertThat(messages(back))
        .contains(
            "t.hlft: note: made for another fabric: 1 of its 2 switches are not in this one, the"
                + " first is 0x0000000000200001");
    assertThat(back.get().tables().port(0, 3)).isEqualTo(4);
    assertThat(back.get().lost().switches()).containsExactly(TableSamples.SWITCH + 1);
    assertThat(back.get().lost().ports())
        .containsExactly(TableSamples.HOST + 1, TableSamples.HOST + 3, TableSamples.HOST + 5);
  }

  @Test
  void tablesOfWhichNoSwitchIsKnownAreAnError() throws IOException {
    byte[] file = written(TableSamples.addressed(), TableSamples.tables());
    FabricBuilder b = new FabricBuilder();
    b.addSwitch(TableSamples.SWITCH + 7, 4, "other");
    assertThat(messages(read(file, b.build())))
        .containsExactly(
            "t.hlft: tables of another fabric: 2 of its 2 switches are not in this one, the first"
                + " is 0x0000000000200000");
  }

  @Test
  void tablesOfAnotherFabricAreNotWritten() {
    assertThatThrownBy(
            () ->
                CompactTables.write(
                    TableSamples.addressed(),
                    ForwardingTables.empty(3, 5),
                    new ByteArrayOutputStream()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
