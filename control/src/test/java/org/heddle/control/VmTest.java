package org.heddle.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Request;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.VirtualLids;
import org.heddle.plan.DesiredState;
import org.heddle.plan.VmInventory;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.HostRef;
import org.heddle.plan.model.JournalEntry;
import org.heddle.plan.model.LinkRef;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Migration;
import org.heddle.plan.model.Origin;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import org.heddle.plan.model.Vm;
import org.heddle.plan.model.VmSpec;
import org.heddle.reconfig.TableChange;
import org.heddle.routing.ForwardingTables;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.links.LinkConfinement;
import org.junit.jupiter.api.Test;

class VmTest extends EmulatedFabric {
  private Outcome dry(Change change) {
    return controller.submit(change, new Request(Actor.SYSTEM, "", "", true)).join();
  }

  private Outcome.Accepted done(Change change) {
    Outcome out = submit(change);
    assertThat(out).isInstanceOf(Outcome.Accepted.class);
    return (Outcome.Accepted) out;
  }

  private String refused(Change change) {
    Outcome out = submit(change);
    assertThat(out).isInstanceOf(Outcome.Refused.class);
    return ((Outcome.Refused) out).reason();
  }

  private Tenant tenant(String name, int hosts, Policy policy) {
    TenantSpec links = TenantSpec.links(name, name, hosts);
    done(
        new Change.Create(
            new TenantSpec(
                name,
                name,
                policy,
                hosts,
                List.of(),
                1,
                links.allocator(),
                PartitionOptions.AUTOMATIC,
                List.of())));
    return controller.view().tenant(name).orElseThrow();
  }

  private Vm start(String name, String tenant, long host) {
    return done(new Change.StartVm(new VmSpec(name, tenant, host, true, 1))).vm().orElseThrow();
  }

  private Migration move(Object... namesAndHosts) {
    return done(moves(namesAndHosts)).migration().orElseThrow();
  }

  private static Change.MoveVms moves(Object... namesAndHosts) {
    List<Change.VmMove> out = new ArrayList<>();
    for (int i = 0; i < namesAndHosts.length; i += 2) {
      out.add(new Change.VmMove((String) namesAndHosts[i], (Long) namesAndHosts[i + 1]));
    }
    return new Change.MoveVms(out, true);
  }

  private static Change stop(String name) {
    return new Change.StopVm(name, OptionalLong.empty());
  }

  private Vm vm(String name) {
    return controller.view().vm(name).orElseThrow();
  }

  private List<Long> hosts(String tenant) {
    return controller.view().tenant(tenant).orElseThrow().hosts().stream()
        .map(HostRef::guid)
        .toList();
  }

  private int leaf(long host) {
    return fabric.attachedSwitch(fabric.port(fabric.findNode(host), 1));
  }

  /** A host of the tenant at another leaf, or at the same one. */
  private long host(String tenant, long from, boolean sameLeaf) {
    return hosts(tenant).stream()
        .filter(h -> h != from && (leaf(h) == leaf(from)) == sameLeaf)
        .findFirst()
        .orElseThrow();
  }

  private void converge() {
    for (int i = 0; i < 30 && !reconciler.pass().settled(); i++) {
      assertThat(reconciler.status().problems()).isEmpty();
    }
    assertThat(reconciler.status().inSync()).isTrue();
    assertThat(reconciler.reached()).isEqualTo(controller.view().epoch());
    assertThat(emulator.observe().tables()).isEqualTo(controller.view().tables());
    prove();
  }

  /** Every machine that is not stranded is reached at its LID, and the tables are clean. */
  private void prove() {
    DesiredState v = controller.view();
    assertThat(
            Audit.run(v.fabric(), v.tables(), AuditOptions.defaults().withTree(v.tree())).clean())
        .isTrue();
    int routed = 0;
    for (Vm vm : v.vms().values()) {
      if (vm.routed()) {
        routed++;
        int port = v.fabric().findPort(vm.portGuid());
        assertThat(v.fabric().portOfLid(vm.lid())).isEqualTo(port);
        int sw = v.fabric().attachedSwitch(port);
        assertThat(v.tables().port(sw, vm.lid()))
            .isEqualTo(v.fabric().numberOf(v.fabric().peer(port)));
      }
    }
    VirtualLids lids = v.fabric().virtualLids();
    assertThat(lids.size()).isEqualTo(routed);
  }

  private static byte[] column(DesiredState v, int lid) {
    byte[] out = new byte[v.tables().switchCount()];
    for (int sw = 0; sw < out.length; sw++) {
      out[sw] = (byte) v.tables().port(sw, lid);
    }
    return out;
  }

  private byte[] hostColumn(Vm vm) {
    DesiredState v = controller.view();
    return column(v, v.fabric().lid(v.fabric().findPort(vm.portGuid())));
  }

  private static int differing(DesiredState a, DesiredState b) {
    int out = 0;
    for (int sw = 0; sw < a.tables().switchCount(); sw++) {
      out += a.tables().differingBlocks(sw, b.tables());
    }
    return out;
  }

  // ---- life of a machine

  @Test
  void aMachineStartsAsItsHostIsRoutedMovesByFewSwitchesAndLeavesNothingBehind() {
    tenant("a", 12, Policy.LINKS);
    converge();
    ForwardingTables without = controller.view().tables();
    Vm web = start("web", "a", hosts("a").getFirst());
    assertThat(web.lid()).isEqualTo(1023);
    assertThat(web.function()).isZero();
    assertThat(column(controller.view(), web.lid())).isEqualTo(hostColumn(web));
    converge();
    DesiredState before = controller.view();
    long there = host("a", web.host().guid(), false);
    long written = emulator.written();
    Migration m = move("web", there);
    assertThat(m.moves()).hasSize(1);
    Migration.Move one = m.moves().getFirst();
    assertThat(one.minimum()).isEqualTo(3);
    assertThat(one.switches()).isBetween(1, 12).isEqualTo(m.smps());
    assertThat(differing(before, controller.view())).isEqualTo(m.smps());
    assertThat(vm("web").lid()).isEqualTo(web.lid());
    assertThat(vm("web").vguid()).isEqualTo(web.vguid());
    assertThat(vm("web").host().guid()).isEqualTo(there);
    for (int lid = 1; lid <= fabric.topLid(); lid++) {
      assertThat(column(controller.view(), lid)).isEqualTo(column(before, lid));
    }
    converge();
    assertThat(emulator.written() - written).isEqualTo(m.smps());
    done(stop("web"));
    converge();
    assertThat(controller.view().tables()).isEqualTo(without);
    assertThat(controller.view().vms()).isEmpty();
    assertThat(store.events("f", 0, 100))
        .extracting(e -> e.kind().word() + " " + e.subject() + " " + e.owner())
        .contains("vm-started web a", "vm-moved web a", "vm-stopped web a");
    assertThat(store.migrations("f", 0, 10)).containsExactly(m);
  }

  @Test
  void aMoveWithinALeafIsOneSwitch() {
    tenant("a", 12, Policy.LINKS);
    Vm web = start("web", "a", hosts("a").getFirst());
    converge();
    Migration m = move("web", host("a", web.host().guid(), true));
    assertThat(m.moves().getFirst().switches()).isEqualTo(1);
    assertThat(m.moves().getFirst().minimum()).isEqualTo(1);
    assertThat(m.dropped()).isEmpty();
    converge();
  }

  @Test
  void vguidsAreNeverGivenTwiceNotEvenAfterARestart() {
    tenant("a", 4, Policy.LINKS);
    long host = hosts("a").getFirst();
    long first = start("x", "a", host).vguid();
    done(stop("x"));
    controller.close();
    reopen();
    Vm again = start("x", "a", host);
    assertThat(again.vguid()).isEqualTo(first + 1);
    assertThat(again.lid()).isEqualTo(1023);
  }

  @Test
  void sixteenMachinesFitOnAHostAndTheNextIsRefused() {
    tenant("a", 4, Policy.LINKS);
    long host = hosts("a").getFirst();
    for (int i = 0; i < VmInventory.FUNCTIONS; i++) {
      assertThat(start("x" + i, "a", host).function()).isEqualTo(i);
    }
    assertThat(refused(new Change.StartVm(new VmSpec("y", "a", host, true, 1))))
        .contains("16 virtual functions");
    assertThat(refused(moves("x3", host))).contains("already");
    converge();
  }

  @Test
  void aMachineWithoutALidOfItsOwnHasThatOfEachHostAndChangesNoTable() {
    tenant("a", 8, Policy.LINKS);
    long host = hosts("a").getFirst();
    ForwardingTables before = controller.view().tables();
    Vm x = done(new Change.StartVm(new VmSpec("x", "a", host, false, 1))).vm().orElseThrow();
    assertThat(x.lid()).isEqualTo(fabric.lid(fabric.findPort(x.portGuid())));
    Migration m = move("x", host("a", host, false));
    assertThat(m.smps()).isZero();
    assertThat(vm("x").lid()).isEqualTo(fabric.lid(fabric.findPort(vm("x").portGuid())));
    assertThat(controller.view().tables()).isEqualTo(before);
  }

  @Test
  void theSameRequestIsTheSameMachineAndAnotherOneIsAConflict() {
    tenant("a", 8, Policy.LINKS);
    VmSpec spec = new VmSpec("x", "a", hosts("a").getFirst(), true, 1);
    done(new Change.StartVm(spec));
    assertThat(submit(new Change.StartVm(spec))).isInstanceOf(Outcome.Unchanged.class);
    VmSpec other = new VmSpec("x", "a", hosts("a").getLast(), true, 1);
    assertThat(refused(new Change.StartVm(other))).contains("already");
    assertThat(refused(new Change.StopVm("x", OptionalLong.of(7)))).contains("version");
    assertThat(refused(stop("y"))).contains("no VM");
  }

  @Test
  void aDryRunSaysWhatWouldBeWrittenAndChangesNothing() {
    tenant("a", 12, Policy.LINKS);
    Vm web = start("web", "a", hosts("a").getFirst());
    DesiredState before = controller.view();
    Change change = moves("web", host("a", web.host().guid(), false));
    Outcome.Accepted would = (Outcome.Accepted) dry(change);
    assertThat(controller.view()).isSameAs(before);
    int blocks = would.tables().stream().mapToInt(Outcome.SwitchBlocks::blocks).sum();
    Migration m = done(change).migration().orElseThrow();
    assertThat(blocks).isEqualTo(m.smps()).isEqualTo(would.migration().orElseThrow().smps());
    assertThat(would.migration().orElseThrow().moves()).isEqualTo(m.moves());
    VmSpec more = new VmSpec("y", "a", web.host().guid(), true, 1);
    Outcome.Accepted started = (Outcome.Accepted) dry(new Change.StartVm(more));
    assertThat(started.tables()).hasSize(fabric.switchCount());
    assertThat(controller.view().vms()).containsOnlyKeys("web");
  }

  @Test
  void severalMovesAreOneEpochOrNone() {
    tenant("a", 12, Policy.LINKS);
    List<Long> hosts = hosts("a");
    start("x", "a", hosts.get(0));
    start("y", "a", hosts.get(11));
    converge();
    DesiredState before = controller.view();
    assertThat(refused(moves("x", hosts.get(11), "z", hosts.get(0)))).contains("'z'");
    assertThat(refused(moves("x", hosts.get(11), "x", hosts.get(1)))).contains("twice");
    assertThat(controller.view()).isSameAs(before);
    Migration m = move("x", hosts.get(11), "y", hosts.get(0));
    assertThat(controller.view().epoch()).isEqualTo(before.epoch() + 1);
    assertThat(m.epoch()).isEqualTo(before.epoch() + 1);
    assertThat(differing(before, controller.view())).isEqualTo(m.smps());
    DesiredState after = controller.view();
    TableChange order =
        TableChange.order(
            after.fabric(), java.util.Optional.of(after.tree()), before.tables(), after.tables());
    assertThat(m.dropped()).isEqualTo(order.dropped());
    converge();
    JournalEntry entry = store.journal("f", before.epoch(), 10).getFirst();
    assertThat(entry.subject()).isEqualTo("2 VMs");
    assertThat(entry.machines()).extracting(JournalEntry.Machine::name).containsExactly("x", "y");
  }

  // ---- who may run where

  @Test
  void aMachineRunsOnItsTenantsHostsOnly() {
    tenant("a", 6, Policy.LINKS);
    tenant("b", 6, Policy.LINKS);
    long others = hosts("b").getFirst();
    assertThat(refused(new Change.StartVm(new VmSpec("x", "a", others, true, 1))))
        .contains("another tenant's");
    start("x", "a", hosts("a").getFirst());
    assertThat(refused(moves("x", others))).contains("another tenant's");
    assertThat(refused(new Change.StartVm(new VmSpec("y", "c", others, true, 1))))
        .contains("no tenant 'c'");
    assertThat(refused(new Change.StartVm(new VmSpec("y", "a", 5, true, 1))))
        .contains("no host of this fabric");
    assertThat(refused(new Change.StartVm(new VmSpec("-", "a", others, true, 1)))).contains("name");
    assertThat(refused(new Change.StartVm(new VmSpec("y", "a", others, true, 0))))
        .contains("weight");
  }

  private Member member(int fromLast) {
    int node = fabric.nodeCount() - 1 - fromLast;
    return new Member(fabric.portGuid(fabric.port(node, 1)), true, false);
  }

  private long node(Member m) {
    return fabric.nodeGuid(fabric.nodeOf(fabric.findPort(m.guid())));
  }

  @Test
  void aPartitionsMachinesRunOnItsMembersUntilTheseAreTaken() {
    Member here = member(0);
    Member there = member(9);
    PartitionOptions options = PartitionOptions.ofKey(0x12).withOrigin(Origin.CLIENT);
    done(new Change.Create(TenantSpec.partition("p", "p", options, List.of(here, there))));
    assertThat(refused(new Change.StartVm(new VmSpec("x", "p", node(member(1)), true, 1))))
        .contains("no member");
    start("x", "p", node(here));
    move("x", node(there));
    converge();
    assertThat(refused(new Change.RemoveMembers(0x12, List.of(there.guid()))))
        .contains("x of tenant 'p'");
    done(new Change.RemoveMembers(0x12, List.of(here.guid())));
    assertThat(refused(new Change.DeleteKey(0x12))).contains("x of tenant 'p'");
    Tenant all = tenant("a", 28, Policy.DEF); // the allocator keeps away from its host
    assertThat(all.hosts()).extracting(HostRef::guid).doesNotContain(node(there));
    TenantSpec named =
        new TenantSpec(
            "b",
            "b",
            Policy.DEF,
            0,
            List.of(node(there)),
            1,
            "exact",
            PartitionOptions.AUTOMATIC,
            List.of());
    assertThat(refused(new Change.Create(named))).contains("x of tenant 'p'");
    done(stop("x"));
    done(new Change.DeleteKey(0x12));
    done(new Change.Create(named));
    converge();
  }

  @Test
  void aTenantWithMachinesIsNotLetGoNorMovedAwayFromThem() {
    tenant("a", 6, Policy.LINKS);
    start("x", "a", hosts("a").getLast());
    assertThat(refused(new Change.Delete("a", OptionalLong.empty()))).contains("x of tenant 'a'");
    DesiredState before = controller.view();
    TenantSpec smaller = TenantSpec.links("a", "a", 1);
    Outcome out = submit(new Change.Replace(smaller, OptionalLong.empty()));
    boolean kept = hosts("a").contains(vm("x").host().guid());
    assertThat(out instanceof Outcome.Accepted).isEqualTo(kept && hosts("a").size() == 1);
    assertThat(kept).isTrue();
    assertThat(controller.view() == before).isEqualTo(out instanceof Outcome.Refused);
    done(stop("x"));
    done(new Change.Delete("a", OptionalLong.empty()));
    converge();
  }

  @Test
  void whereNobodyProgramsLidsOfMachinesTheyAreRefusedAndSharedOnesAreNot() {
    tenant("a", 6, Policy.LINKS);
    long host = hosts("a").getFirst();
    start("old", "a", host);
    controller.refuseOwnLids("not here; own_lid false does");
    assertThat(refused(new Change.StartVm(new VmSpec("x", "a", host, true, 1))))
        .isEqualTo("not here; own_lid false does");
    assertThat(refused(moves("old", hosts("a").getLast()))).contains("not here");
    done(new Change.StartVm(new VmSpec("y", "a", host, false, 1)));
    move("y", hosts("a").getLast());
    done(stop("old"));
  }

  // ---- what others do

  @Test
  void aTenantThatComesChangesNoMachinesRouteUnlessItNeedsItsLinks() {
    Member here = member(0);
    Member there = member(13);
    PartitionOptions options = PartitionOptions.ofKey(0x12);
    done(new Change.Create(TenantSpec.partition("p", "p", options, List.of(here, there))));
    start("x", "p", node(here));
    move("x", node(there));
    boolean refreshed = false;
    for (int i = 0; i < 5; i++) {
      boolean had = vm("x").column().isPresent();
      byte[] before = column(controller.view(), vm("x").lid());
      if (submit(new Change.Create(TenantSpec.links("t" + i, "t", 5))) instanceof Outcome.Refused) {
        break;
      }
      boolean has = vm("x").column().isPresent();
      if (had && has) {
        assertThat(column(controller.view(), vm("x").lid())).isEqualTo(before);
      }
      if (!has) {
        assertThat(column(controller.view(), vm("x").lid())).isEqualTo(hostColumn(vm("x")));
      }
      refreshed |= had && !has;
      assertThat(foreign()).isLessThanOrEqualTo(foreignOfHost());
      converge();
    }
    assertThat(refreshed || vm("x").column().isPresent()).isTrue();
  }

  /** Entries of the machine's LID that lead over links that some tenant owns. */
  private int foreign() {
    return over(column(controller.view(), vm("x").lid()));
  }

  private int foreignOfHost() {
    return over(hostColumn(vm("x")));
  }

  private int over(byte[] column) {
    int out = 0;
    for (Tenant t : controller.view().all()) {
      for (LinkRef l : t.links()) {
        int sw = fabric.findNode(l.from());
        out += (column[sw] & 0xff) == l.port() ? 1 : 0;
      }
    }
    return out;
  }

  @Test
  void aHostThatGoesStrandsItsMachinesAndBringsThemBack() {
    tenant("a", 12, Policy.LINKS);
    long host = hosts("a").getFirst();
    Vm x = start("x", "a", host);
    start("y", "a", host);
    converge();
    emulator.setNode(host, false);
    converge();
    assertThat(vm("x").stranded()).contains("is gone");
    assertThat(controller.view().fabric().portOfLid(x.lid())).isEqualTo(Fabric.NONE);
    Vm z = start("z", "a", hosts("a").getLast());
    assertThat(z.lid()).isNotIn(x.lid(), vm("y").lid());
    Migration m = move("y", host("a", host, false));
    assertThat(m.smps()).isPositive();
    assertThat(vm("y").stranded()).isEmpty();
    converge();
    emulator.setNode(host, true);
    converge();
    assertThat(vm("x").stranded()).isEmpty();
    assertThat(vm("x").lid()).isEqualTo(x.lid());
    assertThat(vm("x").vguid()).isEqualTo(x.vguid());
    assertThat(store.events("f", 0, 1000))
        .extracting(e -> e.kind().word() + " " + e.subject())
        .contains("vm-stranded x", "vm-stranded y", "vm-restored x", "vm-moved y");
    done(stop("x"));
    converge();
  }

  @Test
  void aLidThatASubnetManagerGivesToAHostStrandsTheMachineThatHadIt() {
    tenant("a", 12, Policy.LINKS);
    Vm x = start("x", "a", hosts("a").getFirst());
    start("y", "a", hosts("a").getFirst());
    int[] lids = new int[fabric.portIdLimit()];
    byte[] lmcs = new byte[lids.length];
    for (int port = 0; port < lids.length; port++) {
      lids[port] = fabric.lid(port);
    }
    lids[fabric.port(fabric.nodeCount() - 1, 1)] = x.lid();
    done(new Change.FabricChanged(fabric.withLids(lids, lmcs), "LIDs are others"));
    assertThat(vm("x").stranded()).contains("was given to", "start it again");
    assertThat(vm("y").stranded()).isEmpty();
    prove();
    assertThat(refused(moves("x", hosts("a").getLast()))).contains("was given to");
    done(stop("x"));
    assertThat(start("x", "a", hosts("a").getFirst()).lid()).isNotEqualTo(x.lid());
    done(new Change.FabricChanged(fabric, "LIDs as before"));
    prove();
  }

  @Test
  void aStrandedMachineCanBeStopped() {
    tenant("a", 12, Policy.LINKS);
    long host = hosts("a").getFirst();
    Vm x = start("x", "a", host);
    converge();
    emulator.setNode(host, false);
    converge();
    done(stop("x"));
    assertThat(start("z", "a", hosts("a").getLast()).lid()).isEqualTo(x.lid());
    emulator.setNode(host, true);
    converge();
  }

  @Test
  void aRollbackBringsMachinesBackWithTheirAddresses() {
    tenant("a", 12, Policy.LINKS);
    Vm x = start("x", "a", hosts("a").getFirst());
    start("y", "a", hosts("a").get(1));
    long then = controller.view().epoch();
    move("x", host("a", x.host().guid(), false));
    done(stop("y"));
    Vm z = start("z", "a", hosts("a").getLast());
    converge();
    done(controller.rollbackTo(then).orElseThrow());
    assertThat(controller.view().vms()).containsOnlyKeys("x", "y");
    assertThat(vm("x").host()).isEqualTo(x.host());
    assertThat(vm("x").lid()).isEqualTo(x.lid());
    assertThat(vm("y").lid()).isEqualTo(z.lid());
    converge();
    done(controller.rollbackTo(0).orElseThrow());
    assertThat(controller.view().vms()).isEmpty();
    assertThat(controller.view().tenants()).isEmpty();
    converge();
    done(controller.rollbackTo(then).orElseThrow());
    assertThat(vm("y").vguid()).isNotEqualTo(z.vguid());
    assertThat(start("n", "a", hosts("a").getLast()).vguid()).isGreaterThan(z.vguid());
    converge();
  }

  @Test
  void policiesThatKeepTablesApartHoldWithMachinesThatMove() {
    tenant("a", 8, Policy.PHY);
    tenant("b", 8, Policy.PHY);
    for (String t : List.of("a", "b")) {
      start(t + "1", t, hosts(t).getFirst());
      Outcome out = submit(moves(t + "1", hosts(t).getLast()));
      assertThat(out).isInstanceOf(Outcome.Accepted.class);
      converge();
    }
  }

  @Test
  void linksOfATenantsOwnAreProvenOfItsMachinesToo() {
    tenant("a", 12, Policy.LINKS);
    Vm x = start("x", "a", hosts("a").getFirst());
    DesiredState v = controller.view();
    int[] ports = hosts("a").stream().mapToInt(h -> fabric.port(fabric.findNode(h), 1)).toArray();
    int[] links =
        v.tenant("a").orElseThrow().links().stream()
            .mapToInt(l -> fabric.port(fabric.findNode(l.from()), l.port()))
            .toArray();
    LinkConfinement.Result with = LinkConfinement.check(v.fabric(), v.tables(), ports, links);
    assertThat(with.confined()).isTrue();
    assertThat(with.routes())
        .isGreaterThan(LinkConfinement.check(fabric, v.tables(), ports, links).routes());
    int away = leaf(host("a", x.host().guid(), false));
    ForwardingTables broken = v.tables().with(away, x.lid(), ForwardingTables.NO_PORT);
    assertThat(LinkConfinement.check(v.fabric(), broken, ports, links).lost()).isPositive();
  }

  // ---- random lives

  @Test
  void afterEveryRandomStepTablesAreCleanAndARestartMakesTheSame() {
    SplittableRandom random = new SplittableRandom(7);
    tenant("a", 9, Policy.LINKS);
    tenant("b", 7, Policy.DEF);
    List<Runnable> repairs = new ArrayList<>();
    int counted = 0;
    int moved = 0;
    for (int step = 0; step < 120; step++) {
      DesiredState before = controller.view();
      switch (random.nextInt(8)) {
        case 0 -> startSomewhere(random, step);
        case 1 -> stopOne(random);
        case 2 -> breakOrRepair(random, repairs);
        case 3 -> {
          String name = "t" + random.nextInt(2);
          Change c =
              before.tenant(name).isPresent()
                  ? new Change.Delete(name, OptionalLong.empty())
                  : new Change.Create(TenantSpec.links(name, name, 1 + random.nextInt(6)));
          submit(c);
        }
        default -> {
          Change.MoveVms change = randomMoves(random);
          if (!change.moves().isEmpty() && submit(change) instanceof Outcome.Accepted a) {
            Migration m = a.migration().orElseThrow();
            assertThat(differing(before, controller.view())).isEqualTo(m.smps());
            moved += m.moves().size();
            if (m.moves().size() == 1 && reconciler.reached() == before.epoch()) {
              assertThat(m.moves().getFirst().switches()).isEqualTo(m.smps());
              long written = emulator.written();
              converge();
              boolean dropped = !m.dropped().isEmpty();
              assertThat(emulator.written() - written).isEqualTo(m.smps() * (dropped ? 2L : 1L));
              counted++;
            }
          }
        }
      }
      converge();
      if (step % 20 == 19) {
        DesiredState was = controller.view();
        controller.close();
        reopen();
        assertThat(controller.view().tables()).isEqualTo(was.tables());
        assertThat(controller.view().vms()).isEqualTo(was.vms());
        assertThat(controller.view().fabric()).isEqualTo(was.fabric());
        converge();
      }
    }
    assertThat(moved).isGreaterThan(20);
    assertThat(counted).isGreaterThan(10);
  }

  private void startSomewhere(SplittableRandom random, int step) {
    String tenant = random.nextBoolean() ? "a" : "b";
    List<Long> hosts = hosts(tenant);
    long host = hosts.get(random.nextInt(hosts.size()));
    submit(new Change.StartVm(new VmSpec("m" + step, tenant, host, true, 1)));
  }

  private void stopOne(SplittableRandom random) {
    List<String> names = List.copyOf(controller.view().vms().keySet());
    if (names.size() > 6) {
      done(stop(names.get(random.nextInt(names.size()))));
    }
  }

  private Change.MoveVms randomMoves(SplittableRandom random) {
    List<Change.VmMove> out = new ArrayList<>();
    List<Vm> all = List.copyOf(controller.view().vms().values());
    int wanted = random.nextInt(3) == 0 ? 3 : 1;
    for (int i = 0; i < wanted && !all.isEmpty(); i++) {
      Vm vm = all.get(random.nextInt(all.size()));
      List<Long> hosts = hosts(vm.tenant());
      long to = hosts.get(random.nextInt(hosts.size()));
      if (to != vm.host().guid() && out.stream().noneMatch(m -> m.name().equals(vm.name()))) {
        out.add(new Change.VmMove(vm.name(), to));
      }
    }
    return new Change.MoveVms(out, true);
  }

  private void breakOrRepair(SplittableRandom random, List<Runnable> repairs) {
    if (!repairs.isEmpty()) {
      repairs.removeLast().run();
      return;
    }
    boolean host = random.nextInt(3) == 0;
    if (host) {
      int node = fabric.switchCount() + random.nextInt(fabric.nodeCount() - fabric.switchCount());
      emulator.setNode(fabric.nodeGuid(node), false);
      repairs.add(() -> emulator.setNode(fabric.nodeGuid(node), true));
    } else {
      int leaf = leaf(fabric.nodeGuid(fabric.nodeCount() - 1 - 4 * random.nextInt(8)));
      int[] up =
          java.util.stream.IntStream.rangeClosed(1, fabric.portCount(leaf))
              .filter(n -> fabric.peer(fabric.port(leaf, n)) != Fabric.NONE)
              .filter(n -> fabric.isSwitch(fabric.peerNode(fabric.port(leaf, n))))
              .toArray();
      int number = up[random.nextInt(up.length)];
      emulator.setLink(fabric.nodeGuid(leaf), number, false);
      repairs.add(() -> emulator.setLink(fabric.nodeGuid(leaf), number, true));
    }
  }

  @Test
  void theCommitOfAMoveStoresThatMachineAndNoOther() {
    tenant("a", 12, Policy.LINKS);
    start("x", "a", hosts("a").getFirst());
    start("y", "a", hosts("a").getFirst());
    Map<String, Vm> before = controller.view().vms();
    move("x", host("a", hosts("a").getFirst(), false));
    assertThat(controller.view().vms().get("y")).isSameAs(before.get("y"));
    assertThat(Arrays.asList(store.load("f").orElseThrow().vms().toArray()))
        .containsExactlyElementsOf(controller.view().vms().values());
  }
}
