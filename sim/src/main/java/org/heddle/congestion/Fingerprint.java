package org.heddle.congestion;

/**
 * A number that differs between routes that differ, or the rates of links, up to chance: runs with
 * the same number may be merged. A sum over pairs of a source row and an endport, so that it does
 * not matter in which order they are looked at. A way is mixed from its last channel to its first,
 * so that ways that end alike share the work.
 */
final class Fingerprint {
  /** A way without channels between switches. */
  static final long ARRIVED = 1;

  private static final long LOST = 0x5851f42d4c957f2dL;

  private long sum;

  /** Starts with endports and channels, and what these carry. */
  Fingerprint(Channels channels) {
    long h = channels.endports.length;
    for (int port : channels.endports) {
      h = mix(h, port);
    }
    for (int port : channels.portOfChannel) {
      h = mix(h, port);
    }
    h = channels.capacity.mixedInto(h);
    sum = h;
  }

  /** A way with one more channel before it. */
  static long before(int channel, long way) {
    return mix(way, channel);
  }

  /** Adds a way that arrives. */
  void add(int row, int destination, long way) {
    sum += mix(mix(way, row), destination);
  }

  /** Adds one that does not. */
  void addLost(int row, int destination) {
    add(row, destination, LOST);
  }

  long value() {
    return sum;
  }

  static long mix(long h, long v) {
    long x = (h ^ v) * 0x9e3779b97f4a7c15L;
    x = (x ^ x >>> 29) * 0xbf58476d1ce4e5b9L;
    return x ^ x >>> 32;
  }
}
