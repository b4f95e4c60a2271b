package org.heddle.fabric;

import java.util.Optional;

/** Active width of a link, in lanes. Split ports of HDR and later switches run at 2x. */
public enum LinkWidth {
  UNKNOWN(0),
  X1(1),
  X2(2),
  X4(4),
  X8(8),
  X12(12);

  private final int lanes;

  LinkWidth(int lanes) {
    this.lanes = lanes;
  }

  /** Number of lanes; 0 for {@link #UNKNOWN}. */
  public int lanes() {
    return lanes;
  }

  /** The width as the InfiniBand tools print it ({@code 4x}), {@code ?x} when unknown. */
  public String text() {
    return this == UNKNOWN ? "?x" : lanes + "x";
  }

  /** The width of that many lanes, or empty if no such width exists. */
  public static Optional<LinkWidth> ofLanes(int lanes) {
    for (LinkWidth width : values()) {
      if (width != UNKNOWN && width.lanes == lanes) {
        return Optional.of(width);
      }
    }
    return Optional.empty();
  }
}
