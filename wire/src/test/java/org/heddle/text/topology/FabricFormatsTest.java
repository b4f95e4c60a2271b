package org.heddle.text.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.heddle.text.FabricTexts.messages;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.heddle.fabric.Fabric;
import org.heddle.text.FabricTexts;
import org.heddle.text.FileKinds;
import org.heddle.text.Parsed;
import org.heddle.text.Source;
import org.heddle.text.Sources;
import org.heddle.text.lft.CompactTables;
import org.junit.jupiter.api.Test;

class FabricFormatsTest {
  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
      zip.write(bytes);
    }
    return out.toByteArray();
  }

  @Test
  void theContentTellsTheFormat() {
    assertThat(FabricFormats.detect(Source.of("x", FabricTexts.DUMP)))
        .contains(FabricFormats.IBNETDISCOVER);
    assertThat(FabricFormats.detect(Source.of("x", FabricTexts.NETLIST)))
        .contains(FabricFormats.IBNETDISCOVER);
    assertThat(FabricFormats.detect(Source.of("x", "log line\n" + FabricTexts.SUBNET_LIST)))
        .contains(FabricFormats.SUBNET_LIST);
    assertThat(FabricFormats.detect(Source.of("x", "Switch\t : 0x1 ports 3\n"))).isEmpty();
  }

  @Test
  void everyFormatReadsWhatItWrites() {
    Fabric f = FabricTexts.readCleanly(FabricTexts.DUMP);
    for (FabricFormats format : FabricFormats.values()) {
      Parsed<Fabric> back = FabricFormats.read(Source.of("x", FabricTexts.write(format, f)));
      assertThat(back.get().fingerprint()).isEqualTo(f.fingerprint());
      assertThat(FabricFormats.byId(format.id())).contains(format);
      assertThat(format.title()).isNotEmpty();
    }
    assertThat(FabricFormats.byId("none")).isEmpty();
  }

  @Test
  void compressedFilesAreUnpacked() throws IOException {
    byte[] zipped = gzip(FabricTexts.SUBNET_LIST.getBytes(StandardCharsets.UTF_8));
    Parsed<Fabric> parsed = FabricFormats.read(new Source("net.gz", zipped));
    assertThat(parsed.get())
        .isEqualTo(FabricFormats.read(Source.of("x", FabricTexts.SUBNET_LIST)).get());
  }

  @Test
  void compressedFilesMayBeCutDamagedOrBombs() throws IOException {
    byte[] zipped = gzip(FabricTexts.DUMP.getBytes(StandardCharsets.UTF_8));
    for (int n = 2; n < zipped.length; n++) {
      Parsed<Fabric> cut = FabricFormats.read(new Source("cut", Arrays.copyOf(zipped, n)));
      assertThat(cut.ok()).as("cut at %s", n).isFalse();
      assertThat(messages(cut)).singleElement().asString().startsWith("cut: the gzip file is ");
    }
    zipped[20] ^= 0x55;
    assertThat(FabricFormats.read(new Source("bad", zipped)).ok()).isFalse();
    byte[] bomb = gzip(new byte[4 << 20]);
    assertThat(bomb.length).isLessThan(10_000);
    assertThat(messages(Sources.decompress(new Source("bomb", bomb), 1 << 20)))
        .containsExactly("bomb: unpacks to more than 1048576 bytes");
    assertThat(Sources.decompress(new Source("fits", bomb), 4 << 20).ok()).isTrue();
  }

  @Test
  void filesOfAnotherKindAreNamed() {
    Parsed<Fabric> parsed =
        FabricFormats.read(
            Source.of("lft", "Unicast lids [0x0-0x5] of switch Lid 1 guid 0x1 (''):\n"));
    assertThat(messages(parsed))
        .containsExactly(
            "lft: not a fabric; expected ibnetdiscover output, an ibsim netlist or"
                + " opensm-subnet.lst, but this looks like forwarding tables (an LFT dump)");
  }

  @Test
  void compactTablesAreNotTakenForAnyBinaryFile() {
    assertThat(FileKinds.describe(CompactTables.MAGIC.clone())).contains(".hlft");
  }

  @Test
  void everyFormatIsDocumented() throws IOException {
    String text = Files.readString(docs());
    for (FabricFormats format : FabricFormats.values()) {
      assertThat(text).contains("| `" + format.id() + "` |");
    }
  }

  private static Path docs() {
    Path up = Path.of("").toAbsolutePath();
    while (!Files.exists(up.resolve("docs/formats.md"))) {
      up = up.getParent();
    }
    return up.resolve("docs/formats.md");
  }
}
