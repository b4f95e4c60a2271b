package org.heddle.traffic;

/**
 * Nearest neighbours on a 2-D or 3-D torus, all messages at the same time: rank (z * ny + y) * nx +
 * x sends to both neighbours in every dimension; along a dimension of length 2 there is one, of
 * length 1 none. Ranks beyond the grid stay silent.
 *
 * @param nx length of the first dimension, 0 if the grid is to be as square as the number of ranks
 *     allows
 * @param ny of the second
 * @param nz of the third; 1 in two dimensions
 * @param dimensions 2 or 3
 */
public record Stencil(int nx, int ny, int nz, int dimensions) implements TrafficPattern {
  /** A grid of that shape; for two dimensions nz is 1. */
  public Stencil {
    boolean fitted = nx == 0 && ny == 0 && nz == 0;
    boolean shaped = nx > 0 && ny > 0 && nz > 0 && (long) nx * ny * nz <= 1 << 24;
    if (dimensions < 2 || dimensions > 3 || !fitted && !shaped || dimensions == 2 && nz > 1) {
      throw new IllegalArgumentException("a stencil has 2 or 3 dimensions, such as 16x18, 8x8x4");
    }
  }

  /** A grid that fits the number of ranks. */
  public static Stencil fitted(int dimensions) {
    return new Stencil(0, 0, 0, dimensions);
  }

  @Override
  public String name() {
    String shape = nx == 0 ? "" : ":" + nx + "x" + ny + (dimensions == 3 ? "x" + nz : "");
    return "stencil" + dimensions + "d" + shape;
  }

  @Override
  public String refusal(int ranks) {
    return (long) nx * ny * nz > ranks
        ? name() + " needs " + (long) nx * ny * nz + " ranks, there are " + ranks
        : "";
  }

  /** The grid for so many ranks: largest divisors first, the longest dimension last. */
  private int[] shape(int ranks) {
    if (nx > 0) {
      return new int[] {nx, ny, nz};
    }
    if (dimensions == 2) {
      int a = divisor(ranks, Math.sqrt(ranks));
      return new int[] {a, ranks / a, 1};
    }
    int a = divisor(ranks, Math.cbrt(ranks));
    int b = divisor(ranks / a, Math.sqrt(ranks / a));
    return new int[] {a, b, ranks / a / b};
  }

  /** The largest divisor not above a limit. */
  private static int divisor(int n, double limit) {
    int d = Math.max(1, (int) (limit + 1e-9));
    while (n % d != 0) {
      d--;
    }
    return d;
  }

  @Override
  public long size(int ranks, int level) {
    if (ranks < 2) {
      return 0;
    }
    int[] n = shape(ranks);
    long each = 0;
    for (int length : n) {
      each += Math.min(2, length - 1);
    }
    return each * n[0] * n[1] * n[2];
  }

  @Override
  public void flows(int ranks, int level, TrialRandom random, Flows out) {
    if (ranks < 2) {
      return;
    }
    int[] n = shape(ranks);
    int[] stride = {1, n[0], n[0] * n[1]};
    int cells = n[0] * n[1] * n[2];
    for (int r = 0; r < cells; r++) {
      for (int d = 0; d < 3; d++) {
        int at = r / stride[d] % n[d];
        if (n[d] > 1) {
          out.add(r, r + (at + 1 == n[d] ? 1 - n[d] : 1) * stride[d]);
        }
        if (n[d] > 2) {
          out.add(r, r + (at == 0 ? n[d] - 1 : -1) * stride[d]);
        }
      }
    }
  }
}
