package org.heddle.traffic;

/**
 * Half of the ranks send to the other half: 2i + 1 to 2i, the last rank of an odd number stays
 * silent. With shuffled ranks a random perfect matching; its effective bandwidth is the effective
 * bisection bandwidth (Hoefler, Schneider and Lumsdaine, "Multistage switches are not crossbars",
 * 2008).
 */
public record Bisect() implements TrafficPattern {
  @Override
  public String name() {
    return "bisect";
  }

  @Override
  public long size(int ranks, int level) {
    return ranks / 2;
  }

  @Override
  public void flows(int ranks, int level, TrialRandom random, Flows out) {
    for (int r = 1; r < ranks; r += 2) {
      out.add(r, r - 1);
    }
  }
}
