package org.heddle.cli;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.heddle.cli.shell.Choices;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.control.Controller;
import org.heddle.control.Reconciler;
import org.heddle.control.port.AgentException;
import org.heddle.control.port.FabricAgent;
import org.heddle.control.port.Store;
import org.heddle.control.port.StoreException;
import org.heddle.rest.Credentials;
import org.heddle.rest.HttpServer;
import org.heddle.rest.Tls;
import org.heddle.text.ServeFile;
import org.heddle.text.ServeFileReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code heddle serve}: the controller. */
@Command(
    name = "serve",
    subcommands = {ServeBackupCommand.class, ServeRestoreCommand.class},
    description = {
      "Run the controller: tenants asked for over HTTP, kept in a database, and made true on the "
          + "fabric: an emulated one, or one that OpenSM manages.",
      "Started again it goes on where it stopped."
    },
    footer = {
      "",
      "Examples:",
      "  heddle serve --fabric big.net --data /var/lib/heddle",
      "  heddle serve --fabric 'XGFT(2;18,18;1,18)'",
      "  heddle serve --config /etc/heddle/serve.yaml --agent opensm"
    })
final class ServeCommand extends ShellCommand {
  private static final String FABRIC = "default";
  private static final String ENGINE = "dmodk";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Configuration, YAML; options here go before what it says.")
  private String config;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Where the database is (default: " + ServeSettings.DATA + ").")
  private String data;

  @Option(
      names = "--database",
      paramLabel = "URL",
      description = "A PostgreSQL database, jdbc:postgresql:..., instead of SQLite in --data.")
  private String database;

  @Option(
      names = "--fabric",
      paramLabel = "FABRIC",
      description =
          "Fabric file, or a tree like XGFT(2;18,18;1,18); used at the first start. Default: that "
              + "tree for the emulator, otherwise what the agent finds.")
  private String fabric;

  @Option(
      names = "--agent",
      paramLabel = "AGENT",
      completionCandidates = Choices.Agents.class,
      description = {
        "emulator (default); opensm: files and SIGHUP, read back by datagrams; dry-run: the same "
            + "files, nobody is told."
      })
  private String agent;

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS:PORT",
      description = "Where to listen (default: " + ServeSettings.LISTEN + ").")
  private String listen;

  ServeCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    ServeSettings settings = settings();
    InetSocketAddress address = settings.address();
    try (Store store = settings.store()) {
      if (store.load(FABRIC).isEmpty()) {
        store.create(FABRIC, settings.firstFabric(), ENGINE);
      }
      Credentials credentials = new Credentials();
      store.credentials().forEach(credentials::accept);
      if (credentials.isEmpty() && !address.getAddress().isLoopbackAddress()) {
        throw Failure.refused(
            "there are no tokens, and " + settings.listen() + " is open to the network",
            List.of("listen on 127.0.0.1"));
      }
      run(settings, store, credentials, address);
    } catch (StoreException | AgentException e) {
      throw Failure.badInput(e.getMessage());
    } catch (IOException e) {
      throw Failure.badInput("cannot listen on " + settings.listen() + ": " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw Failure.refused("the fabric cannot be served: " + e.getMessage(), List.of());
    }
    return ExitCode.OK;
  }

  private ServeSettings settings() {
    ServeFile file =
        config == null
            ? ServeFile.EMPTY
            : session.accept(config, ServeFileReader.read(session.read(config)));
    return new ServeSettings(
        session,
        file,
        chosen(listen, file.listen()).orElse(ServeSettings.LISTEN),
        chosen(data, file.data()).orElse(ServeSettings.DATA),
        chosen(database, file.database()),
        chosen(fabric, file.fabric()),
        chosen(agent, file.agent()).orElse(ServeSettings.EMULATOR));
  }

  private static Optional<String> chosen(String given, Optional<String> inFile) {
    return given == null ? inFile : Optional.of(given);
  }

  private void run(
      ServeSettings settings, Store store, Credentials credentials, InetSocketAddress address)
      throws IOException {
    Optional<Tls> tls = settings.tls();
    if (tls.isEmpty() && !address.getAddress().isLoopbackAddress()) {
      session.warn("without tls_keystore tokens and passwords travel in clear");
    }
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Thread hook = new Thread(() -> stop(end, ended));
    try (Controller controller = Controller.open(store, Clock.systemUTC(), FABRIC);
        FabricAgent there = settings.agent(controller.view().fabric());
        Reconciler reconciler =
            new Reconciler(controller, there, settings.file().correctDrift(), settings.interval());
        HttpServer server = new HttpServer(controller, reconciler, credentials, address, tls)) {
      reconciler.start();
      int port = server.start();
      Runtime.getRuntime().addShutdownHook(hook);
      String scheme = tls.isPresent() ? "https" : "http";
      session
          .out()
          .printf("heddle: serving at %s://%s:%d/v1%n", scheme, address.getHostString(), port);
      if (there.kind().equals(ServeSettings.OPENSM)) {
        session.out().println("OpenSM runs with: " + settings.generation().command());
      }
      session.out().flush();
      end.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      ended.countDown();
    }
  }

  /** SIGTERM: the process waits until what was accepted has been answered. */
  private static void stop(CountDownLatch end, CountDownLatch ended) {
    end.countDown();
    try {
      ended.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
