package org.heddle.text.scheduler;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.Plant;
import org.heddle.fabric.Fabric;
import org.heddle.text.Hostlist;
import org.heddle.text.Parsed;
import org.heddle.text.Problems;
import org.heddle.text.Source;
import org.heddle.text.Tokens;

/**
 * Slurm's {@code topology.conf} (plug-in tree) with one tree for every region: one for each tenant,
 * and one for the hosts without a tenant. Regions have no common root, so that Slurm never gives
 * one job hosts of two. Names of switches are made from the tenant and the leaf, at most {@value
 * SwitchNames#MAX_LENGTH} characters.
 */
public final class SlurmTopology {
  private final Plant plant;
  private final StringBuilder out = new StringBuilder();
  private final SwitchNames names = new SwitchNames();
  private final Set<String> placed = new HashSet<>();

  private SlurmTopology(Plant plant) {
    this.plant = plant;
  }

  /** A tenant. */
  public record Region(String name, Allocation allocation) {}

  /** The text; read back before it is returned. */
  public static byte[] write(List<Region> tenants, Plant plant) {
    SlurmTopology file = new SlurmTopology(plant);
    file.out.append(
        "# One tree a tenant, without a common root: no job crosses from one to another.\n");
    boolean[] taken = new boolean[plant.fabric().nodeCount()];
    for (Region tenant : tenants) {
      int[] hosts = tenant.allocation().hosts();
      for (int host : hosts) {
        taken[host] = true;
      }
      file.region("T" + tenant.name(), "tenant " + tenant.name(), hosts);
    }
    List<Integer> free = new ArrayList<>();
    for (int l = 0; l < plant.leafCount(); l++) {
      for (int s = 0; s < plant.slots(l); s++) {
        if (!taken[plant.host(l, s)]) {
          free.add(plant.host(l, s));
        }
      }
    }
    if (!free.isEmpty()) {
      file.region("free", "no tenant", free.stream().mapToInt(i -> i).sorted().toArray());
    }
    byte[] bytes = file.out.toString().getBytes(StandardCharsets.UTF_8);
    Parsed<Map<String, List<String>>> back = read(new Source("topology.conf", bytes));
    if (!back.ok()) {
      throw new IllegalStateException("topology.conf is not readable: " + back.problems());
    }
    return bytes;
  }

  private void region(String name, String what, int[] hosts) {
    Fabric fabric = plant.fabric();
    Map<Integer, Set<String>> byLeaf = new TreeMap<>();
    for (int host : hosts) {
      for (String node : OpenStackScript.hosts(fabric, new int[] {host})) {
        if (placed.add(node)) {
          byLeaf.computeIfAbsent(plant.leafOfHost(host), _ -> new LinkedHashSet<>()).add(node);
        }
      }
    }
    out.append("\n# ").append(what).append('\n');
    for (String guid : OpenStackScript.unnamed(fabric, hosts)) {
      out.append("# left out, its description names no machine: ").append(guid).append('\n');
    }
    List<String> tops = new ArrayList<>();
    List<String> leaves = new ArrayList<>();
    int subtree = Fabric.NONE;
    long subtrees = byLeaf.keySet().stream().map(plant::subtreeOf).distinct().count();
    for (Map.Entry<Integer, Set<String>> leaf : byLeaf.entrySet()) {
      if (subtrees > 1 && plant.subtreeOf(leaf.getKey()) != subtree && !leaves.isEmpty()) {
        tops.add(level(name + "-sub" + subtree, leaves));
        leaves.clear();
      }
      subtree = plant.subtreeOf(leaf.getKey());
      String sw = fabric.description(plant.leafSwitch(leaf.getKey()));
      leaves.add(
          line(
              name + "-" + (sw.isBlank() ? "leaf" + leaf.getKey() : sw), "Nodes", leaf.getValue()));
    }
    if (subtrees > 1) {
      tops.add(level(name + "-sub" + subtree, leaves));
    } else {
      tops = leaves;
    }
    if (tops.size() > 1) {
      level(name, tops);
    }
  }

  private String level(String name, List<String> children) {
    return line(name, "Switches", children);
  }

  private String line(String wanted, String key, Collection<String> children) {
    String name = names.unique(wanted);
    out.append("SwitchName=").append(name).append(' ').append(key).append('=');
    out.append(String.join(",", Hostlist.compress(children))).append('\n');
    return name;
  }

  /**
   * Reads lines {@code SwitchName=... Nodes=... | Switches=...} strictly: every child is a node, or
   * a switch of the file that has one parent; a node is under one switch.
   *
   * @return children by switch name, in file order
   */
  public static Parsed<Map<String, List<String>>> read(Source source) {
    Problems problems = new Problems(source.name());
    Map<String, List<String>> out = new LinkedHashMap<>();
    Map<String, Integer> nodeLine = new HashMap<>();
    Map<String, Integer> childLine = new LinkedHashMap<>();
    String[] lines = new String(source.bytes(), StandardCharsets.UTF_8).split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      String text = lines[i].strip();
      if (text.isEmpty() || text.startsWith("#")) {
        continue;
      }
      String[] words = text.split("\\s+");
      boolean nodes = words.length == 2 && words[1].startsWith("Nodes=");
      boolean switches = words.length == 2 && words[1].startsWith("Switches=");
      if (!words[0].startsWith("SwitchName=") || !nodes && !switches) {
        problems.error(i + 1, "expected SwitchName=NAME Nodes=... or Switches=...");
        continue;
      }
      String name = words[0].substring("SwitchName=".length());
      Hostlist.Expansion children = Hostlist.expand(words[1].substring(words[1].indexOf('=') + 1));
      if (children.error() != null) {
        problems.error(i + 1, children.error());
        continue;
      }
      if (name.isEmpty()
          || name.length() > SwitchNames.MAX_LENGTH
          || out.put(name, children.names()) != null) {
        problems.error(
            i + 1, "switch name '" + Tokens.excerpt(name) + "' is too long, or here twice");
      }
      for (String child : children.names()) {
        Integer before = (nodes ? nodeLine : childLine).putIfAbsent(child, i + 1);
        if (before != null) {
          problems.error(
              i + 1, Tokens.excerpt(child) + " has a parent in line " + before + " already");
        }
      }
    }
    childLine.forEach(
        (child, line) -> {
          if (!out.containsKey(child)) {
            problems.error(line, "there is no switch " + Tokens.excerpt(child));
          }
        });
    return problems.result(out);
  }
}
