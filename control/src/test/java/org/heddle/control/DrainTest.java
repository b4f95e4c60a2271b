package org.heddle.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.heddle.fabric.Fabric;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.Breach;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Drained;
import org.heddle.plan.model.LinkRef;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import org.heddle.plan.model.VmSpec;
import org.heddle.routing.ForwardingTables;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links and switches that are taken out of service. */
class DrainTest extends EmulatedFabric {
  private void accepted(Change change) {
    assertThat(submit(change)).isInstanceOf(Outcome.Accepted.class);
  }

  private void create(String name, int hosts) {
    accepted(new Change.Create(TenantSpec.links(name, name, hosts)));
  }

  private static Change drain(LinkRef link) {
    return new Change.Drain(new Drained(List.of(link), List.of()), true, false);
  }

  private static Change drain(long guid) {
    return new Change.Drain(new Drained(List.of(), List.of(guid)), true, false);
  }

  private static Change forced(Change change) {
    return new Change.Drain(((Change.Drain) change).what(), true, true);
  }

  private static Change back(Change change) {
    return new Change.Drain(((Change.Drain) change).what(), false, false);
  }

  private void converge() {
    for (int i = 0; i < 20 && !reconciler.pass().settled(); i++) {
      assertThat(reconciler.status().problems()).isEmpty();
    }
    assertThat(reconciler.status().inSync()).isTrue();
    assertThat(reconciler.status().epoch()).isEqualTo(controller.view().epoch());
    assertThat(emulator.observe().tables()).isEqualTo(controller.view().tables());
  }

  private void settle() {
    for (int i = 0; i < 20 && !reconciler.pass().settled(); i++) {
      assertThat(reconciler.status().problems()).isEmpty();
    }
    assertThat(reconciler.status().inSync()).isTrue();
  }

  /** LIDs whose entries at a switch use one of its ports. */
  private List<Integer> through(int sw, int number) {
    ForwardingTables tables = controller.view().tables();
    List<Integer> out = new ArrayList<>();
    for (int lid = 1; lid <= tables.topLid(); lid++) {
      if (tables.port(sw, lid) == number) {
        out.add(lid);
      }
    }
    return out;
  }

  private List<Integer> through(LinkRef l) {
    List<Integer> out = through(fabric.findNode(l.from()), l.port());
    out.addAll(through(fabric.findNode(l.to()), l.toPort()));
    return out;
  }

  /** Every LID from everywhere, without loops and deadlocks, in the whole fabric. */
  private void proveAll() {
    var report = Audit.run(fabric, controller.view().tables(), AuditOptions.defaults());
    assertThat(report.findings())
        .filteredOn(f -> f.severity() == org.heddle.verify.Severity.ERROR)
        .isEmpty();
  }

  private LinkRef upLink(int leaf, int which) {
    int seen = 0;
    for (int k = 1; k <= fabric.portCount(leaf); k++) {
      int port = fabric.port(leaf, k);
      int peer = fabric.peer(port);
      if (peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer)) && seen++ == which) {
        int up = fabric.nodeOf(peer);
        return new LinkRef(fabric.nodeGuid(leaf), k, fabric.nodeGuid(up), fabric.numberOf(peer));
      }
    }
    throw new AssertionError();
  }

  private int leaf() {
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      if (controller.view().tree().level(sw) == 1) {
        return sw;
      }
    }
    throw new AssertionError();
  }

  private int top() {
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      if (controller.view().tree().level(sw) == controller.view().tree().levels()) {
        return sw;
      }
    }
    throw new AssertionError();
  }

  @Test
  void nothingCrossesADrainedLinkAndTheFabricIsNotTakenForAnother() {
    create("a", 12);
    converge();
    LinkRef free = null;
    for (int i = 0; i < 4 && free == null; i++) {
      LinkRef l = upLink(leaf(), i);
      free = controller.view().tenant("a").orElseThrow().links().contains(l) ? null : l;
    }
    LinkRef link = free == null ? upLink(leaf(), 0) : free;
    assertThat(through(link)).isNotEmpty();
    long epoch = controller.view().epoch();
    Tenant before = controller.view().tenant("a").orElseThrow();
    accepted(forced(drain(link)));
    converge();
    assertThat(controller.view().epoch()).isEqualTo(epoch + 1);
    assertThat(through(link)).isEmpty();
    assertThat(controller.view().fabric().fingerprint()).isEqualTo(fabric.fingerprint());
    proveAll();
    if (free != null) {
      assertThat(controller.view().tenant("a")).contains(before);
    }
    assertThat(store.events("f", 0, 100))
        .extracting(e -> e.kind().word())
        .contains("link-drained")
        .doesNotContain("fabric-changed");
    accepted(back(drain(link)));
    converge();
    assertThat(through(link)).isNotEmpty();
    assertThat(store.events("f", 0, 100))
        .extracting(e -> e.kind().word())
        .contains("link-returned");
  }

  @Test
  void whoHasTheLinkGetsAnotherForTheSameHosts() {
    create("a", 6);
    converge();
    Tenant before = controller.view().tenant("a").orElseThrow();
    LinkRef link = before.links().getFirst();
    accepted(drain(link));
    Tenant after = controller.view().tenant("a").orElseThrow();
    assertThat(after.hosts()).isEqualTo(before.hosts());
    assertThat(after.links()).hasSameSizeAs(before.links()).doesNotContain(link);
    assertThat(after.broken()).isEmpty();
    converge();
    proveAll();
    assertThat(submit(drain(link))).isInstanceOf(Outcome.Unchanged.class);
  }

  @Test
  void ifThereIsNoOtherLinkItIsRefusedWithNamesOrFlagsThemByForce() {
    create("a", 32);
    LinkRef link = controller.view().tenant("a").orElseThrow().links().getFirst();
    DesiredState before = controller.view();
    assertThat(submit(drain(link)))
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            no -> {
              assertThat(no.code()).isEqualTo(Outcome.Code.CONFLICT);
              assertThat(no.reason()).contains("promised: a");
              assertThat(no.hints()).singleElement().asString().contains("is out of service");
            });
    assertThat(controller.view()).isSameAs(before);
    accepted(forced(drain(link)));
    assertThat(controller.view().tenant("a").orElseThrow().broken())
        .extracting(Breach::sentence)
        .singleElement()
        .asString()
        .contains("out of service");
    assertThat(through(link)).isEmpty();
    converge();
    accepted(back(drain(link)));
    assertThat(controller.view().tenant("a").orElseThrow().broken()).isEmpty();
    assertThat(store.events("f", 0, 100))
        .extracting(e -> e.kind().word())
        .contains("promise-broken", "promise-restored");
  }

  @Test
  void aDrainedLinkThatIsPulledAndComesBackStaysDrained() {
    create("a", 6);
    LinkRef link = controller.view().tenant("a").orElseThrow().links().getFirst();
    accepted(drain(link));
    converge();
    Tenant moved = controller.view().tenant("a").orElseThrow();
    ForwardingTables tables = controller.view().tables();
    for (boolean up : new boolean[] {false, true}) {
      emulator.setLink(link.from(), link.port(), up);
      converge();
      assertThat(controller.view().tenant("a")).contains(moved);
      assertThat(controller.view().tables()).isEqualTo(tables);
      assertThat(controller.view().drained().links()).containsExactly(link);
      assertThat(through(link)).isEmpty();
    }
    accepted(back(drain(link)));
    converge();
    assertThat(controller.view().tenant("a")).contains(moved);
  }

  @ParameterizedTest
  @ValueSource(strings = {"XGFT(2;4,8;1,4)", "XGFT(3;3,3,3;1,3,3)", "XGFT(2;6,6;1,3)"})
  void aDrainedSwitchIsCrossedByNobodyAndStaysReachable(String tree) {
    open(tree);
    create("a", 3);
    int sw = top();
    accepted(forced(drain(fabric.nodeGuid(sw))));
    converge();
    proveAll();
    int own = fabric.lid(fabric.port(sw, 0));
    for (int other = 0; other < fabric.switchCount(); other++) {
      for (int k = 1; k <= fabric.portCount(other); k++) {
        int peer = fabric.peer(fabric.port(other, k));
        if (peer != Fabric.NONE && fabric.nodeOf(peer) == sw) {
          assertThat(through(other, k)).isSubsetOf(List.of(own));
        }
      }
    }
    ForwardingTables drained = controller.view().tables();
    emulator.setNode(fabric.nodeGuid(sw), false);
    settle();
    assertThat(controller.view().fabric().switchCount()).isEqualTo(fabric.switchCount() - 1);
    assertThat(controller.view().drained().switches()).containsExactly(fabric.nodeGuid(sw));
    emulator.setNode(fabric.nodeGuid(sw), true);
    converge();
    assertThat(controller.view().tables()).isEqualTo(drained);
    accepted(back(drain(fabric.nodeGuid(sw))));
    converge();
    assertThat(store.events("f", 0, 100))
        .extracting(e -> e.kind().word())
        .contains("node-drained", "node-returned");
  }

  @ParameterizedTest
  @ValueSource(strings = {"XGFT(2;4,8;1,4)", "XGFT(3;3,3,3;1,3,3)"})
  void aLeafWithoutTenantsIsDrainedAndItsHostsAreNotGivenAway(String tree) {
    open(tree);
    int leaf = leaf();
    int hosts = fabric.caCount();
    accepted(drain(fabric.nodeGuid(leaf)));
    converge();
    proveAll();
    int here = 0;
    for (int k = 1; k <= fabric.portCount(leaf); k++) {
      int peer = fabric.peer(fabric.port(leaf, k));
      here += peer != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(peer)) ? 1 : 0;
    }
    assertThat(controller.view().freeHosts()).isEqualTo(hosts - here);
    assertThat(submit(new Change.Create(TenantSpec.links("all", "", hosts))))
        .isInstanceOf(Outcome.Refused.class);
    create("most", hosts - here);
    converge();
    proveAll();
    assertThat(submit(drain(fabric.nodeGuid(leaf == 0 ? 1 : leaf - 1))))
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.reason()).contains("promised: most"));
  }

  @Test
  void everyLevelOfADeeperTreeCanBeDrainedAndSeveralAtOnce() {
    open("XGFT(3;3,3,3;1,3,3)");
    create("a", 4);
    converge();
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      Change c = forced(drain(fabric.nodeGuid(sw)));
      if (submit(c) instanceof Outcome.Refused no) {
        assertThat(no.reason()).as(fabric.node(sw).display()).isEmpty();
      }
      proveAll();
      accepted(back(c));
    }
    accepted(forced(drain(fabric.nodeGuid(top()))));
    accepted(forced(drain(fabric.nodeGuid(leaf()))));
    accepted(forced(drain(upLink(leaf() == 0 ? 1 : 0, 0))));
    converge();
    proveAll();
  }

  @Test
  void aHostsLinkIsDrainedUnlessSomebodyHasTheHost() {
    create("a", 3);
    int mine = fabric.findNode(controller.view().tenant("a").orElseThrow().hosts().get(0).guid());
    assertThat(submit(drain(hostLink(mine)))).isInstanceOf(Outcome.Refused.class);
    int other = Fabric.NONE;
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      long guid = fabric.nodeGuid(node);
      boolean held =
          controller.view().tenant("a").orElseThrow().hosts().stream()
              .anyMatch(h -> h.guid() == guid);
      other = held ? other : node;
    }
    accepted(drain(hostLink(other)));
    converge();
    proveAll();
    assertThat(controller.view().freeHosts()).isEqualTo(28);
    long port = fabric.portGuid(fabric.port(other, 1));
    accepted(
        new Change.Create(
            TenantSpec.partition(
                "m", "", PartitionOptions.ofKey(5), List.of(new Member(port, true, false)))));
    accepted(back(drain(hostLink(other))));
    assertThat(submit(drain(hostLink(other))))
        .isInstanceOfSatisfying(
            Outcome.Refused.class, no -> assertThat(no.hints().toString()).contains("m: its port"));
  }

  private LinkRef hostLink(int node) {
    int peer = fabric.peer(fabric.port(node, 1));
    return new LinkRef(
        fabric.nodeGuid(node), 1, fabric.nodeGuid(fabric.nodeOf(peer)), fabric.numberOf(peer));
  }

  @Test
  void aSwitchWhoseLinksAreAllDrainedIsReachedOverOneOfThem() {
    int spine = top();
    List<LinkRef> links = new ArrayList<>();
    for (int k = 1; k <= fabric.portCount(spine); k++) {
      int peer = fabric.peer(fabric.port(spine, k));
      if (peer != Fabric.NONE) {
        links.add(
            new LinkRef(
                fabric.nodeGuid(fabric.nodeOf(peer)),
                fabric.numberOf(peer),
                fabric.nodeGuid(spine),
                k));
      }
    }
    accepted(new Change.Drain(new Drained(links, List.of()), true, false));
    converge();
    proveAll();
    int own = fabric.lid(fabric.port(spine, 0));
    for (LinkRef l : links) {
      assertThat(through(fabric.findNode(l.from()), l.port())).isSubsetOf(List.of(own));
    }
  }

  @Test
  void withoutWhatIsLeftThereMustBeATree() {
    List<Long> tops = new ArrayList<>();
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      if (controller.view().tree().level(sw) == 2) {
        tops.add(fabric.nodeGuid(sw));
      }
    }
    DesiredState before = controller.view();
    assertThat(submit(new Change.Drain(new Drained(List.of(), tops), true, true)))
        .isInstanceOf(Outcome.Refused.class);
    assertThat(controller.view()).isSameAs(before);
  }

  @Test
  void aRestartAndARollbackKnowWhatWasOutOfService() {
    create("a", 6);
    Tenant first = controller.view().tenant("a").orElseThrow();
    LinkRef link = first.links().getFirst();
    accepted(drain(link));
    ForwardingTables drained = controller.view().tables();
    Tenant second = controller.view().tenant("a").orElseThrow();
    controller.close();
    reopen();
    assertThat(controller.view().drained().links()).containsExactly(link);
    assertThat(controller.view().tables()).isEqualTo(drained);
    accepted(controller.rollbackTo(1).orElseThrow());
    assertThat(controller.view().drained().isEmpty()).isTrue();
    assertThat(controller.view().tenant("a").orElseThrow().links()).isEqualTo(first.links());
    accepted(controller.rollbackTo(2).orElseThrow());
    assertThat(controller.view().drained().links()).containsExactly(link);
    assertThat(controller.view().tenant("a").orElseThrow().links()).isEqualTo(second.links());
    assertThat(controller.view().tables()).isEqualTo(drained);
    converge();
    accepted(controller.rollbackTo(0).orElseThrow());
    assertThat(controller.view().tenants()).isEmpty();
    assertThat(controller.view().drained().isEmpty()).isTrue();
    assertThat(store.events("f", 0, 100))
        .extracting(e -> e.kind().word())
        .containsSubsequence("link-drained", "link-returned", "link-drained", "link-returned");
  }

  @Test
  void changesThatComeTogetherEachHaveTheirOwnState() {
    create("a", 2);
    LinkRef one = upLink(leaf(), 0);
    LinkRef two = upLink(leaf(), 1);
    accepted(
        new Change.Batch(
            "plan 1",
            List.of(forced(drain(one)), new Change.Create(TenantSpec.links("b", "", 2))),
            OptionalLong.empty()));
    accepted(forced(drain(two)));
    assertThat(store.drained("f", 1)).isEqualTo(Drained.NONE);
    assertThat(store.drained("f", 2).links()).containsExactly(one);
    assertThat(store.drained("f", 3).links()).containsExactly(one, two);
    proveAll();
  }

  @Test
  void anEntryThatCrossesWhatIsDrainedIsFound() {
    LinkRef link = upLink(leaf(), 0);
    accepted(drain(link));
    DesiredState v = controller.view();
    assertThat(v.out().trouble(fabric, v.tables())).isNull();
    int leaf = fabric.findNode(link.from());
    int far = fabric.lid(fabric.port(fabric.nodeCount() - 1, 1));
    assertThat(v.out().trouble(fabric, v.tables().with(leaf, far, link.port())))
        .contains("LID " + far, "port " + link.port());
  }

  @Test
  void machinesRunOnAndTheirLidsCrossNothingThatIsDrained() {
    create("a", 6);
    Tenant a = controller.view().tenant("a").orElseThrow();
    long host = a.hosts().getFirst().guid();
    accepted(new Change.StartVm(new VmSpec("m", "a", host, true, 1)));
    accepted(drain(a.links().getFirst()));
    converge();
    int vm = controller.view().vm("m").orElseThrow().lid();
    assertThat(through(a.links().getFirst())).isEmpty();
    int leaf = fabric.attachedSwitch(fabric.port(fabric.findNode(host), 1));
    assertThat(submit(drain(fabric.nodeGuid(leaf)))).isInstanceOf(Outcome.Refused.class);
    accepted(forced(drain(fabric.nodeGuid(leaf))));
    converge();
    var report =
        Audit.run(controller.view().fabric(), controller.view().tables(), AuditOptions.defaults());
    assertThat(report.clean()).isTrue();
    assertThat(controller.view().vm("m").orElseThrow().lid()).isEqualTo(vm);
    accepted(controller.rollbackTo(2).orElseThrow());
    converge();
    assertThat(controller.view().vm("m")).isPresent();
    assertThat(controller.view().drained().isEmpty()).isTrue();
    assertThat(controller.view().tenant("a").orElseThrow().links()).isEqualTo(a.links());
  }
}
