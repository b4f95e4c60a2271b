package org.heddle.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.junit.jupiter.api.Test;

/** Random trees with ports in random order, of mixed speeds as sites have them. */
class SlowLinksTest {
  private static final LinkSpeed[] SPEEDS = {LinkSpeed.FDR, LinkSpeed.EDR, LinkSpeed.HDR};
  private static final int OLD_MODEL = 4119;

  /** A tree that is being made. */
  private static final class Tree {
    private final Random random;
    private final FabricBuilder builder = new FabricBuilder();
    private final List<int[]> links = new ArrayList<>(); // node, port, node, port; hosts first
    private final int leaves;
    private final int spines;
    private final int hosts;

    Tree(Random random) {
      this.random = random;
      leaves = 3 + random.nextInt(4);
      spines = 2 + random.nextInt(3);
      hosts = 4 + random.nextInt(4);
    }

    /** A tree; one leaf and its hosts may be of an older generation, and so may some adapters. */
    void build() {
      LinkSpeed up = SPEEDS[1 + random.nextInt(2)];
      LinkSpeed down = SPEEDS[random.nextInt(3)];
      int radix = hosts + Math.max(leaves, spines) + 2;
      List<List<Integer>> free = new ArrayList<>();
      for (int sw = 0; sw < leaves + spines; sw++) {
        builder.addSwitch(0x1000 + sw, radix, (sw < leaves ? "leaf" : "spine") + sw);
        List<Integer> ports = new ArrayList<>();
        for (int p = 1; p <= radix; p++) {
          ports.add(p);
        }
        Collections.shuffle(ports, random);
        free.add(ports);
      }
      int oldLeaf = random.nextBoolean() ? random.nextInt(leaves) : -1;
      for (int leaf = 0; leaf < leaves; leaf++) {
        LinkSpeed own = leaf == oldLeaf ? LinkSpeed.QDR : up;
        for (int spine = leaves; spine < leaves + spines; spine++) {
          link(leaf, free.get(leaf).removeLast(), spine, free.get(spine).removeLast(), own);
        }
        for (int h = 0; h < hosts; h++) {
          int node = builder.addCa(0x100000 + 2L * (leaf * hosts + h), 1, "h" + leaf + "-" + h);
          boolean older = h == 0 && random.nextInt(3) == 0;
          builder.setIds(node, 0x2c9, older ? OLD_MODEL : 4123, 0);
          LinkSpeed speed = leaf == oldLeaf ? LinkSpeed.QDR : older ? LinkSpeed.DDR : down;
          link(leaf, free.get(leaf).removeLast(), node, 1, speed);
        }
      }
    }

    private void link(int a, int portA, int b, int portB, LinkSpeed speed) {
      builder.connect(a, portA, b, portB, LinkWidth.X4, speed);
      links.add(new int[] {a, portA, b, portB});
    }
  }

  private static List<TreeFinding> find(Fabric fabric) {
    return SlowLinks.find(fabric, FatTreeRecogniser.recognise(fabric, RecognitionOptions.NONE));
  }

  @Test
  void generationsAreNoFaultsAndOneSlowCableIsFoundAtItsEnds() {
    for (int seed = 0; seed < 300; seed++) {
      Tree tree = new Tree(new Random(seed));
      tree.build();
      assertThat(find(tree.builder.build())).as("seed %d", seed).isEmpty();
      int[] link = tree.links.get(tree.random.nextInt(tree.links.size()));
      boolean narrow = tree.random.nextBoolean();
      Fabric before = tree.builder.build();
      int port = before.port(before.findNode(0x1000 + link[0]), link[1]);
      boolean oldModel = before.deviceId(before.peerNode(port)) == OLD_MODEL;
      LinkSpeed speed = narrow ? before.speed(port) : LinkSpeed.SDR;
      for (int end = 0; end < 4; end += 2) {
        tree.builder.setLink(link[end], link[end + 1], narrow ? LinkWidth.X1 : LinkWidth.X4, speed);
      }
      List<TreeFinding> found = find(tree.builder.build());
      if (oldModel && found.isEmpty()) {
        continue; // too few adapters of the model to compare with
      }
      assertThat(found).as("seed %d", seed).hasSize(1);
      assertThat(found.getFirst().code()).isEqualTo("slow-link");
      assertThat(found.getFirst().node()).isEqualTo(before.nodeOf(port));
      assertThat(found.getFirst().port()).isEqualTo(before.numberOf(port));
      assertThat(found.getFirst().message())
          .contains(
              before.description(before.nodeOf(port)),
              before.description(before.peerNode(port)),
              narrow ? "1x" + speed : "4xSDR",
              " links of its kind run at ");
    }
  }

  @Test
  void linksOfUnknownSpeedAreNoPeers() {
    FabricBuilder b = new FabricBuilder();
    int leaf = b.addSwitch(1, 8, "leaf");
    for (int h = 1; h <= 4; h++) {
      int node = b.addCa(0x10L + 2 * h, 1, "h" + h);
      b.connect(leaf, h, node, 1);
    }
    assertThat(find(b.build())).isEmpty();
  }
}
