package org.heddle.emulator;

import java.util.BitSet;

/**
 * A program at a port. What it sends is carried as far as links and tables let it; answers come to
 * its {@link Receiver}.
 */
public final class Attachment {
  /** Attachments at once: the emulator writes their numbers into transaction ids. */
  public static final int MOST = 1 << 15;

  private final int id;
  private final int port;
  private final Receiver receiver;
  private final BitSet classes = new BitSet(256);
  private boolean manager;

  Attachment(int id, int port, Receiver receiver) {
    this.id = id;
    this.port = port;
    this.receiver = receiver;
  }

  /** Number of this attachment, from 0 on; numbers are used again. */
  public int id() {
    return id;
  }

  /** Port id in the fabric: port 0 of a switch, a port of another node. */
  public int port() {
    return port;
  }

  /** True if it is the subnet manager of its port, which gets requests. */
  public boolean isManager() {
    return manager;
  }

  void manager(boolean is) {
    manager = is;
  }

  /** Notes that it has sent datagrams of a class: then it takes requests of it, too. */
  void speaks(int managementClass) {
    classes.set(managementClass);
  }

  boolean hasSpoken(int managementClass) {
    return classes.get(managementClass);
  }

  void deliver(Packet packet) {
    receiver.deliver(packet);
  }
}
