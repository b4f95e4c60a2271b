package org.heddle.topology;

import java.util.ArrayList;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.topology.generate.Names;

/**
 * Finds the fat-tree in a fabric, damaged or not, or says why there is none.
 *
 * <p>Each part of the fabric that is connected by links between switches (a plane) is recognised
 * separately. Levels follow from the leaves, which are inferred from the number of hosts, or from
 * the roots that the operator names. A few links that do not join adjacent levels are ignored and
 * reported if the leaves stay connected without them. {@code docs/topology.md} gives the rules and
 * lists the codes of the findings.
 *
 * <p>Stateless; the same fabric gives the same answer. O(distinct host counts * links) typically.
 */
public final class FatTreeRecogniser {
  private static final int MIN_IGNORED = 2;
  private static final int IGNORED_SHARE = 20; // at most one link in twenty

  private final SwitchGraph graph;
  private final RecognitionOptions options;
  private final List<TreeFinding> findings = new ArrayList<>();
  private final List<TreeFinding> reasons = new ArrayList<>();
  private final boolean[] root;
  private final boolean[] leaf;
  private final int[] level;

  private FatTreeRecogniser(Fabric fabric, RecognitionOptions options) {
    this.graph = new SwitchGraph(fabric);
    this.options = options;
    this.root = new boolean[graph.switches];
    this.leaf = new boolean[graph.switches];
    this.level = new int[graph.switches];
  }

  /** Recognises with nothing known beforehand. */
  public static Recognition recognise(Fabric fabric) {
    return recognise(fabric, RecognitionOptions.NONE);
  }

  /** Recognises with what the operator knows. Never throws for a fabric it does not like. */
  public static Recognition recognise(Fabric fabric, RecognitionOptions options) {
    if (fabric.switchCount() == 0) {
      return new Recognition.Refused(
          List.of(finding("no-switches", "the fabric has no switches", Fabric.NONE, 0)));
    }
    FatTreeRecogniser run = new FatTreeRecogniser(fabric, options);
    return run.recognise();
  }

  private Recognition recognise() {
    resolve(options.roots(), root, "root");
    resolve(options.leaves(), leaf, "leaf");
    for (int c = 0; c < graph.components && reasons.isEmpty(); c++) {
      recogniseComponent(graph.members(c));
    }
    int levels = 0;
    for (int l : level) {
      levels = Math.max(levels, l);
    }
    if (reasons.isEmpty() && levels == 0) {
      reasons.add(finding("no-hosts", "no switch has a host", Fabric.NONE, 0));
    }
    if (!reasons.isEmpty()) {
      reasons.addAll(findings);
      reasons.addAll(TreeReport.oddities(graph));
      return new Recognition.Refused(reasons);
    }
    TreeStructure structure = new TreeStructure(graph, level, levels);
    FatTree tree = new FatTree(levels, level, structure.leaves, structure);
    findings.addAll(TreeReport.oddities(graph));
    findings.addAll(TreeReport.of(graph, tree));
    return new Recognition.Found(tree, findings);
  }

  private void resolve(List<Guid> guids, boolean[] marks, String what) {
    boolean any = false;
    for (Guid guid : guids) {
      int node = graph.fabric.findNode(guid.value());
      if (graph.fabric.isSwitch(node)) {
        marks[node] = true;
        any = true;
      } else {
        String problem = node == Fabric.NONE ? " is not in the fabric" : " is not a switch";
        findings.add(
            finding(what + "-not-found", "the given " + what + " " + guid + problem, node, 0));
      }
    }
    if (!guids.isEmpty() && !any) {
      reasons.add(
          finding(
              "no-valid-" + what, "none of the given switches can be a " + what, Fabric.NONE, 0));
    }
  }

  private void recogniseComponent(int[] members) {
    int hosts = 0;
    boolean hasRoot = false;
    boolean hasLeaf = false;
    int links = 0;
    for (int s : members) {
      hosts += graph.hosts[s];
      hasRoot |= root[s];
      hasLeaf |= leaf[s];
      links += graph.start[s + 1] - graph.start[s];
    }
    links /= 2;
    if (hosts == 0 && !hasLeaf) {
      reportUnused(members);
      return;
    }
    LevelSearch search = new LevelSearch(graph, members);
    LevelSearch.Levels found;
    if (hasRoot) {
      found = search.fromRoots(root, leaf);
    } else if (hasLeaf) {
      found = search.fromLeaves(leaf);
    } else {
      found = inferred(search, members);
    }
    if (!options.roots().isEmpty() && !hasRoot && members.length > 1) {
      findings.add(
          finding(
              "plane-without-root",
              "none of the given roots is in the plane of "
                  + Names.node(graph.fabric, members[0])
                  + "; its levels are inferred",
              members[0],
              0));
    }
    accept(members, links, found, hosts);
  }

  private LevelSearch.Levels inferred(LevelSearch search, int[] members) {
    LevelSearch.Levels found = search.infer();
    if (found.ignored() == 0 && new UpDownReach(graph, members, found.level()).upperPairs == 0) {
      return found;
    }
    LevelSearch.Levels cascade = search.cascade();
    if (cascade.ignored() > 0) {
      return found;
    }
    for (int s : members) {
      if (cascade.level()[s] == maxLevel(members, cascade.level())) {
        findings.add(
            finding(
                "cascade",
                "the switches around "
                    + Names.node(graph.fabric, s)
                    + " have no redundant paths; it is taken as the root",
                s,
                0));
      }
    }
    return cascade;
  }

  private static int maxLevel(int[] members, int[] level) {
    int max = 0;
    for (int s : members) {
      max = Math.max(max, level[s]);
    }
    return max;
  }

  private void reportUnused(int[] members) {
    for (int s : members) {
      boolean alone = members.length == 1;
      findings.add(
          finding(
              alone ? "unlinked-switch" : "switch-without-hosts",
              Names.node(graph.fabric, s)
                  + (alone
                      ? " has neither hosts nor links to other switches"
                      : " is in a part of the fabric that has no hosts"),
              s,
              0));
    }
  }

  private void accept(int[] members, int links, LevelSearch.Levels found, int hosts) {
    List<TreeFinding> bad = TreeReport.ignoredLinks(graph, members, found.level());
    if (found.ignored() > Math.max(MIN_IGNORED, links / IGNORED_SHARE)) {
      reasons.add(
          finding(
              "too-many-stray-links",
              "around "
                  + Names.node(graph.fabric, members[0])
                  + " there is no assignment of levels with which nearly all links go up or down:"
                  + " at best "
                  + (found.ignored() == Integer.MAX_VALUE ? "none" : found.ignored())
                  + " of "
                  + links
                  + " links do not; naming the roots may help",
              members[0],
              0));
      reasons.addAll(bad);
      return;
    }
    UpDownReach reach = new UpDownReach(graph, members, found.level());
    if (found.ignored() > 0 && reach.leafPairs > 0) {
      reasons.add(apart("leaves-apart", reach.leafA, reach.leafB, reach.leafPairs));
      reasons.addAll(bad);
      return;
    }
    boolean given = !options.roots().isEmpty() || !options.leaves().isEmpty();
    if (!given && reach.upperPairs > 0 && 2 * hostsAbove(members, found.level()) >= hosts) {
      reasons.add(apart("hosts-at-all-levels", reach.upperA, reach.upperB, reach.upperPairs));
      return;
    }
    findings.addAll(bad);
    if (reach.leafPairs > 0) {
      findings.add(apart("no-common-ancestor", reach.leafA, reach.leafB, reach.leafPairs));
    }
    if (reach.upperPairs > 0) {
      findings.add(apart("upper-hosts-apart", reach.upperA, reach.upperB, reach.upperPairs));
    }
    for (int s : members) {
      level[s] = found.level()[s];
    }
  }

  private int hostsAbove(int[] members, int[] levels) {
    int sum = 0;
    for (int s : members) {
      sum += levels[s] > 1 ? graph.hosts[s] : 0;
    }
    return sum;
  }

  private TreeFinding apart(String code, int a, int b, int pairs) {
    return finding(
        code,
        "the hosts of "
            + Names.node(graph.fabric, a)
            + " and "
            + Names.node(graph.fabric, b)
            + " have no path that goes up and then down"
            + (pairs > 1 ? " (" + pairs + " such pairs of switches)" : ""),
        a,
        0);
  }

  static TreeFinding finding(String code, String message, int node, int port) {
    return new TreeFinding(code, message, node, port);
  }
}
