package org.heddle.cli.apply;

import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;

/**
 * Rates as InfiniBand codes them for multicast groups and paths (IBA 15.2.5.16, and OpenSM's {@code
 * ib_types.h} for the later ones): a number for the product of width and speed.
 */
final class GroupRates {
  private static final String[] GIGABITS = {
    "", "", "2.5", "10", "30", "5", "20", "40", "60", "80", "120", "14", "56", "112", "168", "25",
    "100", "200", "300", "28", "50", "400", "600", "800", "1200"
  };

  /** Data rates in Mbit/s after line coding, as {@code Fabric.linkMegabits} has them. */
  private static final int[] MEGABITS = {
    0,
    0,
    rate(LinkWidth.X1, LinkSpeed.SDR),
    rate(LinkWidth.X4, LinkSpeed.SDR),
    rate(LinkWidth.X12, LinkSpeed.SDR),
    rate(LinkWidth.X1, LinkSpeed.DDR),
    rate(LinkWidth.X4, LinkSpeed.DDR),
    rate(LinkWidth.X4, LinkSpeed.QDR),
    rate(LinkWidth.X12, LinkSpeed.DDR),
    rate(LinkWidth.X8, LinkSpeed.QDR),
    rate(LinkWidth.X12, LinkSpeed.QDR),
    rate(LinkWidth.X1, LinkSpeed.FDR),
    rate(LinkWidth.X4, LinkSpeed.FDR),
    rate(LinkWidth.X8, LinkSpeed.FDR),
    rate(LinkWidth.X12, LinkSpeed.FDR),
    rate(LinkWidth.X1, LinkSpeed.EDR),
    rate(LinkWidth.X4, LinkSpeed.EDR),
    rate(LinkWidth.X8, LinkSpeed.EDR),
    rate(LinkWidth.X12, LinkSpeed.EDR),
    rate(LinkWidth.X2, LinkSpeed.FDR),
    rate(LinkWidth.X1, LinkSpeed.HDR),
    rate(LinkWidth.X8, LinkSpeed.HDR),
    rate(LinkWidth.X12, LinkSpeed.HDR),
    rate(LinkWidth.X8, LinkSpeed.NDR),
    rate(LinkWidth.X12, LinkSpeed.NDR)
  };

  private GroupRates() {}

  private static int rate(LinkWidth width, LinkSpeed speed) {
    return width.lanes() * speed.laneMegabits();
  }

  /** The data rate of a code, in Mbit/s; 0 for a code that is none. */
  static int megabits(int code) {
    return code < 0 || code >= MEGABITS.length ? 0 : MEGABITS[code];
  }

  /** {@code rate 16 (100 Gbit/s)}. */
  static String text(int code) {
    boolean known = megabits(code) > 0;
    return "rate " + code + (known ? " (" + GIGABITS[code] + " Gbit/s)" : "");
  }
}
