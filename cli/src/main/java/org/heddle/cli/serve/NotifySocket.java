package org.heddle.cli.serve;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/**
 * Sends datagrams to a Unix socket, which Java's own sockets cannot. For Linux; the numbers are
 * those of its C library.
 *
 * <p>A name that begins with {@code @} is one of the abstract name space, as in {@code
 * NOTIFY_SOCKET}.
 */
@SuppressWarnings("restricted") // calling native code is its purpose
final class NotifySocket {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final String ERRNO = "errno";

  private static final int AF_UNIX = 1;
  private static final int SOCK_DGRAM = 2;
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int MSG_NOSIGNAL = 0x4000;

  /** Of sockaddr_un: the family before the path, and the room for the path. */
  private static final int FAMILY = Short.BYTES;

  private static final int PATH = 108;

  private final byte[] path;
  private final MemoryLayout state = Linker.Option.captureStateLayout();
  private final MethodHandle socket =
      function("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
  private final MethodHandle send =
      function(
          "sendto",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
  private final MethodHandle close =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("close"), FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  /**
   * A way to a socket.
   *
   * @throws IllegalArgumentException if there can be no socket of that name
   */
  NotifySocket(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    if (bytes.length < 2 || bytes.length >= PATH || bytes[0] != '/' && bytes[0] != '@') {
      throw new IllegalArgumentException("no name of a Unix socket: " + name);
    }
    if (bytes[0] == '@') {
      bytes[0] = 0;
    }
    this.path = bytes;
  }

  private static MethodHandle function(String name, FunctionDescriptor type) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name), type, Linker.Option.captureCallState(ERRNO));
  }

  /**
   * Sends one datagram.
   *
   * @throws IOException with the system's number of the error, if it was not taken
   */
  void send(String text) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = arena.allocate(state);
      int descriptor = (int) socket.invokeExact(errno, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
      if (descriptor < 0) {
        throw new IOException("no Unix socket can be made: error " + errno.get(JAVA_INT, 0));
      }
      try {
        MemorySegment address = arena.allocate(FAMILY + PATH, Short.BYTES);
        address.set(JAVA_SHORT, 0, (short) AF_UNIX);
        MemorySegment.copy(path, 0, address, JAVA_BYTE, FAMILY, path.length);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        MemorySegment data = arena.allocateFrom(JAVA_BYTE, bytes);
        long sent =
            (long)
                send.invokeExact(
                    errno,
                    descriptor,
                    data,
                    (long) bytes.length,
                    MSG_NOSIGNAL,
                    address,
                    FAMILY + path.length);
        if (sent != bytes.length) {
          throw new IOException("a message was not taken: error " + errno.get(JAVA_INT, 0));
        }
      } finally {
        int _ = (int) close.invokeExact(descriptor);
      }
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
