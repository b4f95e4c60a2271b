package org.heddle.smp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.addressing.AddressingOptions;
import org.heddle.addressing.AddressingScheme;
import org.heddle.addressing.VirtualMachine;
import org.heddle.addressing.VmPlacement;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.mad.GuidInfo;
import org.heddle.reconfig.migration.GuidUpdate;
import org.heddle.reconfig.migration.MigrationOptions;
import org.heddle.reconfig.migration.MigrationPlanner;
import org.heddle.reconfig.migration.VmMoves;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOptions;
import org.heddle.smp.discover.AliasGuids;
import org.heddle.smp.discover.DiscoveredFabric;
import org.heddle.smp.discover.FabricDiscovery;
import org.heddle.smp.write.PlanExecutor;
import org.heddle.smp.write.PlannedSmp;
import org.heddle.smp.write.SmpJournal;
import org.heddle.smp.write.SmpPlan;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.verify.transition.TableWrite;
import org.heddle.verify.transition.TransitionAudit;
import org.heddle.verify.transition.TransitionReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Moves of machines whose sender dies: before the first packet, after the last, and after every one
 * in between. The journal finishes or takes back, to exactly the tables that were predicted.
 */
class MovesJournalTest {
  @TempDir Path directory;

  /** Moves of three machines on a tree whose switches hold the tables from before. */
  private static final class Lab {
    final Fabric plain =
        TreeGenerator.generate(TreeSpec.parse("XGFT(3;2,2,2;1,2,2)")).withAssignedLids();
    final Fabric fabric;
    final ForwardingTables before;
    final VmMoves.Planned moves;
    final SmpPlan plan;
    final List<VirtualMachine> machines;

    Lab(AddressingScheme scheme, boolean dropping) {
      AddressingOptions options = AddressingOptions.of(scheme).withFunctions(3);
      VmPlacement placement = VmPlacement.empty(plain, options).orElseThrow();
      int[] hosts = new int[plain.caCount()];
      Arrays.setAll(hosts, i -> plain.port(plain.switchCount() + i, 1));
      for (int i = 0; i < 3; i++) {
        VirtualMachine.Request request = VirtualMachine.Request.of("vm" + i);
        placement = ((VmPlacement.Done) placement.start(request, hosts[i])).placement();
      }
      fabric = placement.fabric();
      machines = placement.machines();
      Recognition found = FatTreeRecogniser.recognise(fabric);
      RoutingRequest request = RoutingRequest.of(fabric, found);
      before =
          ((RoutingResult.Routed) Catalog.engine("vswitch-ftree").orElseThrow().route(request))
              .tables();
      MigrationPlanner planner =
          MigrationPlanner.of(fabric, Optional.of(((Recognition.Found) found).tree()), before);
      List<VmMoves.Request> requests =
          List.of(
              new VmMoves.Request("vm0", hosts[7]),
              new VmMoves.Request("vm1", hosts[4]),
              new VmMoves.Request("vm2", hosts[3]));
      MigrationOptions how =
          dropping ? MigrationOptions.DEFAULT.dropping() : MigrationOptions.DEFAULT;
      moves = (VmMoves.Planned) VmMoves.plan(planner, placement, requests, how);
      AliasGuids guids = AliasGuids.empty(plain);
      for (VirtualMachine m : machines) {
        guids = guids.after(GuidUpdate.give(m.port(), m.function(), m.vguid()));
      }
      for (int host : hosts) { // no GUID tells a port which is its own
        guids = guids.withOwn(host);
      }
      plan = SmpPlan.moves(plain, moves.waves(), guids);
    }

    FakeNetwork network(long seed) {
      FakeNetwork out = new FakeNetwork(plain, Fabrics.anAdapter(plain), seed);
      Arrays.fill(out.tops, Math.max(before.topLid(), moves.tables().topLid()));
      for (int sw = 0; sw < plain.switchCount(); sw++) {
        before.copy(sw, 0, out.tables[sw], 0, before.topLid() + 1);
      }
      for (VirtualMachine m : machines) {
        byte[] table = out.guids.computeIfAbsent(m.port(), _ -> new byte[1024]);
        new GuidInfo().wrap(table, 0).guid(1 + m.function(), m.vguid());
      }
      return out;
    }

    /** Every machine's vGUID is at its own hypervisor and at no other. */
    void assertGuids(FakeNetwork network, List<VirtualMachine> expected, String what) {
      Map<Long, String> found = new TreeMap<>();
      network.guids.forEach(
          (port, table) -> {
            for (int i = 1; i < 8; i++) {
              long guid = new GuidInfo().wrap(table, 0).guid(i);
              if (guid != 0) {
                assertThat(found.put(guid, port + "/" + (i - 1))).as(what).isNull();
              }
            }
          });
      Map<Long, String> wanted = new TreeMap<>();
      expected.forEach(m -> wanted.put(m.vguid(), m.port() + "/" + m.function()));
      assertThat(found).as(what).isEqualTo(wanted);
    }

    void assertHeld(FakeNetwork network, ForwardingTables expected, String what) {
      for (int sw = 0; sw < plain.switchCount(); sw++) {
        for (int lid = 0; lid < FakeNetwork.CAP; lid++) {
          if ((network.tables[sw][lid] & 0xff) != expected.port(sw, lid)) {
            assertThat(network.tables[sw][lid] & 0xff)
                .as("%s, switch %d, LID %d", what, sw, lid)
                .isEqualTo(expected.port(sw, lid));
          }
        }
      }
    }

    /**
     * What the switches went through: forward to the crash, then, after a while, phases to the end
     * or back to the beginning. Packets under way have time to arrive where the plan says so, and
     * on the way back before every phase.
     */
    TransitionReport audit(FakeNetwork network, int arrived, boolean undo) {
      BitSet drains = new BitSet(); // by packet
      int at = 0;
      for (int phase = 0; phase < plan.phases() && at < arrived; phase++) {
        drains.set(at, plan.drains().contains(phase));
        at += plan.phase(phase).size();
      }
      drains.set(arrived);
      at = network.sets.size(); // from the end back to the crash
      int phase = undo ? 0 : plan.phases() - 1;
      while (at > arrived) {
        at -= plan.phase(phase).size();
        drains.set(at, undo || at == arrived || plan.drains().contains(phase));
        phase += undo ? 1 : -1;
      }
      assertThat(at).isEqualTo(arrived);
      List<TableWrite> writes = new ArrayList<>();
      boolean drain = false;
      for (int i = 0; i < network.sets.size(); i++) {
        PlannedSmp s = network.sets.get(i);
        drain |= drains.get(i) && !writes.isEmpty();
        if (s.isForwardingBlock()) {
          writes.add(new TableWrite(plain.findNode(s.nodeGuid()), s.modifier(), s.data(), drain));
          drain = false;
        }
      }
      return TransitionAudit.run(
          fabric, before, writes, moves.owners(), new TreeSet<>(moves.dropped()));
    }
  }

  private Path journal() {
    return directory.resolve("journal");
  }

  private static SmpJournal.Companion companion() {
    return new SmpJournal.Companion("/state", bytes("old"), bytes("new"));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Sends until the transport breaks; the number of packets that arrived. */
  private int crash(Lab lab, FakeNetwork network, int window, int sets) throws IOException {
    Files.deleteIfExists(journal());
    network.breakAfterSets = sets;
    try (SmpClient client = network.client(window)) {
      DiscoveredFabric discovered = FabricDiscovery.run(client);
      assertThatThrownBy(
              () ->
                  PlanExecutor.apply(
                      client, discovered, lab.plan, journal(), Optional.of(companion())))
          .isInstanceOf(UncheckedIOException.class);
    }
    network.close(); // what was under way is lost with the sender
    network.breakAfterSets = Integer.MAX_VALUE;
    return network.sets.size();
  }

  private void recover(FakeNetwork network, boolean undo) throws IOException {
    try (SmpClient client = network.client(16);
        SmpJournal journal = SmpJournal.open(journal())) {
      assertThat(journal.companion().orElseThrow().name()).isEqualTo("/state");
      assertThat(journal.companion().orElseThrow().before()).isEqualTo(bytes("old"));
      assertThat(journal.companion().orElseThrow().after()).isEqualTo(bytes("new"));
      DiscoveredFabric discovered = FabricDiscovery.run(client);
      PlanExecutor.Result result =
          undo
              ? PlanExecutor.undo(client, discovered, journal)
              : PlanExecutor.finish(client, discovered, journal);
      assertThat(result).isInstanceOf(PlanExecutor.Result.Completed.class);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "DYNAMIC, 1, false",
    "DYNAMIC, 4, false",
    "PREPOPULATED, 1, false",
    "PREPOPULATED, 16, false",
    "DYNAMIC, 4, true",
    "PREPOPULATED, 1, true"
  })
  void after_every_packet_the_journal_finishes_and_takes_back(
      AddressingScheme scheme, int window, boolean dropping) throws IOException {
    Lab lab = new Lab(scheme, dropping);
    int smps = lab.plan.smps().size();
    assertThat(lab.plan.phases()).isGreaterThan(3);
    int torn = 0;
    // Every crash there is in the long sweep; else every third, other ones for another window.
    int step = Boolean.getBoolean("heddle.sweep") ? 1 : 3;
    for (int sets = window % step; sets < smps; sets += step) {
      for (boolean undo : new boolean[] {false, true}) {
        String what = scheme + ", window " + window + ", after " + sets + (undo ? " undo" : "");
        FakeNetwork network = lab.network(7);
        int arrived = crash(lab, network, window, sets);
        assertThat(arrived).as(what).isLessThanOrEqualTo(sets);
        torn += window == 1 && arrived > 0 ? 1 : 0;
        recover(network, undo);
        lab.assertHeld(network, undo ? lab.before : lab.moves.tables(), what);
        lab.assertGuids(network, undo ? lab.machines : lab.moves.placement().machines(), what);
        TransitionReport report = lab.audit(network, arrived, undo);
        assertThat(report.faults()).as("%s: %s", what, report.examples()).isZero();
        assertThat(report.creditLoops().cyclic()).as(what).isZero();
      }
    }
    assertThat(window > 1 || torn > 0).isTrue();
  }

  @Test
  void vguids_are_written_before_any_table_and_byte_for_byte() throws IOException {
    Lab lab = new Lab(AddressingScheme.DYNAMIC, false);
    VmMoves.Wave wave = lab.moves.waves().getFirst();
    int taken = wave.moves().size();
    for (int i = 0; i < 2 * taken; i++) {
      PlannedSmp smp = lab.plan.smps().get(i);
      assertThat(smp.attributeId()).isEqualTo(0x14);
      assertThat(smp.modifier()).isZero();
      assertThat(smp.phase()).isEqualTo(i < taken ? 0 : 1);
      VmMoves.Move move = wave.moves().get(i % taken);
      int port = i < taken ? move.before().port() : move.planned().machine().port();
      assertThat(smp.nodeGuid()).isEqualTo(lab.plain.portGuid(port));
      ByteBuffer bytes = ByteBuffer.allocate(64).putLong(lab.plain.portGuid(port));
      bytes.putLong(i < taken ? 0 : move.before().vguid());
      assertThat(smp.data()).isEqualTo(bytes.array());
    }
    assertThat(lab.plan.phase(2)).allMatch(PlannedSmp::isForwardingBlock);
    try (SmpClient client = lab.network(4).client(4)) {
      AliasGuids.Live live =
          AliasGuids.read(client, FabricDiscovery.run(client), lab.moves.waves());
      assertThat(live.obstacles()).isEmpty();
      assertThat(SmpPlan.moves(lab.plain, lab.moves.waves(), live.guids())).isEqualTo(lab.plan);
    }
  }

  @Test
  void adapters_that_cannot_hold_vguids_are_found_before_anything_is_sent() throws IOException {
    Lab lab = new Lab(AddressingScheme.DYNAMIC, false);
    int to = lab.moves.waves().getFirst().moves().getFirst().planned().machine().port();
    FakeNetwork network = lab.network(4);
    network.withoutGuids.add(to);
    try (SmpClient client = network.client(4)) {
      AliasGuids.Live live =
          AliasGuids.read(client, FabricDiscovery.run(client), lab.moves.waves());
      assertThat(live.obstacles()).hasSize(1);
      assertThat(live.obstacles().getFirst()).contains("does not answer to GUIDInfo, block 0");
    }
    network = lab.network(4);
    network.guidCap = 1;
    try (SmpClient client = network.client(4)) {
      AliasGuids.Live live =
          AliasGuids.read(client, FabricDiscovery.run(client), lab.moves.waves());
      assertThat(live.obstacles()).hasSize(6);
      assertThat(live.obstacles().getFirst()).contains("a GUID table of 1 entry, entry 1 is");
    }
    assertThat(network.sets).isEmpty();
    network = lab.network(4);
    network.readOnlyGuids.add(to);
    try (SmpClient client = network.client(4)) {
      AliasGuids.Live live =
          AliasGuids.read(client, FabricDiscovery.run(client), lab.moves.waves());
      assertThat(live.obstacles()).hasSize(1);
      assertThat(live.obstacles().getFirst()).contains("lets its GUIDs be read but not set");
    }
    lab.assertHeld(network, lab.before, "after looking");
    lab.assertGuids(network, lab.machines, "after looking");
  }

  @Test
  void a_port_whose_guids_cannot_be_set_can_still_be_taken_back() throws IOException {
    Lab lab = new Lab(AddressingScheme.DYNAMIC, false);
    int to = lab.moves.waves().getFirst().moves().getFirst().planned().machine().port();
    FakeNetwork network = lab.network(4);
    network.readOnlyGuids.add(to);
    try (SmpClient client = network.client(4)) {
      DiscoveredFabric discovered = FabricDiscovery.run(client);
      assertThat(
              PlanExecutor.apply(client, discovered, lab.plan, journal(), Optional.of(companion())))
          .isInstanceOf(PlanExecutor.Result.Stopped.class);
    }
    recover(network, true);
    lab.assertGuids(network, lab.machines, "taken back");
    lab.assertHeld(network, lab.before, "taken back");
  }

  @Test
  void an_adapter_that_answers_but_does_not_take_it_stops_before_the_tables() throws IOException {
    Lab lab = new Lab(AddressingScheme.DYNAMIC, false);
    int to = lab.moves.waves().getFirst().moves().getFirst().planned().machine().port();
    FakeNetwork network = lab.network(4);
    network.stubborn.add(to);
    try (SmpClient client = network.client(4)) {
      DiscoveredFabric discovered = FabricDiscovery.run(client);
      PlanExecutor.Result result =
          PlanExecutor.apply(client, discovered, lab.plan, journal(), Optional.of(companion()));
      assertThat(result).isInstanceOf(PlanExecutor.Result.Stopped.class);
      assertThat(((PlanExecutor.Result.Stopped) result).reason())
          .contains("the adapter answered with other GUIDs than were sent");
      lab.assertHeld(network, lab.before, "stopped");
    }
    recover(network, true);
    lab.assertGuids(network, lab.machines, "taken back");
    lab.assertHeld(network, lab.before, "taken back");
  }

  @Test
  void a_recovery_that_dies_too_can_be_recovered() throws IOException {
    Lab lab = new Lab(AddressingScheme.DYNAMIC, false);
    int smps = lab.plan.smps().size();
    for (int second = 0; second < smps / 2; second++) {
      for (boolean undo : new boolean[] {false, true}) {
        FakeNetwork network = lab.network(8);
        crash(lab, network, 1, smps / 2);
        network.breakAfterSets = second;
        assertThatThrownBy(() -> recover(network, undo)).isInstanceOf(UncheckedIOException.class);
        network.close();
        network.breakAfterSets = Integer.MAX_VALUE;
        recover(network, undo);
        lab.assertHeld(
            network, undo ? lab.before : lab.moves.tables(), "second crash after " + second);
      }
    }
  }

  @Test
  void one_may_change_ones_mind() throws IOException {
    Lab lab = new Lab(AddressingScheme.PREPOPULATED, false);
    FakeNetwork network = lab.network(9);
    crash(lab, network, 4, lab.plan.smps().size() / 2);
    recover(network, true);
    lab.assertHeld(network, lab.before, "taken back");
    recover(network, false);
    lab.assertHeld(network, lab.moves.tables(), "and made after all");
    recover(network, true);
    lab.assertHeld(network, lab.before, "and taken back from its end");
  }

  @Test
  void packets_under_way_get_their_time_where_the_plan_says_so() throws IOException {
    Lab lab = new Lab(AddressingScheme.PREPOPULATED, false);
    FakeNetwork network = lab.network(3);
    int drains = lab.plan.drains().size();
    assertThat(drains).isPositive().isLessThan(lab.plan.phases());
    long pause = SmpOptions.DEFAULT_DRAIN_MS * 1_000_000L;
    try (SmpClient client = network.client(16)) {
      DiscoveredFabric discovered = FabricDiscovery.run(client);
      long start = network.nowNs();
      PlanExecutor.apply(client, discovered, lab.plan, journal());
      assertThat(network.nowNs() - start).isBetween(drains * pause, drains * pause + pause / 2);
      try (SmpJournal journal = SmpJournal.open(journal())) {
        assertThat(journal.plan()).isEqualTo(lab.plan);
        start = network.nowNs();
        PlanExecutor.undo(client, discovered, journal);
        long pauses = lab.plan.phases() * pause;
        assertThat(network.nowNs() - start).isBetween(pauses, pauses + pause / 2);
      }
    }
  }

  @Test
  void without_that_time_a_swap_could_close_a_credit_loop() {
    Lab lab = new Lab(AddressingScheme.PREPOPULATED, false);
    List<TableWrite> writes = new ArrayList<>();
    for (PlannedSmp s : lab.plan.smps().stream().filter(PlannedSmp::isForwardingBlock).toList()) {
      int sw = lab.plain.findNode(s.nodeGuid());
      writes.add(new TableWrite(sw, s.modifier(), s.data(), false));
    }
    TransitionReport hasty =
        TransitionAudit.run(lab.fabric, lab.before, writes, lab.moves.owners(), new TreeSet<>());
    assertThat(hasty.creditLoops().cyclic()).isPositive();
  }
}
