package org.heddle.smp.transport;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * The functions of libibumad that the agent needs, looked up when the program runs: Heddle does not
 * depend on the library unless it is used.
 *
 * <p>The library is opened by dlopen, so what it calls itself is bound in the order of the process:
 * with {@code LD_PRELOAD} of ibsim's umad2sim its open, read and write are the simulator's.
 */
@SuppressWarnings("restricted") // calling native code is its purpose
final class UmadLibrary {
  private static final String[] NAMES = {"libibumad.so.3", "libibumad.so"};
  private static final Linker LINKER = Linker.nativeLinker();

  private final SymbolLookup library;
  private final MethodHandle send;
  private final MethodHandle receive;

  private UmadLibrary(SymbolLookup library) throws IOException {
    this.library = library;
    this.send =
        function(
            "umad_send",
            FunctionDescriptor.of(
                JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT));
    this.receive =
        function(
            "umad_recv", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
  }

  /**
   * Loads the library for as long as the arena lives.
   *
   * @throws IOException with what to do, if it is not installed
   */
  static UmadLibrary load(Arena arena) throws IOException {
    for (String name : NAMES) {
      Optional<SymbolLookup> found = lookup(name, arena);
      if (found.isPresent()) {
        return new UmadLibrary(found.get());
      }
    }
    throw new IOException(
        "libibumad is not installed; apt-get install libibumad3 (Debian, Ubuntu) or dnf install "
            + "libibumad (RHEL and relatives)");
  }

  private static Optional<SymbolLookup> lookup(String name, Arena arena) {
    try {
      return Optional.of(SymbolLookup.libraryLookup(name, arena));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // the next name may be there
    }
  }

  private MethodHandle function(String name, FunctionDescriptor type) throws IOException {
    MemorySegment address =
        library
            .find(name)
            .orElseThrow(() -> new IOException("this libibumad has no " + name + "; too old?"));
    return LINKER.downcallHandle(address, type);
  }

  /** Bytes before the datagram; only right once a port is open. */
  int headerSize() throws IOException {
    MethodHandle size = function("umad_size", FunctionDescriptor.of(JAVA_LONG));
    try {
      return Math.toIntExact((long) size.invokeExact());
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  int init() throws IOException {
    MethodHandle init = function("umad_init", FunctionDescriptor.of(JAVA_INT));
    try {
      return (int) init.invokeExact();
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Opens a port; returns its number or minus an error number. */
  int openPort(MemorySegment adapter, int port) throws IOException {
    MethodHandle open =
        function("umad_open_port", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    try {
      return (int) open.invokeExact(adapter, port);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  int closePort(int port) throws IOException {
    MethodHandle close = function("umad_close_port", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    try {
      return (int) close.invokeExact(port);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * Registers for a class.
   *
   * @param methods bit n: requests of method n are wanted, too
   * @return the agent's number, or minus an error number
   */
  int register(int port, int managementClass, int version, long methods) throws IOException {
    MethodHandle register =
        function(
            "umad_register",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_BYTE, ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mask = arena.allocate(JAVA_LONG, 2);
      mask.setAtIndex(JAVA_LONG, 0, methods);
      return (int) register.invokeExact(port, managementClass, version, (byte) 0, mask);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Sends without retries; 0 or minus an error number. */
  int send(int port, int agent, MemorySegment umad, int length, int timeoutMs) throws IOException {
    try {
      return (int) send.invokeExact(port, agent, umad, length, timeoutMs, 0);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Receives; the agent's number or minus an error number. */
  int receive(int port, MemorySegment umad, MemorySegment length, int timeoutMs)
      throws IOException {
    try {
      return (int) receive.invokeExact(port, umad, length, timeoutMs);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** The device file that marks the port as a subnet manager's while it is open. */
  String managerPath(MemorySegment adapter, int port) throws IOException {
    MethodHandle path =
        function(
            "umad_get_issm_path",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(256);
      int code = (int) path.invokeExact(adapter, port, text, 256);
      if (code < 0) {
        throw new IOException("no subnet manager device: error " + -code);
      }
      return text.getString(0);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Opens a file by the process's own open, which may be a preloaded one; negative on error. */
  int openFile(String path) throws IOException {
    MethodHandle open =
        LINKER.downcallHandle(
            processSymbol("open"),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
            Linker.Option.firstVariadicArg(2));
    try (Arena arena = Arena.ofConfined()) {
      return (int) open.invokeExact(arena.allocateFrom(path), 2 /* O_RDWR */);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Closes what {@link #openFile} opened. */
  void closeFile(int file) throws IOException {
    MethodHandle close =
        LINKER.downcallHandle(processSymbol("close"), FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    try {
      int code = (int) close.invokeExact(file);
      if (code < 0) {
        throw new IOException("cannot close the subnet manager device");
      }
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** The linker's default lookup would give libc's function, past any preloaded one. */
  private static MemorySegment processSymbol(String name) throws IOException {
    MemorySegment dlsym =
        LINKER
            .defaultLookup()
            .find("dlsym")
            .orElseThrow(() -> new IOException("this C library has no dlsym"));
    MethodHandle lookup =
        LINKER.downcallHandle(dlsym, FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment found =
          (MemorySegment) lookup.invokeExact(MemorySegment.NULL, arena.allocateFrom(name));
      if (found.equals(MemorySegment.NULL)) {
        throw new IOException("this process has no function " + name);
      }
      return found;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Method handles declare every throwable; the functions behind them throw none. */
  private static IOException unexpected(Throwable e) {
    return switch (e) {
      case IOException io -> io;
      case RuntimeException r -> throw r;
      case Error error -> throw error;
      default -> new IOException(e);
    };
  }
}
