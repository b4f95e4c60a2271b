package org.heddle.solver;

import java.util.Arrays;

/**
 * The question of {@link SharedColours} as clauses, for a {@link SatSolver}: slower where there are
 * many colourings, but it finds rare ones, and can prove that there is none.
 *
 * <p>A variable for each thing and colour; a thing has a colour; things of a group exclude each
 * other; and where a group has as many things as there are colours each of these is taken, which
 * follows from the rest and is hard to see for a solver.
 */
public final class ColourClauses {
  private static final int MAX_SIZE = 2_000_000; // literals

  private final int[][] groups;
  private final int colours;
  private final SatSolver solver = new SatSolver();

  private ColourClauses(int[][] groups, int colours) {
    this.groups = groups;
    this.colours = colours;
  }

  /**
   * An answer.
   *
   * @param colours by thing, if satisfiable, else empty
   */
  public record Found(SatSolver.Answer answer, int[] colours) {}

  /**
   * Asks.
   *
   * @param groups by thing, the groups it is in, {@code 0 .. groupCount - 1}
   * @param likely a colouring to start from, perhaps with conflicts
   * @param budget steps of the solver
   */
  public static Found solve(
      int[][] groups, int groupCount, int colours, int[] likely, long budget) {
    ColourClauses clauses = new ColourClauses(groups, colours);
    if (!clauses.encode(groupCount, likely)) {
      return new Found(SatSolver.Answer.UNDECIDED, new int[0]);
    }
    SatSolver.Answer answer = clauses.solver.solve(budget);
    return new Found(
        answer, answer == SatSolver.Answer.SATISFIABLE ? clauses.decode() : new int[0]);
  }

  private boolean encode(int groupCount, int[] likely) {
    for (int v = 0; v < groups.length; v++) {
      int[] some = new int[colours];
      for (int c = 0; c < colours; c++) {
        some[c] = 2 * solver.variable(likely[v] == c);
      }
      solver.add(some);
    }
    int[][] members = members(groupCount);
    for (int[] all : members) {
      if (solver.size() + (long) all.length * all.length / 2 * colours * 3 > MAX_SIZE) {
        return false;
      }
      exclude(all);
    }
    return true;
  }

  private int[][] members(int groupCount) {
    int[][] members = new int[groupCount][0];
    for (int v = 0; v < groups.length; v++) {
      for (int g : groups[v]) {
        members[g] = Arrays.copyOf(members[g], members[g].length + 1);
        members[g][members[g].length - 1] = v;
      }
    }
    return members;
  }

  private void exclude(int[] all) {
    for (int c = 0; c < colours; c++) {
      int[] some = new int[all.length];
      for (int i = 0; i < all.length; i++) {
        some[i] = 2 * (all[i] * colours + c);
        for (int j = 0; j < i; j++) {
          solver.add(some[i] + 1, some[j] + 1);
        }
      }
      if (all.length == colours) {
        solver.add(some);
      } else if (all.length > colours) {
        solver.add(); // more than there are colours
      }
    }
  }

  private int[] decode() {
    int[] colour = new int[groups.length];
    for (int v = 0; v < colour.length; v++) {
      for (int c = 0; c < colours; c++) {
        if (solver.isTrue(v * colours + c)) {
          colour[v] = c;
          break;
        }
      }
    }
    return colour;
  }
}
