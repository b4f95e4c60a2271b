package org.heddle.cli.serve;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/** The other end of {@code NOTIFY_SOCKET}, as systemd has it. */
@SuppressWarnings("restricted")
final class NotifyPeer implements AutoCloseable {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final int ROOM = 65536;
  private static final int MSG_DONTWAIT = 0x40;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment buffer = arena.allocate(ROOM);
  private final MethodHandle receive =
      of("recv", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  private final MethodHandle close = of("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private final int descriptor;

  NotifyPeer(String name) throws Throwable {
    MethodHandle socket =
        of("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    MethodHandle bind = of("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    descriptor = (int) socket.invokeExact(1, 2, 0);
    byte[] path = name.getBytes(StandardCharsets.UTF_8);
    path[0] = path[0] == '@' ? 0 : path[0];
    MemorySegment address = arena.allocate(110, 2);
    address.set(JAVA_SHORT, 0, (short) 1);
    MemorySegment.copy(path, 0, address, JAVA_BYTE, 2, path.length);
    int code = (int) bind.invokeExact(descriptor, address, 2 + path.length);
    if (descriptor < 0 || code != 0) {
      throw new IllegalStateException("no socket at " + name);
    }
  }

  private static MethodHandle of(String name, FunctionDescriptor type) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type);
  }

  private String receive(int flags) {
    try {
      long length = (long) receive.invokeExact(descriptor, buffer, (long) ROOM, flags);
      return length < 0
          ? ""
          : new String(buffer.asSlice(0, length).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** The next message; waits for it. */
  String next() {
    return receive(0);
  }

  /** The next message that is there; empty if there is none. */
  String waiting() {
    return receive(MSG_DONTWAIT);
  }

  @Override
  public void close() {
    try {
      int _ = (int) close.invokeExact(descriptor);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    arena.close();
  }
}
