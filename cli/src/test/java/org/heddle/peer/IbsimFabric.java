package org.heddle.peer;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.heddle.cli.Main;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.text.Source;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.lft.TableFormats;
import org.heddle.text.topology.IbnetdiscoverReader;
import org.heddle.text.topology.IbsimNetlistWriter;

/**
 * A simulated fabric. Several may run at once: each has a socket name of its own. Programs are run
 * "at" a channel adapter: their management datagrams enter the fabric there.
 */
final class IbsimFabric implements AutoCloseable {
  private static final AtomicInteger COUNT = new AtomicInteger();

  /** Sockets of the simulator: one for control, one a client. */
  private static final int UDP_PORTS = 11;

  private static final int FIRST_UDP_PORT = 20_000;
  private static final int LAST_UDP_PORT = 30_000;

  private final Path directory;
  private final Map<String, String> address;
  private final int udpPort;
  private final PeerProcess simulator;
  private int runs;

  private IbsimFabric(
      Path directory, Map<String, String> address, int udpPort, PeerProcess simulator) {
    this.directory = directory;
    this.address = address;
    this.udpPort = udpPort;
    this.simulator = simulator;
  }

  /** Starts the simulator on a fabric and waits until it is ready. */
  static IbsimFabric start(Path directory, Fabric fabric) {
    String socket = "heddle-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
    return start(directory, fabric, Map.of("IBSIM_SOCKNAME", socket), 0, List.of());
  }

  /** The same with UDP instead of local sockets, so that this process can be a client. */
  static IbsimFabric startUdp(Path directory, Fabric fabric) {
    int port = freeUdpPorts();
    Map<String, String> address =
        Map.of("IBSIM_SERVER_NAME", "127.0.0.1", "IBSIM_SERVER_PORT", String.valueOf(port));
    return start(directory, fabric, address, port, List.of("-r", "-l", String.valueOf(port)));
  }

  /** {@code heddle emulate} in the simulator's place, in a process of its own. */
  static IbsimFabric emulate(Path directory, Fabric fabric) {
    int port = freeUdpPorts();
    Path netlist = netlist(directory, fabric);
    Path output = directory.resolve("ibsim.out");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>(List.of(java, "-Xmx400m", "-cp"));
    command.addAll(List.of(System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("emulate", netlist.toString(), "--listen", String.valueOf(port)));
    Map<String, String> address =
        Map.of("IBSIM_SERVER_NAME", "127.0.0.1", "IBSIM_SERVER_PORT", String.valueOf(port));
    PeerProcess emulator = PeerProcess.start(directory, output, address, command);
    try {
      emulator.await("the emulator is ready", () -> read(output).startsWith("ready"));
    } catch (AssertionError e) {
      emulator.close();
      throw e;
    }
    return new IbsimFabric(directory, address, port, emulator);
  }

  /** Types a command of {@code heddle emulate} and waits until it has been carried out. */
  String tell(String command) {
    Path output = directory.resolve("ibsim.out");
    int before = read(output).length();
    simulator.type(command);
    simulator.await("done: " + command, () -> read(output).indexOf("done: ", before) >= 0);
    return read(output).substring(before);
  }

  PeerProcess process() {
    return simulator;
  }

  private static Path netlist(Path directory, Fabric fabric) {
    Path netlist = directory.resolve("fabric.net");
    try (OutputStream out = Files.newOutputStream(netlist)) {
      IbsimNetlistWriter.write(fabric, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return netlist;
  }

  private static int freeUdpPorts() {
    int span = (LAST_UDP_PORT - FIRST_UDP_PORT) / UDP_PORTS;
    int first = (int) (ProcessHandle.current().pid() % span);
    for (int i = 0; i < span; i++) {
      int port = FIRST_UDP_PORT + (first + i) % span * UDP_PORTS;
      if (allFree(port)) {
        return port;
      }
    }
    throw new AssertionError("no free UDP ports");
  }

  private static boolean allFree(int port) {
    for (int i = 0; i < UDP_PORTS; i++) {
      try (DatagramSocket probe = new DatagramSocket(port + i)) {
        probe.setBroadcast(false); // it could be bound, which is all there is to know
      } catch (SocketException e) {
        return false;
      }
    }
    return true;
  }

  private static IbsimFabric start(
      Path directory,
      Fabric fabric,
      Map<String, String> address,
      int udpPort,
      List<String> options) {
    Path netlist = netlist(directory, fabric);
    Path output = directory.resolve("ibsim.out");
    List<String> command = new ArrayList<>(List.of("ibsim", "-s"));
    command.addAll(options);
    command.addAll(List.of("-N", String.valueOf(fabric.nodeCount() + 1)));
    command.addAll(List.of("-S", String.valueOf(fabric.switchCount() + 1)));
    command.addAll(List.of("-P", String.valueOf(fabric.portIdLimit() + 1)));
    command.addAll(List.of("-L", "49152", netlist.toString()));
    PeerProcess simulator = PeerProcess.start(directory, output, address, command);
    try {
      simulator.await("the simulator is ready", () -> prompts(output) > 0);
    } catch (AssertionError e) {
      simulator.close();
      throw e;
    }
    return new IbsimFabric(directory, address, udpPort, simulator);
  }

  private static int prompts(Path output) {
    int count = 0;
    String text = read(output);
    for (int at = text.indexOf("sim> "); at >= 0; at = text.indexOf("sim> ", at + 1)) {
      count++;
    }
    return count;
  }

  Path directory() {
    return directory;
  }

  /** What {@code --via} is for this process, at a channel adapter. */
  String via(String host) {
    return "ibsim:127.0.0.1:" + udpPort + ":" + host;
  }

  /** The name a node has for {@code SIM_HOST} and on the console. */
  static String idOf(Fabric fabric, int node) {
    return (fabric.isSwitch(node) ? "S-" : "H-") + Guid.hex16(fabric.nodeGuid(node));
  }

  /** Types a command at the simulator's console and waits until it has been carried out. */
  void console(String command) {
    Path output = directory.resolve("ibsim.out");
    int before = prompts(output);
    simulator.type(command);
    simulator.await("an answer to " + command, () -> prompts(output) > before);
    if (read(output).contains("'" + command.split(" ")[0] + "' unknown")) {
      throw new AssertionError(Peers.tail(output));
    }
  }

  /** Pulls the cable of a port. */
  void unlink(Fabric fabric, int port) {
    console("Unlink \"" + idOf(fabric, fabric.nodeOf(port)) + "\"[" + fabric.numberOf(port) + "]");
  }

  /** Puts the cable of a port back. */
  void relink(Fabric fabric, int port) {
    console("ReLink \"" + idOf(fabric, fabric.nodeOf(port)) + "\"[" + fabric.numberOf(port) + "]");
  }

  /** Starts a program at a channel adapter. */
  PeerProcess start(String host, Path output, List<String> command) {
    Map<String, String> environment = new HashMap<>(address);
    environment.put("SIM_HOST", host);
    environment.put("OSM_TMP_DIR", directory.toString());
    environment.put("OSM_CACHE_DIR", directory.toString());
    List<String> all = new ArrayList<>(List.of("ibsim-run"));
    all.addAll(command);
    return PeerProcess.start(directory, output, environment, all);
  }

  /** Runs a program at a channel adapter to its end; it has to succeed. Returns what it printed. */
  String run(String host, String... command) {
    String name = Path.of(command[0]).getFileName().toString();
    Path output = directory.resolve(name + "-" + runs++ + ".out");
    try (PeerProcess process = start(host, output, List.of(command))) {
      int code = process.awaitEnd();
      if (code != 0) {
        throw new AssertionError(
            String.join(" ", command) + " gave " + code + "\n" + Peers.tail(output));
      }
    }
    return read(output);
  }

  /** The fabric as ibnetdiscover sees it. */
  Fabric discover(String host) {
    return IbnetdiscoverReader.read(Source.of("ibnetdiscover", run(host, "ibnetdiscover"))).get();
  }

  /** The tables in the switches, read by management datagrams and bound to a fabric. */
  BoundTables liveTables(String host, Fabric fabric) {
    return TableFormats.read(Source.of("dump_fts", run(host, "dump_fts")), fabric).get();
  }

  static String read(Path file) {
    try {
      return Files.exists(file)
          ? new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
          : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    simulator.close();
  }
}
