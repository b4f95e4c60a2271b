package org.heddle.cli.emulate;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Inputs;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.emulator.Emulator;
import org.heddle.emulator.EmulatorCommands;
import org.heddle.emulator.EmulatorOptions;
import org.heddle.emulator.ibsim.IbsimServer;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle emulate}: a subnet in a process, for OpenSM and the InfiniBand diagnostics. */
@Command(
    name = "emulate",
    description = {
      "Emulate a subnet: agents, links and tables of all nodes of a fabric.",
      "OpenSM and the InfiniBand diagnostics run on it unmodified, through ibsim's preload "
          + "library. Commands to links and nodes are read from standard input; 'help' lists "
          + "them. It ends on 'quit', Ctrl-C or SIGTERM."
    },
    footer = {
      "",
      "Examples:",
      "  heddle emulate 'XGFT(2;18,18;1,18)' --listen 7070",
      "  IBSIM_SERVER_NAME=127.0.0.1 IBSIM_SERVER_PORT=7070 \\",
      "    LD_PRELOAD=/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so opensm",
      "  heddle emulate big.net --loss 1 --script failures.txt"
    })
public final class EmulateCommand extends ShellCommand {
  private static final int LAST_PORT = 65_525;
  private static final long LONGEST_END_SECONDS = 5;
  private static final long NS_PER_US = 1_000;

  /** The JSON output: a line when clients may connect. */
  record Document(
      String format, String address, int port, int switches, int adapters, int routers) {}

  @Parameters(
      index = "0",
      paramLabel = "TREE|FILE",
      description = "A fabric file, or a tree like XGFT(2;18,18;1,18).")
  private String fabricName;

  @Mixin private MachinesOption machines;

  @Option(
      names = "--listen",
      paramLabel = "PORT",
      defaultValue = "7070",
      description = {
        "UDP port on 127.0.0.1, 0 for any free one (default: ${DEFAULT-VALUE}); clients get the "
            + "ports after it."
      })
  private int port;

  @Option(
      names = "--script",
      paramLabel = "FILE",
      description = "Commands to carry out, a line each; 'wait MS' puts off those that follow.")
  private String script;

  @Option(
      names = "--loss",
      paramLabel = "PERCENT",
      defaultValue = "0",
      description = "Of 100 datagrams, each link loses so many (default: ${DEFAULT-VALUE}).")
  private int loss;

  @Option(
      names = "--latency",
      paramLabel = "MICROSECONDS",
      defaultValue = "0",
      description = "Time to pass a link (default: ${DEFAULT-VALUE}).")
  private long latency;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed for everything random (default: 1).")
  private long seed;

  public EmulateCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    if (port < 0 || port > LAST_PORT) {
      throw Failure.badInput("--listen is a UDP port from 0 to " + LAST_PORT);
    }
    EmulatorOptions options = options();
    List<String> lines =
        script == null
            ? List.of()
            : new String(session.read(script).bytes(), StandardCharsets.UTF_8).lines().toList();
    Fabric fabric = fabric();
    if (fabric.nodeCount() == 0) {
      throw Failure.badInput(fabricName + " has no nodes to emulate");
    }
    Emulator emulator = new Emulator(fabric, options, System::nanoTime);
    try (IbsimServer server = IbsimServer.open(emulator, port)) {
      return serve(server, emulator, lines);
    } catch (IOException e) {
      throw Failure.badInput(
          "cannot listen on UDP port " + port + ": " + Inputs.reason(e),
          "is another emulator running? --listen takes another port");
    }
  }

  private EmulatorOptions options() {
    try {
      return EmulatorOptions.DEFAULT
          .withLoss(loss)
          .withLatency(Math.multiplyExact(latency, NS_PER_US))
          .withSeed(seed);
    } catch (IllegalArgumentException e) {
      throw Failure.badInput(e.getMessage());
    } catch (ArithmeticException e) {
      throw Failure.badInput("--latency " + latency + " is too long");
    }
  }

  private Fabric fabric() {
    if (!fabricName.contains("(") || session.inputs().exists(fabricName)) {
      return FabricFiles.read(session, fabricName);
    }
    try {
      return TreeGenerator.generate(TreeSpec.parse(fabricName));
    } catch (IllegalArgumentException e) {
      throw Failure.badInput(fabricName + " is no tree: " + e.getMessage());
    }
  }

  private int serve(IbsimServer server, Emulator emulator, List<String> lines) throws IOException {
    Fabric fabric = emulator.fabric();
    EmulatorCommands commands = new EmulatorCommands(emulator);
    Script fromFile = new Script(server, commands, session.out(), session.err());
    Script typed = new Script(server, commands, session.out(), session.err());
    CountDownLatch ended = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, ended)));
    try {
      ready(server, fabric);
      server.execute(() -> lines.forEach(fromFile::add));
      if (!fabricName.equals("-")) {
        InputStream in = session.inputs().open("-");
        Thread.ofPlatform().daemon().name("commands").start(() -> read(in, server, typed));
      }
      server.run();
    } finally {
      ended.countDown();
    }
    return ExitCode.OK;
  }

  private void ready(IbsimServer server, Fabric fabric) {
    if (json()) {
      Json.print(
          session,
          new Document(
              "heddle.emulate/1",
              "127.0.0.1",
              server.port(),
              fabric.switchCount(),
              fabric.caCount(),
              fabric.routerCount()));
    } else {
      session
          .out()
          .println(
              "ready: "
                  + Counted.of(fabric.switchCount(), "switch", "switches")
                  + ", "
                  + Counted.of(fabric.caCount(), "adapter", "adapters")
                  + " at IBSIM_SERVER_NAME=127.0.0.1 IBSIM_SERVER_PORT="
                  + server.port());
    }
    session.out().flush();
    session.requireOutput();
  }

  /** Reads commands until the input ends; that alone does not end the emulator. */
  private static void read(InputStream in, IbsimServer server, Script typed) {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        String command = line;
        server.execute(() -> typed.add(command));
      }
    } catch (IOException e) {
      // There is nobody to type any more.
    }
  }

  private static void stop(IbsimServer server, CountDownLatch ended) {
    server.stop();
    try {
      ended.await(LONGEST_END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
