package org.heddle.verify.isolation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.heddle.fabric.Fabric;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.verify.AuditMessages;

/** Ports, adapters and hosts at which partitions meet before their traffic reaches a switch. */
final class HostGroups {
  private final Fabric fabric;
  private final Tenancy tenancy;
  private final List<List<Integer>> ofPort;

  /** By adapter with members: the sets of partitions of its member ports, in port order. */
  private final Map<Integer, List<List<Integer>>> byNode = new LinkedHashMap<>();

  HostGroups(Fabric fabric, Tenancy tenancy) {
    this.fabric = fabric;
    this.tenancy = tenancy;
    this.ofPort = partitionsByPort(fabric, tenancy);
    for (int port = 0; port < ofPort.size(); port++) {
      if (!ofPort.get(port).isEmpty()) {
        byNode.computeIfAbsent(fabric.nodeOf(port), _ -> new ArrayList<>()).add(ofPort.get(port));
      }
    }
  }

  /** Partitions of every port, ascending; members without LID included. */
  static List<List<Integer>> partitionsByPort(Fabric fabric, Tenancy tenancy) {
    List<List<Integer>> out = new ArrayList<>(Collections.nCopies(fabric.portIdLimit(), List.of()));
    for (int p = 0; p < tenancy.partitions().size(); p++) {
      Partition partition = tenancy.partitions().get(p);
      for (PartitionMember member : partition.members()) {
        if (out.get(member.port()).isEmpty()) {
          out.set(member.port(), List.of(p));
          continue;
        }
        List<Integer> longer = new ArrayList<>(out.get(member.port()));
        longer.add(p);
        out.set(member.port(), longer);
      }
    }
    return out;
  }

  /** A number of places with the first few of them. */
  static final class Found {
    private final int keep;
    private final List<String> places = new ArrayList<>();
    private final List<List<Integer>> sets = new ArrayList<>();
    long count;

    Found(int keep) {
      this.keep = keep;
    }

    void add(String place, List<Integer> partitions) {
      if (count++ < keep) {
        places.add(place);
        sets.add(partitions);
      }
    }

    List<String> examples(Tenancy tenancy) {
      List<String> out = new ArrayList<>();
      for (int i = 0; i < places.size(); i++) {
        List<String> names = new ArrayList<>();
        sets.get(i).forEach(p -> names.add("'" + tenancy.partitions().get(p).name() + "'"));
        out.add(places.get(i) + ": " + String.join(", ", names));
      }
      return out;
    }
  }

  /** Adapters whose ports are not all in the same partitions. */
  Found adapters(int keep) {
    Found found = new Found(keep);
    byNode.forEach(
        (node, sets) -> {
          if (differ(sets)) {
            found.add(AuditMessages.node(fabric, node), union(sets));
          }
        });
    return found;
  }

  /** Host names whose adapters are not all in the same partitions. */
  Found hosts(int keep) {
    Map<String, List<List<Integer>>> byName = new LinkedHashMap<>();
    byNode.forEach(
        (node, sets) -> {
          String name = hostName(fabric.description(node));
          if (!name.isEmpty()) {
            byName.computeIfAbsent(name, _ -> new ArrayList<>()).add(union(sets));
          }
        });
    Found found = new Found(keep);
    byName.forEach(
        (name, sets) -> {
          if (differ(sets)) {
            found.add("'" + name + "'", union(sets));
          }
        });
    return found;
  }

  /** Adapters with a physically isolated partition and another that it may not share with. */
  Found physical(int keep) {
    Found found = new Found(keep);
    byNode.forEach(
        (node, sets) -> {
          List<Integer> all = union(sets);
          if (clash(all)) {
            found.add(AuditMessages.node(fabric, node), all);
          }
        });
    return found;
  }

  private boolean clash(List<Integer> partitions) {
    for (int a : partitions) {
      boolean physical = tenancy.partitions().get(a).policy() == IsolationPolicy.PHY;
      for (int b : partitions) {
        if (physical && !tenancy.mayShare(a, b)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean differ(List<List<Integer>> sets) {
    return sets.stream().anyMatch(s -> !s.equals(sets.getFirst()));
  }

  private static List<Integer> union(List<List<Integer>> sets) {
    if (sets.size() == 1) {
      return sets.getFirst();
    }
    TreeSet<Integer> all = new TreeSet<>();
    sets.forEach(all::addAll);
    return List.copyOf(all);
  }

  /**
   * The host in a node description such as {@code node07 HCA-1} or {@code node07 mlx5_0}; empty if
   * the description is empty or the one the maker burnt in, which many adapters share.
   */
  static String hostName(String description) {
    String text = description.strip();
    if (text.isEmpty() || text.contains("Mellanox Technologies") || text.contains("NVIDIA")) {
      return "";
    }
    int space = text.lastIndexOf(' ');
    String device = text.substring(space + 1).toLowerCase(Locale.ROOT);
    boolean named = device.matches("(hca-|mlx|mthca|qib|hfi|ib)[0-9_a-z-]*");
    return space > 0 && named ? text.substring(0, space).strip() : text;
  }
}
