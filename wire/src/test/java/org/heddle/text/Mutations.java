package org.heddle.text;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Damages files for tests: cuts, swaps, doubles and overwrites at random places. */
public final class Mutations {
  private Mutations() {}

  public static byte[] mutate(byte[] original, SplittableRandom random) {
    byte[] b = original;
    int edits = 1 + random.nextInt(4);
    for (int i = 0; i < edits && b.length > 1; i++) {
      int from = random.nextInt(b.length);
      int to = Math.min(b.length, from + 1 + random.nextInt(40));
      b =
          switch (random.nextInt(5)) {
            case 0 -> Arrays.copyOf(b, from);
            case 1 -> join(b, to, b, from, to, b, to);
            case 2 -> join(b, from, b, 0, 0, b, to);
            case 3 -> noise(b, from, to, random);
            default -> {
              int at = random.nextInt(b.length);
              yield join(b, at, b, from, to, b, at);
            }
          };
    }
    return b;
  }

  private static byte[] noise(byte[] b, int from, int to, SplittableRandom random) {
    byte[] out = b.clone();
    for (int i = from; i < to; i++) {
      out[i] =
          (byte)
              (random.nextInt(3) == 0
                  ? "\n\r\0;:=,#'0x \u001b-".charAt(random.nextInt(14))
                  : random.nextInt(256));
    }
    return out;
  }

  private static byte[] join(byte[] a, int aTo, byte[] b, int bFrom, int bTo, byte[] c, int cFrom) {
    byte[] out = Arrays.copyOf(a, aTo + bTo - bFrom + c.length - cFrom);
    System.arraycopy(b, bFrom, out, aTo, bTo - bFrom);
    System.arraycopy(c, cFrom, out, aTo + bTo - bFrom, c.length - cFrom);
    return out;
  }
}
