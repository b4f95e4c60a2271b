package org.heddle.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.heddle.text.FabricTexts.messages;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.heddle.fabric.Guid;
import org.heddle.text.topology.GuidListReader;
import org.heddle.text.topology.GuidListWriter;
import org.junit.jupiter.api.Test;

class GuidListTest {
  private static Parsed<List<Guid>> read(String text) {
    return GuidListReader.read(Source.of("roots", text));
  }

  @Test
  void readsOneGuidALineInOrder() {
    Parsed<List<Guid>> parsed =
        read(
            "# spines\n\n0x0002c903007b78b0\n  0X5 trailing words\n0x4 # why\n0x3#so\n\t0xFFFFFFFFFFFFFFFF\r\n");
    assertThat(parsed.problems()).isEmpty();
    assertThat(parsed.get())
        .containsExactly(
            new Guid(0x0002c903007b78b0L), new Guid(5), new Guid(4), new Guid(3), new Guid(-1));
  }

  @Test
  void numbersWithout0xAreReadAsOpensmReadsThem() {
    Parsed<List<Guid>> parsed = read("1048576\n010\n2c903007b78b0\n0089\n");
    assertThat(parsed.get())
        .containsExactly(
            new Guid(0x100000), new Guid(8), new Guid(0x2c903007b78b0L), new Guid(0x89));
    assertThat(messages(parsed))
        .containsExactly(
            "roots:1: warning: without 0x OpenSM reads 1048576 as the decimal number"
                + " 0x0000000000100000; so does Heddle",
            "roots:2: warning: without 0x OpenSM reads 010 as the octal number"
                + " 0x0000000000000008; so does Heddle",
            "roots:3: warning: 0x is missing before 2c903007b78b0; OpenSM refuses the whole file",
            "roots:4: warning: 0x is missing before 0089; OpenSM refuses the whole file");
  }

  @Test
  void whatIsNoGuidIsAnErrorAtItsPlace() {
    assertThat(messages(read("0x1\nspine1\n0x0\n0x11111111111111111\n0x\n")))
        .containsExactly(
            "roots:2: expected a GUID such as 0x0002c903007b78b0, got: spine1",
            "roots:3: 0 is not a GUID",
            "roots:4: expected a GUID such as 0x0002c903007b78b0, got: 0x11111111111111111",
            "roots:5: expected a GUID such as 0x0002c903007b78b0, got: 0x");
  }

  @Test
  void repeatedEmptyAndOverlongAreWarnings() {
    Parsed<List<Guid>> twice = read("0x1\n0x2\n0x1\n");
    assertThat(twice.get()).containsExactly(new Guid(1), new Guid(2));
    assertThat(messages(twice))
        .containsExactly(
            "roots:3: warning: 0x0000000000000001 was listed in line 1; kept that one");
    assertThat(messages(read("# none\n"))).containsExactly("roots: warning: no GUID in the file");
    assertThat(messages(read("0x1 # " + "x".repeat(250))).toString()).contains("254 characters");
  }

  @Test
  void listsAreWrittenWithCommentsAndComeBack() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    List<Guid> guids = List.of(new Guid(0x2c903007b78b0L), new Guid(-1));
    GuidListWriter.write(guids, Map.of(new Guid(-1), "spine\n#2" + "y".repeat(99)), out);
    String text = out.toString(StandardCharsets.UTF_8);
    assertThat(text)
        .isEqualTo("0x0002c903007b78b0\n0xffffffffffffffff # spine #2" + "y".repeat(42) + "\n");
    Parsed<List<Guid>> back = read(text);
    assertThat(back.problems()).isEmpty();
    assertThat(back.get()).isEqualTo(guids);
  }
}
