package org.heddle.routing.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.verify.isolation.IsolationPrice;
import org.heddle.verify.isolation.IsolationReport;
import org.heddle.verify.isolation.IsolationReport.Pair;
import org.junit.jupiter.api.Test;

/**
 * Table 3 of Zahid et al. with a physically isolated victim: what the two partitions share, and
 * what the isolation costs the other one. {@code docs/isolation.md} prints the figures, and this
 * test compares them.
 */
class PFTreeIsolationTest {
  private static final int SEED = 1;

  @Test
  void victimsShareNothingUnderExtAndTheDocsSayWhatItCosts() throws IOException {
    String docs = Files.readString(Path.of("..", "docs", "isolation.md"));
    List<String> rows = new ArrayList<>();
    for (TableThree table : TableThree.topologies()) {
      for (int victims : new int[] {table.victimsPerLeaf(), 1}) {
        rows.add(row(table, victims));
      }
    }
    assertThat(rows).as("rows of the table").allMatch(row -> docs.contains(row + "\n"));
  }

  private static String row(TableThree table, int victims) {
    Tenants tenants = Tenants.on(table.fabric());
    Tenancy tenancy =
        table.draw(tenants.fabric(), IsolationPolicy.PHY, victims, 0, new SplittableRandom(SEED));
    IsolationReport ftree = tenants.audit("ftree", tenancy);
    IsolationReport pftree = tenants.audit("pftree", tenancy);
    IsolationReport ext = tenants.audit("pftree-ext", tenancy);
    assertThat(ext.sharedChannels(TableThree.VICTIM, TableThree.INTERFERER)).isEmpty();
    assertThat(ext.kept()).isTrue();
    IsolationPrice price = IsolationPrice.of(ext, pftree);
    assertThat(price.shares()).hasSize(1);
    // What is left to the others is shared out evenly: nobody pays more than isolation takes away.
    int left = table.leaves() - rootsOf(tenants, ext.partitions().get(TableThree.VICTIM));
    int others = table.hosts() - victims;
    assertThat(price.shares().getFirst().fullest())
        .isGreaterThanOrEqualTo((others + left - 1) / left);
    return "| %s | %d | %s | %s | %s | %s | %s | %s |"
        .formatted(
            table.spec(),
            victims * table.leaves(),
            shared(ftree),
            shared(pftree),
            shared(ext),
            load(ftree),
            load(pftree),
            load(ext));
  }

  private static int rootsOf(Tenants tenants, IsolationReport.PartitionUse use) {
    java.util.BitSet roots = new java.util.BitSet();
    for (int i = 0; i < use.channels().size(); i++) {
      int sw = tenants.fabric().nodeOf(use.channels().port(i));
      if (tenants.tree().level(sw) == 2) {
        roots.set(sw);
      }
    }
    return roots.cardinality();
  }

  private static String shared(IsolationReport report) {
    Optional<Pair> pair = report.pair(TableThree.VICTIM, TableThree.INTERFERER);
    return pair.map(Pair::up).orElse(0) + " + " + pair.map(Pair::down).orElse(0);
  }

  /** The interferer's fullest channel, and its total contention. */
  private static String load(IsolationReport report) {
    var channels = report.partitions().get(TableThree.INTERFERER).channels();
    return channels.fullest() + ", " + channels.contention();
  }

  @Test
  void isolationThatNeedsMoreThanAFairShareHasAPrice() {
    Tenants tenants = Tenants.on(Fabrics.tree("XGFT(2;8,4;1,4)"));
    List<PartitionMember> victims = new ArrayList<>();
    List<PartitionMember> others = new ArrayList<>();
    for (int leaf = 0; leaf < 4; leaf++) {
      int[] ports = TableThree.hostPorts(tenants.fabric(), tenants.tree().leaf(leaf));
      for (int i = 0; i < ports.length; i++) {
        (i == 0 && leaf < 2 ? victims : others).add(new PartitionMember(ports[i], true, 1));
      }
    }
    Tenancy tenancy =
        new Tenancy(
            Tenancy.Rules.BEST_EFFORT,
            List.of(
                new Partition("victim", 1, IsolationPolicy.PHY, victims, List.of()),
                new Partition("others", 2, IsolationPolicy.DEF, others, List.of())));
    IsolationPrice price =
        IsolationPrice.of(tenants.audit("pftree-ext", tenancy), tenants.audit("pftree", tenancy));
    IsolationPrice.Share share = price.shares().getFirst();
    assertThat(share.pays()).isTrue();
    assertThat(share.fullest()).isGreaterThan(share.fullestBefore());
    assertThat(share.contention()).isGreaterThan(share.contentionBefore());
  }
}
