package org.heddle.emulator.ibsim;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.heddle.emulator.Attachment;
import org.heddle.emulator.Emulator;
import org.heddle.emulator.NodeFinder;
import org.heddle.emulator.Packet;
import org.heddle.fabric.Fabric;
import org.heddle.mad.MadHeader;

/**
 * Serves an emulated subnet to programs that ibsim's preload library is loaded into, with {@code
 * IBSIM_SERVER_NAME} and {@code IBSIM_SERVER_PORT} in their environment: control messages of 80
 * bytes at a UDP port, datagrams of client N at the port after it plus N. Structures as in ibsim.h
 * of ibsim 0.10 to 0.12, in the byte order of this machine.
 *
 * <p>Where ibsim takes ten clients, this takes as many as there are ports after its own. Only this
 * machine's programs can connect: the address is 127.0.0.1. All work is done by the thread that
 * calls {@link #run}; {@link #execute} and {@link #stop} may be called by others.
 */
public final class IbsimServer implements AutoCloseable {
  private static final int MAGIC = 0xdeadbeef;
  private static final int CONTROL_SIZE = 80;
  private static final int CONTROL_TYPE = 8;
  private static final int CONTROL_DATA = 16;
  private static final int NODE_ID = 28;
  private static final int NODE_ID_SIZE = 32;

  private static final int REFUSED = 0;
  private static final int CONNECT = 1;
  private static final int DISCONNECT = 2;
  private static final int GET_PORT = 3;
  private static final int GET_VENDOR = 4;
  private static final int GET_GID = 5;
  private static final int GET_GUID = 6;
  private static final int GET_NODE_INFO = 7;
  private static final int GET_PORT_INFO = 8;
  private static final int SET_IS_SM = 9;
  private static final int GET_PKEYS = 10;

  private static final int MAD = 32;
  private static final int LENGTH = 24;
  private static final int TIMED_OUT = 110;
  private static final int LARGEST = 65_536;
  private static final int BUFFER = 1 << 20;
  private static final int LAST_PORT = 65_535;
  private static final long NS_PER_MS = 1_000_000;

  /** How many datagrams of a client are taken before it is another's turn. */
  private static final int TURN = 64;

  /** A client and its channel. */
  private static final class Client {
    final DatagramChannel channel;
    Attachment attachment;

    Client(DatagramChannel channel) {
      this.channel = channel;
    }
  }

  private record Task(long timeNs, long order, Runnable work) {}

  private final Emulator emulator;
  private final Fabric fabric;
  private final NodeFinder nodes;
  private final DatagramChannel control;
  private final Selector selector;
  private final InetAddress address;
  private final int port;
  private final ByteBuffer in = ByteBuffer.allocateDirect(LARGEST);
  private final ByteBuffer out = ByteBuffer.allocateDirect(LARGEST);
  private final Queue<Runnable> orders = new ConcurrentLinkedQueue<>();
  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(
          (a, b) ->
              a.timeNs != b.timeNs
                  ? Long.compare(a.timeNs, b.timeNs)
                  : Long.compare(a.order, b.order));
  private long order;
  private volatile boolean stopped;

  private IbsimServer(
      Emulator emulator, DatagramChannel control, Selector selector, InetSocketAddress bound) {
    this.emulator = emulator;
    this.fabric = emulator.fabric();
    this.nodes = new NodeFinder(fabric);
    this.control = control;
    this.selector = selector;
    this.address = bound.getAddress();
    this.port = bound.getPort();
  }

  /**
   * Binds the control port; clients may connect from now on.
   *
   * @param port UDP port; 0 for any
   * @throws IOException if the port is taken
   */
  public static IbsimServer open(Emulator emulator, int port) throws IOException {
    DatagramChannel control = DatagramChannel.open();
    try {
      control.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
      control.configureBlocking(false);
      Selector selector = Selector.open();
      control.register(selector, SelectionKey.OP_READ);
      return new IbsimServer(
          emulator, control, selector, (InetSocketAddress) control.getLocalAddress());
    } catch (IOException | RuntimeException e) {
      control.close();
      throw e;
    }
  }

  /** The control port. */
  public int port() {
    return port;
  }

  /** Has the serving thread do something, soon. */
  public void execute(Runnable work) {
    orders.add(work);
    selector.wakeup();
  }

  /** Has the serving thread do something later; for that thread itself. */
  public void schedule(long delayNs, Runnable work) {
    tasks.add(new Task(emulator.nowNs() + delayNs, order++, work));
  }

  /** Ends {@link #run}. */
  public void stop() {
    stopped = true;
    selector.wakeup();
  }

  /**
   * Serves until {@link #stop}.
   *
   * @throws IOException if the control channel breaks
   */
  public void run() throws IOException {
    while (!stopped) {
      long next = emulator.nextNs();
      if (!tasks.isEmpty()) {
        next = Math.min(next, tasks.peek().timeNs);
      }
      if (next == Long.MAX_VALUE) {
        selector.select(this::ready);
      } else {
        long wait = next - emulator.nowNs();
        if (wait <= 0) {
          selector.selectNow(this::ready);
        } else {
          selector.select(this::ready, Math.max(1, (wait + NS_PER_MS - 1) / NS_PER_MS));
        }
      }
      for (Runnable work = orders.poll(); work != null; work = orders.poll()) {
        work.run();
      }
      while (!tasks.isEmpty() && tasks.peek().timeNs - emulator.nowNs() <= 0) {
        tasks.poll().work.run();
      }
      emulator.run();
    }
  }

  private void ready(SelectionKey key) {
    if (key.attachment() instanceof Client client) {
      receive(client);
    } else {
      control();
    }
  }

  // ---- control

  private void control() {
    try {
      in.clear().order(ByteOrder.nativeOrder());
      InetSocketAddress from = (InetSocketAddress) control.receive(in);
      if (from == null || in.position() != CONTROL_SIZE || in.getInt(0) != MAGIC) {
        return;
      }
      in.flip();
      int type = in.getInt(CONTROL_TYPE);
      boolean done = type == CONNECT ? connect(from) : ask(type, client(in.getInt(4)));
      if (!done) {
        in.putInt(CONTROL_TYPE, REFUSED);
      }
      control.send(in.position(0).limit(CONTROL_SIZE), from);
    } catch (IOException e) {
      // Whoever asked is gone.
    }
  }

  private Client client(int id) {
    for (SelectionKey key : selector.keys()) {
      if (key.isValid()
          && key.attachment() instanceof Client client
          && client.attachment.id() == id) {
        return client;
      }
    }
    return null;
  }

  private boolean connect(InetSocketAddress from) throws IOException {
    int clientPort = in.getInt(CONTROL_DATA);
    boolean manager = in.getInt(CONTROL_DATA + 8) != 0;
    byte[] id = new byte[NODE_ID_SIZE];
    in.get(NODE_ID, id);
    int length = 0;
    while (length < id.length && id[length] != 0) {
      length++;
    }
    String name = new String(id, 0, length, StandardCharsets.UTF_8);
    int at;
    try {
      at = name.isEmpty() ? nodes.anyPort() : nodes.port(nodes.find(name));
    } catch (IllegalArgumentException e) {
      return false;
    }
    if (clientPort < 1 || clientPort > LAST_PORT || manager && emulator.hasManager(at)) {
      return false;
    }
    for (int number = 0; port + 1 + number <= LAST_PORT; number++) {
      DatagramChannel data = emulator.isFree(number) ? bind(port + 1 + number) : null;
      if (data == null) {
        continue; // another program has the port; its number stays unused
      }
      data.connect(new InetSocketAddress(from.getAddress(), clientPort));
      Client client = new Client(data);
      client.attachment = emulator.attach(at, number, packet -> send(client, packet));
      data.register(selector, SelectionKey.OP_READ, client);
      if (manager) {
        emulator.manage(client.attachment, true);
      }
      in.putInt(CONTROL_DATA, number);
      if (name.isEmpty()) {
        byte[] own = NodeFinder.id(fabric, fabric.nodeOf(at)).getBytes(StandardCharsets.UTF_8);
        in.put(NODE_ID, own);
      }
      return true;
    }
    return false;
  }

  private DatagramChannel bind(int udpPort) throws IOException {
    DatagramChannel data = DatagramChannel.open();
    try {
      data.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER);
      data.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER);
      data.bind(new InetSocketAddress(address, udpPort));
      data.configureBlocking(false);
      return data;
    } catch (IOException e) {
      data.close();
      return null;
    }
  }

  /** What clients ask of the machine they believe to run on. */
  private boolean ask(int type, Client client) {
    if (client == null) {
      return false;
    }
    int at = client.attachment.port();
    int node = fabric.nodeOf(at);
    switch (type) {
      case DISCONNECT -> drop(client);
      case GET_PORT -> {
        in.putShort(CONTROL_DATA, (short) emulator.lid(at));
        in.put(CONTROL_DATA + 2, (byte) emulator.state(at));
      }
      case GET_VENDOR -> {
        in.putInt(CONTROL_DATA, fabric.vendorId(node));
        in.putInt(CONTROL_DATA + 4, fabric.deviceId(node));
        in.putInt(CONTROL_DATA + 8, 0);
        in.putLong(CONTROL_DATA + 16, 1);
      }
      case GET_GID -> {
        in.put(CONTROL_DATA, emulator.portInfo(at), 8, 8);
        guid(CONTROL_DATA + 8, fabric.portGuid(at));
      }
      case GET_GUID -> guid(CONTROL_DATA, fabric.nodeGuid(node));
      case GET_NODE_INFO -> in.put(CONTROL_DATA, emulator.nodeInfo(at));
      case GET_PORT_INFO -> {
        int number = in.get(CONTROL_DATA) & 0xff;
        boolean other = number > 0 && number <= fabric.portCount(node);
        in.put(CONTROL_DATA, emulator.portInfo(other ? fabric.port(node, number) : at));
      }
      case SET_IS_SM -> {
        boolean manager = in.getInt(CONTROL_DATA) != 0;
        if (manager && !client.attachment.isManager() && emulator.hasManager(at)) {
          return false;
        }
        emulator.manage(client.attachment, manager);
      }
      case GET_PKEYS -> in.put(CONTROL_DATA, emulator.firstKeys(at));
      default -> {
        return false;
      }
    }
    return true;
  }

  private void guid(int at, long guid) {
    for (int i = 0; i < Long.BYTES; i++) {
      in.put(at + i, (byte) (guid >>> 56 - 8 * i));
    }
  }

  private void drop(Client client) {
    emulator.detach(client.attachment);
    try {
      client.channel.close(); // its key goes, too
    } catch (IOException e) {
      // It is of no use any more.
    }
  }

  // ---- datagrams

  private void receive(Client client) {
    try {
      for (int i = 0; i < TURN && client.channel.isOpen(); i++) {
        in.clear().order(ByteOrder.BIG_ENDIAN);
        int length = client.channel.read(in);
        if (length <= 0) {
          return;
        }
        if (length < MAD + MadHeader.MAD_SIZE) {
          continue;
        }
        byte[] mad = new byte[length - MAD];
        in.get(MAD, mad);
        Packet packet = new Packet(mad, in.getShort(0) & 0xffff);
        packet.slid = in.getShort(4) & 0xffff;
        packet.dqp = in.getInt(8);
        packet.sqp = in.getInt(12);
        emulator.send(client.attachment, packet);
      }
    } catch (IOException e) {
      drop(client); // it has ended without saying so
    }
  }

  private void send(Client client, Packet packet) {
    out.clear();
    out.putShort((short) packet.dlid).putShort((short) 0);
    out.putShort((short) packet.slid).putShort((short) 0);
    out.putInt(packet.dqp).putInt(packet.sqp);
    out.putInt(packet.undelivered ? TIMED_OUT : 0).putInt(0);
    out.putLong(LENGTH, packet.mad.length);
    out.put(MAD, packet.mad);
    out.position(0).limit(MAD + packet.mad.length);
    try {
      client.channel.write(out); // to a full socket buffer: the datagram is lost, as on a wire
    } catch (IOException e) {
      // It is gone; the next read says so.
    }
  }

  @Override
  public void close() throws IOException {
    for (SelectionKey key : selector.keys()) {
      if (key.attachment() instanceof Client client) {
        emulator.detach(client.attachment);
        client.channel.close();
      }
    }
    selector.close();
    control.close();
  }
}
