package org.heddle.smp.discover;

import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.mad.PortInfo;

/** Width and speed from the codes of PortInfo. */
final class LinkRates {
  private LinkRates() {}

  /** The active width. */
  static LinkWidth width(PortInfo info) {
    return switch (info.linkWidthActive()) {
      case 1 -> LinkWidth.X1;
      case 2 -> LinkWidth.X4;
      case 4 -> LinkWidth.X8;
      case 8 -> LinkWidth.X12;
      case 16 -> LinkWidth.X2;
      default -> LinkWidth.UNKNOWN;
    };
  }

  /**
   * The active speed.
   *
   * @param extended true if the node knows extended speeds; a switch says so at port 0 only
   */
  static LinkSpeed speed(PortInfo info, boolean extended) {
    if (extended && info.linkSpeedExtActive() != 0) {
      return switch (info.linkSpeedExtActive()) {
        case 1 -> LinkSpeed.FDR;
        case 2 -> LinkSpeed.EDR;
        case 4 -> LinkSpeed.HDR;
        case 8 -> LinkSpeed.NDR;
        default -> LinkSpeed.UNKNOWN;
      };
    }
    return switch (info.linkSpeedActive()) {
      case 1 -> LinkSpeed.SDR;
      case 2 -> LinkSpeed.DDR;
      case 4 -> LinkSpeed.QDR;
      default -> LinkSpeed.UNKNOWN;
    };
  }
}
