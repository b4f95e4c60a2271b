package org.heddle.solver;

import java.util.SplittableRandom;

/**
 * Colours items so that no two of one group have the same colour; an item may be in several groups.
 * A tabu search (Hertz and de Werra 1987): it makes the best change of one item that is in
 * conflict, even if that makes the total worse, but does not undo it at once. If conflicts are left
 * after a number of changes, {@link ColourClauses} takes over, which may prove that there is no
 * colouring. Deterministic, bounded by that number and by steps of the solver.
 */
public final class SharedColours {
  private static final int MAX_CHANGES = 60_000;
  private static final long SEED = 7;

  /** Steps of the solver. */
  static final long BUDGET = 20_000_000;

  private final int[][] groups; // by thing
  private final int colours;
  private final int[] colour; // by thing
  private final int[] count; // group * colours + colour
  private final int[] tabuUntil; // thing * colours + colour
  private final SplittableRandom random = new SplittableRandom(SEED);
  private int bestThing;
  private int bestColour;

  private SharedColours(int[][] groups, int groupCount, int colours) {
    this.groups = groups;
    this.colours = colours;
    colour = new int[groups.length];
    count = new int[groupCount * colours];
    tabuUntil = new int[groups.length * colours];
  }

  /**
   * Finds a colouring.
   *
   * @param groups by thing, the groups it is in, {@code 0 .. groupCount - 1}
   * @return colours by thing, or null if none was found
   */
  public static int[] find(int[][] groups, int groupCount, int colours) {
    SharedColours search = new SharedColours(groups, groupCount, colours);
    search.start();
    if (search.run()) {
      return search.colour;
    }
    ColourClauses.Found found =
        ColourClauses.solve(groups, groupCount, colours, search.colour, BUDGET);
    return found.answer() == SatSolver.Answer.SATISFIABLE ? found.colours() : null;
  }

  private void start() {
    for (int v = 0; v < groups.length; v++) {
      int shift = random.nextInt(colours);
      int best = shift;
      for (int k = 0; k < colours; k++) {
        int c = (k + shift) % colours;
        best = conflicts(v, c) < conflicts(v, best) ? c : best;
      }
      colour[v] = best;
      add(v, 1);
    }
  }

  private boolean run() {
    for (int now = 1; now <= MAX_CHANGES; now++) {
      int conflicts = look(now);
      if (conflicts == 0) {
        return true;
      }
      if (bestThing < 0) {
        continue;
      }
      int old = colour[bestThing];
      add(bestThing, -1);
      colour[bestThing] = bestColour;
      add(bestThing, 1);
      // The usual length of the list: some of the conflicts, and some chance.
      tabuUntil[bestThing * colours + old] = now + 1 + random.nextInt(10) + conflicts * 3 / 10;
    }
    return false;
  }

  /** Finds the best change; returns the number of conflicts there are now, pairs counted twice. */
  private int look(int now) {
    int all = 0;
    int ties = 0;
    int best = Integer.MAX_VALUE;
    bestThing = -1;
    for (int v = 0; v < groups.length; v++) {
      int mine = conflicts(v, colour[v]) - groups[v].length;
      all += mine;
      for (int c = 0; c < colours && mine > 0; c++) {
        if (c == colour[v] || tabuUntil[v * colours + c] > now) {
          continue;
        }
        int change = conflicts(v, c) - mine;
        ties = change < best ? 1 : change == best ? ties + 1 : ties;
        if (change < best || (change == best && random.nextInt(ties) == 0)) {
          best = change;
          bestThing = v;
          bestColour = c;
        }
      }
    }
    return all;
  }

  private int conflicts(int v, int c) {
    int sum = 0;
    for (int g : groups[v]) {
      sum += count[g * colours + c];
    }
    return sum;
  }

  private void add(int v, int by) {
    for (int g : groups[v]) {
      count[g * colours + colour[v]] += by;
    }
  }
}
