package org.heddle.draw.layout;

/** How much of a fabric is spelled out; chosen by size so that every picture stays readable. */
public enum Detail {
  /** Every host and switch named, every cable with a tooltip. */
  NAMED,
  /** Every host a square, names where they fit, tooltips for all. */
  DETAILED,
  /** Hosts as one block a leaf and colour; links gathered by colour, upper ones bundled. */
  BULK;

  public static Detail of(int switches, int endports, int strands) {
    if (endports <= 130 && switches <= 90 && strands <= 700) {
      return NAMED;
    }
    return endports <= 3_000 && strands <= 5_000 ? DETAILED : BULK;
  }
}
