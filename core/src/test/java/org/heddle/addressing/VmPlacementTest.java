package org.heddle.addressing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.VirtualLids;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;

class VmPlacementTest {
  private static final Fabric FABRIC =
      TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,8;1,4)")).withAssignedLids();
  private static final int TOP = FABRIC.topLid(); // 32 hosts and 12 switches

  private static VmPlacement empty(AddressingOptions options) {
    return VmPlacement.empty(FABRIC, options).orElseThrow();
  }

  private static int host(int i) {
    return FABRIC.port(FABRIC.switchCount() + i, 1);
  }

  private static VmPlacement start(VmPlacement placement, String id, int host) {
    return ((VmPlacement.Done) placement.start(VirtualMachine.Request.of(id), host(host)))
        .placement();
  }

  private static int lid(VmPlacement placement, String id) {
    return placement.find(id).orElseThrow().lid();
  }

  @Test
  void sixteenFunctionsMake46256Machines() {
    VmCapacity capacity =
        VmCapacity.largest(AddressingOptions.of(AddressingScheme.PREPOPULATED), 0);
    assertThat(capacity.hypervisors()).isEqualTo(2891);
    assertThat(capacity.machines()).isEqualTo(46256);
    assertThat(capacity.limit()).isEqualTo("unicast LIDs");
  }

  @Test
  void capacityOfAFabricIsWhatStartsAndNotOneMore() {
    for (AddressingScheme scheme : AddressingScheme.values()) {
      // 60 LIDs: 44 are taken, 16 are left for 32 hosts of two functions.
      AddressingOptions options = AddressingOptions.of(scheme).withFunctions(2).withFdbCapacity(61);
      VmCapacity capacity = VmCapacity.of(FABRIC, options);
      VmPlacement placement = VmPlacement.empty(FABRIC, options).orElse(null);
      if (scheme == AddressingScheme.PREPOPULATED) {
        assertThat(placement).isNull();
        assertThat(capacity.hypervisors()).isEqualTo(8);
        assertThat(capacity.machines()).isEqualTo(16);
        continue;
      }
      int started = 0;
      int own = 0;
      for (int i = 0; i < 64; i++) {
        boolean wantsLid = scheme != AddressingScheme.HYBRID || own < capacity.ownLids();
        VirtualMachine.Request request =
            new VirtualMachine.Request("vm" + i, wantsLid, 1, List.of());
        if (placement.start(request, host(i / 2)) instanceof VmPlacement.Done done) {
          placement = done.placement();
          started++;
          own += done.machine().ownLid() ? 1 : 0;
        }
      }
      assertThat(started).as(scheme.key()).isEqualTo(capacity.machines());
      assertThat(own).as(scheme.key()).isEqualTo(capacity.ownLids());
    }
  }

  @Test
  void dynamicLidsCountUpFromBelowOrDownFromTheTopAndAreUsedAgain() {
    AddressingOptions options = AddressingOptions.of(AddressingScheme.DYNAMIC);
    VmPlacement up = start(start(empty(options), "a", 0), "b", 1);
    assertThat(lid(up, "a")).isEqualTo(TOP + 1);
    assertThat(lid(up, "b")).isEqualTo(TOP + 2);
    VmPlacement down =
        start(start(empty(options.withOrder(AddressingOptions.LidOrder.DOWN)), "a", 0), "b", 1);
    assertThat(lid(down, "a")).isEqualTo(49151);
    assertThat(lid(down, "b")).isEqualTo(49150);
    VmPlacement again = start(((VmPlacement.Done) up.stop("a")).placement(), "c", 5);
    assertThat(lid(again, "c")).isEqualTo(TOP + 1);
    assertThat(again.find("c").orElseThrow().vguid())
        .isNotEqualTo(up.find("a").orElseThrow().vguid());
  }

  @Test
  void reservedLidsAreGivenToNobodyNotEvenAfterOtherChanges() {
    AddressingOptions options = AddressingOptions.of(AddressingScheme.DYNAMIC);
    BitSet reserved = new BitSet();
    reserved.set(TOP + 1);
    reserved.set(TOP + 3);
    VmPlacement placement = empty(options).reserving(reserved);
    placement = start(start(placement, "a", 0), "b", 1);
    assertThat(lid(placement, "a")).isEqualTo(TOP + 2);
    assertThat(lid(placement, "b")).isEqualTo(TOP + 4);
    placement = ((VmPlacement.Done) placement.stop("a")).placement();
    assertThat(lid(start(placement, "c", 5), "c")).isEqualTo(TOP + 2);
    assertThat(lid(start(placement.reserving(new BitSet()), "c", 5), "c")).isEqualTo(TOP + 1);
  }

  @Test
  void addressesMoveWithTheMachine() {
    for (AddressingScheme scheme :
        new AddressingScheme[] {
          AddressingScheme.DYNAMIC, AddressingScheme.PREPOPULATED, AddressingScheme.EXTENDED
        }) {
      VmPlacement placement = start(empty(AddressingOptions.of(scheme)), "a", 0);
      VirtualMachine before = placement.find("a").orElseThrow();
      int there = placement.functionLid(host(9), 0);
      VmPlacement moved = ((VmPlacement.Done) placement.move("a", host(9))).placement();
      VirtualMachine after = moved.find("a").orElseThrow();
      assertThat(after.lid()).isEqualTo(before.lid());
      assertThat(after.vguid()).isEqualTo(before.vguid());
      assertThat(moved.functionLid(host(9), 0)).isEqualTo(before.lid());
      assertThat(moved.functionLid(host(0), 0)).isEqualTo(there);
      if (scheme != AddressingScheme.EXTENDED) {
        assertThat(moved.fabric().portOfLid(before.lid())).isEqualTo(host(9));
      }
    }
  }

  @Test
  void aSharedLidIsTheHypervisorsWhereverTheMachineIs() {
    VmPlacement placement =
        start(empty(AddressingOptions.of(AddressingScheme.SHARED_PORT)), "a", 0);
    assertThat(lid(placement, "a")).isEqualTo(FABRIC.lid(host(0)));
    VmPlacement moved = ((VmPlacement.Done) placement.move("a", host(9))).placement();
    assertThat(lid(moved, "a")).isEqualTo(FABRIC.lid(host(9)));
    assertThat(moved.fabric().virtualLids().size()).isZero();
  }

  @Test
  void idleFunctionsHaveLidsWithoutWeight() {
    VmPlacement placement =
        start(empty(AddressingOptions.of(AddressingScheme.PREPOPULATED).withFunctions(2)), "a", 3);
    VirtualLids lids = placement.fabric().virtualLids();
    assertThat(lids.size()).isEqualTo(64);
    int running = 0;
    for (int i = 0; i < 64; i++) {
      running += lids.weight(i) == VirtualLids.IDLE ? 0 : 1;
    }
    assertThat(running).isEqualTo(1);
    assertThat(lids.port(lids.first(host(3)))).isEqualTo(host(3));
    assertThat(lids.count(host(3))).isEqualTo(2);
  }

  @Test
  void comesBackFromItsParts() {
    for (AddressingScheme scheme : AddressingScheme.values()) {
      AddressingOptions options = AddressingOptions.of(scheme).withFunctions(3);
      VmPlacement placement = start(start(start(empty(options), "a", 0), "b", 0), "c", 7);
      placement = ((VmPlacement.Done) placement.move("a", host(7))).placement();
      List<VmPlacement.FunctionLid> lids = placement.functionLids();
      VmPlacement back =
          ((VmPlacement.Restoration)
                  VmPlacement.restore(
                      placement.fabric(),
                      options,
                      placement.machines(),
                      lids,
                      placement.nextVguid()))
              .placement();
      assertThat(back.machines()).isEqualTo(placement.machines());
      assertThat(back.fabric()).isEqualTo(placement.fabric());
      assertThat(start(back, "d", 2).find("d")).isEqualTo(start(placement, "d", 2).find("d"));
      List<VirtualMachine> twice = List.of(back.machines().get(0), back.machines().get(0));
      assertThat(VmPlacement.restore(FABRIC, options, twice, lids, 1))
          .isInstanceOf(VmPlacement.Contradiction.class);
      assertThat(
              VmPlacement.restore(
                  FABRIC,
                  options,
                  List.of(),
                  List.of(new VmPlacement.FunctionLid(host(0), 0, FABRIC.lid(host(1)))),
                  1))
          .isInstanceOf(VmPlacement.Contradiction.class);
    }
  }

  @Test
  void refusesWithAReason() {
    AddressingOptions options =
        AddressingOptions.of(AddressingScheme.DYNAMIC).withFunctions(1).withPkeyTable(2);
    VmPlacement placement = start(empty(options), "a", 0);
    VirtualMachine.Request b = VirtualMachine.Request.of("b");
    assertThat(reason(placement.start(b, host(0)))).contains("virtual function of");
    assertThat(reason(placement.start(VirtualMachine.Request.of("a"), host(1)))).contains("runs");
    assertThat(reason(placement.start(b, FABRIC.port(0, 0)))).contains("hypervisor");
    VirtualMachine.Request keys = new VirtualMachine.Request("k", true, 1, List.of(1, 2));
    assertThat(reason(placement.start(keys, host(1)))).contains("P_Key table");
    assertThat(reason(placement.stop("z"))).contains("no VM");
    assertThat(reason(placement.move("a", host(0)))).contains("there already");
    assertThatThrownBy(() -> options.withFunctions(127)).hasMessageContaining("1..126");
  }

  private static String reason(VmPlacement.Outcome outcome) {
    return ((VmPlacement.Refused) outcome).reason();
  }
}
