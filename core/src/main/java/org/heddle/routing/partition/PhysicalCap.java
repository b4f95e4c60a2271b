package org.heddle.routing.partition;

import java.util.Locale;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.tenancy.Tenancy;

/**
 * The cap on physically isolated partitions ({@link Tenancy.Rules#physicalShare}), in channels: the
 * channels between switches that the routes inside of these partitions take, both directions of a
 * cable counted, as a share of all channels between switches of the fabric. Immutable.
 */
final class PhysicalCap {
  private final int all;
  private final double share;

  PhysicalCap(Fabric fabric, Tenancy tenancy) {
    int count = 0;
    for (int s = 0; s < fabric.switchCount(); s++) {
      for (int number = 1; number <= fabric.portCount(s); number++) {
        int peer = fabric.peerNode(fabric.port(s, number));
        count += peer != Fabric.NONE && fabric.isSwitch(peer) ? 1 : 0;
      }
    }
    all = count;
    share = tenancy.rules().physicalShare();
  }

  /** The largest number of channels allowed. A share such as 0.29 of 100 means 29, not 28. */
  int most() {
    return (int) Math.floor(share * all + 1e-9 * all);
  }

  String sentence(int taken) {
    return String.format(
        Locale.ROOT,
        "physical isolation takes %d of %s between switches, %.1f%%; the rules allow" + " %.1f%%",
        taken,
        Counted.of(all, "channel", "channels"),
        100.0 * taken / Math.max(1, all),
        100 * share);
  }
}
