package org.heddle.smp.transport;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.heddle.mad.MadHeader;
import org.heddle.mad.MadMethod;
import org.heddle.mad.ManagementClass;

/**
 * Datagrams through libibumad and the kernel: the transport on real hardware, and on ibsim under
 * {@code LD_PRELOAD=libumad2sim.so} (which {@code ibsim-run} sets).
 *
 * <p>Needs the permission to open {@code /dev/infiniband/umad*}, usually root's. The kernel keeps a
 * timer of its own for every request and matches answers, so each attempt must have another
 * transaction id.
 */
public final class UmadTransport implements SmpTransport {
  /**
   * The preload library keeps a lock while it writes; with more packets under way than the two
   * sockets hold (ten each way) it deadlocks. 16 is safe by that count.
   */
  private static final int SAFE_WINDOW = 16;

  // struct ib_user_mad
  private static final int STATUS_AT = 4;
  private static final int LID_AT = 28;
  private static final ValueLayout.OfShort LID =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private static final int EINTR = 4;
  private static final int EWOULDBLOCK = 11;
  private static final int ETIMEDOUT = 110;
  private static final int EACCES = 13;
  private static final int EPERM = 1;
  private static final long NS_PER_MS = 1_000_000;
  private static final int MAX_WAIT_MS = 1_000_000;

  private final String name;
  private final Arena arena;
  private final UmadLibrary library;
  private final int port;
  private final int header;
  private final MemorySegment out;
  private final MemorySegment in;
  private final MemorySegment length;
  private int directedAgent;
  private int lidAgent;
  private int managerFile = -1;

  private UmadTransport(String name, Arena arena, UmadLibrary library, int port)
      throws IOException {
    this.name = name;
    this.arena = arena;
    this.library = library;
    this.port = port;
    this.header = library.headerSize();
    this.out = arena.allocate(header + MadHeader.MAD_SIZE, 8);
    this.in = arena.allocate(header + MadHeader.MAD_SIZE, 8);
    this.length = arena.allocate(ValueLayout.JAVA_INT);
  }

  /**
   * Opens a port.
   *
   * @param adapter name of the channel adapter ({@code mlx5_0}), empty for the first
   * @param number port number, 0 for the first that is up
   * @param manager true to get traps, as the subnet manager of the port: fails if there is one
   * @throws IOException with the reason
   */
  public static UmadTransport open(String adapter, int number, boolean manager) throws IOException {
    Arena arena = Arena.ofShared();
    try {
      UmadLibrary library = UmadLibrary.load(arena);
      MemorySegment ca = adapter.isEmpty() ? MemorySegment.NULL : arena.allocateFrom(adapter);
      String name = "umad" + (adapter.isEmpty() ? "" : " " + adapter + ":" + number);
      int code = library.init();
      int port = code < 0 ? code : library.openPort(ca, number);
      if (port < 0) {
        throw new IOException(name + ": " + reason(-port));
      }
      UmadTransport transport = new UmadTransport(name, arena, library, port);
      transport.register(ca, number, manager);
      return transport;
    } catch (IOException | RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  private static String reason(int error) {
    return switch (error) {
      case EPERM, EACCES -> "no permission to open /dev/infiniband/umad*; run as root";
      default ->
          "no InfiniBand port to send from (error "
              + error
              + "); is ib_umad loaded and a port active?";
    };
  }

  /** Registers every class that can arrive: the preload library crashes on any other. */
  private void register(MemorySegment ca, int number, boolean manager) throws IOException {
    long traps = manager ? 1L << MadMethod.TRAP : 0;
    directedAgent = agent(ManagementClass.SUBNET_DIRECTED, 1, 0);
    lidAgent = agent(ManagementClass.SUBNET_LID, 1, traps);
    if (manager) {
      agent(ManagementClass.SUBNET_ADMINISTRATION, 2, 0);
      managerFile = library.openFile(library.managerPath(ca, number));
      if (managerFile < 0) {
        throw new IOException(
            name + ": cannot become the port's subnet manager; is another one " + "running?");
      }
    }
  }

  private int agent(int managementClass, int version, long methods) throws IOException {
    int agent = library.register(port, managementClass, version, methods);
    if (agent < 0) {
      throw new IOException(
          name
              + ": cannot register for class "
              + managementClass
              + (methods == 0 ? "" : "; is a subnet manager running on this port?"));
    }
    return agent;
  }

  @Override
  public void send(byte[] mad, int lid, int timeoutMs) throws IOException {
    MemorySegment.copy(mad, 0, out, ValueLayout.JAVA_BYTE, header, MadHeader.MAD_SIZE);
    out.set(LID, LID_AT, (short) lid);
    boolean directed = (mad[1] & 0xff) == ManagementClass.SUBNET_DIRECTED;
    int code =
        library.send(port, directed ? directedAgent : lidAgent, out, MadHeader.MAD_SIZE, timeoutMs);
    if (code < 0) {
      throw new IOException("cannot send (error " + -code + ")");
    }
  }

  @Override
  public Arrival receive(byte[] mad, long timeoutNs) throws IOException {
    long ms = Math.min(MAX_WAIT_MS, (timeoutNs + NS_PER_MS - 1) / NS_PER_MS);
    if (timeoutNs > MAX_WAIT_MS * NS_PER_MS) {
      ms = MAX_WAIT_MS; // the sum above may have overflowed
    }
    length.set(ValueLayout.JAVA_INT, 0, MadHeader.MAD_SIZE);
    int agent = library.receive(port, in, length, (int) ms);
    if (agent < 0) {
      return switch (-agent) {
        case EINTR, EWOULDBLOCK, ETIMEDOUT -> Arrival.NOTHING;
        default -> throw new IOException("cannot receive (error " + -agent + ")");
      };
    }
    MemorySegment.copy(in, ValueLayout.JAVA_BYTE, header, mad, 0, MadHeader.MAD_SIZE);
    return in.get(ValueLayout.JAVA_INT, STATUS_AT) == 0 ? Arrival.DATAGRAM : Arrival.UNDELIVERED;
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
    if (!arena.scope().isAlive()) {
      return; // a second time
    }
    try (arena) {
      if (managerFile >= 0) {
        library.closeFile(managerFile);
      }
      library.closePort(port);
    } catch (IOException e) {
      // The process gives up the port at its end anyway.
    }
  }
}
