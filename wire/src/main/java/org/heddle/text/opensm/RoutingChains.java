package org.heddle.text.opensm;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.allocation.Allocation;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.text.Parsed;
import org.heddle.text.Source;

/**
 * The files with which MLNX_SM routes every tenant on its own ports ("routing chains"): port
 * groups, topologies made of two groups each, and the chain of engines over the topologies, of
 * which the first covers the whole fabric. Port groups are written as the links-as-a-service paper
 * prints them (appendix A.5): hosts as {@code name=NODE/U1:P1}, switches with a mask in which bit n
 * stands for port n. Leaves come first, then the switches above with the other ends of the links.
 *
 * <p>Names that the grammar cannot hold, or that stand for two nodes, are refused by the format;
 * for such a group GUIDs are written ({@code port-guid: 0x...@1/2}).
 */
public final class RoutingChains {
  /** Name of the port groups. */
  public static final String GROUPS = "groups.conf";

  /** Name of the topologies. */
  public static final String TOPOLOGIES = "topologies.conf";

  /** Name of the chain. */
  public static final String CHAIN = "chains.conf";

  /** Name of the options that go into opensm.conf. */
  public static final String OPTIONS = "opensm-options.conf";

  private final Fabric fabric;
  private final Map<String, Integer> uses = new HashMap<>();
  private final StringBuilder groups = new StringBuilder();
  private final StringBuilder topologies = new StringBuilder();
  private final StringBuilder steps = new StringBuilder();
  private int count;

  /** No tenant yet. */
  public RoutingChains(Fabric fabric) {
    this.fabric = fabric;
    for (int node = 0; node < fabric.nodeCount(); node++) {
      uses.merge(objectName(node), 1, Integer::sum);
    }
    step(1, "whole fabric", 0);
  }

  /** Adds a tenant; nothing for one of which no host is there: there are no empty groups. */
  public void add(String tenant, Allocation a) {
    List<Integer> hostPorts = new ArrayList<>();
    for (int port : a.hostPorts()) {
      hostPorts.add(port);
    }
    if (hostPorts.isEmpty()) {
      return;
    }
    int id = ++count;
    group("T" + tenant + "-hcas", "hosts of tenant " + tenant, byNode(hostPorts), false);
    TreeMap<Integer, List<Integer>> lower = new TreeMap<>();
    TreeMap<Integer, List<Integer>> upper = new TreeMap<>();
    for (int rail = 0; rail < a.plant().rails(); rail++) {
      for (int i = 0; i < a.leafCount(); i++) {
        int leaf = a.plant().leafSwitch(rail, a.leaf(i));
        if (leaf != Fabric.NONE) {
          lower.put(leaf, new ArrayList<>());
        }
      }
    }
    for (int port : a.links()) {
      for (int end : new int[] {port, fabric.peer(port)}) {
        int sw = fabric.nodeOf(end);
        (lower.containsKey(sw) ? lower : upper)
            .computeIfAbsent(sw, _ -> new ArrayList<>())
            .add(fabric.numberOf(end));
      }
    }
    Map<Integer, List<Integer>> switches = new LinkedHashMap<>(lower);
    switches.putAll(upper);
    group("T" + tenant + "-switches", "switch ports of tenant " + tenant, switches, true);
    topologies
        .append("topology\nid: ")
        .append(id)
        .append("\nsw-grp: T")
        .append(tenant)
        .append("-switches\nhca-grp: T")
        .append(tenant)
        .append("-hcas\nend-topology\n\n");
    step(id + 1, "tenant " + tenant, id);
  }

  private Map<Integer, List<Integer>> byNode(List<Integer> ports) {
    Map<Integer, List<Integer>> out = new LinkedHashMap<>();
    for (int port : ports) {
      out.computeIfAbsent(fabric.nodeOf(port), _ -> new ArrayList<>()).add(fabric.numberOf(port));
    }
    return out;
  }

  private void step(int id, String use, int topology) {
    steps
        .append("unicast-step\nid: ")
        .append(id)
        .append("\nengine: ftree\nuse: ")
        .append(use)
        .append("\ntopology: ")
        .append(topology)
        .append("\nend-unicast-step\n\n");
  }

  private void group(String name, String use, Map<Integer, List<Integer>> nodes, boolean masks) {
    groups.append("port-group\nname: ").append(name).append("\nuse: ").append(use).append('\n');
    boolean named = nodes.keySet().stream().allMatch(this::canBeNamed);
    List<String> items = new ArrayList<>();
    nodes.forEach(
        (node, ports) -> {
          if (!named) {
            items.add(
                Guid.format(fabric.portGuid(fabric.port(node, masks ? 0 : ports.getFirst())))
                    + "@"
                    + String.join("/", ports.stream().map(String::valueOf).toList()));
          } else if (masks) {
            items.add("name=" + objectName(node) + " pmask=" + mask(ports));
          } else {
            ports.forEach(p -> items.add("name=" + objectName(node) + ":P" + p));
          }
        });
    groups.append(
        named
            ? "obj_list:\n   " + String.join("\n   ", items) + ";\n"
            : "port-guid: " + String.join(", ", items) + "\n");
    groups.append("end-port-group\n\n");
  }

  /** Ports as a bit mask in hexadecimal: bit n is port n. */
  public static String mask(List<Integer> ports) {
    BigInteger mask = BigInteger.ZERO;
    for (int port : ports) {
      mask = mask.setBit(port);
    }
    return "0x" + mask.toString(16);
  }

  private boolean canBeNamed(int node) {
    String name = objectName(node);
    return uses.get(name) == 1 && name.matches("[A-Za-z0-9_.-]+/U[0-9]+");
  }

  /** The first word of a description, and the number of the adapter: {@code node1 HCA-2}. */
  private String objectName(int node) {
    String text = fabric.description(node).strip();
    int blank = text.indexOf(' ');
    String first = blank < 0 ? text : text.substring(0, blank);
    String rest = blank < 0 ? "" : text.substring(blank).strip();
    int number = 1;
    if (rest.matches("HCA-[0-9]{1,3}")) {
      number = Integer.parseInt(rest.substring(4));
    } else if (rest.matches("mlx[0-9]_[0-9]{1,3}")) {
      number = Integer.parseInt(rest.substring(5)) + 1;
    }
    return first + "/U" + number;
  }

  /**
   * The files by name. Each is read back before it is returned.
   *
   * @param directory where they will be, for the options
   */
  public Map<String, byte[]> files(String directory) {
    Map<String, byte[]> out = new LinkedHashMap<>();
    out.put(GROUPS, checked(GROUPS, groups));
    out.put(TOPOLOGIES, checked(TOPOLOGIES, topologies));
    out.put(CHAIN, checked(CHAIN, steps));
    String options =
        "routing_engine chain\npgrp_policy_file %1$s/%2$s\ntopo_policy_file %1$s/%3$s\nrch_policy_file %1$s/%4$s\n"
            .formatted(directory, GROUPS, TOPOLOGIES, CHAIN);
    out.put(OPTIONS, options.getBytes(StandardCharsets.UTF_8));
    return out;
  }

  private static byte[] checked(String name, StringBuilder text) {
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    Parsed<List<ChainFileReader.Paragraph>> back = ChainFileReader.read(new Source(name, bytes));
    if (!back.ok() || !ChainFileReader.write(back.get()).equals(text.toString())) {
      throw new IllegalStateException(name + " reads back differently: " + back.problems());
    }
    return bytes;
  }
}
