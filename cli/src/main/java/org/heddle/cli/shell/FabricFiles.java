package org.heddle.cli.shell;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.MachineList;
import org.heddle.text.Parsed;
import org.heddle.text.Source;
import org.heddle.text.lft.TableFormat;
import org.heddle.text.lft.TableFormats;
import org.heddle.text.topology.FabricFormats;
import org.heddle.text.topology.GuidListReader;
import org.heddle.text.topology.MachineListReader;

/** Fabrics as files, in every format Heddle knows. */
public final class FabricFiles {
  private static final int FARTHEST_SUGGESTION = 4;
  private static final int PEEK = 1 << 16;

  private FabricFiles() {}

  /**
   * Reads a fabric of any format.
   *
   * @throws Failure exit code 2 if the file holds none
   */
  public static Fabric read(Session session, String name) {
    return read(session, name, MachineList.NONE, "");
  }

  /**
   * The same, with machines as a file of Heddle's kept them. A list that the user gives comes
   * first.
   *
   * @param kept machines for when none are given
   * @param keeper the file that kept them, for messages
   */
  public static Fabric read(Session session, String name, MachineList kept, String keeper) {
    try (Progress _ = session.terminal().progress("reading " + name)) {
      Source source = session.read(name);
      Parsed<Fabric> parsed = FabricFormats.read(source);
      MachineList list = parsed.ok() ? listed(session, parsed.get(), kept, keeper) : kept;
      if (parsed.ok() && !list.isEmpty()) {
        Fabric fabric = parsed.get().withMachines(list);
        return session.accept(
            name, new Parsed<>(fabric, ListedMachines.unexplained(list, parsed.problems())));
      }
      return parsed.ok() || !holdsTables(source)
          ? session.accept(name, parsed)
          : session.accept(
              name, parsed, "these are forwarding tables; the fabric file is expected here");
    }
  }

  /** The machines that the user lists, or else those that were kept. */
  private static MachineList listed(
      Session session, Fabric fabric, MachineList kept, String keeper) {
    if (session.machines().isEmpty()) {
      return kept;
    }
    Source given = session.machines().get();
    MachineList list = machines(session, given, List.of(fabric));
    if (!kept.isEmpty()) {
      list.unlike(fabric.withMachines(kept))
          .ifPresent(
              machine ->
                  session.note(
                      "machines are those of %s, not those that %s kept: they differ in '%s'"
                          .formatted(given.name(), keeper, machine)));
    }
    return list;
  }

  /**
   * Reads the machines that a site lists.
   *
   * @param fabrics in one of which each adapter must be
   * @throws Failure exit code 2 if one is not, or the list contradicts itself
   */
  public static MachineList machines(Session session, Source file, List<Fabric> fabrics) {
    return session.accept(file.name(), MachineListReader.read(file, fabrics));
  }

  private static boolean holdsTables(Source source) {
    String start =
        new String(
            source.bytes(), 0, Math.min(PEEK, source.bytes().length), StandardCharsets.ISO_8859_1);
    return TableFormats.detect(source) != TableFormat.OPENSM_LFTS || start.contains("Unicast lids");
  }

  /**
   * The fabric with a LID for every endport.
   *
   * @throws Failure exit code 2 if it has more endports than there are LIDs
   */
  public static Fabric withLids(Fabric fabric) {
    try {
      return fabric.withAssignedLids();
    } catch (IllegalArgumentException e) {
      throw Failure.badInput("the fabric cannot be addressed: " + e.getMessage());
    }
  }

  /** Reads a list of GUIDs; none if the name is null. */
  public static List<Guid> guids(Session session, String name) {
    return name == null
        ? List.of()
        : session.accept(
            name, GuidListReader.read(session.read(name)), "one GUID per line is expected: 0x...");
  }

  /** Reads a list of GUIDs and warns of those that are not in the fabric: mistyped, or gone. */
  public static List<Guid> guids(Session session, String name, Fabric fabric) {
    List<Guid> guids = guids(session, name);
    List<Guid> unknown =
        guids.stream()
            .filter(g -> fabric.findNode(g.value()) == Fabric.NONE)
            .filter(g -> fabric.findPort(g.value()) == Fabric.NONE)
            .toList();
    if (!unknown.isEmpty()) {
      session.note(
          name
              + ": "
              + unknown.size()
              + " of "
              + Counted.of(guids.size(), "GUID is", "GUIDs are")
              + " not in the fabric, the first "
              + Guid.format(unknown.getFirst().value()));
    }
    return guids;
  }

  /**
   * Root switches from a file of GUIDs. As in OpenSM, the GUID of a channel adapter or router, or
   * of one of its ports, means the switches that it is cabled to; that, and a GUID which is not in
   * the fabric, is told.
   *
   * @param name file, or null: no roots
   * @throws Failure exit code 2, if none of the GUIDs leads to a switch
   */
  public static List<Guid> roots(Session session, String name, Fabric fabric) {
    List<Guid> read = guids(session, name, fabric);
    Set<Guid> switches = new LinkedHashSet<>();
    for (Guid guid : read) {
      int node = fabric.findNode(guid.value());
      int port = node == Fabric.NONE ? fabric.findPort(guid.value()) : Fabric.NONE;
      node = port == Fabric.NONE ? node : fabric.nodeOf(port);
      if (node == Fabric.NONE) {
        continue;
      }
      if (fabric.isSwitch(node)) {
        switches.add(new Guid(fabric.nodeGuid(node)));
        continue;
      }
      List<String> names = new ArrayList<>();
      for (int n = 1; n <= fabric.portCount(node); n++) {
        int at = fabric.port(node, n);
        int sw = fabric.peerNode(at);
        if (fabric.isSwitch(sw) && (port == Fabric.NONE || port == at)) {
          switches.add(new Guid(fabric.nodeGuid(sw)));
          names.add(fabric.node(sw).display());
        }
      }
      session.warn(
          name
              + ": "
              + fabric.node(node).display()
              + " is no switch, "
              + (names.isEmpty()
                  ? "nor cabled to one: it is left out"
                  : "what it is cabled to is taken as root: " + String.join(", ", names)));
    }
    if (!read.isEmpty() && switches.isEmpty()) {
      throw Failure.badInput(name + " names no switch of this fabric");
    }
    return List.copyOf(switches);
  }

  /**
   * The format to write.
   *
   * @param label what the user gave with --format, or null
   * @param output the file name, whose ending decides otherwise
   */
  public static FabricFormats choose(String label, String output) {
    if (label != null) {
      return FabricFormats.byId(label).orElseThrow(() -> unknownFormat(label));
    }
    String name = output.toLowerCase(Locale.ROOT);
    if (name.endsWith(".hlft") || name.endsWith(".lfts") || name.endsWith(".fdbs")) {
      throw Failure.badInput(
          output + " is a name for forwarding tables, but a fabric is written here",
          "name it .net, .ibsim or .lst, or give --format " + String.join("|", labels()));
    }
    if (name.endsWith(".lst")) {
      return FabricFormats.SUBNET_LIST;
    }
    return name.endsWith(".ibsim") ? FabricFormats.IBSIM : FabricFormats.IBNETDISCOVER;
  }

  private static Failure unknownFormat(String label) {
    if (TableFormat.ofLabel(label).isPresent()) {
      return Failure.badInput(label + " is a format for forwarding tables, not for fabrics");
    }
    String near = Suggestions.closest(label, labels(), FARTHEST_SUGGESTION);
    String known = "fabric formats: " + String.join(", ", labels());
    return near == null
        ? Failure.badInput("there is no fabric format '" + label + "'", known)
        : Failure.badInput(
            "there is no fabric format '" + label + "'", "did you mean " + near + "?", known);
  }

  /** Names of the formats. */
  public static List<String> labels() {
    List<String> labels = new ArrayList<>();
    for (FabricFormats format : FabricFormats.values()) {
      labels.add(format.id());
    }
    return labels;
  }

  /**
   * Writes a fabric, after its text was read back and found to be the same; warns of what the
   * format cannot hold.
   *
   * @throws Failure exit code 2 if the file cannot be written
   */
  public static void write(Session session, Fabric fabric, String output, FabricFormats format) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (Progress _ = session.terminal().progress("writing " + output)) {
      format.write(fabric, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    byte[] bytes = text.toByteArray();
    Parsed<Fabric> back = format.readAs(new Source(output, bytes));
    if (!back.ok()) {
      throw new IllegalStateException(
          "the " + format.id() + " text of this fabric is not readable: " + back.problems());
    }
    if (back.get().fingerprint() != fabric.fingerprint()) {
      session.note(
          "the format "
              + format.id()
              + " cannot hold all of this fabric: "
              + lost(fabric, back.get()));
    }
    session.outputs().write(output, bytes);
  }

  private static String lost(Fabric before, Fabric after) {
    int nodes = before.nodeCount() - after.nodeCount();
    return nodes > 0
        ? Counted.of(nodes, "node without a cable is", "nodes without a cable are") + " missing"
        : "cables or port counts differ";
  }

  /** Number of cables. O(ports). */
  public static int linkCount(Fabric fabric) {
    int count = 0;
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      count += fabric.peer(port) > port ? 1 : 0;
    }
    return count;
  }
}
