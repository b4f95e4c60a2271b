package org.heddle.text.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.MachineList;
import org.heddle.text.Parsed;
import org.heddle.text.Problem;
import org.heddle.text.Source;
import org.junit.jupiter.api.Test;

class MachineListReaderTest {
  private static final String GOOD =
      """
      # our machines
      version: 1
      machines:
        gpu07: [0x1000, 0x2001]   # a node GUID and a port GUID
        gpu08:
          - third card
          - "0x1003"
      ...
      """;

  /** Adapters of two ports: node GUIDs 0x1000.., port GUIDs 0x2000.., in steps of 2 a node. */
  private static Fabric fabric(String... descriptions) {
    FabricBuilder b = new FabricBuilder();
    int sw = b.addSwitch(0x10, 36, "leaf");
    for (int i = 0; i < descriptions.length; i++) {
      int node = b.addCa(0x1000 + i, 2, descriptions[i]);
      b.setPortGuid(node, 1, 0x2000 + 2 * i - 1);
      b.setPortGuid(node, 2, 0x2000 + 2 * i);
      b.connect(sw, i + 1, node, 1);
    }
    return b.build();
  }

  private static final Fabric FOUR = fabric("mlx5_0", "mlx5_0", "third card", "mlx5_1");

  private static List<String> problems(String text, Fabric... fabrics) {
    Parsed<MachineList> parsed =
        MachineListReader.read(
            Source.of("m.yaml", text), fabrics.length == 0 ? List.of(FOUR) : List.of(fabrics));
    assertThat(parsed.ok()).isFalse();
    return parsed.problems().stream().map(Problem::toString).toList();
  }

  private static String list(String... lines) {
    return "version: 1\nmachines:\n  " + String.join("\n  ", lines) + "\n...\n";
  }

  @Test
  void adaptersAreMeantByNodePortOrDescription() {
    MachineList read = MachineListReader.read(Source.of("m", GOOD), List.of(FOUR)).get();
    assertThat(read.names()).containsExactly("gpu07", "gpu08");
    assertThat(read.machine(0x1000)).isEqualTo("gpu07");
    assertThat(read.machine(0x1001)).isEqualTo("gpu07");
    assertThat(read.machine(0x1002)).isEqualTo("gpu08");
    assertThat(read.machine(0x1003)).isEqualTo("gpu08");
    assertThat(FOUR.withMachines(read).machines().count()).isEqualTo(2);
  }

  @Test
  void whateverIsCutOffIsRefused() {
    byte[] all = GOOD.stripTrailing().getBytes(StandardCharsets.UTF_8);
    for (int n = 0; n < all.length; n++) {
      Source part = new Source("m", Arrays.copyOf(all, n));
      assertThat(MachineListReader.read(part, List.of(FOUR)).ok()).as("%d bytes", n).isFalse();
    }
    assertThat(MachineListReader.read(new Source("m", all), List.of(FOUR)).ok()).isTrue();
    assertThat(problems("version: 1\nmachines:\n  a: [0x1000]\n"))
        .containsExactly(
            "m.yaml:3: the last line is not '...', the end of a document: the file is cut off");
  }

  @Test
  void whatCannotBeIsSaidAtItsLine() {
    assertThat(problems(list("a: [0x1000, 0x77]")))
        .containsExactly("m.yaml:3: no adapter and no port of one in the fabric has the GUID 0x77");
    assertThat(problems(list("a: [0x1000]", "b: [0x1001, 0x1fff]")))
        .containsExactly(
            "m.yaml:4: adapter 0x0000000000001000 of machine 'b' is listed already, in machine 'a',"
                + " line 3");
    assertThat(problems(list("a: [0x1000]", "b: [0x1001]", "a: [0x1002]")))
        .containsExactly("m.yaml:5: machine 'a' is here twice; the first is in line 3");
    assertThat(problems(list("a: [third crad]")))
        .containsExactly(
            "m.yaml:3: no adapter of the fabric is called 'third crad'; did you mean 'third card'?");
    assertThat(problems(list("a: [mlx5_0]")))
        .containsExactly("m.yaml:3: 2 adapters are called 'mlx5_0'; name one by its GUID");
    assertThat(problems(list("a: [0x10]")))
        .containsExactly("m.yaml:3: 0x10 is 'leaf' (0x0000000000000010), no adapter of a machine");
    assertThat(problems(list("a: []")))
        .singleElement()
        .asString()
        .contains("m.yaml:3: machine 'a'");
    assertThat(problems(list("a b: [0x1000]"))).singleElement().asString().contains("m.yaml:3: a ");
    assertThat(problems("version: 1\nmachine:\n  a: [0x1000]\n...\n"))
        .anyMatch(p -> p.startsWith("m.yaml:2: unknown key 'machine'"));
    assertThat(problems("version: 2\nmachines:\n  a: [0x1000]\n...\n"))
        .containsExactly("m.yaml:1: 'version: 1' is expected");
  }

  /** A machine of which an adapter is forgotten would be two: it is an error, at the machine. */
  @Test
  void anAdapterOfAListedMachineIsNotForgotten() {
    Fabric f = fabric("x mlx5_0", "x mlx5_1", "y mlx5_0", "z mlx5_0");
    assertThat(problems(list("z: [0x1003]", "big: [0x1000, 0x1002]"), f))
        .containsExactly(
            "m.yaml:4: adapter 'x mlx5_1' (0x0000000000001001) is in no machine of the list, though"
                + " its name or system image GUID is that of machine 'big': list it there, or as a"
                + " machine of its own");
    assertThat(problems(list("y: [0x1000, 0x1001]"), f))
        .containsExactly(
            "m.yaml:3: adapter 'y mlx5_0' (0x0000000000001002) is in no machine of the list, though"
                + " its name is that of machine 'y': list it there, or as a machine of its own");
    String apart = list("one: [0x1000]", "two: [0x1001]");
    assertThat(MachineListReader.read(Source.of("m", apart), List.of(f)).ok()).isTrue();
  }

  /** A machine that is switched off is not in the fabric now, and was in that of before. */
  @Test
  void anAdapterMayBeInAnotherOfTheFabrics() {
    Fabric before = fabric("a mlx5_0", "b mlx5_0");
    Fabric now = fabric("a mlx5_0");
    String text = list("a: [0x1000]", "b: [b mlx5_0]");
    assertThat(problems(text, now)).hasSize(1);
    assertThat(MachineListReader.read(Source.of("m", text), List.of(now, before)).ok()).isTrue();
  }
}
