package org.heddle.emulator;

import java.util.ArrayDeque;
import org.heddle.mad.MadHeader;
import org.heddle.mad.TransactionId;
import org.heddle.smp.transport.SmpTransport;

/**
 * The way into an emulated subnet without sockets, for Heddle's own clients in the same thread.
 * Waiting moves the virtual clock to the next event, and does what is due then; it never sleeps.
 */
public final class EmulatorTransport implements SmpTransport {
  private final Emulator emulator;
  private final VirtualClock clock;
  private final Attachment attachment;
  private final ArrayDeque<Packet> arrived = new ArrayDeque<>();

  /**
   * Attaches to a port.
   *
   * @param clock the one that the emulator was made with
   * @param port an adapter's port, or port 0 of a switch
   * @param manager true to get traps, as the port's subnet manager
   */
  public EmulatorTransport(Emulator emulator, VirtualClock clock, int port, boolean manager) {
    this.emulator = emulator;
    this.clock = clock;
    this.attachment = emulator.attach(port, arrived::add);
    if (manager) {
      emulator.manage(attachment, true);
    }
  }

  @Override
  public void send(byte[] mad, int lid, int timeoutMs) {
    emulator.send(attachment, new Packet(mad.clone(), lid));
  }

  @Override
  public Arrival receive(byte[] mad, long timeoutNs) {
    long now = clock.getAsLong();
    long end = timeoutNs > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + timeoutNs;
    while (arrived.isEmpty()) {
      long next = emulator.nextNs();
      if (next > end || next == Long.MAX_VALUE) {
        if (end == Long.MAX_VALUE) {
          throw new IllegalStateException("nothing will ever arrive");
        }
        clock.advanceTo(end);
        return Arrival.NOTHING;
      }
      clock.advanceTo(next);
      emulator.run();
    }
    Packet packet = arrived.poll();
    System.arraycopy(packet.mad, 0, mad, 0, MadHeader.MAD_SIZE);
    return packet.undelivered ? Arrival.UNDELIVERED : Arrival.DATAGRAM;
  }

  @Override
  public int safeWindow() {
    return TransactionId.SLOTS;
  }

  @Override
  public String description() {
    return "the emulated subnet";
  }

  @Override
  public void close() {
    emulator.detach(attachment);
  }
}
