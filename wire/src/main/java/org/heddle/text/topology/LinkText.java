package org.heddle.text.topology;

import java.util.Locale;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.text.Tokens;

/** How the tools of the field spell link width and speed. */
final class LinkText {
  private LinkText() {}

  /** Width and speed as ibnetdiscover prints them: {@code 4xHDR}, {@code ??} and {@code ???}. */
  static String join(LinkWidth width, LinkSpeed speed) {
    return (width == LinkWidth.UNKNOWN ? "??" : width.text())
        + (speed == LinkSpeed.UNKNOWN ? "???" : speed.name());
  }

  /** Width from {@code 4x}, {@code 4X} or {@code 4}; unknown if it is none. */
  static LinkWidth width(String text) {
    String digits =
        text.endsWith("x") || text.endsWith("X") ? text.substring(0, text.length() - 1) : text;
    int lanes = Tokens.number(digits);
    return lanes <= 0 ? LinkWidth.UNKNOWN : LinkWidth.ofLanes(lanes).orElse(LinkWidth.UNKNOWN);
  }

  /** Speed from a name ({@code FDR10}) or the signalling rate of a lane in Gbit/s. */
  static LinkSpeed speed(String text) {
    String bare = text.toUpperCase(Locale.ROOT);
    if (bare.endsWith("GBPS")) {
      bare = bare.substring(0, bare.length() - 4);
    }
    return switch (bare) {
      case "2.5" -> LinkSpeed.SDR;
      case "5", "5.0" -> LinkSpeed.DDR;
      case "10", "10.0" -> LinkSpeed.QDR;
      case "10.3125", "10.31" -> LinkSpeed.FDR10;
      case "14", "14.0625", "14.06" -> LinkSpeed.FDR;
      case "25", "25.78125", "25.78" -> LinkSpeed.EDR;
      case "50", "53.125" -> LinkSpeed.HDR;
      case "100", "106.25" -> LinkSpeed.NDR;
      case "200", "212.5" -> LinkSpeed.XDR;
      default -> LinkSpeed.ofName(bare).orElse(LinkSpeed.UNKNOWN);
    };
  }

  /** The widest width in a PortInfo bit mask: 1 = 1x, 2 = 4x, 4 = 8x, 8 = 12x, 16 = 2x. */
  static LinkWidth widthOfMask(int mask) {
    if ((mask & 8) != 0) {
      return LinkWidth.X12;
    }
    if ((mask & 4) != 0) {
      return LinkWidth.X8;
    }
    if ((mask & 2) != 0) {
      return LinkWidth.X4;
    }
    if ((mask & 16) != 0) {
      return LinkWidth.X2;
    }
    return (mask & 1) != 0 ? LinkWidth.X1 : LinkWidth.UNKNOWN;
  }

  /** The fastest speed in PortInfo bit masks: LinkSpeed 1, 2, 4; LinkSpeedExt 1, 2, 4, 8, 16. */
  static LinkSpeed speedOfMasks(int mask, int extended) {
    LinkSpeed[] ext = {LinkSpeed.FDR, LinkSpeed.EDR, LinkSpeed.HDR, LinkSpeed.NDR, LinkSpeed.XDR};
    for (int bit = ext.length - 1; bit >= 0; bit--) {
      if ((extended & 1 << bit) != 0) {
        return ext[bit];
      }
    }
    if ((mask & 4) != 0) {
      return LinkSpeed.QDR;
    }
    if ((mask & 2) != 0) {
      return LinkSpeed.DDR;
    }
    return (mask & 1) != 0 ? LinkSpeed.SDR : LinkSpeed.UNKNOWN;
  }
}
