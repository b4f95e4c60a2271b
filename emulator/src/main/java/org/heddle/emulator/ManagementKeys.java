package org.heddle.emulator;

import java.util.Arrays;
import java.util.function.LongSupplier;
import org.heddle.mad.MadMethod;
import org.heddle.mad.Notice;
import org.heddle.mad.PortInfo;
import org.heddle.mad.Smp;

/**
 * Who may manage a port (section 14.2.4): whoever has its M_Key. Adapters have one a port, switches
 * one. With another key a Set gets no answer, nor does a Get from protection level 2 on; that
 * starts the lease, and when it ends without somebody who has the key, the level falls to 0.
 */
final class ManagementKeys {
  private static final long NS_PER_S = 1_000_000_000L;
  private static final long NOT_RUNNING = Long.MAX_VALUE;

  /** What a datagram may do. */
  enum Access {
    /** All. */
    FULL,
    /** Read, but not the key. */
    WITHOUT_KEY,
    /** Nothing: there is no answer. */
    NONE
  }

  private final Ports ports;
  private final Traps traps;
  private final LongSupplier clockNs;
  private final long[] leaseEndNs; // by port

  ManagementKeys(Ports ports, int portLimit, Traps traps, LongSupplier clockNs) {
    this.ports = ports;
    this.traps = traps;
    this.clockNs = clockNs;
    this.leaseEndNs = new long[portLimit];
    Arrays.fill(leaseEndNs, NOT_RUNNING);
  }

  /** Forgets a lease, with the power of the node. */
  void reset(int port) {
    leaseEndNs[port] = NOT_RUNNING;
  }

  /** Lets a lease that is over take its effect. */
  void settle(int home) {
    if (leaseEndNs[home] != NOT_RUNNING && clockNs.getAsLong() - leaseEndNs[home] >= 0) {
      leaseEndNs[home] = NOT_RUNNING;
      ports.info(home).mKeyProtectBits(0);
    }
  }

  /**
   * Decides, counts a violation and reports it.
   *
   * @param home the port that has the key
   * @param slid who asks, for the trap
   */
  Access check(int home, Smp smp, int slid) {
    settle(home);
    PortInfo info = ports.info(home);
    if (info.mKey() == 0) {
      return Access.FULL;
    }
    if (info.mKey() == smp.mKey()) {
      leaseEndNs[home] = NOT_RUNNING;
      return Access.FULL;
    }
    int level = info.mKeyProtectBits();
    if (smp.method() == MadMethod.GET && level < 2) {
      return level == 0 ? Access.FULL : Access.WITHOUT_KEY;
    }
    info.mKeyViolations(Math.min(0xffff, info.mKeyViolations() + 1));
    if (leaseEndNs[home] == NOT_RUNNING && info.mKeyLeasePeriod() > 0) {
      leaseEndNs[home] = clockNs.getAsLong() + info.mKeyLeasePeriod() * NS_PER_S;
    }
    int from = smp.isDirected() ? smp.drSlid() : slid;
    traps.raise(
        home,
        Notice.BAD_M_KEY,
        notice -> {
          notice.subjectLid(slid);
          notice.refused(
              from, smp.method(), smp.attributeId(), smp.attributeModifier(), smp.mKey());
        });
    return Access.NONE;
  }
}
