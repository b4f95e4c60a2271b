package org.heddle.smp.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.mad.AttributeId;
import org.heddle.routing.ForwardingTables;
import org.heddle.smp.Fabrics;
import org.heddle.smp.FakeNetwork;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpRoute;
import org.heddle.smp.discover.DiscoveredFabric;
import org.heddle.smp.discover.FabricDiscovery;
import org.heddle.smp.discover.TableAccess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans are carried out in order, and what stops half way can be finished or undone. */
class PlanExecutorTest {
  @TempDir Path directory;

  private final Fabric fabric = Fabrics.damagedTree();
  private final FakeNetwork network = new FakeNetwork(fabric, Fabrics.anAdapter(fabric), 3);
  private final ForwardingTables old = tables(1);
  private final ForwardingTables wanted = tables(2);

  PlanExecutorTest() {
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      old.copy(sw, 0, network.tables[sw], 0, old.topLid() + 1);
    }
  }

  /** Entries that depend on switch and LID; a third of them is the same for all salts. */
  private ForwardingTables tables(int salt) {
    byte[][] rows = new byte[fabric.switchCount()][fabric.topLid() + 1];
    for (int sw = 0; sw < rows.length; sw++) {
      Arrays.fill(rows[sw], (byte) 255);
      for (int lid = 1; lid < rows[sw].length; lid++) {
        rows[sw][lid] = (byte) (lid % 3 == 0 ? 1 : 1 + (sw + lid * salt) % 8);
      }
    }
    return ForwardingTables.ofRows(rows, fabric.topLid());
  }

  private Path journal() {
    return directory.resolve("journal");
  }

  private ForwardingTables live(SmpClient client, DiscoveredFabric discovered) {
    return TableAccess.read(client, discovered).tables();
  }

  @Test
  void a_plan_is_sent_in_order_and_nothing_else() throws IOException {
    try (SmpClient client = network.client(1)) {
      DiscoveredFabric discovered = FabricDiscovery.run(client);
      SmpPlan plan = SmpPlan.dropThenSet(fabric, old, wanted);
      PlanExecutor.Result result = PlanExecutor.apply(client, discovered, plan, journal());
      assertThat(result).isEqualTo(new PlanExecutor.Result.Completed(plan.smps().size()));
      List<PlannedSmp> expected = new ArrayList<>();
      plan.smps()
          .forEach(s -> expected.add(PlannedSmp.block(0, s.nodeGuid(), s.modifier(), s.data())));
      assertThat(network.sets).isEqualTo(expected);
      assertThat(live(client, discovered)).isEqualTo(wanted);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void no_smp_of_a_phase_arrives_before_the_last_of_the_phase_before(long seed) throws IOException {
    FakeNetwork bad = new FakeNetwork(fabric, network.here, seed);
    System.arraycopy(network.tables, 0, bad.tables, 0, bad.tables.length);
    bad.spread = true;
    try (SmpClient client = bad.client(16)) {
      DiscoveredFabric discovered = FabricDiscovery.run(client);
      SmpPlan plan = SmpPlan.dropThenSet(fabric, old, wanted);
      PlanExecutor.apply(client, discovered, plan, journal());
      int drops = plan.phase(0).size();
      List<byte[]> first = plan.phase(0).stream().map(PlannedSmp::data).toList();
      for (int i = 0; i < drops; i++) {
        byte[] data = bad.sets.get(i).data();
        assertThat(first).anyMatch(d -> Arrays.equals(d, data));
      }
      assertThat(live(client, discovered)).isEqualTo(wanted);
    }
  }

  @Test
  void dropping_first_leaves_only_old_entries_before_the_barrier_and_only_new_ones_after() {
    SmpPlan plan = SmpPlan.dropThenSet(fabric, old, wanted);
    assertThat(plan.phases()).isEqualTo(2);
    byte[][] state = new byte[fabric.switchCount()][(old.topLid() / 64 + 1) * 64];
    for (int sw = 0; sw < state.length; sw++) {
      Arrays.fill(state[sw], (byte) 255);
      old.copy(sw, 0, state[sw], 0, old.topLid() + 1);
    }
    for (PlannedSmp smp : plan.smps()) {
      int sw = fabric.findNode(smp.nodeGuid());
      System.arraycopy(smp.data(), 0, state[sw], smp.modifier() * 64, 64);
      ForwardingTables whole = smp.phase() == 0 ? old : wanted;
      for (int lid = 0; lid <= old.topLid(); lid++) {
        int port = state[sw][lid] & 0xff;
        assertThat(port).isIn(whole.port(sw, lid), 255);
      }
    }
    for (int sw = 0; sw < state.length; sw++) {
      for (int lid = 0; lid <= old.topLid(); lid++) {
        assertThat(state[sw][lid] & 0xff).isEqualTo(wanted.port(sw, lid));
      }
    }
    assertThat(SmpPlan.dropThenSet(fabric, old, old).smps()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 40, 150, 159})
  void a_crash_anywhere_can_be_finished(int sets) throws IOException {
    crashAfter(sets);
    try (SmpClient client = again();
        SmpJournal journal = SmpJournal.open(journal())) {
      DiscoveredFabric discovered = FabricDiscovery.run(client);
      PlanExecutor.Result result = PlanExecutor.finish(client, discovered, journal);
      assertThat(result).isInstanceOf(PlanExecutor.Result.Completed.class);
      assertThat(live(client, discovered)).isEqualTo(wanted);
      assertThat(journal.progress()).isEqualTo(new SmpJournal.Progress(2, false));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 40, 150, 159})
  void a_crash_anywhere_can_be_undone(int sets) throws IOException {
    crashAfter(sets);
    network.breakAfterSets = 5; // and the way back crashes, too
    try (SmpClient client = network.client(4);
        SmpJournal journal = SmpJournal.open(journal())) {
      DiscoveredFabric discovered = FabricDiscovery.run(client);
      assertThatThrownBy(() -> PlanExecutor.undo(client, discovered, journal))
          .isInstanceOf(UncheckedIOException.class);
    }
    try (SmpClient client = again();
        SmpJournal journal = SmpJournal.open(journal())) {
      DiscoveredFabric discovered = FabricDiscovery.run(client);
      PlanExecutor.Result result = PlanExecutor.undo(client, discovered, journal);
      assertThat(result).isInstanceOf(PlanExecutor.Result.Completed.class);
      assertThat(live(client, discovered)).isEqualTo(old);
      assertThat(journal.progress()).isEqualTo(new SmpJournal.Progress(0, false));
    }
  }

  private SmpClient again() {
    network.breakAfterSets = Integer.MAX_VALUE;
    network.lossPercent = 10;
    return network.client(16);
  }

  /** Applies until the transport breaks; leaves half a line at the end of the journal. */
  private void crashAfter(int sets) throws IOException {
    network.breakAfterSets = sets;
    try (SmpClient client = network.client(16)) {
      DiscoveredFabric discovered = FabricDiscovery.run(client);
      SmpPlan plan = SmpPlan.dropThenSet(fabric, old, wanted);
      assertThat(plan.smps().size()).isGreaterThan(160);
      assertThatThrownBy(() -> PlanExecutor.apply(client, discovered, plan, journal()))
          .isInstanceOf(UncheckedIOException.class);
    }
    Files.writeString(journal(), "en", StandardOpenOption.APPEND);
  }

  @Test
  void a_completed_plan_can_be_undone_from_its_retired_journal() throws IOException {
    try (SmpClient client = network.client(16)) {
      DiscoveredFabric discovered = FabricDiscovery.run(client);
      SmpPlan plan = SmpPlan.dropThenSet(fabric, old, wanted);
      PlanExecutor.apply(client, discovered, plan, journal());
      Path done = SmpJournal.retire(journal());
      assertThat(journal()).doesNotExist();
      try (SmpJournal journal = SmpJournal.open(done)) {
        assertThat(journal.plan()).isEqualTo(plan);
        PlanExecutor.undo(client, discovered, journal);
      }
      assertThat(live(client, discovered)).isEqualTo(old);
    }
  }

  @Test
  void a_link_that_fails_in_the_middle_stops_the_plan_and_the_rest_goes_another_way()
      throws IOException {
    try (SmpClient client = network.client(16)) {
      DiscoveredFabric discovered = FabricDiscovery.run(client);
      int leaf = fabric.peerNode(fabric.port(network.here, 1));
      int sw = firstBehind(discovered, leaf);
      network.cut(fabric.port(leaf, firstHop(discovered.route(sw))));
      SmpPlan plan = new SmpPlan(List.of(change(0, leaf), change(1, sw), change(2, leaf)));
      PlanExecutor.Result refused = PlanExecutor.apply(client, discovered, plan, journal());
      assertThat(refused).isInstanceOf(PlanExecutor.Result.Refused.class);
      assertThat(journal()).doesNotExist();
      assertThat(network.sets).isEmpty();

      List<byte[]> before = List.of(blockOf(leaf), blockOf(sw), change(0, leaf).data());
      try (SmpJournal journal = SmpJournal.create(journal(), plan, before)) {
        PlanExecutor.Result stopped = PlanExecutor.finish(client, discovered, journal);
        assertThat(stopped).isInstanceOf(PlanExecutor.Result.Stopped.class);
        assertThat(((PlanExecutor.Result.Stopped) stopped).phase()).isEqualTo(1);
        assertThat(journal.progress()).isEqualTo(new SmpJournal.Progress(1, true));
      }
      try (SmpJournal journal = SmpJournal.open(journal())) {
        DiscoveredFabric anew = FabricDiscovery.run(client);
        assertThat(PlanExecutor.finish(client, anew, journal))
            .isEqualTo(new PlanExecutor.Result.Completed(2));
      }
      assertThat(network.tables[sw][0]).isEqualTo((byte) 1);
    }
  }

  private byte[] blockOf(int sw) {
    return Arrays.copyOf(network.tables[sw], 64);
  }

  private PlannedSmp change(int phase, int sw) {
    byte[] data = new byte[64];
    Arrays.fill(data, (byte) phase);
    return PlannedSmp.block(phase, fabric.nodeGuid(sw), 0, data);
  }

  private int firstBehind(DiscoveredFabric discovered, int leaf) {
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      if (sw != leaf && discovered.route(sw).hops() == 2) {
        return sw;
      }
    }
    throw new AssertionError("no neighbour");
  }

  private static int firstHop(SmpRoute route) {
    return Integer.parseInt(route.toString().split(",")[2]);
  }

  @Test
  void what_cannot_work_is_refused_before_anything_is_sent() throws IOException {
    try (SmpClient client = network.client(16)) {
      DiscoveredFabric discovered = FabricDiscovery.run(client);
      assertThat(refusal(client, discovered, PlannedSmp.block(0, 0xdead, 0, new byte[64])))
          .contains("0x000000000000dead");
      long host = fabric.nodeGuid(network.here);
      assertThat(refusal(client, discovered, PlannedSmp.block(0, host, 0, new byte[64])))
          .contains("is not a switch");
      long guid = fabric.nodeGuid(0);
      assertThat(refusal(client, discovered, PlannedSmp.block(0, guid, 768, new byte[64])))
          .contains("ends at LID 49151");
      PlannedSmp odd = new PlannedSmp(0, guid, AttributeId.SM_INFO, 0, new byte[64]);
      assertThat(refusal(client, discovered, odd)).contains("SMInfo 0 of 0x").contains("not supp");
      assertThat(network.sets).isEmpty();
    }
  }

  private String refusal(SmpClient client, DiscoveredFabric discovered, PlannedSmp smp)
      throws IOException {
    PlanExecutor.Result result =
        PlanExecutor.apply(client, discovered, new SmpPlan(List.of(smp)), journal());
    return ((PlanExecutor.Result.Refused) result).reason();
  }

  @Test
  void a_journal_in_the_way_stops_everything() throws IOException {
    Files.createFile(journal());
    try (SmpClient client = network.client(16)) {
      DiscoveredFabric discovered = FabricDiscovery.run(client);
      SmpPlan plan = SmpPlan.dropThenSet(fabric, old, wanted);
      assertThatThrownBy(() -> PlanExecutor.apply(client, discovered, plan, journal()))
          .isInstanceOf(FileAlreadyExistsException.class);
      assertThat(network.sets).isEmpty();
    }
  }

  @Test
  void a_journal_cut_off_anywhere_in_its_plan_is_not_taken_for_one() throws IOException {
    SmpPlan plan = new SmpPlan(List.of(change(0, 0), change(1, 1)));
    SmpJournal.create(journal(), plan, List.of(new byte[64], new byte[64])).close();
    byte[] whole = Files.readAllBytes(journal());
    for (int length = 0; length < whole.length; length++) {
      Files.write(journal(), Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> SmpJournal.open(journal())).isInstanceOf(IOException.class);
    }
    byte[] damaged = whole.clone();
    damaged[80] = (byte) (damaged[80] == '0' ? '1' : '0');
    Files.write(journal(), damaged);
    assertThatThrownBy(() -> SmpJournal.open(journal()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not a line of a journal");
  }

  @Test
  void switches_are_told_to_look_up_more_lids_only_when_the_entries_are_there() throws IOException {
    Arrays.fill(network.tops, 63);
    try (SmpClient client = network.client(16)) {
      DiscoveredFabric discovered = FabricDiscovery.run(client);
      ForwardingTables now = TableAccess.read(client, discovered, fabric.topLid()).tables();
      assertThat(now).isEqualTo(old);
      SmpPlan plan = SmpPlan.tableChange(discovered, now, wanted);
      assertThat(plan.phase(2))
          .hasSize(fabric.switchCount())
          .allMatch(s -> s.attributeId() == AttributeId.SWITCH_INFO);
      PlanExecutor.apply(client, discovered, plan, journal());
      assertThat(network.tops).containsOnly(fabric.topLid());
      DiscoveredFabric after = FabricDiscovery.run(client);
      assertThat(live(client, after)).isEqualTo(wanted);
      try (SmpJournal journal = SmpJournal.open(journal())) {
        PlanExecutor.undo(client, after, journal);
      }
      assertThat(network.tops).containsOnly(63);
    }
  }

  @Test
  void plans_out_of_order_or_with_one_place_twice_in_a_phase_are_refused() {
    assertThatThrownBy(() -> new SmpPlan(List.of(change(1, 0), change(0, 1))))
        .hasMessageContaining("phase 0 after phase 1");
    assertThatThrownBy(() -> new SmpPlan(List.of(change(1, 0), change(1, 0))))
        .hasMessageContaining("writes twice");
    assertThatThrownBy(() -> PlannedSmp.block(0, 1, 0, new byte[63]))
        .hasMessageContaining("63 bytes");
  }
}
