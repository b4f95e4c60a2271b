package org.heddle.cli.shell;

import org.heddle.addressing.AddressingOptions;
import org.heddle.addressing.VmPlacement;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.VirtualLids;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.state.VmBinder;
import org.heddle.text.state.VmFile;
import org.heddle.text.state.VmFileReader;
import org.heddle.text.state.VmFileWriter;

/** Virtual machines as files. */
public final class VmFiles {
  private VmFiles() {}

  /**
   * Reads machines and finds them in a fabric.
   *
   * @param fabric with LIDs
   * @throws Failure exit code 2 if the file cannot be used or belongs to another fabric
   */
  public static VmPlacement read(Session session, Fabric fabric, String name) {
    VmFile file = session.accept(name, VmFileReader.read(session.read(name)));
    return session.accept(name, VmBinder.bind(file, fabric));
  }

  /** A fabric with the LIDs of machines; the fabric as it is if the name is null. */
  public static Fabric fabric(Session session, Fabric fabric, String name) {
    return name == null ? fabric : read(session, fabric, name).fabric();
  }

  /** Fabric and tables, with the LIDs of machines unless their name is null. */
  public static BoundTables tables(
      Session session, String fabricFile, String tablesFile, String vmsFile) {
    Fabric fabric = FabricFiles.read(session, fabricFile);
    if (vmsFile == null) {
      return TableFiles.read(session, fabric, tablesFile);
    }
    Fabric with = fabric(session, FabricFiles.withLids(fabric), vmsFile);
    BoundTables bound = TableFiles.read(session, with, tablesFile);
    // The tables may know other LIDs of ports than the fabric file: then machines follow them.
    Fabric again =
        bound.fabric() == with
            ? with
            : fabric(session, bound.fabric().withVirtualLids(VirtualLids.NONE), vmsFile);
    return new BoundTables(again, bound.tables());
  }

  /**
   * Reads machines to change them: nobody else can until this run ends.
   *
   * @param options for a file that is not there yet
   */
  public static VmPlacement change(
      Session session, Fabric fabric, String name, AddressingOptions options) {
    requireFile(name);
    session.lock(name);
    if (session.inputs().exists(name)) {
      return read(session, fabric, name);
    }
    return VmPlacement.empty(fabric, options)
        .orElseThrow(
            () ->
                Failure.badInput(
                    "there are not enough LIDs for all virtual functions",
                    "heddle vm capacity FABRIC says how many VMs fit, under which scheme"));
  }

  /** Refuses standard input and output as a state. */
  public static void requireFile(String name) {
    if (name.equals("-")) {
      throw Failure.badInput("the state file is replaced at every change, so it cannot be -");
    }
  }

  /** The bytes of a state. */
  public static byte[] bytes(String name, Fabric fabric, VmPlacement placement) {
    return VmFileWriter.write(VmFile.of(name, fabric, placement));
  }

  /** Stages the state. */
  public static void write(Session session, String name, Fabric fabric, VmPlacement placement) {
    session.outputs().release(name);
    session.outputs().write(name, bytes(name, fabric, placement));
  }

  /**
   * The port of a hypervisor.
   *
   * @throws Failure exit code 2 if the word names none, or a node with several
   */
  public static int hypervisor(Fabric fabric, String word) {
    var ports =
        Endports.find(fabric, word).stream()
            .filter(e -> VmPlacement.isHypervisor(fabric, e.port()))
            .toList();
    if (ports.isEmpty()) {
      throw Failure.badInput(
          "'" + word + "' is not a hypervisor: it has no linked adapter port " + "with a LID");
    }
    if (ports.size() > 1) {
      throw Failure.badInput("'" + word + "' has several ports", "name one: " + word + "/1");
    }
    return ports.getFirst().port();
  }
}
