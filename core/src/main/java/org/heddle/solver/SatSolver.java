package org.heddle.solver;

import java.util.Arrays;

/**
 * Decides whether a set of clauses, each a disjunction of possibly negated variables, can be
 * satisfied: conflict-driven clause learning (Marques-Silva and Sakallah 1999; two watched literals
 * and activities as in Chaff, Moskewicz et al. 2001), in a minimal form.
 *
 * <p>A literal is {@code 2 * variable}, or {@code 2 * variable + 1} for its negation. Bounded by a
 * number of steps, not by time, and without randomness: the same clauses in the same order give the
 * same answer and the same values. Exponential in the worst case.
 */
public final class SatSolver {
  /** What is known after {@link #solve}. */
  public enum Answer {
    /** {@link #isTrue} tells the values. */
    SATISFIABLE,
    /** Proven: no values make all clauses true. */
    UNSATISFIABLE,
    /** Neither was found within the steps. */
    UNDECIDED
  }

  private static final int NO_CLAUSE = -1;
  private static final byte OPEN = -1;
  private static final double DECAY = 1 / 0.95;
  private static final double RESCALE = 1e100;
  private static final int RESTART_UNIT = 64;

  private int variables;
  private byte[] value = new byte[64]; // by variable: 1 true, 0 false, or OPEN
  private byte[] phase = new byte[64]; // by variable: the value to try first
  private int[] reason = new int[64]; // by variable: the clause that forced it
  private int[] depth = new int[64]; // by variable: number of decisions before it
  private double[] activity = new double[64];
  private boolean[] seen = new boolean[64];
  private double bump = 1;

  private int[] clauses = new int[1024]; // length, then literals; the first two are watched
  private int end;
  private int[][] watch = new int[128][]; // by literal: clauses that watch it
  private int[] watchers = new int[128];

  private int[] trail = new int[64];
  private int assigned;
  private int head;
  private int[] decisionAt = new int[64];
  private int decisions;
  private boolean impossible;

  private int[] heap = new int[64]; // open variables, the most active first
  private int[] heapAt = new int[64]; // by variable: place in the heap, or -1
  private int heapSize;
  private int[] learnt = new int[64];
  private long steps;

  /**
   * A new variable.
   *
   * @param likely the value to try first
   */
  public int variable(boolean likely) {
    int v = variables++;
    if (v == value.length) {
      grow();
    }
    value[v] = OPEN;
    phase[v] = (byte) (likely ? 1 : 0);
    heapAt[v] = -1;
    push(v);
    return v;
  }

  private void grow() {
    int n = 2 * value.length;
    value = Arrays.copyOf(value, n);
    phase = Arrays.copyOf(phase, n);
    reason = Arrays.copyOf(reason, n);
    depth = Arrays.copyOf(depth, n);
    activity = Arrays.copyOf(activity, n);
    seen = Arrays.copyOf(seen, n);
    trail = Arrays.copyOf(trail, n);
    decisionAt = Arrays.copyOf(decisionAt, n);
    heap = Arrays.copyOf(heap, n);
    heapAt = Arrays.copyOf(heapAt, n);
    learnt = Arrays.copyOf(learnt, n);
    watch = Arrays.copyOf(watch, 2 * n);
    watchers = Arrays.copyOf(watchers, 2 * n);
  }

  /** Adds a clause of different variables. Only before {@link #solve}. */
  public void add(int... literals) {
    int n = 0;
    int[] open = new int[literals.length];
    for (int literal : literals) {
      int now = valueOf(literal);
      if (now == 1) {
        return;
      }
      if (now == OPEN) {
        open[n++] = literal;
      }
    }
    if (n == 0) {
      impossible = true;
    } else if (n == 1) {
      assign(open[0], NO_CLAUSE);
    } else {
      store(open, n);
    }
  }

  /** Literals in all clauses so far. */
  public int size() {
    return end;
  }

  /** Steps taken by the last {@link #solve}. */
  long steps() {
    return steps;
  }

  private int store(int[] literals, int n) {
    if (end + n + 1 > clauses.length) {
      clauses = Arrays.copyOf(clauses, Math.max(2 * clauses.length, end + n + 1));
    }
    int at = end;
    clauses[at] = n;
    System.arraycopy(literals, 0, clauses, at + 1, n);
    end += n + 1;
    addWatch(literals[0], at);
    addWatch(literals[1], at);
    return at;
  }

  private void addWatch(int literal, int clause) {
    int n = watchers[literal]++;
    if (watch[literal] == null) {
      watch[literal] = new int[4];
    } else if (n == watch[literal].length) {
      watch[literal] = Arrays.copyOf(watch[literal], 2 * n);
    }
    watch[literal][n] = clause;
  }

  private int valueOf(int literal) {
    byte v = value[literal >> 1];
    return v == OPEN ? OPEN : v ^ (literal & 1);
  }

  public boolean isTrue(int variable) {
    return value[variable] == 1;
  }

  private void assign(int literal, int because) {
    int v = literal >> 1;
    value[v] = (byte) (1 ^ (literal & 1));
    phase[v] = value[v];
    reason[v] = because;
    depth[v] = decisions;
    trail[assigned++] = literal;
  }

  /**
   * Searches.
   *
   * @param budget steps, clauses looked at, after which the search ends undecided
   */
  public Answer solve(long budget) {
    steps = 0;
    int restarts = 0;
    long conflictsLeft = RESTART_UNIT;
    while (!impossible) {
      int conflict = propagate();
      if (conflict != NO_CLAUSE) {
        if (decisions == 0) {
          impossible = true;
          break;
        }
        learn(conflict);
        conflictsLeft--;
        continue;
      }
      if (steps > budget) {
        return Answer.UNDECIDED;
      }
      if (conflictsLeft <= 0) {
        restarts++;
        conflictsLeft = (long) RESTART_UNIT * luby(restarts);
        undo(0);
        continue;
      }
      if (!decide()) {
        return Answer.SATISFIABLE;
      }
    }
    return Answer.UNSATISFIABLE;
  }

  /** 1 1 2 1 1 2 4 ...: lengths of runs (Luby et al. 1993). */
  private static int luby(int i) {
    int size = 1;
    int power = 0;
    while (size < i + 1) {
      size = 2 * size + 1;
      power++;
    }
    int at = i;
    while (size - 1 != at) {
      size = (size - 1) >> 1;
      power--;
      at %= size;
    }
    return 1 << power;
  }

  private boolean decide() {
    while (heapSize > 0) {
      int v = pop();
      if (value[v] == OPEN) {
        decisionAt[decisions++] = assigned;
        assign(2 * v + (phase[v] == 1 ? 0 : 1), NO_CLAUSE);
        return true;
      }
    }
    return false;
  }

  private void undo(int to) {
    if (decisions <= to) {
      return;
    }
    for (int first = decisionAt[to]; assigned > first; ) {
      int v = trail[--assigned] >> 1;
      value[v] = OPEN;
      push(v);
    }
    head = assigned;
    decisions = to;
  }

  /** Draws all conclusions; returns a clause that is false, or {@link #NO_CLAUSE}. */
  private int propagate() {
    while (head < assigned) {
      int literal = trail[head++] ^ 1; // has become false
      int[] list = watch[literal];
      int n = watchers[literal];
      int kept = 0;
      for (int i = 0; i < n; i++) {
        int at = list[i];
        steps++;
        if (clauses[at + 1] == literal) {
          clauses[at + 1] = clauses[at + 2];
          clauses[at + 2] = literal;
        }
        int other = clauses[at + 1];
        int now = valueOf(other);
        if (now != 1 && findWatch(at)) {
          continue;
        }
        list[kept++] = at;
        if (now == 0) {
          System.arraycopy(list, i + 1, list, kept, n - i - 1);
          watchers[literal] = kept + n - i - 1;
          return at;
        }
        if (now == OPEN) {
          assign(other, at);
        }
      }
      watchers[literal] = kept;
    }
    return NO_CLAUSE;
  }

  /** Moves the second watch of a clause to a literal that is not false, if there is one. */
  private boolean findWatch(int at) {
    for (int i = at + 3; i <= at + clauses[at]; i++) {
      if (valueOf(clauses[i]) != 0) {
        int literal = clauses[i];
        clauses[i] = clauses[at + 2];
        clauses[at + 2] = literal;
        addWatch(literal, at);
        return true;
      }
    }
    return false;
  }

  /** Learns the first unique implication point of a conflict, goes back and draws it. */
  private void learn(int conflict) {
    int n = 1;
    int open = 0;
    int at = assigned;
    int clause = conflict;
    int literal = -1;
    do {
      for (int i = clause + 1; i <= clause + clauses[clause]; i++) {
        int v = clauses[i] >> 1;
        if (clauses[i] == literal || seen[v] || depth[v] == 0) {
          continue;
        }
        seen[v] = true;
        raise(v);
        if (depth[v] == decisions) {
          open++;
        } else {
          learnt[n++] = clauses[i];
        }
      }
      do {
        literal = trail[--at];
      } while (!seen[literal >> 1]);
      clause = reason[literal >> 1];
      seen[literal >> 1] = false;
      open--;
    } while (open > 0);
    learnt[0] = literal ^ 1;
    int back = 0;
    for (int i = 1; i < n; i++) {
      seen[learnt[i] >> 1] = false;
      if (depth[learnt[i] >> 1] > back) {
        back = depth[learnt[i] >> 1];
        int swap = learnt[1];
        learnt[1] = learnt[i];
        learnt[i] = swap;
      }
    }
    undo(back);
    assign(learnt[0], n == 1 ? NO_CLAUSE : store(learnt, n));
    bump *= DECAY;
  }

  // ---- open variables by activity, then by number

  private void raise(int v) {
    activity[v] += bump;
    if (activity[v] > RESCALE) {
      for (int i = 0; i < variables; i++) {
        activity[i] /= RESCALE;
      }
      bump /= RESCALE;
    }
    if (heapAt[v] >= 0) {
      rise(heapAt[v]);
    }
  }

  private boolean before(int a, int b) {
    return activity[a] != activity[b] ? activity[a] > activity[b] : a < b;
  }

  private void push(int v) {
    if (heapAt[v] < 0) {
      heap[heapSize] = v;
      heapAt[v] = heapSize;
      rise(heapSize++);
    }
  }

  private int pop() {
    int v = heap[0];
    heapAt[v] = -1;
    int last = heap[--heapSize];
    if (heapSize > 0) {
      heap[0] = last;
      heapAt[last] = 0;
      sink(0);
    }
    return v;
  }

  private void rise(int from) {
    int v = heap[from];
    int i = from;
    while (i > 0 && before(v, heap[(i - 1) >> 1])) {
      heap[i] = heap[(i - 1) >> 1];
      heapAt[heap[i]] = i;
      i = (i - 1) >> 1;
    }
    heap[i] = v;
    heapAt[v] = i;
  }

  private void sink(int from) {
    int v = heap[from];
    int i = from;
    while (2 * i + 1 < heapSize) {
      int child = 2 * i + 1;
      if (child + 1 < heapSize && before(heap[child + 1], heap[child])) {
        child++;
      }
      if (!before(heap[child], v)) {
        break;
      }
      heap[i] = heap[child];
      heapAt[heap[i]] = i;
      i = child;
    }
    heap[i] = v;
    heapAt[v] = i;
  }
}
