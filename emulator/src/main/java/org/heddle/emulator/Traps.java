package org.heddle.emulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.NodeType;
import org.heddle.mad.AttributeId;
import org.heddle.mad.MadMethod;
import org.heddle.mad.Notice;
import org.heddle.mad.PortInfo;
import org.heddle.mad.Smp;

/**
 * Traps: datagrams to the port's subnet manager, repeated as long as nobody says TrapRepress
 * (section 13.4.9). The time between two is the port's SubnetTimeOut, 4.096 us * 2^code. A trap
 * that is under way and says the same is not raised a second time. Without the LID of a manager or
 * of its own a port has nobody to tell, and is silent.
 */
final class Traps {
  private static final int TYPE_URGENT = 1;
  private static final int TYPE_SECURITY = 2;
  private static final int TYPE_INFORMATIONAL = 4;
  private static final int FIRST_OF_KEYS = Notice.BAD_M_KEY;

  /** From here on the details of a notice: issuer and count do not make it another one. */
  private static final int DETAILS = 10;

  private final Fabric fabric;
  private final Ports ports;
  private final LongSupplier clockNs;
  private final List<Pending> pending = new ArrayList<>();
  private final List<Pending> due = new ArrayList<>();
  private Consumer<Pending> sender = _ -> {};
  private int sequence;

  /** A trap that nobody has repressed yet. */
  static final class Pending {
    final int home;
    final Smp smp;
    private long nextNs;

    Pending(int home, Smp smp) {
      this.home = home;
      this.smp = smp;
    }

    private int number() {
      return new Notice().wrap(smp).trapNumber();
    }

    private boolean saysTheSame(Pending other) {
      return home == other.home
          && number() == other.number()
          && Arrays.equals(
              smp.buffer(),
              Smp.DATA + DETAILS,
              Smp.DATA + Smp.DATA_SIZE,
              other.smp.buffer(),
              Smp.DATA + DETAILS,
              Smp.DATA + Smp.DATA_SIZE);
    }
  }

  Traps(Fabric fabric, Ports ports, LongSupplier clockNs) {
    this.fabric = fabric;
    this.ports = ports;
    this.clockNs = clockNs;
  }

  void onSend(Consumer<Pending> carrier) {
    sender = carrier;
  }

  /**
   * Raises a trap; it is sent by the next {@link #run}.
   *
   * @param home port 0 of a switch, a port of another node
   * @param details fills what the number of the trap asks for
   */
  void raise(int home, int number, Consumer<Notice> details) {
    if (ports.info(home).masterSmLid() == 0 || ports.info(home).lid() == 0) {
      return;
    }
    Smp smp = Smp.allocate();
    smp.toLidRequest(MadMethod.TRAP, AttributeId.NOTICE, 0);
    Notice notice = new Notice().wrap(smp);
    notice.type(
        true,
        number >= FIRST_OF_KEYS
            ? TYPE_SECURITY
            : number == Notice.LOCAL_CHANGES ? TYPE_INFORMATIONAL : TYPE_URGENT);
    notice.producer(producer(fabric.nodeType(fabric.nodeOf(home))));
    notice.trapNumber(number);
    notice.issuerLid(ports.info(home).lid());
    details.accept(notice);
    Pending trap = new Pending(home, smp);
    if (pending.stream().anyMatch(trap::saysTheSame)) {
      return;
    }
    sequence = sequence == Integer.MAX_VALUE ? 1 : sequence + 1;
    smp.transactionId(sequence);
    trap.nextNs = clockNs.getAsLong();
    pending.add(trap);
  }

  private static int producer(NodeType type) {
    return switch (type) {
      case CA -> 1;
      case SWITCH -> 2;
      case ROUTER -> 3;
    };
  }

  /** Sends what is due, for the first time or again. */
  void run() {
    long now = clockNs.getAsLong();
    due.clear();
    for (Pending trap : pending) {
      if (trap.nextNs - now <= 0) {
        due.add(trap);
      }
    }
    for (Pending trap : due) {
      PortInfo info = ports.info(trap.home);
      trap.nextNs = now + (4_096L << info.subnetTimeout());
      sender.accept(trap);
    }
  }

  /** When there is something to send; {@link Long#MAX_VALUE} for never. */
  long nextNs() {
    long next = Long.MAX_VALUE;
    for (Pending trap : pending) {
      next = Math.min(next, trap.nextNs);
    }
    return next;
  }

  /** Traps that nobody has repressed. */
  int count() {
    return pending.size();
  }

  /** A TrapRepress has come; true if it was for a trap of this port. */
  boolean repress(int home, long transactionId) {
    return pending.removeIf(
        t -> t.home == home && (int) t.smp.transactionId() == (int) transactionId);
  }

  /** Forgets a port's traps, with the power of its node. */
  void forget(int home) {
    pending.removeIf(t -> t.home == home);
  }
}
