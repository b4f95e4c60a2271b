package org.heddle.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.NodeType;
import org.heddle.topology.generate.FabricExtras;

/**
 * Links that run slower than their peers: a cable that trained at fewer lanes or at a lower speed.
 *
 * <p>Peers are links of one kind: between the same two levels of the tree and the same models of
 * device (vendor and device id of both ends), so that an older adapter or leaf is measured with its
 * like. A link is slow if it is slower than what more than half of its peers in the fabric run at
 * or above, and, where its lower switch has other links of the kind, slower than at least half of
 * these: a leaf whose links are all of another speed was built that way. Links of unknown width or
 * speed do not count as peers. O(ports log ports).
 */
public final class SlowLinks {
  /** Level of a switch outside of the tree. */
  private static final int NO_LEVEL = 0;

  private static final int AGGREGATION = -1;
  private static final int ADAPTER = -2;
  private static final int ROUTER = -3;

  private final Fabric fabric;
  private final Recognition tree;

  private SlowLinks(Fabric fabric, Recognition tree) {
    this.fabric = fabric;
    this.tree = tree;
  }

  /** One end of a link, to be compared by kind. */
  private record End(int level, int vendor, int device) {}

  /** A kind of links: the end farther from the hosts second. */
  private record Kind(End low, End high) {}

  /** All slow links, in the order of the port ids of their lower switches. */
  public static List<TreeFinding> find(Fabric fabric, Recognition tree) {
    return new SlowLinks(fabric, tree).run();
  }

  private List<TreeFinding> run() {
    Map<Kind, List<Integer>> byKind = new HashMap<>();
    Map<Integer, Kind> kindOf = new HashMap<>();
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      // Each link once, at the port of its lower switch.
      if (fabric.peer(port) != Fabric.NONE && isLowerSwitch(port) && rate(port) > 0) {
        Kind kind = new Kind(end(lowEnd(port)), end(highEnd(port)));
        kindOf.put(port, kind);
        byKind.computeIfAbsent(kind, k -> new ArrayList<>()).add(port);
      }
    }
    Map<Kind, Integer> usual = new HashMap<>();
    byKind.forEach((kind, ports) -> usual.put(kind, median(ports)));
    List<TreeFinding> out = new ArrayList<>();
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      Kind kind = kindOf.get(port);
      if (kind != null && rate(port) < usual.get(kind) && isSlowHere(port, kind, kindOf)) {
        out.add(finding(port, byKind.get(kind), usual.get(kind)));
      }
    }
    return out;
  }

  /** The rate that more than half of the links reach. */
  private int median(List<Integer> ports) {
    int[] rates = ports.stream().mapToInt(this::rate).sorted().toArray();
    return rates[(rates.length - 1) / 2];
  }

  private boolean isSlowHere(int port, Kind kind, Map<Integer, Kind> kindOf) {
    int sw = fabric.nodeOf(port);
    int others = 0;
    int faster = 0;
    for (int number = 1; number <= fabric.portCount(sw); number++) {
      int other = fabric.port(sw, number);
      if (other != port && kind.equals(kindOf.get(other))) {
        others++;
        faster += rate(other) > rate(port) ? 1 : 0;
      }
    }
    return others == 0 || 2 * faster >= others;
  }

  private TreeFinding finding(int port, List<Integer> peers, int usual) {
    long reach = peers.stream().filter(p -> rate(p) >= usual).count();
    int example = peers.stream().filter(p -> rate(p) == usual).findFirst().orElse(port);
    String message =
        "%s to %s runs at %s (%s Gbit/s); %d of %s of its kind run at %s (%s Gbit/s) or more"
            .formatted(
                name(port),
                name(fabric.peer(port)),
                speed(port),
                gigabits(rate(port)),
                reach,
                Counted.of(peers.size(), "link", "links"),
                speed(example),
                gigabits(usual));
    return new TreeFinding("slow-link", message, fabric.nodeOf(port), fabric.numberOf(port));
  }

  private String name(int port) {
    return fabric.node(fabric.nodeOf(port)).display() + " port " + fabric.numberOf(port);
  }

  private String speed(int port) {
    return fabric.width(port).lanes() + "x" + fabric.speed(port);
  }

  private static String gigabits(int megabits) {
    String text = String.format(Locale.ROOT, "%.1f", megabits / 1000.0);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  private int rate(int port) {
    return fabric.linkMegabits(port);
  }

  /** True for the switch's end of a link to a host, and for the lower of two switches' ends. */
  private boolean isLowerSwitch(int port) {
    int node = fabric.nodeOf(port);
    int other = fabric.peerNode(port);
    if (!fabric.isSwitch(node)) {
      return false;
    }
    if (!fabric.isSwitch(other)) {
      return true;
    }
    int here = level(node);
    int there = level(other);
    return here != there ? here < there : port < fabric.peer(port);
  }

  private int lowEnd(int port) {
    return fabric.isSwitch(fabric.peerNode(port)) ? fabric.nodeOf(port) : fabric.peerNode(port);
  }

  private int highEnd(int port) {
    return fabric.isSwitch(fabric.peerNode(port)) ? fabric.peerNode(port) : fabric.nodeOf(port);
  }

  private End end(int node) {
    return new End(level(node), fabric.vendorId(node), fabric.deviceId(node));
  }

  private int level(int node) {
    if (fabric.isSwitch(node)) {
      return tree instanceof Recognition.Found found ? found.tree().level(node) : NO_LEVEL;
    }
    if (FabricExtras.isAggregationNode(fabric, node)) {
      return AGGREGATION;
    }
    return fabric.nodeType(node) == NodeType.ROUTER ? ROUTER : ADAPTER;
  }
}
