package org.heddle.smp.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.reconfig.TableChange;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;

/** What waits for what when whole tables are written. */
class WriteRanksTest {
  private final Fabric fabric =
      FabricDamage.apply(
              TreeGenerator.generate(TreeSpec.parse("XGFT(3;4,4,4;1,4,4)")).withAssignedLids(),
              DamageSpec.none(11).withLinks(DamageSpec.Amount.share(0.03)).keepingConnected())
          .fabric();
  private final Recognition recognition = FatTreeRecogniser.recognise(fabric);
  private final Optional<FatTree> tree = Optional.of(((Recognition.Found) recognition).tree());

  private ForwardingTables route(String engine) {
    RoutingRequest request = RoutingRequest.of(fabric, recognition);
    return ((RoutingResult.Routed) Catalog.engine(engine).orElseThrow().route(request)).tables();
  }

  private ForwardingTables without(ForwardingTables tables, List<Integer> lids) {
    byte[][] rows = new byte[tables.switchCount()][tables.topLid() + 1];
    for (int s = 0; s < rows.length; s++) {
      tables.copy(s, 0, rows[s], 0, rows[s].length);
      for (int lid : lids) {
        rows[s][lid] = (byte) ForwardingTables.NO_PORT;
      }
    }
    return ForwardingTables.ofRows(rows, tables.topLid());
  }

  private int[] ranks(ForwardingTables from, ForwardingTables to, TableChange change) {
    WriteRanks ranks = new WriteRanks(fabric, from, to, change.dropped());
    List<Integer> out = new ArrayList<>();
    for (TableChange.Write w : change.writes()) {
      if (!w.drop()) {
        out.add(ranks.next(w.sw(), w.block()));
      }
    }
    return out.stream().mapToInt(Integer::intValue).toArray();
  }

  @Test
  void aWriteWaitsForThoseOnItsNewWays() {
    ForwardingTables from = route("ftree");
    ForwardingTables to = route("updn");
    TableChange change = TableChange.order(fabric, tree, from, to);
    int[] ranks = ranks(from, to, change);
    assertThat(ranks).isNotEmpty();
    assertThat(Arrays.stream(ranks).max().orElseThrow()).isPositive();
  }

  @Test
  void lidsThatOnlyComeWaitForNothing() {
    ForwardingTables to = route("ftree");
    ForwardingTables from = without(to, List.of(fabric.topLid(), fabric.topLid() - 1));
    TableChange change = TableChange.order(fabric, tree, from, to);
    assertThat(ranks(from, to, change)).hasSize(fabric.switchCount()).containsOnly(0);
  }

  @Test
  void aLidThatIsRemovedAndOneThatIsDroppedWaitForNothing() {
    ForwardingTables from = route("ftree");
    ForwardingTables to = without(from, List.of(fabric.topLid()));
    TableChange change = TableChange.order(fabric, tree, from, to);
    assertThat(ranks(from, to, change)).containsOnly(0);
  }
}
