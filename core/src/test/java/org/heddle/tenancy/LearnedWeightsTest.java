package org.heddle.tenancy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;

class LearnedWeightsTest {
  @Test
  void weightsGrowInProportion() {
    // W(x) = (x - 1000)(100 - 1) / (3000 - 1000) + 1
    assertThat(LearnedWeights.weight(1000, 1000, 3000, 1, 100)).isEqualTo(1);
    assertThat(LearnedWeights.weight(3000, 1000, 3000, 1, 100)).isEqualTo(100);
    assertThat(LearnedWeights.weight(2000, 1000, 3000, 1, 100)).isEqualTo(50.5);
    assertThat(LearnedWeights.weight(0, 0, Long.MAX_VALUE, 1, 100)).isEqualTo(1);
    assertThat(LearnedWeights.weight(Long.MAX_VALUE / 2, 0, Long.MAX_VALUE, 1, 100))
        .isCloseTo(50.5, within(1e-9));
  }

  @Test
  void equalCountersGiveTheSmallestWeight() {
    assertThat(LearnedWeights.weight(7, 7, 7, 1, 100)).isEqualTo(1);
  }

  @Test
  void aPortInSeveralPartitionsDividesItsWeight() {
    Fabric fabric = TreeGenerator.generate(TreeSpec.parse("XGFT(2;2,2;1,2)"));
    int busy = fabric.port(fabric.switchCount(), 1);
    int idle = fabric.port(fabric.switchCount() + 1, 1);
    List<Partition> partitions = new java.util.ArrayList<>();
    for (int i = 0; i < 3; i++) {
      List<PartitionMember> members =
          List.of(new PartitionMember(busy, true, 1), new PartitionMember(idle, true, 9));
      partitions.add(new Partition("p" + i, 5 + i, IsolationPolicy.DEF, members, List.of()));
    }
    Map<Guid, Long> received =
        Map.of(new Guid(fabric.portGuid(busy)), 90L, new Guid(fabric.portGuid(idle)), 0L);
    Tenancy learned =
        LearnedWeights.apply(new Tenancy(Tenancy.Rules.BEST_EFFORT, partitions), fabric, received);
    assertThat(learned.partitions())
        .allSatisfy(
            p ->
                assertThat(p.members())
                    .containsExactly(
                        new PartitionMember(busy, true, 33), new PartitionMember(idle, true, 1)));
  }

  @Test
  void measuredMembersChangeAndOthersKeepTheirWeight() {
    Fabric fabric = TreeGenerator.generate(TreeSpec.parse("XGFT(2;2,2;1,2)"));
    int[] port = new int[4];
    for (int i = 0; i < 4; i++) {
      port[i] = fabric.port(fabric.switchCount() + i, 1);
    }
    Partition p =
        new Partition(
            "a",
            5,
            IsolationPolicy.DEF,
            List.of(
                new PartitionMember(port[0], true, 1),
                new PartitionMember(port[1], false, 7),
                new PartitionMember(port[2], true, 1)),
            List.of());
    Tenancy tenancy = new Tenancy(Tenancy.Rules.BEST_EFFORT, List.of(p));
    Map<Guid, Long> received =
        Map.of(
            new Guid(fabric.portGuid(port[0])), 10L,
            new Guid(fabric.portGuid(port[2])), 20L,
            new Guid(fabric.portGuid(port[3])), 90L); // no member: sets no bound
    Tenancy learned = LearnedWeights.apply(tenancy, fabric, received);
    assertThat(learned.partitions().get(0).members())
        .containsExactly(
            new PartitionMember(port[0], true, 1),
            new PartitionMember(port[1], false, 7),
            new PartitionMember(port[2], true, 100));
    assertThat(LearnedWeights.apply(tenancy, fabric, Map.of())).isEqualTo(tenancy);
  }
}
