package org.heddle.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.VirtualLids;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.FabricCut;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.verify.links.LinkConfinement;
import org.junit.jupiter.api.Test;

/** What is proven from what differs, against the whole audit, over chains of random changes. */
class ProvenTablesTest {
  /** What the chains came across, so that the test is about something. */
  private static final class Seen {
    int shown; // proven from what differs
    int whole; // only as a whole
    int unproven;
    int creditLoops;
    int forwardingLoops;
    int unreachable;
    int confined;
  }

  private static AuditReport audit(Fabric fabric, ForwardingTables tables) {
    return Audit.run(fabric, tables, AuditOptions.defaults().withThreads(1));
  }

  /** One step, its verdict compared with the audit's; the next state if there is one. */
  private static Optional<ProvenTables> step(
      String what, ProvenTables from, Fabric fabric, ForwardingTables next, Seen seen) {
    AuditReport report = audit(fabric, next);
    Optional<ProvenTables> part = from.next(fabric, next);
    Optional<ProvenTables> all = ProvenTables.of(fabric, next);
    assertThat(all.isPresent()).as(what).isEqualTo(report.clean());
    if (part.isPresent()) {
      assertThat(report.clean()).as(what + ": %s", report.findings()).isTrue();
      assertThat(part.get().tables()).isSameAs(next);
      assertThat(part.get().changed()).contains(differing(from, fabric, next));
    }
    seen.shown += part.isPresent() ? 1 : 0;
    seen.whole += part.isEmpty() && all.isPresent() ? 1 : 0;
    seen.unproven += all.isEmpty() ? 1 : 0;
    seen.creditLoops += report.creditLoops().cyclic() > 0 ? 1 : 0;
    seen.forwardingLoops += report.loopCount() > 0 ? 1 : 0;
    seen.unreachable += report.reachability().getFirst().unreachable() > 0 ? 1 : 0;
    return part.or(() -> all);
  }

  private static BitSet differing(ProvenTables from, Fabric fabric, ForwardingTables next) {
    BitSet out = new BitSet();
    for (int lid = 1; lid <= Math.max(fabric.topLid(), next.topLid()); lid++) {
      boolean differs = fabric.portOfLid(lid) != from.fabric().portOfLid(lid);
      for (int s = 0; s < fabric.switchCount() && !differs; s++) {
        differs = next.port(s, lid) != from.tables().port(s, lid);
      }
      out.set(lid, differs);
    }
    return out;
  }

  @Test
  void onRandomFabricsTheVerdictIsThatOfTheWholeAudit() {
    Seen seen = new Seen();
    for (int seed = 0; seed < 120; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Fabric fabric = AuditPropertyTest.fabric(random);
      Optional<ProvenTables> state = Optional.empty();
      for (int i = 0; i < 5 && state.isEmpty(); i++) {
        state = ProvenTables.of(fabric, AuditPropertyTest.spanningTrees(fabric, random));
      }
      for (int i = 0; i < 25 && state.isPresent(); i++) {
        ForwardingTables next = other(fabric, state.get().tables(), random);
        Optional<ProvenTables> after =
            step("seed " + seed + " step " + i, state.get(), fabric, next, seen);
        state = after.isPresent() ? after : state;
      }
    }
    assertThat(seen.shown).isGreaterThan(300);
    assertThat(seen.whole).isGreaterThan(5);
    assertThat(seen.creditLoops).isGreaterThan(20);
    assertThat(seen.forwardingLoops).isGreaterThan(20);
    assertThat(seen.unreachable).isGreaterThan(20);
  }

  /** Another tree for a LID or a few, or some entries at random. */
  private static ForwardingTables other(
      Fabric fabric, ForwardingTables tables, SplittableRandom random) {
    if (fabric.topLid() == 0) {
      return tables;
    }
    ForwardingTables.Edits edits = tables.edit();
    if (random.nextInt(3) == 0) {
      for (int n = 1 + random.nextInt(2); n > 0; n--) {
        int s = random.nextInt(fabric.switchCount());
        int port = random.nextInt(8) == 0 ? 255 : random.nextInt(fabric.portCount(s) + 2);
        edits.set(s, 1 + random.nextInt(tables.topLid()), port);
      }
      return edits.build();
    }
    ForwardingTables trees = AuditPropertyTest.spanningTrees(fabric, random);
    if (random.nextInt(6) == 0) {
      return trees;
    }
    for (int n = 1 + random.nextInt(3); n > 0; n--) {
      int lid = 1 + random.nextInt(fabric.topLid());
      for (int s = 0; s < fabric.switchCount(); s++) {
        edits.set(s, lid, trees.port(s, lid));
      }
    }
    return edits.build();
  }

  private static ForwardingTables routed(Fabric fabric, String engine) {
    Recognition.Found found = (Recognition.Found) FatTreeRecogniser.recognise(fabric);
    return ((RoutingResult.Routed)
            Catalog.engine(engine).orElseThrow().route(RoutingRequest.of(fabric, found)))
        .tables();
  }

  /** A tree without some of its links; the regular one if what is left is none. */
  private static Fabric tree(SplittableRandom random, boolean damaged) {
    Fabric aligned = TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,6;1,4)")).withAssignedLids();
    Fabric whole = FabricShuffle.ports(aligned, 6);
    if (!damaged) {
      return whole;
    }
    BitSet ports = new BitSet();
    for (int n = 1 + random.nextInt(4); n > 0; n--) {
      int s = random.nextInt(whole.switchCount());
      int port = whole.port(s, 1 + random.nextInt(whole.portCount(s)));
      int peer = whole.peer(port);
      if (peer != Fabric.NONE && whole.isSwitch(whole.nodeOf(peer))) {
        ports.set(port);
        ports.set(peer);
      }
    }
    Fabric cut = FabricCut.without(whole, new BitSet(), ports);
    return FatTreeRecogniser.recognise(cut) instanceof Recognition.Found ? cut : whole;
  }

  @Test
  void onTreesWithMachinesThatComeMoveAndGoTheVerdictIsThatOfTheWholeAudit() {
    Seen seen = new Seen();
    for (int seed = 0; seed < 40; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Fabric fabric = tree(random, seed % 2 == 0);
      ForwardingTables base = routed(fabric, seed % 3 == 0 ? "minhop" : "dmodk");
      Optional<ProvenTables> state = ProvenTables.of(fabric, base);
      List<Integer> hosts = new ArrayList<>();
      for (int p = 0; p < fabric.portIdLimit(); p++) {
        if (!fabric.isSwitch(fabric.nodeOf(p)) && fabric.attachedSwitch(p) != Fabric.NONE) {
          hosts.add(p);
        }
      }
      int[] at = new int[6]; // port of machine i; 0: none
      for (int i = 0; i < 25 && state.isPresent(); i++) {
        int machine = random.nextInt(at.length);
        at[machine] = random.nextInt(4) == 0 ? 0 : hosts.get(random.nextInt(hosts.size()));
        Fabric now = with(fabric, at);
        ForwardingTables next = moved(fabric, state.get().tables(), machine, at[machine], random);
        Optional<ProvenTables> after =
            step("seed " + seed + " step " + i, state.get(), now, next, seen);
        if (after.isPresent()) {
          confinement(state.get(), after.get(), hosts, random, seen);
        }
        state = after.isPresent() ? after : ProvenTables.of(fabric, base);
        if (after.isEmpty()) {
          at = new int[at.length];
        }
      }
    }
    assertThat(seen.shown).isGreaterThan(300);
    assertThat(seen.unproven).isGreaterThan(20);
    assertThat(seen.confined).isGreaterThan(50);
  }

  private static int lid(int machine) {
    return 100 + 30 * machine;
  }

  private static Fabric with(Fabric fabric, int[] at) {
    List<int[]> all = new ArrayList<>();
    for (int i = 0; i < at.length; i++) {
      if (at[i] != 0) {
        all.add(new int[] {lid(i), at[i]});
      }
    }
    int[] ones = new int[all.size()];
    java.util.Arrays.fill(ones, 1);
    return fabric.withVirtualLids(
        VirtualLids.of(
            all.stream().mapToInt(a -> a[0]).toArray(),
            all.stream().mapToInt(a -> a[1]).toArray(),
            ones));
  }

  /** The column of the host, or that of another one, or with an entry that is wrong. */
  private static ForwardingTables moved(
      Fabric fabric, ForwardingTables tables, int machine, int port, SplittableRandom random) {
    int[] switches = new int[fabric.switchCount()];
    int[] ports = new int[switches.length];
    int from = port == 0 ? 0 : fabric.lid(port);
    if (from != 0 && random.nextInt(12) == 0) {
      from = 1 + random.nextInt(fabric.topLid());
    }
    for (int s = 0; s < switches.length; s++) {
      switches[s] = s;
      ports[s] = from == 0 ? ForwardingTables.NO_PORT : tables.port(s, from);
    }
    if (random.nextInt(10) == 0) {
      int s = random.nextInt(switches.length);
      ports[s] = random.nextInt(fabric.portCount(s) + 1);
    }
    return tables.with(lid(machine), switches, ports);
  }

  /** Hosts of whose LIDs none differs are confined to links afterwards if they were before. */
  private static void confinement(
      ProvenTables before,
      ProvenTables after,
      List<Integer> hosts,
      SplittableRandom random,
      Seen seen) {
    int[] some = {hosts.get(random.nextInt(hosts.size())), hosts.get(random.nextInt(hosts.size()))};
    BitSet changed = after.changed().orElse(null);
    if (changed == null || LinkConfinement.concerns(after.fabric(), some, changed)) {
      return;
    }
    int[] links =
        java.util.stream.IntStream.range(0, after.fabric().portIdLimit())
            .filter(p -> after.fabric().peer(p) > p)
            .filter(p -> random.nextBoolean())
            .toArray();
    var was = LinkConfinement.check(before.fabric(), before.tables(), some, links);
    var is = LinkConfinement.check(after.fabric(), after.tables(), some, links);
    assertThat(is.confined()).isEqualTo(was.confined());
    seen.confined++;
  }

  @Test
  void anotherCablingShowsNothing() {
    SplittableRandom random = new SplittableRandom(4);
    Fabric whole = tree(random, false);
    ForwardingTables tables = routed(whole, "dmodk");
    ProvenTables proven = ProvenTables.of(whole, tables).orElseThrow();
    assertThat(proven.next(whole, tables)).isPresent();
    BitSet ports = new BitSet();
    int leaf = whole.attachedSwitch(whole.portOfLid(tables.topLid()));
    for (int k = 1; k <= whole.portCount(leaf) && ports.isEmpty(); k++) {
      int peer = whole.peer(whole.port(leaf, k));
      if (peer != Fabric.NONE && whole.isSwitch(whole.nodeOf(peer))) {
        ports.set(peer);
        ports.set(whole.port(leaf, k));
      }
    }
    Fabric cut = FabricCut.without(whole, new BitSet(), ports);
    assertThat(proven.next(cut, tables)).isEmpty();
    Fabric readdressed =
        TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,8;1,4)")).withAssignedLids();
    assertThat(proven.next(readdressed, routed(readdressed, "dmodk"))).isEmpty();
  }
}
