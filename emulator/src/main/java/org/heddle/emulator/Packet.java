package org.heddle.emulator;

import org.heddle.mad.MadHeader;

/**
 * A datagram with its addresses. Mutable, but not changed by the emulator after it was delivered.
 */
public final class Packet {
  /** The LID that stands for a directed route. */
  public static final int DIRECTED = 0xffff;

  /** The datagram: 256 bytes, or more if a program of class 3 sends a whole message. */
  public final byte[] mad;

  /** LID it goes to, or {@link #DIRECTED}. */
  public int dlid;

  /** LID it comes from; 0 when sent: that of the sender's port. */
  public int slid;

  /** Queue pairs it goes to and comes from. */
  public int dqp;

  public int sqp;

  /** True if this is the receiver's own request, which got no answer. */
  public boolean undelivered;

  public Packet(byte[] mad, int dlid) {
    if (mad.length < MadHeader.MAD_SIZE) {
      throw new IllegalArgumentException("a datagram of " + mad.length + " bytes");
    }
    this.mad = mad;
    this.dlid = dlid;
  }

  /** The same datagram, to be changed. */
  Packet copy() {
    Packet copy = new Packet(mad.clone(), dlid);
    copy.slid = slid;
    copy.dqp = dqp;
    copy.sqp = sqp;
    return copy;
  }

  /** Turns round: to where it came from. */
  void turn() {
    int lid = dlid;
    dlid = slid;
    slid = lid;
    int qp = dqp;
    dqp = sqp;
    sqp = qp;
  }
}
