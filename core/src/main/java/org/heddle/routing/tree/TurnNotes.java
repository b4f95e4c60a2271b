package org.heddle.routing.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.SwitchLinks;
import org.heddle.routing.ForwardingTables;
import org.heddle.topology.FatTree;

/**
 * Reports which hosts have no common ancestor, and where their traffic turns from down to up. The
 * turns are read from the finished entries. O(pairs of such switches * hops).
 */
public final class TurnNotes {
  private static final int EXAMPLES = 5;

  /** An entry by switch and LID. */
  public interface Entries {
    int port(int sw, int lid);
  }

  private final Fabric fabric;
  private final FatTree tree;
  private final TreeGraph graph;
  private final Destinations dest;
  private final List<int[]> leaves = new ArrayList<>(); // pairs, the smaller id first
  private final List<int[]> others = new ArrayList<>(); // ordered pairs, one on an upper switch

  public TurnNotes(Fabric fabric, FatTree tree, TreeGraph graph, Destinations dest) {
    this.fabric = fabric;
    this.tree = tree;
    this.graph = graph;
    this.dest = dest;
    long[] hosted = new long[graph.words];
    for (int a = 0; a < graph.switches; a++) {
      hosted[a >>> 6] |= dest.hasHosts[a] ? 1L << a : 0;
    }
    int[] component = null;
    for (int a = 0; a < graph.switches; a++) {
      for (int w = 0; w < graph.words && dest.hasHosts[a]; w++) {
        long cut = hosted[w] & ~graph.good[a * graph.words + w];
        for (; cut != 0; cut &= cut - 1) {
          int b = (w << 6) + Long.numberOfTrailingZeros(cut);
          component = component == null ? new SwitchLinks(fabric).components() : component;
          if (component[a] == component[b]) { // else in another plane: nothing leads there
            add(a, b);
          }
        }
      }
    }
  }

  private void add(int a, int b) {
    if (!tree.isLeaf(a) || !tree.isLeaf(b)) {
      others.add(new int[] {a, b});
    } else if (a < b) {
      leaves.add(new int[] {a, b});
    }
  }

  /** True if all hosts that are connected have a common ancestor. */
  public boolean isEmpty() {
    return leaves.isEmpty() && others.isEmpty();
  }

  /** The first pair of switches whose hosts have no common ancestor. */
  int[] first() {
    return leaves.isEmpty() ? others.getFirst() : leaves.getFirst();
  }

  /** What the user should know of routes that go down and up again, one sentence each. */
  public List<String> describe(Entries entries) {
    List<String> out = new ArrayList<>();
    if (!leaves.isEmpty()) {
      StringBuilder text = new StringBuilder();
      text.append(
              Counted.of(leaves.size(), "pair of leaf switches has", "pairs of leaf switches have"))
          .append(" no common ancestor left; traffic between them goes down and up again at ")
          .append(turns(leaves, entries))
          .append(": ");
      for (int i = 0; i < Math.min(EXAMPLES, leaves.size()); i++) {
        text.append(i > 0 ? ", " : "")
            .append(fabric.node(leaves.get(i)[0]).display())
            .append(" and ")
            .append(fabric.node(leaves.get(i)[1]).display());
      }
      if (leaves.size() > EXAMPLES) {
        text.append(", and ").append(leaves.size() - EXAMPLES).append(" more");
      }
      out.add(text.toString());
    }
    if (!others.isEmpty()) {
      out.add(
          Counted.of(
                  others.size(),
                  "ordered pair of switches with hosts has",
                  "ordered pairs of switches with hosts have")
              + " no common ancestor (hosts on upper"
              + " switches); their traffic goes down and up again at "
              + turns(others, entries));
    }
    return out;
  }

  /** Names of the switches at which routes between pairs, in both directions, turn. */
  private String turns(List<int[]> pairs, Entries entries) {
    TreeSet<Integer> at = new TreeSet<>();
    for (int[] pair : pairs) {
      follow(pair[0], pair[1], entries, at);
      follow(pair[1], pair[0], entries, at);
    }
    StringBuilder text = new StringBuilder();
    int n = 0;
    for (int s : at) {
      if (n == EXAMPLES) {
        return text.append(" and ").append(at.size() - n).append(" more").toString();
      }
      text.append(n++ > 0 ? ", " : "").append(fabric.node(s).display());
    }
    return at.isEmpty() ? "links between switches of one level" : text.toString();
  }

  private void follow(int from, int to, Entries entries, TreeSet<Integer> turns) {
    for (int i = dest.start[to]; i < dest.start[to + 1]; i++) {
      int lid = dest.lids[i];
      if (dest.portOf[lid] == 0) {
        continue;
      }
      boolean fell = false;
      int at = from;
      for (int hops = 0; at != to && hops < graph.switches; hops++) {
        int number = entries.port(at, lid);
        int next =
            number == ForwardingTables.NO_PORT ? -1 : fabric.peerNode(fabric.port(at, number));
        if (!fabric.isSwitch(next)) {
          return;
        }
        if (fell && graph.level[next] > graph.level[at]) {
          turns.add(at);
        }
        fell = graph.level[next] < graph.level[at];
        at = next;
      }
      return; // all LIDs of a switch turn alike, the first will do
    }
  }
}
