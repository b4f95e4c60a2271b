package org.heddle.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.heddle.fabric.Fabric;
import org.heddle.text.topology.FabricFormats;
import org.heddle.text.topology.GuidListReader;
import org.heddle.text.topology.IbnetdiscoverReader;
import org.heddle.text.topology.NodeNameMapReader;
import org.heddle.text.topology.SubnetListReader;
import org.junit.jupiter.api.Test;

/**
 * Damaged files: every prefix, and random damage. Readers must answer, and what they accept must
 * fit together. {@code -Dheddle.fuzz.fixtures=N} damages the fixtures N times each (20).
 */
class FabricFuzzTest {
  private static final List<String> TEXTS =
      List.of(
          FabricTexts.DUMP,
          FabricTexts.NETLIST,
          FabricTexts.SUBNET_LIST,
          FabricTexts.IBDIAGNET_LIST);

  @Test
  void everyPrefixOfAFileIsRefusedOrCommentedOn() {
    for (String text : TEXTS) {
      Fabric whole = FabricFormats.read(Source.of("net", text)).get();
      for (int n = 0; n < text.length(); n++) {
        Parsed<Fabric> parsed = FabricFormats.read(Source.of("net", text.substring(0, n)));
        boolean same = parsed.ok() && parsed.get().equals(whole);
        assertThat(same || !parsed.problems().isEmpty()).as("silent about a cut at %s", n).isTrue();
        if (parsed.ok()) {
          FabricTexts.assertConsistent(parsed.get());
        }
      }
    }
  }

  @Test
  void aDumpWithoutSomeOfItsLastLinesIsNeverUsable() {
    // The hosts' records come last: every cut in front of the last one loses a node.
    String text = FabricTexts.DUMP;
    int lastHost = text.indexOf("Ca\t2 ");
    for (int n = 0; n < lastHost; n++) {
      String cut = text.substring(0, n);
      boolean oneSwitchWithoutPorts = !cut.contains("\n[");
      assertThat(FabricTexts.read(cut).ok() && !oneSwitchWithoutPorts).as("cut at %s", n).isFalse();
    }
  }

  @Test
  void twoThousandDamagedFabricFilesAreAnswered() {
    SplittableRandom random = new SplittableRandom(20_260_101);
    int usable = 0;
    for (int i = 0; i < 2_000; i++) {
      String text = TEXTS.get(i % TEXTS.size());
      byte[] damaged = damage(text.getBytes(StandardCharsets.UTF_8), random);
      usable += answered(damaged, FabricFormats::read) ? 1 : 0;
      answered(damaged, IbnetdiscoverReader::read);
      answered(damaged, SubnetListReader::read);
    }
    assertThat(usable).as("damage must neither always kill nor never").isBetween(200, 1_900);
  }

  @Test
  void damagedGuidListsAndNameMapsAreAnswered() {
    byte[] list =
        "# roots\n0x0002c903007b78b0 # a\n0x2c903007b78b1\n  0X5\n"
            .getBytes(StandardCharsets.UTF_8);
    byte[] map = "0x5 \"a b\"\n# c\n0x6 plain # d\n".getBytes(StandardCharsets.UTF_8);
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 1_000; i++) {
      Parsed<?> guids = GuidListReader.read(new Source("f", damage(list, random)));
      Parsed<?> names = NodeNameMapReader.read(new Source("f", damage(map, random)));
      assertThat(guids.ok() || !guids.problems().isEmpty()).isTrue();
      assertThat(names.ok() || !names.problems().isEmpty()).isTrue();
    }
  }

  @Test
  void damagedFilesOfEveryDialectAreAnswered() throws IOException {
    int rounds = Integer.getInteger("heddle.fuzz.fixtures", 20);
    SplittableRandom random = new SplittableRandom(11);
    for (Path file : Fixtures.files("fabrics")) {
      byte[] bytes = Files.readAllBytes(file);
      for (int i = 0; i < rounds; i++) {
        answered(damage(bytes, random), FabricFormats::read);
      }
    }
  }

  private static boolean answered(byte[] bytes, Function<Source, Parsed<Fabric>> reader) {
    Parsed<Fabric> parsed = reader.apply(new Source("damaged", bytes));
    if (!parsed.ok()) {
      assertThat(parsed.problems())
          .anyMatch(problem -> problem.severity() == Problem.Severity.ERROR);
      return false;
    }
    FabricTexts.assertConsistent(parsed.get());
    return true;
  }

  private static byte[] damage(byte[] bytes, SplittableRandom random) {
    byte[] b = bytes;
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      b =
          switch (random.nextInt(6)) {
            case 0 -> Arrays.copyOf(b, random.nextInt(b.length + 1));
            case 1 -> withoutChunk(b, random);
            case 2 -> withChunkTwice(b, random);
            case 3 -> swappedLines(b, random);
            case 4 -> withRandomBytes(b, random, 256);
            default -> withRandomBytes(b, random, 10); // digits: still a number, but another
          };
    }
    return b;
  }

  private static byte[] withoutChunk(byte[] b, SplittableRandom random) {
    int from = random.nextInt(b.length + 1);
    int to = Math.min(b.length, from + random.nextInt(200));
    byte[] out = Arrays.copyOf(b, b.length - (to - from));
    System.arraycopy(b, to, out, from, b.length - to);
    return out;
  }

  private static byte[] withChunkTwice(byte[] b, SplittableRandom random) {
    int from = random.nextInt(b.length + 1);
    int to = Math.min(b.length, from + random.nextInt(400));
    int at = random.nextInt(b.length + 1);
    byte[] out = new byte[b.length + to - from];
    System.arraycopy(b, 0, out, 0, at);
    System.arraycopy(b, from, out, at, to - from);
    System.arraycopy(b, at, out, at + to - from, b.length - at);
    return out;
  }

  private static byte[] swappedLines(byte[] b, SplittableRandom random) {
    String[] lines = new String(b, StandardCharsets.ISO_8859_1).split("\n", -1);
    int x = random.nextInt(lines.length);
    int y = random.nextInt(lines.length);
    String line = lines[x];
    lines[x] = lines[y];
    lines[y] = line;
    return String.join("\n", lines).getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] withRandomBytes(byte[] b, SplittableRandom random, int range) {
    byte[] out = b.clone();
    for (int i = random.nextInt(6); i > 0 && out.length > 0; i--) {
      int at = random.nextInt(out.length);
      boolean digit = out[at] >= '0' && out[at] <= '9';
      if (range == 256) {
        out[at] = (byte) random.nextInt(256);
      } else if (digit) {
        out[at] = (byte) ('0' + random.nextInt(10));
      }
    }
    return out;
  }
}
