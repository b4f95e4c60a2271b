package org.heddle.routing.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.heddle.routing.RoutingResult;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.verify.isolation.IsolationAudit;
import org.heddle.verify.isolation.IsolationReport.Contention;
import org.junit.jupiter.api.Test;

/**
 * The evaluation of pFTree-Wt, section 7.1 of Zahid et al.: on the trees of table 3 some of the
 * victims of every leaf, as many on each, receive (weight 100, all other hosts 1); the members of
 * their partition send. Contention is counted among receivers only. {@code docs/engines.md} prints
 * the means, and this test compares them.
 */
class PFTreeWeightsTest {
  private static final int DRAWS = 50;

  /** Sums over the draws of one tree: pftree, then pftree-wt. */
  private record Sums(long[] down, long[] channelsDown, long[] up, long[] channelsUp) {
    Sums() {
      this(new long[2], new long[2], new long[2], new long[2]);
    }

    void add(int engine, Contention contention) {
      down[engine] += contention.down().total();
      channelsDown[engine] += contention.down().contended();
      up[engine] += contention.up().total();
      channelsUp[engine] += contention.up().contended();
    }

    String row(String spec) {
      StringBuilder row = new StringBuilder("| `" + spec + "` |");
      for (long[] sums : List.of(down, channelsDown, up, channelsUp)) {
        for (long sum : sums) {
          row.append(String.format(Locale.ROOT, " %.1f |", (double) sum / DRAWS));
        }
      }
      return row.toString();
    }
  }

  @Test
  void receiversNeverMeetDownwardsAndSeldomerUpwards() throws IOException {
    String docs = Files.readString(Path.of("..", "docs", "engines.md"));
    List<String> rows = new ArrayList<>();
    List<TableThree> topologies = TableThree.topologies();
    for (TableThree table : topologies) {
      Sums sums = sums(table);
      assertThat(sums.channelsDown[1]).as("contended down, %s", table.spec()).isZero();
      assertThat(sums.down[1]).isZero();
      assertThat(sums.up[1]).as("contention up, %s", table.spec()).isLessThan(sums.up[0]);
      rows.add(sums.row(table.spec()));
    }
    assertThat(rows).as("rows of the table").allMatch(row -> docs.contains(row + "\n"));
  }

  private static Sums sums(TableThree table) {
    Tenants tenants = Tenants.on(table.fabric());
    Sums sums = new Sums();
    for (int draw = 0; draw < DRAWS; draw++) {
      SplittableRandom random = new SplittableRandom(draw);
      int receivers = 1 + random.nextInt(table.victimsPerLeaf());
      Tenancy tenancy =
          table.draw(
              tenants.fabric(), IsolationPolicy.DEF, table.victimsPerLeaf(), receivers, random);
      sums.add(0, contention(tenants, "pftree", tenancy));
      sums.add(1, contention(tenants, "pftree-wt", tenancy));
    }
    return sums;
  }

  private static Contention contention(Tenants tenants, String engine, Tenancy tenancy) {
    RoutingResult.Routed routed = tenants.route(engine, tenancy);
    return IsolationAudit.contention(
        tenants.fabric(),
        routed.tables(),
        tenancy,
        (_, member) -> member.weight() == TableThree.RECEIVES,
        tenants.options());
  }

  /**
   * All other hosts have weights of their own here, and there are as many receivers as up-links.
   */
  @Test
  void receiversDoNotMeetDownwardsWhateverTheOthersWeigh() {
    for (int seed = 0; seed < 50; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      TableThree table = TableThree.topologies().get(random.nextInt(6));
      Tenants tenants = Tenants.on(table.fabric());
      List<List<PartitionMember>> members = new ArrayList<>();
      int partitions = 1 + random.nextInt(4);
      for (int p = 0; p < partitions; p++) {
        members.add(new ArrayList<>());
      }
      for (int leaf = 0; leaf < tenants.tree().leafCount(); leaf++) {
        int[] ports = TableThree.hostPorts(tenants.fabric(), tenants.tree().leaf(leaf));
        int first = random.nextInt(ports.length);
        for (int i = 0; i < ports.length; i++) {
          boolean receives = Math.floorMod(i - first, ports.length) < table.leaves();
          int weight = receives ? TableThree.RECEIVES : 1 + random.nextInt(60);
          members.get(random.nextInt(partitions)).add(new PartitionMember(ports[i], true, weight));
        }
      }
      List<Partition> all = new ArrayList<>();
      for (List<PartitionMember> some : members) {
        some.sort(java.util.Comparator.comparingInt(PartitionMember::port));
        int number = all.size() + 1;
        all.add(new Partition("t" + number, number, IsolationPolicy.DEF, some, List.of()));
      }
      Tenancy tenancy = new Tenancy(Tenancy.Rules.BEST_EFFORT, all);
      Contention contention = contention(tenants, "pftree-wt", tenancy);
      assertThat(contention.down().contended()).as("seed %d", seed).isZero();
      assertThat(contention.down().total()).isZero();
    }
  }
}
