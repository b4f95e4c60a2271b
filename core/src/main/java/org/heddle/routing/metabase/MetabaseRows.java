package org.heddle.routing.metabase;

import java.util.Arrays;
import org.heddle.routing.tree.Destinations;
import org.heddle.routing.tree.LeafHosts;
import org.heddle.routing.tree.TreeGraph;

/**
 * Rows of a {@link Metabase}: the part that no choice of paths can change, and how the rest is made
 * from a choice.
 *
 * <p>On a regular tree all switches of a level send a host to the same port but for what lies below
 * them. So rows of a level start as copies of one <i>template</i>; then a switch overwrites the
 * leaves for which its columns differ, most of them with one port each, and the LIDs of other
 * places. Rows in which no leaf depends on its way are made once and shared by all tables.
 * Immutable.
 */
final class MetabaseRows {
  private static final int MAX_TRIED = 4; // templates of its level that a switch is compared with

  private final TreeGraph graph;
  private final Destinations dest;
  private final LeafHosts hosts;
  private final int slots;
  private final int[] others;
  private final int firstOther;
  private final byte[][] shadow; // by switch: entry by column
  private final boolean regular; // the columns of leaves are not in the shadow
  private final int[] downColumn; // by leaf: a column that has its way down
  private final boolean isAscending; // the same
  private final int[] leafOf; // by switch: number of the leaf, or -1
  private final int[][] hostRuns; // by leaf: LID and length of runs of its hosts' LIDs
  private final int[] otherRuns; // the same of other places' LIDs

  private final byte[][] fixed; // by switch: the whole row if no choice changes it
  private final int[] templateOf; // by switch: index, or -1 if fixed
  private final int[][] gatherLeaf; // by switch: leaves for which it differs and has a choice
  private final byte[][] gatherLevel; // in the same order: the level whose slot decides
  private final int[][] patchRun; // by switch: LID and length of runs that no choice changes
  private final byte[][] patch; // by switch: their entries, one run after the other
  private byte[][] template = new byte[8][]; // entry by column
  private int[] templateLevel = new int[8];
  private int[] lastUser = new int[8];
  private int templates;

  /**
   * Looks for what rows have in common.
   *
   * @param columns of the shadow; leaf i has those from {@code 1 + i * slots} on, if any
   * @param shadow entries by switch and column
   */
  MetabaseRows(
      TreeGraph graph,
      Destinations dest,
      LeafHosts hosts,
      MetabaseColumns columns,
      byte[][] shadow) {
    this.graph = graph;
    this.dest = dest;
    this.hosts = hosts;
    this.shadow = shadow;
    slots = columns.slots;
    others = columns.others;
    firstOther = columns.firstOther;
    regular = columns.isRegular();
    downColumn = columns.downColumns();
    boolean ascending = true;
    for (int i = 1; i < hosts.leaves; i++) {
      ascending &= downColumn[i] > downColumn[i - 1];
    }
    isAscending = ascending;
    int n = graph.switches;
    leafOf = new int[n];
    Arrays.fill(leafOf, -1);
    for (int i = 0; i < hosts.leaves; i++) {
      leafOf[hosts.switches[i]] = i;
    }
    fixed = new byte[n][];
    templateOf = new int[n];
    gatherLeaf = new int[n][];
    gatherLevel = new byte[n][];
    patchRun = new int[n][];
    patch = new byte[n][];
    hostRuns = hostRuns();
    otherRuns = runs(others);
    Runs runs = new Runs();
    byte[] scratch = new byte[dest.topLid + 1];
    int lastFixed = -1;
    for (int s = 0; s < n; s++) {
      templateOf[s] = -1;
      if (lastFixed >= 0 && isLike(s, lastFixed)) {
        fixed[s] = fixed[lastFixed].clone();
        fillOthers(s, fixed[s]);
      } else if (isFixed(s)) {
        fixed[s] = fixedRow(s);
        lastFixed = s;
      }
    }
    int[][] ofLevel = new int[graph.levels + 1][MAX_TRIED];
    int[] count = new int[graph.levels + 1];
    long[] differ = new long[(hosts.leaves + 63) >>> 6];
    for (int s = 0; s < n; s++) {
      if (fixed[s] == null) {
        if (regular) {
          findRegularTemplate(s, ofLevel[graph.level[s]], count, differ);
        } else {
          findTemplate(s, ofLevel[graph.level[s]], count, differ);
        }
        makePatch(s, differ, runs, scratch);
      }
    }
  }

  // ---- what rows have in common

  private boolean isLike(int s, int other) {
    if (leafOf[s] >= 0 || leafOf[other] >= 0) {
      return false;
    }
    if (!regular) {
      return Arrays.equals(shadow[s], 1, firstOther, shadow[other], 1, firstOther);
    }
    boolean alike = graph.level[s] == graph.levels;
    int from = downColumn[0];
    int to = from + hosts.leaves;
    if (alike && downColumn[hosts.leaves - 1] == to - 1 && isAscending) {
      return Arrays.equals(shadow[s], from, to, shadow[other], from, to);
    }
    for (int i = 0; i < hosts.leaves && alike; i++) {
      alike = shadow[s][downColumn[i]] == shadow[other][downColumn[i]];
    }
    return alike;
  }

  private boolean isFixed(int s) {
    if (regular) {
      return graph.level[s] == graph.levels;
    }
    for (int i = 0; i < hosts.leaves; i++) {
      if (hosts.switches[i] != s && !isConstant(s, i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a switch has one port for all ways to a leaf; if regular, asked for those below. */
  private boolean isConstant(int s, int leaf) {
    if (regular) {
      return true;
    }
    byte[] row = shadow[s];
    int from = 1 + leaf * slots;
    for (int c = from + 1; c < from + slots; c++) {
      if (row[c] != row[from]) {
        return false;
      }
    }
    return true;
  }

  private byte[] fixedRow(int s) {
    byte[] row = new byte[dest.topLid + 1];
    Arrays.fill(row, TreeGraph.NO_PORT);
    for (int i = 0; i < hosts.leaves; i++) {
      fillConstant(s, i, row);
    }
    fillOthers(s, row);
    return row;
  }

  private void findTemplate(int s, int[] ofLevel, int[] count, long[] differ) {
    int l = graph.level[s];
    int tried = Math.min(count[l], MAX_TRIED);
    for (int k = 0; k < tried; k++) {
      if (compare(s, template[ofLevel[k]], differ)) {
        use(s, ofLevel[k]);
        return;
      }
    }
    int t = addTemplate(s);
    if (count[l] < MAX_TRIED) {
      ofLevel[count[l]] = t;
    }
    count[l]++;
    compare(s, template[t], differ);
    use(s, t);
  }

  /** On a regular tree: the ports of the slots are all there is to know. */
  private void findRegularTemplate(int s, int[] ofLevel, int[] count, long[] differ) {
    markBelow(s, differ);
    int l = graph.level[s];
    int base = graph.slotBase[s];
    int n = graph.slots[l];
    int tried = Math.min(count[l], MAX_TRIED);
    for (int k = 0; k < tried; k++) {
      if (Arrays.equals(graph.slotPort, base, base + n, template[ofLevel[k]], 1, 1 + n)) {
        use(s, ofLevel[k]);
        return;
      }
    }
    byte[] entries = new byte[1 + hosts.leaves * slots];
    for (int t = 0; t < slots; t++) {
      entries[1 + t] = graph.slotPort[base + t % n];
    }
    for (int i = 1; i < hosts.leaves; i++) {
      System.arraycopy(entries, 1, entries, 1 + i * slots, slots);
    }
    int t = addTemplate(entries, l);
    if (count[l] < MAX_TRIED) {
      ofLevel[count[l]] = t;
    }
    count[l]++;
    use(s, t);
  }

  private void use(int s, int t) {
    templateOf[s] = t;
    lastUser[t] = s;
  }

  /** Keeps what of the leaves that differ, and of other places, does not depend on the choice. */
  private void makePatch(int s, long[] differ, Runs runs, byte[] scratch) {
    int most = 0;
    for (long word : differ) {
      most += Long.bitCount(word);
    }
    int[] leaves = new int[most];
    byte[] levels = new byte[most];
    int n = 0;
    runs.clear();
    runs.add(otherRuns);
    fillOthers(s, scratch);
    for (int w = 0; w < differ.length; w++) {
      for (long bits = differ[w]; bits != 0; bits &= bits - 1) {
        int i = (w << 6) + Long.numberOfTrailingZeros(bits);
        int leaf = hosts.switches[i];
        // What goes down takes the link its slot names one level lower.
        int l = graph.isBelow(s, leaf) ? graph.level[s] - 1 : graph.level[s];
        if (leaf != s && l > 0 && graph.slots[l] > 0 && !isConstant(s, i)) {
          levels[n] = (byte) l;
          leaves[n++] = i;
          continue;
        }
        fillConstant(s, i, scratch);
        runs.add(hostRuns[i]);
      }
    }
    gatherLeaf[s] = Arrays.copyOf(leaves, n);
    gatherLevel[s] = Arrays.copyOf(levels, n);
    patchRun[s] = runs.merged();
    patch[s] = runs.cut(patchRun[s], scratch);
  }

  private void markBelow(int s, long[] differ) {
    Arrays.fill(differ, 0);
    for (int w = 0; w < graph.words; w++) {
      for (long bits = graph.below[s * graph.words + w]; bits != 0; bits &= bits - 1) {
        int i = leafOf[(w << 6) + Long.numberOfTrailingZeros(bits)];
        if (i >= 0) {
          differ[i >>> 6] |= 1L << i;
        }
      }
    }
  }

  /** Marks the leaves for which a switch differs; false, early, if these are too many. */
  private boolean compare(int s, byte[] columns, long[] differ) {
    markBelow(s, differ);
    byte[] row = shadow[s];
    int at = 1;
    int marked = 0; // besides what lies below, which differs as a rule
    while (at < firstOther && 2 * marked <= hosts.leaves) {
      int next = Arrays.mismatch(row, at, firstOther, columns, at, firstOther);
      if (next < 0) {
        return true;
      }
      int i = (at + next - 1) / slots;
      marked += (differ[i >>> 6] >>> i & 1) == 0 ? 1 : 0;
      differ[i >>> 6] |= 1L << i;
      at = 1 + (i + 1) * slots;
    }
    return at >= firstOther;
  }

  /** A template from a switch; for what lies below it, from another of its level. */
  private int addTemplate(int s) {
    byte[] columns = shadow[s].clone();
    for (int i = 0; i < hosts.leaves; i++) {
      int leaf = hosts.switches[i];
      for (int b = 0; b < graph.switches && graph.isBelow(s, leaf); b++) {
        if (graph.level[b] == graph.level[s] && !graph.isBelow(b, leaf)) {
          System.arraycopy(shadow[b], 1 + i * slots, columns, 1 + i * slots, slots);
          break;
        }
      }
    }
    return addTemplate(columns, graph.level[s]);
  }

  private int addTemplate(byte[] columns, int level) {
    if (templates == template.length) {
      template = Arrays.copyOf(template, 2 * templates);
      templateLevel = Arrays.copyOf(templateLevel, 2 * templates);
      lastUser = Arrays.copyOf(lastUser, 2 * templates);
    }
    template[templates] = columns;
    templateLevel[templates] = level;
    return templates++;
  }

  // ---- rows for a choice

  /**
   * All rows.
   *
   * @param slot by level and LID of hosts at leaves
   */
  byte[][] of(int[][] slot) {
    byte[][] ready = new byte[templates][];
    byte[][] rows = new byte[graph.switches][];
    for (int s = 0; s < rows.length; s++) {
      int t = templateOf[s];
      if (t < 0) {
        rows[s] = fixed[s];
        continue;
      }
      if (ready[t] == null) {
        ready[t] = fromTemplate(t, slot);
      }
      rows[s] = lastUser[t] == s ? ready[t] : ready[t].clone();
      paste(s, slot, rows[s]);
    }
    return rows;
  }

  private byte[] fromTemplate(int t, int[][] slot) {
    byte[] row = new byte[dest.topLid + 1];
    Arrays.fill(row, TreeGraph.NO_PORT);
    int[] of = slot[templateLevel[t]];
    for (int i = 0; i < hosts.leaves; i++) {
      if (of != null) {
        gather(i, template[t], of, row);
      } else { // a root has no slots: what it does not send down goes out by one port
        fill(i, template[t][downColumn[i]], row);
      }
    }
    return row;
  }

  private void paste(int s, int[][] slot, byte[] row) {
    int[] run = patchRun[s];
    byte[] from = patch[s];
    for (int k = 0, at = 0; k < run.length; at += run[k + 1], k += 2) {
      System.arraycopy(from, at, row, run[k], run[k + 1]);
    }
    int[] leaves = gatherLeaf[s];
    for (int k = 0; k < leaves.length; k++) {
      gather(leaves[k], shadow[s], slot[gatherLevel[s][k]], row);
    }
  }

  private void gather(int i, byte[] columns, int[] slot, byte[] row) {
    int from = 1 + i * slots;
    for (int j = hosts.start[i]; j < hosts.start[i + 1]; j++) {
      int lid = hosts.lids[j];
      row[lid] = columns[from + slot[lid]];
    }
  }

  /** Entries for the hosts of a leaf that is the switch itself, or that has one port for all. */
  private void fillConstant(int s, int i, byte[] row) {
    boolean own = hosts.switches[i] == s;
    if (!own) {
      fill(i, shadow[s][downColumn[i]], row);
      return;
    }
    int[] run = hostRuns[i];
    for (int k = 0; k < run.length; k += 2) {
      System.arraycopy(dest.portOf, run[k], row, run[k], run[k + 1]);
    }
  }

  private void fill(int i, byte port, byte[] row) {
    int[] run = hostRuns[i];
    for (int k = 0; k < run.length; k += 2) {
      Arrays.fill(row, run[k], run[k] + run[k + 1], port);
    }
  }

  private void fillOthers(int s, byte[] row) {
    for (int k = 0, at = firstOther; k < otherRuns.length; at += otherRuns[k + 1], k += 2) {
      System.arraycopy(shadow[s], at, row, otherRuns[k], otherRuns[k + 1]);
    }
  }

  // ---- runs of LIDs

  private int[][] hostRuns() {
    int[][] out = new int[hosts.leaves][];
    for (int i = 0; i < hosts.leaves; i++) {
      int[] lids = Arrays.copyOfRange(hosts.lids, hosts.start[i], hosts.start[i + 1]);
      Arrays.sort(lids);
      out[i] = runs(lids);
    }
    return out;
  }

  /** First LID and length of every run of consecutive LIDs, in the order given. */
  private static int[] runs(int[] lids) {
    int[] out = new int[2 * lids.length];
    int n = 0;
    for (int k = 0; k < lids.length; k++) {
      if (k > 0 && lids[k] == lids[k - 1] + 1) {
        out[n - 1]++;
      } else {
        out[n++] = lids[k];
        out[n++] = 1;
      }
    }
    return Arrays.copyOf(out, n);
  }

  /** Collects runs and joins those that follow each other. */
  private static final class Runs {
    private int[] run = new int[64];
    private int n;

    void clear() {
      n = 0;
    }

    void add(int[] more) {
      if (n + more.length > run.length) {
        run = Arrays.copyOf(run, 2 * (n + more.length));
      }
      for (int k = 0; k < more.length; k += 2) {
        if (n > 0 && run[n - 2] + run[n - 1] == more[k]) {
          run[n - 1] += more[k + 1];
        } else {
          run[n++] = more[k];
          run[n++] = more[k + 1];
        }
      }
    }

    int[] merged() {
      return Arrays.copyOf(run, n);
    }

    byte[] cut(int[] runs, byte[] row) {
      int length = 0;
      for (int k = 1; k < runs.length; k += 2) {
        length += runs[k];
      }
      byte[] out = new byte[length];
      for (int k = 0, at = 0; k < runs.length; at += runs[k + 1], k += 2) {
        System.arraycopy(row, runs[k], out, at, runs[k + 1]);
      }
      return out;
    }
  }
}
