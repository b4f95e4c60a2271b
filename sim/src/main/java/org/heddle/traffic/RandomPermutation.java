package org.heddle.traffic;

/**
 * Every rank sends to one and receives from one other: a uniform random permutation without fixed
 * points, drawn by rejection (2.7 permutations in the mean). ORCS repairs fixed points at the end
 * of a sequential draw instead, which is not exactly uniform.
 */
public record RandomPermutation() implements TrafficPattern {
  @Override
  public String name() {
    return "permutation";
  }

  @Override
  public boolean random() {
    return true;
  }

  @Override
  public long size(int ranks, int level) {
    return ranks < 2 ? 0 : ranks;
  }

  @Override
  public void flows(int ranks, int level, TrialRandom random, Flows out) {
    if (ranks < 2) {
      return;
    }
    int start = out.count();
    for (int r = 0; r < ranks; r++) {
      out.add(r, r);
    }
    boolean fixed = true;
    while (fixed) {
      fixed = false;
      for (int r = ranks - 1; r >= 0; r--) {
        out.swapTo(start + r, start + random.below(r + 1));
        // Rank r's receiver is final now: later swaps are among smaller ranks.
        if (out.to(start + r) == r) {
          fixed = true;
          break;
        }
      }
    }
  }
}
