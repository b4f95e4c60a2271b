package org.heddle.text.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.Machines;
import org.heddle.fabric.NodeNames;
import org.heddle.text.IdentityCode;
import org.heddle.text.Place;
import org.heddle.text.Problems;
import org.heddle.text.Tokens;

/**
 * Looks for nodes and ports of a fabric that cannot be told apart: equal port GUIDs, system image
 * GUIDs on several machines, adapters and switches without a name of their own. Each problem names
 * all places in the fabric and the lines of the file. Equal node GUIDs and LIDs are found earlier,
 * where a fabric is put together ({@link TopologyDraft}, {@link LidAssembler}), since a fabric
 * cannot hold them. O(nodes + ports) and the sorting of what is equal.
 */
public final class IdentityCheck {
  /** Places in a message; a problem has them all. */
  private static final int SHOWN_PLACES = 2;

  private final Fabric fabric;
  private final TopologyDraft draft;
  private final Problems problems;

  private IdentityCheck(Fabric fabric, TopologyDraft draft, Problems problems) {
    this.fabric = fabric;
    this.draft = draft;
    this.problems = problems;
  }

  /** Adds what is wrong to the problems. */
  static void run(Fabric fabric, TopologyDraft draft, Problems problems) {
    IdentityCheck check = new IdentityCheck(fabric, draft, problems);
    check.portGuids();
    check.systems();
    check.adapterNames();
    check.switchNames();
  }

  private void portGuids() {
    int[] ports = new int[fabric.portIdLimit()];
    int n = 0;
    for (int port = 0; port < ports.length; port++) {
      // The ports of a switch share its GUID.
      boolean own = !fabric.isSwitch(fabric.nodeOf(port)) || fabric.numberOf(port) == 0;
      if (own && fabric.portGuid(port) != 0) {
        ports[n++] = port;
      }
    }
    Map<Long, int[]> first = HashMap.newHashMap(n);
    Map<Long, List<Integer>> equal = new TreeMap<>(Long::compareUnsigned);
    for (int i = 0; i < n; i++) {
      long guid = fabric.portGuid(ports[i]);
      int[] before = first.putIfAbsent(guid, new int[] {ports[i]});
      if (before != null) {
        equal.computeIfAbsent(guid, g -> new ArrayList<>(List.of(before[0]))).add(ports[i]);
      }
    }
    equal.forEach(
        (guid, same) ->
            report(
                IdentityCode.DUPLICATE_PORT_GUID,
                same.size() + " ports have the port GUID " + Guid.format(guid),
                same.stream().map(this::port).toList(),
                "give each a GUID of its own"));
  }

  /** Adapters of one system that name different machines. */
  private void systems() {
    Map<Long, List<Integer>> bySystem = new TreeMap<>(Long::compareUnsigned);
    for (int node = 0; node < fabric.nodeCount(); node++) {
      if (fabric.systemGuid(node) != 0 && isAdapter(node)) {
        bySystem.computeIfAbsent(fabric.systemGuid(node), g -> new ArrayList<>(2)).add(node);
      }
    }
    bySystem.forEach(
        (guid, nodes) -> {
          Map<String, Integer> machines = new LinkedHashMap<>();
          for (int node : nodes) {
            String name = NodeNames.machine(fabric.description(node));
            if (!name.isEmpty()) {
              machines.putIfAbsent(name, node);
            }
          }
          if (machines.size() > 1) {
            report(
                IdentityCode.DUPLICATE_SYSTEM_GUID,
                machines.size() + " machines have the system image GUID " + Guid.format(guid),
                machines.values().stream().map(this::node).toList(),
                "they count as machines of their own, by name");
          }
        });
  }

  private void adapterNames() {
    List<Integer> unnamed = new ArrayList<>();
    Map<String, List<Integer>> byName = new LinkedHashMap<>();
    for (int node = 0; node < fabric.nodeCount(); node++) {
      if (!isAdapter(node)) {
        continue;
      }
      String description = fabric.description(node).strip();
      if (NodeNames.machine(description).isEmpty()) {
        unnamed.add(node);
      } else {
        byName.computeIfAbsent(description, d -> new ArrayList<>(1)).add(node);
      }
    }
    if (!unnamed.isEmpty()) {
      boolean one = unnamed.size() == 1;
      report(
          IdentityCode.UNNAMED_ADAPTERS,
          unnamed.size()
              + (one
                  ? " adapter has a description that names no machine"
                  : " adapters have descriptions that name no machine"),
          unnamed.stream().map(this::node).toList(),
          "each counts as a machine of its own, known by its GUID");
    }
    byName.forEach(
        (name, nodes) -> {
          if (nodes.size() > 1 && !oneCard(nodes)) {
            report(
                IdentityCode.EQUAL_NAMES,
                nodes.size() + " adapters are called '" + Tokens.excerpt(name) + "'",
                nodes.stream().map(this::node).toList(),
                "they may be several machines; give the GUID where one is meant");
          }
        });
  }

  private boolean oneCard(List<Integer> nodes) {
    long system = fabric.systemGuid(nodes.getFirst());
    return system != 0 && nodes.stream().allMatch(node -> fabric.systemGuid(node) == system);
  }

  private void switchNames() {
    List<Integer> unnamed = new ArrayList<>();
    Map<String, List<Integer>> byName = new LinkedHashMap<>();
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      String name = fabric.description(sw).strip();
      if (NodeNames.isDefaultSwitch(name)) {
        unnamed.add(sw);
      } else {
        byName.computeIfAbsent(name, d -> new ArrayList<>(1)).add(sw);
      }
    }
    if (!unnamed.isEmpty()) {
      report(
          IdentityCode.UNNAMED_SWITCHES,
          Counted.of(unnamed.size(), "switch has", "switches have") + " no name",
          unnamed.stream().map(this::node).toList(),
          "a node name map gives them names");
    }
    byName.forEach(
        (name, same) -> {
          if (same.size() > 1) {
            report(
                IdentityCode.EQUAL_SWITCH_NAMES,
                same.size() + " switches are called '" + Tokens.excerpt(name) + "'",
                same.stream().map(this::node).toList(),
                "a node name map tells them apart");
          }
        });
  }

  private boolean isAdapter(int node) {
    return Machines.isAdapter(fabric, node);
  }

  private void report(IdentityCode code, String what, List<Place> places, String consequence) {
    problems.identity(code, sentence(what, places, consequence), places);
  }

  /** {@code what: place; place; and n more; consequence}. */
  public static String sentence(String what, List<Place> places, String consequence) {
    StringBuilder text = new StringBuilder(what).append(": ");
    for (int i = 0; i < Math.min(SHOWN_PLACES, places.size()); i++) {
      text.append(i == 0 ? "" : "; ").append(places.get(i));
    }
    if (places.size() > SHOWN_PLACES) {
      text.append("; and ").append(places.size() - SHOWN_PLACES).append(" more");
    }
    return text.append(consequence.isEmpty() ? "" : "; " + consequence).toString();
  }

  /** The place of a node: where its first cable goes. */
  private Place node(int node) {
    TopologyDraft.Node known = draft.byGuid(fabric.nodeGuid(node));
    int line = known == null ? 0 : known.line;
    if (fabric.isSwitch(node)) {
      return Place.of(fabric, fabric.port(node, 0), line);
    }
    for (int number = 1; number <= fabric.portCount(node); number++) {
      int port = fabric.port(node, number);
      if (fabric.peer(port) != Fabric.NONE) {
        return Place.of(fabric, port, line);
      }
    }
    return Place.of(fabric, fabric.port(node, 0), line);
  }

  private Place port(int port) {
    TopologyDraft.Node node = draft.byGuid(fabric.nodeGuid(fabric.nodeOf(port)));
    TopologyDraft.Port own = node == null ? null : node.port(fabric.numberOf(port));
    return Place.of(fabric, port, own != null ? own.line : node == null ? 0 : node.line);
  }

  /** The place of a port as a file describes it, before there is a fabric. */
  static Place place(TopologyDraft draft, TopologyDraft.Node node, TopologyDraft.Port port) {
    TopologyDraft.Node peer =
        port == null
            ? null
            : port.peerGuid != 0 ? draft.byGuid(port.peerGuid) : draft.byName(port.peerName);
    return new Place(
        node.description.strip(),
        Guid.format(node.guid),
        port == null ? 0 : port.number,
        peer == null ? null : peer.description.strip(),
        peer == null ? null : Guid.format(peer.guid),
        peer == null ? 0 : port.peerPort,
        port == null || port.line == 0 ? node.line : port.line);
  }

  /** The first port of a node that the file speaks of, or null. */
  static TopologyDraft.Port firstPort(TopologyDraft.Node node) {
    return Arrays.stream(node.ports).filter(p -> p != null).findFirst().orElse(node.mentioned);
  }
}
