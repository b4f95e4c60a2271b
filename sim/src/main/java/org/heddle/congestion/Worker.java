package org.heddle.congestion;

import org.heddle.traffic.AllToAll;
import org.heddle.traffic.Flows;
import org.heddle.traffic.TrialRandom;

/**
 * Runs trials of a study on one thread: puts ranks on hosts, counts the flows on every channel
 * level by level, and weighs the flows of the measured group. Allocates nothing once its buffers
 * have seen the largest level.
 */
final class Worker {
  /** Flows of one pattern that are kept from trial to trial; more are made again. */
  private static final long KEPT = 1L << 22;

  private static final double[] INVERSE = new double[1024];

  static {
    for (int w = 1; w < INVERSE.length; w++) {
      INVERSE[w] = 1.0 / w;
    }
  }

  private final Study study;
  private final Routes routes;
  private final Part[] parts;
  private final int levels;
  private final int[] counts;
  private final int[] base; // load of groups that is the same in every level of every trial
  private final int[] weights; // by channel; the counts themselves where all links are equal
  private final Chains chains;
  private final Statistics statistics;
  private final boolean constant; // every trial gives the same
  private Statistics one; // what that is

  // of the trial that runs
  private int largest;
  private long arrived;
  private double inverse;
  private long lost;

  Worker(Study study) {
    this.study = study;
    routes = study.routes();
    parts = new Part[study.groups().size()];
    counts = new int[routes.channels()];
    weights = routes.channels.capacity.isUniform() ? counts : new int[counts.length];
    boolean same = true;
    for (int g = 0; g < parts.length; g++) {
      Group group = study.groups().get(g);
      parts[g] = new Part(group, g, study.settings());
      same &= parts[g].unchanging;
    }
    constant = same;
    levels = parts[0].levels;
    for (int g = 1; g < parts.length; g++) {
      if (parts[g].unchanging && parts[g].levels == 1) {
        parts[g].count(0);
        parts[g].inBase = true;
      }
    }
    base = counts.clone();
    int limit = study.settings().delayRanks();
    int ranks = parts[0].group.ranks();
    chains = study.settings().delays() ? new Chains(ranks, limit == 0 ? ranks : limit) : null;
    statistics = new Statistics(study.settings().channels() ? routes.channels() : 0);
  }

  /** What all trials so far gave. */
  Statistics statistics() {
    return statistics;
  }

  /** Runs trials number {@code from} to {@code to - 1}. */
  void run(long from, long to) {
    if (constant && to - from > 1) {
      if (one == null) {
        Worker worker = new Worker(study);
        worker.trial(from);
        one = worker.statistics;
      }
      statistics.add(one, to - from);
      return;
    }
    for (long t = from; t < to; t++) {
      trial(t);
    }
  }

  private void trial(long trial) {
    for (Part part : parts) {
      part.start(trial);
    }
    arrived = 0;
    inverse = 0;
    lost = 0;
    int sum = 0;
    if (chains != null) {
      chains.startTrial();
    }
    for (int level = 0; level < levels; level++) {
      sum += level(level);
    }
    int delay = chains == null ? -1 : chains.longest();
    statistics.trial(sum, delay, arrived, inverse, lost);
  }

  /** One level; the counts are as in the base before and after. */
  private int level(int level) {
    for (Part part : parts) {
      if (!part.inBase) {
        part.count(level);
      }
    }
    largest = 0;
    if (chains != null) {
      chains.startLevel();
    }
    if (weights != counts) {
      routes.channels.capacity.weigh(counts, weights);
    }
    parts[0].weigh();
    if (study.settings().channels()) {
      statistics.channels(counts);
    }
    reset();
    return largest;
  }

  private void reset() {
    long touched = 0;
    for (Part part : parts) {
      touched += part.inBase ? 0 : part.lastSize;
    }
    if (touched * 32 > counts.length) {
      System.arraycopy(base, 0, counts, 0, counts.length);
      return;
    }
    for (Part part : parts) {
      if (!part.inBase) {
        part.reset();
      }
    }
  }

  /** One group with its ranks on hosts. */
  private final class Part {
    private final Group group;
    private final int number;
    private final boolean shuffle;
    private final boolean unchanging;
    private final int levels;
    private final int[] host; // by rank, in this trial
    private final TrialRandom random = new TrialRandom();
    private final Flows[] kept; // by level; null if flows are made in every level
    private final Flows made;
    private final CompleteExchange complete; // not null if flows are not made one by one
    private Flows current;
    private long lastSize;
    private boolean inBase;

    Part(Group group, int number, Study.Settings settings) {
      this.group = group;
      this.number = number;
      int ranks = group.ranks();
      shuffle = settings.shuffle() && !group.fixed();
      unchanging = !shuffle && !group.pattern().random();
      levels = group.pattern().levels(ranks);
      host = group.hosts().clone();
      long all = 0;
      long most = 0;
      for (int l = 0; l < levels; l++) {
        long size = group.pattern().size(ranks, l);
        all += size;
        most = Math.max(most, size);
      }
      complete = group.pattern() instanceof AllToAll ? new CompleteExchange(routes, ranks) : null;
      boolean keep = complete == null && !group.pattern().random() && all <= KEPT;
      kept = keep ? keep(ranks) : null;
      made = keep || complete != null ? null : new Flows((int) most);
      if (complete != null) {
        complete.place(host);
      }
    }

    private Flows[] keep(int ranks) {
      Flows[] out = new Flows[levels];
      for (int l = 0; l < levels; l++) {
        out[l] = new Flows((int) group.pattern().size(ranks, l));
        group.pattern().flows(ranks, l, random, out[l]);
      }
      return out;
    }

    void start(long trial) {
      if (inBase) {
        return;
      }
      random.start(study.settings().seed(), trial, number);
      if (shuffle) {
        System.arraycopy(group.hosts(), 0, host, 0, host.length);
        random.shuffle(host, host.length, group.ranks());
        if (complete != null) {
          complete.place(host);
        }
      }
    }

    void count(int level) {
      if (levels == 0) {
        current = null;
        lastSize = 0;
        return;
      }
      int l = level % levels;
      if (complete != null) {
        complete.count(counts);
        lastSize = counts.length;
        return;
      }
      if (kept != null) {
        current = kept[l];
      } else {
        made.clear();
        group.pattern().flows(group.ranks(), l, random, made);
        current = made;
      }
      lastSize = current.count();
      count(current);
    }

    private void count(Flows flows) {
      int[] c = counts;
      int n = routes.size();
      int size = flows.count();
      for (int f = 0; f < size; f++) {
        int from = host[flows.from(f)];
        int to = host[flows.to(f)];
        int r = routes.rowOf[from];
        int[] row = routes.rows[r];
        int stride = routes.stride[r];
        int at = to * stride;
        if (row[at] == Routes.LOST) {
          continue;
        }
        c[from]++;
        c[n + to]++;
        for (int end = at + stride; at < end; at++) {
          int channel = row[at];
          if (channel < 0) {
            break;
          }
          c[channel]++;
        }
      }
    }

    void weigh() {
      if (complete != null) {
        complete.weigh(weights, chains == null ? 0 : chains.limit(), statistics);
        largest = Math.max(largest, complete.largest());
        inverse += complete.inverse();
        arrived += complete.arrived();
        lost += complete.lost();
        if (chains != null) {
          chains.only(complete.delay());
        }
      } else if (current != null) {
        weigh(current);
      }
    }

    private void weigh(Flows flows) {
      int[] c = weights;
      int n = routes.size();
      int size = flows.count();
      int most = largest;
      double sum = 0;
      int missing = 0;
      for (int f = 0; f < size; f++) {
        int from = host[flows.from(f)];
        int to = host[flows.to(f)];
        int r = routes.rowOf[from];
        int[] row = routes.rows[r];
        int stride = routes.stride[r];
        int at = to * stride;
        if (row[at] == Routes.LOST) {
          missing++;
          continue;
        }
        int w = Math.max(c[from], c[n + to]);
        for (int end = at + stride; at < end; at++) {
          int channel = row[at];
          if (channel < 0) {
            break;
          }
          w = Math.max(w, c[channel]);
        }
        statistics.weight(w);
        most = Math.max(most, w);
        sum += w < INVERSE.length ? INVERSE[w] : 1.0 / w;
        if (chains != null) {
          chains.flow(flows.from(f), flows.to(f), w);
        }
      }
      largest = most;
      inverse += sum;
      arrived += size - missing;
      lost += missing;
    }

    /** Puts the channels of the flows just counted back to the base. */
    void reset() {
      if (current == null) {
        return;
      }
      int n = routes.size();
      for (int f = 0; f < current.count(); f++) {
        int from = host[current.from(f)];
        int to = host[current.to(f)];
        counts[from] = base[from];
        counts[n + to] = base[n + to];
        int r = routes.rowOf[from];
        int stride = routes.stride[r];
        for (int k = to * stride; k < (to + 1) * stride && routes.rows[r][k] >= 0; k++) {
          counts[routes.rows[r][k]] = base[routes.rows[r][k]];
        }
      }
    }
  }
}
