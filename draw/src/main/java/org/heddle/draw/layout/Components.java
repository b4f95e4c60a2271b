package org.heddle.draw.layout;

import java.util.Arrays;

/**
 * Union-find over switches with numbered results: components are numbered by their smallest member
 * in a given order, so numbers do not depend on the order of the unions.
 */
final class Components {
  private final int[] parent;

  Components(int size) {
    parent = new int[size];
    Arrays.setAll(parent, i -> i);
  }

  void join(int a, int b) {
    int x = find(a);
    int y = find(b);
    parent[Math.max(x, y)] = Math.min(x, y);
  }

  private int find(int a) {
    int x = a;
    while (parent[x] != x) {
      parent[x] = parent[parent[x]];
      x = parent[x];
    }
    return x;
  }

  /**
   * Component number by element, from 0 in the order in which {@code order} meets them; -1 for
   * elements that {@code order} does not hold.
   */
  int[] numbers(int[] order) {
    int[] number = new int[parent.length];
    Arrays.fill(number, -1);
    int[] ofRoot = new int[parent.length];
    Arrays.fill(ofRoot, -1);
    int next = 0;
    for (int a : order) {
      int root = find(a);
      if (ofRoot[root] < 0) {
        ofRoot[root] = next++;
      }
      number[a] = ofRoot[root];
    }
    return number;
  }
}
