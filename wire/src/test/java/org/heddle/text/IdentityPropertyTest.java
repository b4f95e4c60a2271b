package org.heddle.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.Guid;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.text.topology.FabricFormats;
import org.junit.jupiter.api.Test;

/**
 * One fault of identity of each kind at a random place of a random fabric, with ports in random
 * order: it is found with both places, and nothing else is claimed.
 */
class IdentityPropertyTest {
  private static final int ROUNDS = 60;

  /** A two-level tree with one to three adapters a machine, all ports in random order. */
  private static Fabric fabric(Random random) {
    FabricBuilder b = new FabricBuilder();
    int leaves = 2 + random.nextInt(4);
    int spines = 1 + random.nextInt(3);
    int adapters = 1 + random.nextInt(3);
    int machines = 2 + random.nextInt(4);
    int radix = machines * adapters + Math.max(leaves, spines) + random.nextInt(4);
    long guid = 0x1000;
    int lid = 1;
    List<int[]> free = new ArrayList<>();
    for (int sw = 0; sw < leaves + spines; sw++) {
      boolean leaf = sw < leaves;
      int node = b.addSwitch(guid++, radix, (leaf ? "leaf" : "spine") + sw);
      b.setIds(node, 0, 0, guid);
      b.setLid(node, 0, lid++, 0);
      free.add(shuffled(radix, random));
    }
    int[] used = new int[leaves + spines];
    for (int leaf = 0; leaf < leaves; leaf++) {
      for (int spine = leaves; spine < leaves + spines; spine++) {
        b.connect(
            leaf,
            free.get(leaf)[used[leaf]++],
            spine,
            free.get(spine)[used[spine]++],
            LinkWidth.X4,
            LinkSpeed.HDR);
      }
    }
    guid = 0x100000;
    for (int leaf = 0; leaf < leaves; leaf++) {
      for (int m = 0; m < machines; m++) {
        for (int a = 0; a < adapters; a++) {
          int node = b.addCa(guid, 1, "node%d-%d mlx5_%d".formatted(leaf, m, a));
          b.setIds(node, 0, 0, guid);
          b.setPortGuid(node, 1, guid + 1);
          b.setLid(node, 1, lid++, 0);
          b.connect(node, 1, leaf, free.get(leaf)[used[leaf]++], LinkWidth.X4, LinkSpeed.HDR);
          guid += 8;
        }
      }
    }
    return b.build();
  }

  private static int[] shuffled(int n, Random random) {
    List<Integer> ports = new ArrayList<>();
    for (int i = 1; i <= n; i++) {
      ports.add(i);
    }
    Collections.shuffle(ports, random);
    return ports.stream().mapToInt(i -> i).toArray();
  }

  private static String text(Fabric fabric, FabricFormats format) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      format.write(fabric, out);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static Parsed<Fabric> read(String text) {
    return FabricFormats.read(Source.of("f", text));
  }

  /** Two different adapters. */
  private static int[] two(Fabric fabric, Random random) {
    int from = fabric.switchCount();
    int a = from + random.nextInt(fabric.caCount());
    int b = from + random.nextInt(fabric.caCount() - 1);
    return new int[] {a, b >= a ? b + 1 : b};
  }

  private static String hex(long guid) {
    return "%016x".formatted(guid);
  }

  private static String id(Fabric fabric, int node) {
    return "H-" + hex(fabric.nodeGuid(node));
  }

  private static String name(Fabric fabric, int node) {
    return fabric.description(node);
  }

  /** Exactly one problem, of the code, at the cables of these two adapters and their lines. */
  private static void assertFound(
      Parsed<Fabric> parsed, String code, Fabric fabric, int[] nodes, String... lines) {
    assertThat(parsed.problems()).as("%s", parsed.problems()).hasSize(1);
    Problem problem = parsed.problems().getFirst();
    assertThat(problem.code()).isEqualTo(code);
    assertThat(problem.places()).hasSize(nodes.length);
    List<String> found = new ArrayList<>();
    for (Place p : problem.places()) {
      found.add(p.neighbourGuid() + " " + p.neighbourPort());
    }
    List<String> wanted = new ArrayList<>();
    for (int node : nodes) {
      int peer = fabric.peer(fabric.port(node, 1));
      wanted.add(Guid.format(fabric.nodeGuid(fabric.nodeOf(peer))) + " " + fabric.numberOf(peer));
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(wanted);
    List<String> all = Arrays.asList(lines);
    for (Place place : problem.places()) {
      assertThat(place.line()).isPositive();
      assertThat(all.get(place.line() - 1))
          .containsAnyOf("\"S-", "Ca\t", "NodeGUID:" + place.guid().substring(2));
      assertThat(problem.message()).contains(place.guid()).contains("line " + place.line());
    }
  }

  @Test
  void aCleanFabricHasNoProblemInAnyFormat() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      Fabric fabric = fabric(new Random(seed));
      for (FabricFormats format : FabricFormats.values()) {
        assertThat(read(text(fabric, format)).problems()).as("%s, seed %d", format, seed).isEmpty();
      }
    }
  }

  @Test
  void aPortGuidOfTwoPortsIsAnErrorWithBothPlaces() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      Fabric fabric = fabric(random);
      int[] nodes = two(fabric, random);
      long kept = fabric.portGuid(fabric.port(nodes[0], 1));
      long lost = fabric.portGuid(fabric.port(nodes[1], 1));
      String dump = text(fabric, FabricFormats.IBNETDISCOVER);
      String text =
          dump.replace("(" + Long.toHexString(lost) + ")", "(" + Long.toHexString(kept) + ")");
      assertThat(text).isNotEqualTo(dump);
      Parsed<Fabric> parsed = read(text);
      assertThat(parsed.ok()).isFalse();
      assertFound(parsed, "duplicate-port-guid", fabric, nodes, text.split("\n"));
      String list = text(fabric, FabricFormats.SUBNET_LIST);
      String text2 = list.replace("PortGUID:" + hex(lost), "PortGUID:" + hex(kept));
      assertThat(text2).isNotEqualTo(list);
      assertThat(read(text2).ok()).isFalse();
      assertFound(read(text2), "duplicate-port-guid", fabric, nodes, text2.split("\n"));
    }
  }

  @Test
  void aNodeGuidOfTwoNodesIsAnErrorWithBothPlaces() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      Fabric fabric = fabric(random);
      int[] nodes = two(fabric, random);
      String dump = text(fabric, FabricFormats.IBNETDISCOVER);
      String text =
          dump.replace(id(fabric, nodes[1]), id(fabric, nodes[0]))
              .replace(
                  "caguid=0x" + Long.toHexString(fabric.nodeGuid(nodes[1])) + "\n",
                  "caguid=0x" + Long.toHexString(fabric.nodeGuid(nodes[0])) + "\n");
      Parsed<Fabric> parsed = read(text);
      assertThat(parsed.ok()).isFalse();
      List<Problem> errors =
          parsed.problems().stream().filter(p -> p.severity() == Problem.Severity.ERROR).toList();
      assertThat(errors).as("%s", parsed.problems()).hasSize(1);
      assertThat(errors.getFirst().code()).isEqualTo("duplicate-node-guid");
      assertThat(errors.getFirst().message())
          .contains(name(fabric, nodes[0]), name(fabric, nodes[1]))
          .contains(switchPort(fabric, nodes[0]), switchPort(fabric, nodes[1]));
      // the switch that loses its cable says so too, and nothing else does
      assertThat(parsed.problems())
          .allMatch(p -> p.code() != null)
          .allMatch(
              p -> p.code().equals("duplicate-node-guid") || p.code().equals("port-cabled-twice"));
      String list = text(fabric, FabricFormats.SUBNET_LIST);
      String text2 =
          list.replace(
              "NodeGUID:" + hex(fabric.nodeGuid(nodes[1])),
              "NodeGUID:" + hex(fabric.nodeGuid(nodes[0])));
      assertThat(text2).isNotEqualTo(list);
      Parsed<Fabric> parsed2 = read(text2);
      assertThat(parsed2.ok()).isFalse();
      assertThat(parsed2.problems())
          .anySatisfy(
              p -> {
                assertThat(p.code()).isEqualTo("duplicate-node-guid");
                assertThat(p.message())
                    .contains(name(fabric, nodes[0]), name(fabric, nodes[1]))
                    .contains(switchPort(fabric, nodes[0]), switchPort(fabric, nodes[1]));
              });
    }
  }

  private static String switchPort(Fabric fabric, int node) {
    int peer = fabric.peer(fabric.port(node, 1));
    int sw = fabric.nodeOf(peer);
    return "on '%s' %s port %d"
        .formatted(fabric.description(sw), Guid.format(fabric.nodeGuid(sw)), fabric.numberOf(peer));
  }

  @Test
  void aSwitchGuidOfTwoSwitchesIsAnError() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      Fabric fabric = fabric(random);
      int a = random.nextInt(fabric.switchCount());
      int b = (a + 1 + random.nextInt(fabric.switchCount() - 1)) % fabric.switchCount();
      String text =
          text(fabric, FabricFormats.IBNETDISCOVER)
              .replace("S-" + hex(fabric.nodeGuid(b)), "S-" + hex(fabric.nodeGuid(a)));
      Parsed<Fabric> parsed = read(text);
      assertThat(parsed.ok()).isFalse();
      assertThat(parsed.problems())
          .anySatisfy(
              p -> {
                assertThat(p.code()).isEqualTo("duplicate-node-guid");
                assertThat(p.message()).contains(name(fabric, a), name(fabric, b));
              });
    }
  }

  /** What ibnetdiscover prints itself: one record, two switch ports that lead to it. */
  @Test
  void twoSwitchPortsThatLeadToOnePortAreToldWithBothPlaces() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      Fabric fabric = fabric(random);
      int[] nodes = two(fabric, random);
      String dump = text(fabric, FabricFormats.IBNETDISCOVER);
      int record = dump.indexOf("Ca\t1 \"" + id(fabric, nodes[1]));
      int from = dump.lastIndexOf("\n\n", record) + 1;
      int to = dump.indexOf("\n\n", record);
      String text =
          (dump.substring(0, from) + (to < 0 ? "" : dump.substring(to + 1)))
              .replace(id(fabric, nodes[1]), id(fabric, nodes[0]))
              .replace(
                  "(" + Long.toHexString(fabric.portGuid(fabric.port(nodes[1], 1))) + ")",
                  "(" + Long.toHexString(fabric.portGuid(fabric.port(nodes[0], 1))) + ")");
      Parsed<Fabric> parsed = read(text);
      assertThat(parsed.problems())
          .filteredOn(p -> "port-cabled-twice".equals(p.code()))
          .as("seed %d: %s", seed, parsed.problems())
          .singleElement()
          .satisfies(
              p -> {
                assertThat(p.severity()).isEqualTo(Problem.Severity.WARNING);
                assertThat(p.places()).hasSize(2);
                assertThat(p.places().stream().map(x -> x.guid() + " " + x.port()))
                    .containsExactlyInAnyOrder(claim(fabric, nodes[0]), claim(fabric, nodes[1]));
              });
    }
  }

  private static String claim(Fabric fabric, int node) {
    int peer = fabric.peer(fabric.port(node, 1));
    return Guid.format(fabric.nodeGuid(fabric.nodeOf(peer))) + " " + fabric.numberOf(peer);
  }

  @Test
  void aLidOfTwoPortsIsToldWithBothPlaces() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      Fabric fabric = fabric(random);
      int[] nodes = two(fabric, random);
      int kept = fabric.lid(fabric.port(nodes[0], 1));
      int lost = fabric.lid(fabric.port(nodes[1], 1));
      String dump = text(fabric, FabricFormats.IBNETDISCOVER);
      Matcher own = Pattern.compile("# lid " + lost + " lmc").matcher(dump);
      Matcher told =
          Pattern.compile("\" lid " + lost + " ").matcher(own.replaceAll("# lid " + kept + " lmc"));
      String text = told.replaceAll("\" lid " + kept + " ");
      Parsed<Fabric> parsed = read(text);
      assertThat(parsed.ok()).isTrue();
      assertFound(parsed, "duplicate-lid", fabric, nodes, text.split("\n"));
      assertThat(parsed.problems().getFirst().severity()).isEqualTo(Problem.Severity.WARNING);
    }
  }

  @Test
  void aNeighbourThatKnowsAnotherLidIsToldWithBothLines() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      Fabric fabric = fabric(random);
      int node = two(fabric, random)[0];
      int lid = fabric.lid(fabric.port(node, 1));
      int other = fabric.topLid() + 1 + random.nextInt(9);
      String dump = text(fabric, FabricFormats.IBNETDISCOVER);
      String text = dump.replace("\" lid " + lid + " ", "\" lid " + other + " ");
      Parsed<Fabric> parsed = read(text);
      assertThat(parsed.problems()).as("%s", parsed.problems()).hasSize(1);
      Problem p = parsed.problems().getFirst();
      assertThat(p.code()).isEqualTo("several-lids");
      assertThat(p.message()).contains("LID " + lid + " ", "LID " + other, name(fabric, node));
      String[] lines = text.split("\n");
      assertThat(lines[p.places().getFirst().line() - 1]).contains("lid " + lid + " ");
      assertThat(lines[p.places().getLast().line() - 1]).contains("lid " + other + " ");
    }
  }

  @Test
  void aSystemImageGuidOfTwoMachinesIsNotedWithBothPlaces() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      Fabric fabric = fabric(random);
      int[] nodes = two(fabric, random);
      String dump = text(fabric, FabricFormats.IBNETDISCOVER);
      String text =
          dump.replace(
              "sysimgguid=0x" + Long.toHexString(fabric.systemGuid(nodes[1])) + "\n",
              "sysimgguid=0x" + Long.toHexString(fabric.systemGuid(nodes[0])) + "\n");
      assertThat(text).isNotEqualTo(dump);
      Parsed<Fabric> parsed = read(text);
      boolean oneMachine =
          name(fabric, nodes[0]).split(" ")[0].equals(name(fabric, nodes[1]).split(" ")[0]);
      if (oneMachine) {
        assertThat(parsed.problems()).as("two adapters of a machine may be one card").isEmpty();
      } else {
        assertFound(parsed, "duplicate-system-guid", fabric, nodes, text.split("\n"));
      }
    }
  }

  @Test
  void equalNamesAndDescriptionsThatNameNoMachineAreNoted() {
    String[] nobody = {
      "MT4119 ConnectX5   Mellanox Technologies", "localhost mlx5_0", "mlx5_1", "", "HCA-1"
    };
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      Fabric fabric = fabric(random);
      int[] nodes = two(fabric, random);
      String dump = text(fabric, FabricFormats.IBNETDISCOVER);
      String same =
          dump.replace("\"" + name(fabric, nodes[1]) + "\"", "\"" + name(fabric, nodes[0]) + "\"");
      assertFound(read(same), "equal-names", fabric, nodes, same.split("\n"));
      String none = nobody[random.nextInt(nobody.length)];
      String unnamed =
          dump.replace("\"" + name(fabric, nodes[1]) + "\"", "\"" + none + "\"")
              .replace("\"" + name(fabric, nodes[0]) + "\"", "\"" + none + "\"");
      assertFound(read(unnamed), "unnamed-adapters", fabric, nodes, unnamed.split("\n"));
    }
  }
}
