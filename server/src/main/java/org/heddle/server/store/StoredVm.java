package org.heddle.server.store;

import java.util.Optional;
import org.heddle.plan.model.Column;
import org.heddle.plan.model.Vm;

/** A virtual machine in a database. */
record StoredVm(
    String name,
    String tenant,
    StoredHost host,
    StoredGuid portGuid,
    int function,
    StoredGuid vguid,
    int lid,
    boolean ownLid,
    int weight,
    long created,
    long changed,
    String stranded,
    Optional<Routes> column)
    implements StoredDocument<Vm> {
  /**
   * Where its LID leaves the switches.
   *
   * @param switches a fingerprint, in the form of a GUID
   */
  record Routes(StoredGuid switches, String ports) {}

  static StoredVm of(Vm vm) {
    return new StoredVm(
        vm.name(),
        vm.tenant(),
        StoredHost.of(vm.host()),
        new StoredGuid(vm.portGuid()),
        vm.function(),
        new StoredGuid(vm.vguid()),
        vm.lid(),
        vm.ownLid(),
        vm.weight(),
        vm.created(),
        vm.changed(),
        vm.stranded(),
        vm.column().map(c -> new Routes(new StoredGuid(c.switches()), c.ports())));
  }

  @Override
  public Vm value() {
    return new Vm(
        name,
        tenant,
        host.value(),
        portGuid.guid(),
        function,
        vguid.guid(),
        lid,
        ownLid,
        weight,
        created,
        changed,
        stranded,
        column.map(c -> new Column(c.switches.guid(), c.ports)));
  }
}
