package org.heddle.text.state;

import java.util.ArrayList;
import java.util.List;
import org.heddle.addressing.VirtualMachine;
import org.heddle.addressing.VmPlacement;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.Lid;
import org.heddle.text.Parsed;
import org.heddle.text.Problems;

/**
 * Finds the machines of a file in a fabric, by port GUID. A hypervisor that is not there is an
 * error with its line: its LIDs would be given out twice if it was passed over. O(machines log
 * machines).
 */
public final class VmBinder {
  private VmBinder() {}

  /**
   * The placement that a file describes.
   *
   * @param fabric with LIDs
   */
  public static Parsed<VmPlacement> bind(VmFile file, Fabric fabric) {
    Problems problems = new Problems(file.source());
    List<VmPlacement.FunctionLid> lids = new ArrayList<>();
    for (VmFile.Hypervisor h : file.hypervisors()) {
      int port = port(fabric, h.port(), h.line(), problems);
      for (int f = 0; f < h.lids().size() && port != Fabric.NONE; f++) {
        if (h.lids().get(f) != Lid.NONE) {
          lids.add(new VmPlacement.FunctionLid(port, f, h.lids().get(f)));
        }
      }
    }
    List<VirtualMachine> machines = new ArrayList<>();
    for (VmFile.Machine m : file.machines()) {
      int port = port(fabric, m.host(), m.line(), problems);
      if (port == Fabric.NONE) {
        continue;
      }
      // A shared LID is its hypervisor's, whatever that is today.
      int lid = m.ownLid() ? m.lid() : fabric.lid(port);
      long vguid = m.vguid().value();
      machines.add(
          new VirtualMachine(
              m.id(), vguid, port, m.function(), lid, m.ownLid(), m.weight(), m.pkeys()));
    }
    if (problems.hasErrors()) {
      return problems.result(null);
    }
    return switch (VmPlacement.restore(fabric, file.options(), machines, lids, file.nextVguid())) {
      case VmPlacement.Restoration ok -> problems.result(ok.placement());
      case VmPlacement.Contradiction no -> {
        problems.error(0, no.reason());
        yield problems.result(null);
      }
    };
  }

  private static int port(Fabric fabric, Guid guid, int line, Problems problems) {
    int port = fabric.findPort(guid.value());
    if (port == Fabric.NONE) {
      problems.error(line, "port " + guid + " is not in the fabric");
      return Fabric.NONE;
    }
    if (!VmPlacement.isHypervisor(fabric, port)) {
      problems.error(line, "port " + guid + " cannot run VMs: no adapter's, no link or no LID");
      return Fabric.NONE;
    }
    return port;
  }
}
