package org.heddle.draw;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.heddle.draw.layout.Attachments;
import org.heddle.draw.layout.Cables;
import org.heddle.draw.layout.Detail;
import org.heddle.draw.layout.GraphLayout;
import org.heddle.draw.layout.Placement;
import org.heddle.draw.layout.TreeLayout;
import org.heddle.draw.layout.TreeShape;
import org.heddle.fabric.Fabric;
import org.heddle.topology.FatTree;
import org.heddle.topology.Recognition;
import org.heddle.topology.SlowLinks;
import org.heddle.topology.TreeFinding;

/**
 * Everything the painters need to know about one drawing.
 *
 * @param shape the tree, if there is one
 * @param lowerLoad destinations per channel from the lower to the upper end, by cable; -1 unknown
 * @param upperLoad the other direction
 * @param scale classes of load; empty if links are drawn plain
 * @param slow links between switches that are slower than their peers
 * @param slowCables their number with those of hosts
 * @param messages findings by node id, slow links of hosts among them
 */
record Scene(
    Fabric fabric,
    Recognition recognition,
    DrawOptions options,
    Cables cables,
    Attachments hosts,
    Detail detail,
    Optional<TreeShape> shape,
    Placement placement,
    int[] lowerLoad,
    int[] upperLoad,
    Optional<LoadScale> scale,
    List<MissingLinks.Gap> missing,
    List<Slow> slow,
    int slowCables,
    Map<Integer, List<String>> messages) {
  /** A slow link between switches, and what is said of it. */
  record Slow(int strand, String message) {}

  static Scene of(Fabric fabric, Recognition recognition, DrawOptions options) {
    int[] rank = new int[fabric.switchCount()];
    Optional<FatTree> tree =
        recognition instanceof Recognition.Found found
            ? Optional.of(found.tree())
            : Optional.empty();
    tree.ifPresent(t -> java.util.Arrays.setAll(rank, t::level));
    Cables cables = new Cables(fabric, rank);
    Attachments hosts = new Attachments(fabric);
    Detail detail = Detail.of(fabric.switchCount(), hosts.total(), cables.strands());
    Optional<TreeShape> shape = tree.map(t -> new TreeShape(t, cables, rank.length));
    Placement placement =
        shape.isPresent()
            ? TreeLayout.layout(
                fabric, shape.get(), hosts, detail, outside(tree.get(), rank.length))
            : GraphLayout.layout(fabric, cables, hosts, detail);
    int[] lowerLoad = new int[cables.cables()];
    int[] upperLoad = new int[cables.cables()];
    for (int c = 0; c < lowerLoad.length; c++) {
      lowerLoad[c] = load(options, cables.lowerPort(c));
      upperLoad[c] = load(options, cables.upperPort(c));
    }
    List<MissingLinks.Gap> missing =
        options.findings() && shape.isPresent()
            ? MissingLinks.find(shape.get(), cables, rank.length)
            : List.of();
    List<TreeFinding> slow = options.findings() ? SlowLinks.find(fabric, recognition) : List.of();
    return new Scene(
        fabric,
        recognition,
        options,
        cables,
        hosts,
        detail,
        shape,
        placement,
        lowerLoad,
        upperLoad,
        scale(options.loadView(), lowerLoad, upperLoad),
        missing,
        slow(fabric, cables, slow),
        slow.size(),
        options.findings() ? byNode(fabric, recognition, slow) : Map.of());
  }

  private static List<Slow> slow(Fabric fabric, Cables cables, List<TreeFinding> findings) {
    Map<Integer, String> byPort = new HashMap<>(); // only looked up, never iterated
    for (TreeFinding finding : findings) {
      int port = fabric.port(finding.node(), finding.port());
      byPort.put(port, finding.message());
      byPort.put(fabric.peer(port), finding.message());
    }
    List<Slow> out = new ArrayList<>();
    for (int s = 0; s < cables.strands() && !findings.isEmpty(); s++) {
      for (int c = cables.firstCable(s); c < cables.firstCable(s + 1); c++) {
        if (byPort.containsKey(cables.lowerPort(c))) {
          out.add(new Slow(s, byPort.get(cables.lowerPort(c))));
        }
      }
    }
    return out;
  }

  private static int[] outside(FatTree tree, int switches) {
    return java.util.stream.IntStream.range(0, switches).filter(s -> tree.level(s) == 0).toArray();
  }

  private static int load(DrawOptions options, int port) {
    Optional<IntUnaryOperator> load = options.load();
    return load.isPresent() ? Math.max(-1, load.get().applyAsInt(port)) : -1;
  }

  private static Optional<LoadScale> scale(LoadView view, int[] up, int[] down) {
    int min = Integer.MAX_VALUE;
    int max = 0;
    for (int c = 0; c < up.length; c++) {
      if (view != LoadView.DOWN && up[c] > 0) {
        min = Math.min(min, up[c]);
        max = Math.max(max, up[c]);
      }
      if (view != LoadView.UP && down[c] > 0) {
        min = Math.min(min, down[c]);
        max = Math.max(max, down[c]);
      }
    }
    return max == 0 ? Optional.empty() : Optional.of(new LoadScale(min, max));
  }

  private static Map<Integer, List<String>> byNode(
      Fabric fabric, Recognition recognition, List<TreeFinding> slow) {
    Map<Integer, List<String>> byNode = new HashMap<>(); // only looked up, never iterated
    for (TreeFinding finding : recognition.findings()) {
      if (finding.node() >= 0) {
        byNode.computeIfAbsent(finding.node(), _ -> new ArrayList<>()).add(finding.message());
      }
    }
    for (TreeFinding finding : slow) {
      int far = fabric.peerNode(fabric.port(finding.node(), finding.port()));
      if (!fabric.isSwitch(far)) {
        byNode.computeIfAbsent(far, _ -> new ArrayList<>()).add(finding.message());
      }
    }
    return byNode;
  }

  /** The load of a cable that its colour tells; -1 unknown, 0 unused. */
  int shownLoad(int cable) {
    return switch (options.loadView()) {
      case UP -> lowerLoad[cable];
      case DOWN -> upperLoad[cable];
      case BOTH -> Math.max(lowerLoad[cable], upperLoad[cable]);
    };
  }

  /** CSS class of a link with that load. */
  String loadStyle(int load) {
    if (scale.isEmpty() || load < 0) {
      return "k";
    }
    return load == 0 ? "u" : "q" + scale.get().bin(load);
  }

  /** True if each direction of a cable gets a stroke of its own. */
  boolean splitsDirections() {
    return detail == Detail.NAMED && scale.isPresent() && options.loadView() == LoadView.BOTH;
  }

  /** Links missing in the tree, parallel ones counted. */
  int missingCables() {
    return missing.stream().mapToInt(MissingLinks.Gap::cables).sum();
  }
}
