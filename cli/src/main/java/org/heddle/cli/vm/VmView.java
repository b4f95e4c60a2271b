package org.heddle.cli.vm;

import org.heddle.addressing.VirtualMachine;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;

/** A machine as it is shown. */
record VmView(
    String id,
    String host,
    String hostGuid,
    int function,
    int lid,
    boolean ownLid,
    String vguid,
    String gid,
    int weight) {
  static VmView of(Fabric fabric, VirtualMachine m, long gidPrefix) {
    return new VmView(
        m.id(),
        fabric.node(fabric.nodeOf(m.port())).display(),
        Guid.format(fabric.portGuid(m.port())),
        m.function(),
        m.lid(),
        m.ownLid(),
        Guid.format(m.vguid()),
        Guid.hex16(gidPrefix) + ":" + Guid.hex16(m.vguid()),
        m.weight());
  }
}
