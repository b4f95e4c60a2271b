package org.heddle.draw;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.draw.layout.Cables;
import org.heddle.draw.layout.TreeShape;

/**
 * Guesses which links a tree has lost, from the tree alone: in a PGFT the switches of one level
 * that share a sub-tree and a plane are linked to all their parents alike. Where most pairs of such
 * a block are linked, the pairs with fewer cables than usual are missing links.
 *
 * <p>A guess for pictures: damage that tears a block apart is not found, and nothing is claimed
 * where fewer than six pairs in ten are linked. O(pairs).
 */
final class MissingLinks {
  private static final double SHARE = 0.6;
  private static final long MAX_PAIRS = 4_000_000;

  /** A pair of switches that lacks so many cables. */
  record Gap(int lower, int upper, int cables) {}

  private record Key(int level, int subTree, int plane) {}

  private static final class Block {
    final List<Integer> lower = new ArrayList<>();
    final List<Integer> upper = new ArrayList<>();
    final List<Integer> strands = new ArrayList<>();
  }

  private MissingLinks() {}

  /** Missing links by block, then lower and upper switch in drawing order. */
  static List<Gap> find(TreeShape shape, Cables cables, int switches) {
    Map<Key, Block> blocks = new HashMap<>();
    List<Block> ordered = new ArrayList<>();
    int[] level = new int[switches];
    for (int i = 1; i <= shape.levels(); i++) {
      for (int sw : shape.row(i)) {
        level[sw] = i;
        if (i < shape.levels()) {
          block(blocks, ordered, shape, i, sw).lower.add(sw);
        }
        if (i > 1) {
          block(blocks, ordered, shape, i - 1, sw).upper.add(sw);
        }
      }
    }
    for (int s = 0; s < cables.strands(); s++) {
      int low = cables.lower(s);
      if (level[low] > 0 && level[cables.upper(s)] == level[low] + 1) {
        block(blocks, ordered, shape, level[low], low).strands.add(s);
      }
    }
    List<Gap> gaps = new ArrayList<>();
    int[] place = new int[switches];
    for (Block b : ordered) {
      find(b, cables, place, gaps);
    }
    return gaps;
  }

  private static Block block(
      Map<Key, Block> blocks, List<Block> ordered, TreeShape shape, int lowerLevel, int sw) {
    Key key = new Key(lowerLevel, shape.below(lowerLevel + 1, sw), shape.above(lowerLevel, sw));
    Block known = blocks.get(key);
    if (known == null) {
      known = new Block();
      blocks.put(key, known);
      ordered.add(known);
    }
    return known;
  }

  private static void find(Block b, Cables cables, int[] place, List<Gap> gaps) {
    long pairs = (long) b.lower.size() * b.upper.size();
    if (pairs == 0 || pairs > MAX_PAIRS || b.strands.size() < SHARE * pairs) {
      return;
    }
    for (int i = 0; i < b.lower.size(); i++) {
      place[b.lower.get(i)] = i;
    }
    for (int i = 0; i < b.upper.size(); i++) {
      place[b.upper.get(i)] = i;
    }
    int[] have = new int[(int) pairs];
    for (int s : b.strands) {
      have[place[cables.lower(s)] * b.upper.size() + place[cables.upper(s)]] = cables.count(s);
    }
    int usual = mode(have);
    for (int i = 0; i < have.length; i++) {
      if (have[i] < usual) {
        gaps.add(
            new Gap(
                b.lower.get(i / b.upper.size()), b.upper.get(i % b.upper.size()), usual - have[i]));
      }
    }
  }

  /** The most frequent positive value, the larger of equally frequent ones. */
  private static int mode(int[] values) {
    int[] sorted = values.clone();
    Arrays.sort(sorted);
    int best = 0;
    int most = 0;
    for (int from = 0, to; from < sorted.length; from = to) {
      to = from;
      while (to < sorted.length && sorted[to] == sorted[from]) {
        to++;
      }
      if (sorted[from] > 0 && to - from >= most) {
        best = sorted[from];
        most = to - from;
      }
    }
    return best;
  }
}
