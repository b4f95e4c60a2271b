package org.heddle.text.state;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.addressing.AddressingOptions;
import org.heddle.addressing.VirtualMachine;
import org.heddle.addressing.VmPlacement;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.Lid;

/**
 * Which virtual machine runs where and which LID belongs to which virtual function, by GUID, so
 * that it outlives fabric snapshots. {@link VmBinder} finds them again in a fabric. The format is
 * described in {@code docs/migration.md}. Immutable; lines count from 1 and are 0 for what comes
 * from no file.
 *
 * @param source name of the file, for messages
 * @param fabric the fabric it was last written for
 * @param options how machines are addressed
 * @param nextVguid the vGUID that the next machine gets
 * @param hypervisors ports that have LIDs for virtual functions, in the order of port GUIDs
 * @param machines in the order of their ids
 */
public record VmFile(
    String source,
    Optional<StateFile.Mark> fabric,
    AddressingOptions options,
    long nextVguid,
    List<Hypervisor> hypervisors,
    List<Machine> machines) {
  /** The version of the format this code reads and writes. */
  public static final int VERSION = 1;

  private static final int LONGEST_ID = 63;

  public VmFile {
    hypervisors = List.copyOf(hypervisors);
    machines = List.copyOf(machines);
  }

  /**
   * The LIDs of a port's virtual functions.
   *
   * @param name description of its node when the file was written, for people
   * @param lids by function, 0 for none
   */
  public record Hypervisor(int line, Guid port, String name, List<Integer> lids) {
    public Hypervisor {
      lids = List.copyOf(lids);
    }
  }

  /**
   * A machine; see {@link VirtualMachine}.
   *
   * @param host port GUID of its hypervisor
   */
  public record Machine(
      int line,
      String id,
      Guid vguid,
      Guid host,
      int function,
      int lid,
      boolean ownLid,
      int weight,
      List<Integer> pkeys) {
    public Machine {
      pkeys = List.copyOf(pkeys);
    }
  }

  /** True if a machine can have that id. */
  public static boolean isId(String id) {
    boolean ok = !id.isEmpty() && id.length() <= LONGEST_ID;
    for (int i = 0; i < id.length() && ok; i++) {
      char c = id.charAt(i);
      boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
      ok = letter || i > 0 && "_-.:".indexOf(c) >= 0;
    }
    return ok;
  }

  /** What a placement comes to. */
  public static VmFile of(String source, Fabric fabric, VmPlacement placement) {
    List<Hypervisor> hypervisors = new ArrayList<>();
    List<Integer> lids = new ArrayList<>();
    List<VmPlacement.FunctionLid> all = placement.functionLids();
    for (int i = 0; i < all.size(); i++) {
      VmPlacement.FunctionLid f = all.get(i);
      while (lids.size() < f.function()) {
        lids.add(Lid.NONE);
      }
      lids.add(f.lid());
      if (i + 1 == all.size() || all.get(i + 1).port() != f.port()) {
        String name = text(fabric.description(fabric.nodeOf(f.port())));
        hypervisors.add(new Hypervisor(0, guid(fabric, f.port()), name, lids));
        lids.clear();
      }
    }
    hypervisors.sort((a, b) -> Long.compareUnsigned(a.port.value(), b.port.value()));
    List<Machine> machines = new ArrayList<>();
    for (VirtualMachine m : placement.machines()) {
      Guid vguid = new Guid(m.vguid());
      Guid host = guid(fabric, m.port());
      machines.add(
          new Machine(
              0, m.id(), vguid, host, m.function(), m.lid(), m.ownLid(), m.weight(), m.pkeys()));
    }
    return new VmFile(
        source,
        Optional.of(StateFile.Mark.of(fabric)),
        placement.options(),
        placement.nextVguid(),
        hypervisors,
        machines);
  }

  private static Guid guid(Fabric fabric, int port) {
    return new Guid(fabric.portGuid(port));
  }

  /** The text as it comes back from a file. */
  private static String text(String description) {
    return new String(description.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  /** The content without line numbers, to compare. */
  public VmFile canonical() {
    return new VmFile(
        "",
        fabric,
        options,
        nextVguid,
        hypervisors.stream().map(h -> new Hypervisor(0, h.port, h.name, h.lids)).toList(),
        machines.stream().map(VmFile::bare).toList());
  }

  private static Machine bare(Machine m) {
    return new Machine(0, m.id, m.vguid, m.host, m.function, m.lid, m.ownLid, m.weight, m.pkeys);
  }
}
