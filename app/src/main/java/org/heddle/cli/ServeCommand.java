package org.heddle.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.control.Controller;
import org.heddle.control.Reconciler;
import org.heddle.control.agent.Emulator;
import org.heddle.control.port.Store;
import org.heddle.control.port.StoreException;
import org.heddle.fabric.Fabric;
import org.heddle.rest.Credentials;
import org.heddle.rest.HttpServer;
import org.heddle.store.SqlStore;
import org.heddle.topology.TreeGenerator;
import org.heddle.topology.TreeSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code heddle serve}: the controller. */
@Command(
    name = "serve",
    description = {
      "Run the controller: tenants asked for over HTTP, kept in a database, and made true on the "
          + "fabric of an emulator.",
      "Started again it goes on where it stopped."
    },
    footer = {
      "",
      "Examples:",
      "  heddle serve --fabric big.net --data /var/lib/heddle",
      "  heddle serve --fabric 'XGFT(2;18,18;1,18)'"
    })
final class ServeCommand extends ShellCommand {
  private static final String FABRIC = "default";
  private static final String TREE = "XGFT(2;18,18;1,18)";
  private static final String ENGINE = "dmodk";

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "heddle-data",
      description = "Where the database is (default: ${DEFAULT-VALUE}).")
  private String data;

  @Option(
      names = "--fabric",
      paramLabel = "FABRIC",
      description =
          "Fabric file, or a tree like XGFT(2;18,18;1,18), which is the default; used at the "
              + "first start.")
  private String fabricFile;

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS:PORT",
      defaultValue = "127.0.0.1:8480",
      description = "Where to listen (default: ${DEFAULT-VALUE}).")
  private String listen;

  ServeCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    InetSocketAddress address = address();
    Path directory = Path.of(data);
    try (Store store = SqlStore.sqlite(directory.resolve("heddle.db"))) {
      if (store.load(FABRIC).isEmpty()) {
        store.create(FABRIC, fabric(), ENGINE);
      }
      Credentials credentials = new Credentials();
      store.credentials().forEach(credentials::accept);
      if (credentials.isEmpty() && !address.getAddress().isLoopbackAddress()) {
        throw Failure.refused(
            "there are no tokens, and " + listen + " is open to the network",
            List.of("listen on 127.0.0.1"));
      }
      run(store, credentials, address);
    } catch (StoreException e) {
      throw Failure.badInput(e.getMessage());
    } catch (IOException e) {
      throw Failure.badInput("cannot listen on " + listen + ": " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw Failure.refused("the fabric cannot be served: " + e.getMessage(), List.of());
    }
    return ExitCode.OK;
  }

  private void run(Store store, Credentials credentials, InetSocketAddress address)
      throws IOException {
    Fabric wired = store.load(FABRIC).orElseThrow().fabric();
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Thread hook = new Thread(() -> stop(end, ended));
    try (Controller controller = Controller.open(store, Clock.systemUTC(), FABRIC);
        Emulator agent = new Emulator(wired);
        Reconciler reconciler = new Reconciler(controller, agent, true, Duration.ofSeconds(10));
        HttpServer server = new HttpServer(controller, reconciler, credentials, address)) {
      reconciler.start();
      int port = server.start();
      Runtime.getRuntime().addShutdownHook(hook);
      session.out().printf("heddle: serving at http://%s:%d/v1%n", address.getHostString(), port);
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

  private Fabric fabric() {
    String given = fabricFile == null ? TREE : fabricFile;
    boolean tree = given.matches("[XPxp]GFT\\(.*\\)");
    return FabricFiles.withLids(
        tree ? TreeGenerator.generate(TreeSpec.parse(given)) : FabricFiles.read(session, given));
  }

  private InetSocketAddress address() {
    int colon = listen.lastIndexOf(':');
    String port = listen.substring(colon + 1);
    if (colon < 1 || !port.matches("\\d{1,5}") || Integer.parseInt(port) > 65535) {
      throw Failure.badInput("'" + listen + "' is no ADDRESS:PORT");
    }
    try {
      return new InetSocketAddress(
          InetAddress.getByName(listen.substring(0, colon)), Integer.parseInt(port));
    } catch (UnknownHostException _) {
      throw Failure.badInput("there is no address '" + listen.substring(0, colon) + "'");
    }
  }
}
