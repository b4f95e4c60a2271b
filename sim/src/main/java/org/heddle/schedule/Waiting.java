package org.heddle.schedule;

/** The queue: requests by index, linked, so that one in the middle can leave in O(1). */
final class Waiting {
  static final int NONE = -1;

  private final int[] next;
  private final int[] previous;
  private int first = NONE;
  private int last = NONE;
  private int count;

  Waiting(int requests) {
    next = new int[requests];
    previous = new int[requests];
  }

  void add(int request) {
    next[request] = NONE;
    previous[request] = last;
    if (last == NONE) {
      first = request;
    } else {
      next[last] = request;
    }
    last = request;
    count++;
  }

  void remove(int request) {
    int before = previous[request];
    int after = next[request];
    if (before == NONE) {
      first = after;
    } else {
      next[before] = after;
    }
    if (after == NONE) {
      last = before;
    } else {
      previous[after] = before;
    }
    count--;
  }

  int first() {
    return first;
  }

  int after(int request) {
    return next[request];
  }

  int count() {
    return count;
  }

  boolean isEmpty() {
    return count == 0;
  }
}
