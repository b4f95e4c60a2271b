package org.heddle.smp.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import org.heddle.mad.MadHeader;

/**
 * Datagrams to a fabric simulator, {@code ibsim -r -l PORT}, by its own protocol over UDP: for
 * tests and trials without the preload library. Structures as in ibsim.h, in the byte order of this
 * machine, which has to be the simulator's.
 *
 * <p>A process may open several. ibsim accepts ten at most, {@code heddle emulate} more; a client
 * is forgotten only when it is closed.
 */
public final class IbsimTransport implements SmpTransport {
  /** Beyond this the simulator's socket buffers overflow; 128 lost packets in a trial. */
  private static final int SAFE_WINDOW = 64;

  private static final int MAGIC = 0xdeadbeef;
  private static final int CONTROL_SIZE = 80;
  private static final int CONNECT = 1;
  private static final int DISCONNECT = 2;
  private static final int CLIENT_INFO_SIZE = 44;
  private static final int NODE_ID_SIZE = 32;
  private static final long CONTROL_TIMEOUT_MS = 2_000;
  private static final int LAST_PORT = 65_535;

  private static final int REQUEST_SIZE = 288;
  private static final int STATUS = 16;
  private static final int LENGTH = 24;
  private static final int MAD = 32;
  private static final long NS_PER_MS = 1_000_000;

  private final String name;
  private final DatagramChannel control;
  private final DatagramChannel data;
  private final Selector selector;
  private final int client;
  private final ByteBuffer out = ByteBuffer.allocateDirect(REQUEST_SIZE);
  private final ByteBuffer in = ByteBuffer.allocateDirect(REQUEST_SIZE);

  private IbsimTransport(
      String name, DatagramChannel control, DatagramChannel data, Selector selector, int client) {
    this.name = name;
    this.control = control;
    this.data = data;
    this.selector = selector;
    this.client = client;
  }

  /**
   * Attaches to a simulator.
   *
   * @param node the channel adapter to be at, as the netlist names it; empty for the simulator's
   *     first
   * @param manager true to get traps, as the subnet manager of that adapter
   * @throws IOException if there is no simulator or it refuses
   */
  public static IbsimTransport open(InetSocketAddress server, String node, boolean manager)
      throws IOException {
    String name = "ibsim at " + server.getHostString() + ":" + server.getPort();
    if (server.isUnresolved()) {
      throw new IOException("no address is known for " + server.getHostString());
    }
    DatagramChannel control = DatagramChannel.open();
    DatagramChannel data = DatagramChannel.open();
    try {
      control.connect(server);
      InetAddress local = ((InetSocketAddress) control.getLocalAddress()).getAddress();
      data.bind(new InetSocketAddress(local, 0));
      int port = ((InetSocketAddress) data.getLocalAddress()).getPort();
      ByteBuffer answer = control(control, connectRequest(port, node, manager), name);
      int client = answer.getInt(16);
      if (answer.getInt(8) != CONNECT || client < 0 || client > LAST_PORT) {
        throw new IOException(refusal(name, node));
      }
      data.connect(new InetSocketAddress(server.getAddress(), server.getPort() + 1 + client));
      data.configureBlocking(false);
      Selector selector = Selector.open();
      data.register(selector, SelectionKey.OP_READ);
      return new IbsimTransport(name, control, data, selector, client);
    } catch (IOException | RuntimeException e) {
      control.close();
      data.close();
      throw e;
    }
  }

  private static String refusal(String name, String node) {
    String at = node.isEmpty() ? "" : " at node '" + node + "'";
    return name
        + " refuses a client"
        + at
        + ": it has no such node, too many clients already (ibsim: ten), or a subnet manager there";
  }

  private static ByteBuffer request(int type, int client, int length) {
    ByteBuffer buffer = ByteBuffer.allocate(CONTROL_SIZE).order(ByteOrder.nativeOrder());
    return buffer.putInt(MAGIC).putInt(client).putInt(type).putInt(length);
  }

  private static ByteBuffer connectRequest(int port, String node, boolean manager)
      throws IOException {
    byte[] id = node.getBytes(StandardCharsets.UTF_8);
    if (id.length >= NODE_ID_SIZE) {
      throw new IOException("'" + node + "' is too long for the name of a simulated node");
    }
    ByteBuffer buffer = request(CONNECT, 0, CLIENT_INFO_SIZE);
    buffer.putInt(port).putInt(0).putInt(manager ? 1 : 0).put(id);
    return buffer.position(0).limit(CONTROL_SIZE);
  }

  /** One exchange on the control channel. */
  private static ByteBuffer control(DatagramChannel control, ByteBuffer request, String name)
      throws IOException {
    control.configureBlocking(false);
    ByteBuffer answer = ByteBuffer.allocate(CONTROL_SIZE).order(ByteOrder.nativeOrder());
    try (Selector selector = Selector.open()) {
      control.register(selector, SelectionKey.OP_READ);
      control.write(request);
      selector.select(CONTROL_TIMEOUT_MS);
      if (control.read(answer) == CONTROL_SIZE && answer.getInt(0) == MAGIC) {
        return answer;
      }
    } catch (PortUnreachableException e) {
      throw new IOException("there is no " + name + "; start it with ibsim -s -r -l PORT FILE", e);
    }
    throw new IOException(name + " does not answer; start it with ibsim -s -r -l PORT FILE");
  }

  @Override
  public void send(byte[] mad, int lid, int timeoutMs) throws IOException {
    out.clear();
    boolean directed = lid == DIRECTED;
    // 32-bit fields in the machine's order that hold a LID in network order.
    out.putShort((short) lid).putShort((short) 0);
    out.putShort((short) (directed ? DIRECTED : 0)).putShort((short) 0); // 0: the sender's own
    out.putLong(0).putLong(0); // queue pairs 0, status 0, padding
    out.putLong(LENGTH, MadHeader.MAD_SIZE);
    out.put(MAD, mad, 0, MadHeader.MAD_SIZE);
    out.position(0).limit(REQUEST_SIZE);
    try {
      while (data.write(out) == 0) {
        Thread.onSpinWait(); // the socket buffer is full: the simulator is on its way
      }
    } catch (PortUnreachableException e) {
      throw gone(e);
    }
  }

  private IOException gone(PortUnreachableException e) {
    return new IOException("the simulator has ended", e);
  }

  @Override
  public Arrival receive(byte[] mad, long timeoutNs) throws IOException {
    try {
      in.clear();
      int length = data.read(in);
      if (length <= 0 && timeoutNs > 0) {
        selector.select(Math.max(1, (timeoutNs + NS_PER_MS - 1) / NS_PER_MS));
        selector.selectedKeys().clear();
        length = data.read(in);
      }
      if (length != REQUEST_SIZE) {
        return Arrival.NOTHING;
      }
    } catch (PortUnreachableException e) {
      throw gone(e);
    }
    in.get(MAD, mad, 0, MadHeader.MAD_SIZE);
    return in.getInt(STATUS) == 0 ? Arrival.DATAGRAM : Arrival.UNDELIVERED;
  }

  @Override
  public int safeWindow() {
    return SAFE_WINDOW;
  }

  @Override
  public String description() {
    return name;
  }

  @Override
  public void close() {
    if (!control.isOpen()) {
      return; // a second time
    }
    try (control;
        data;
        selector) {
      ByteBuffer bye = request(DISCONNECT, client, 0).position(0).limit(CONTROL_SIZE);
      control(control, bye, name);
    } catch (IOException e) {
      // The simulator is gone, and with it what it knew of this client.
    }
  }
}
