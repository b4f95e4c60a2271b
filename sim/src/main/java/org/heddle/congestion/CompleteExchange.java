package org.heddle.congestion;

import java.util.Arrays;

/**
 * The all-to-all pattern of a group: what senders at one switch send to one receiver takes the same
 * channels, so it is counted and weighed together instead of message by message. Not thread-safe.
 */
final class CompleteExchange {
  private final Routes routes;
  private final int[] row; // rows with senders
  private final int[] start; // by index of row, and one more
  private final int[] senders; // ranks, row by row
  private final int[] next; // by row: where its next sender goes
  private int[] host; // by rank
  private int rows;

  // of the last weighing
  private int largest;
  private int delay;
  private long arrived;
  private long lost;
  private double inverse;

  CompleteExchange(Routes routes, int ranks) {
    this.routes = routes;
    row = new int[routes.rows.length];
    next = new int[routes.rows.length];
    start = new int[routes.rows.length + 1];
    senders = new int[ranks];
  }

  /**
   * Puts ranks on hosts.
   *
   * @param host by rank; not to be changed before the next placement
   */
  void place(int[] host) {
    this.host = host;
    Arrays.fill(next, 0);
    for (int rank = 0; rank < senders.length; rank++) {
      next[routes.rowOf[host[rank]]]++;
    }
    rows = 0;
    int at = 0;
    for (int r = 0; r < next.length; r++) {
      if (next[r] > 0) {
        row[rows] = r;
        start[rows++] = at;
        at += next[r];
        next[r] = start[rows - 1];
      }
    }
    start[rows] = at;
    for (int rank = 0; rank < senders.length; rank++) {
      senders[next[routes.rowOf[host[rank]]]++] = rank;
    }
  }

  /** Adds the messages to the channels. */
  void count(int[] counts) {
    int n = routes.size();
    for (int rank = 0; rank < senders.length; rank++) {
      int to = host[rank];
      for (int i = 0; i < rows; i++) {
        int r = row[i];
        int[] channels = routes.rows[r];
        int at = to * routes.stride[r];
        int members = start[i + 1] - start[i];
        int flows = members - (routes.rowOf[to] == r ? 1 : 0);
        if (channels[at] == Routes.LOST) {
          continue;
        }
        counts[n + to] += flows;
        for (int end = at + routes.stride[r]; at < end && channels[at] >= 0; at++) {
          counts[channels[at]] += flows;
        }
      }
    }
    for (int rank = 0; rank < senders.length; rank++) {
      counts[host[rank]] += senders.length - 1;
    }
    for (int rank = 0; rank < senders.length && routes.lost() > 0; rank++) {
      takeLost(counts, rank);
    }
  }

  private void takeLost(int[] counts, int to) {
    for (int from = 0; from < senders.length; from++) {
      counts[host[from]] -= routes.arrives(host[from], host[to]) ? 0 : 1;
    }
  }

  /**
   * Weighs the messages.
   *
   * @param counts weights of all channels, these messages included
   * @param limit only messages between ranks below enter {@link #delay}
   */
  void weigh(int[] counts, int limit, Statistics statistics) {
    largest = 0;
    delay = 0;
    arrived = 0;
    lost = 0;
    inverse = 0;
    for (int rank = 0; rank < senders.length; rank++) {
      for (int i = 0; i < rows; i++) {
        weigh(counts, limit, statistics, rank, i);
      }
    }
  }

  private void weigh(int[] counts, int limit, Statistics statistics, int to, int index) {
    int r = row[index];
    int[] channels = routes.rows[r];
    int target = host[to];
    int at = target * routes.stride[r];
    boolean own = routes.rowOf[target] == r;
    if (channels[at] == Routes.LOST) {
      lost += start[index + 1] - start[index] - (own ? 1 : 0);
      return;
    }
    int most = counts[routes.size() + target];
    for (int end = at + routes.stride[r]; at < end && channels[at] >= 0; at++) {
      most = Math.max(most, counts[channels[at]]);
    }
    for (int k = start[index]; k < start[index + 1]; k++) {
      int from = senders[k];
      if (from == to) {
        continue;
      }
      int weight = Math.max(most, counts[host[from]]);
      statistics.weight(weight);
      largest = Math.max(largest, weight);
      inverse += 1.0 / weight;
      arrived++;
      if (from < limit && to < limit) {
        delay = Math.max(delay, weight);
      }
    }
  }

  int largest() {
    return largest;
  }

  /** Longest chain of messages: there is one level, so it is the largest weight. */
  int delay() {
    return delay;
  }

  long arrived() {
    return arrived;
  }

  long lost() {
    return lost;
  }

  double inverse() {
    return inverse;
  }
}
