package org.heddle.cli.serve;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.heddle.catalog.BaseEngines;
import org.heddle.cli.shell.Choices;
import org.heddle.cli.shell.Engines;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.Version;
import org.heddle.cli.shell.log.LogOutput;
import org.heddle.control.LeaderElection;
import org.heddle.control.port.AgentException;
import org.heddle.control.port.Leadership;
import org.heddle.control.port.StoreException;
import org.heddle.routing.RoutingEngine;
import org.heddle.text.config.ServeFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code heddle serve}: the controller. */
@Command(
    name = "serve",
    subcommands = {ServeBackupCommand.class, ServeRestoreCommand.class, ServeImportCommand.class},
    description = {
      "Run the controller: it takes requests for tenants over HTTP, keeps them in a database, "
          + "and carries them out on the fabric: an emulated one, or one that OpenSM manages.",
      "After a restart it goes on where it stopped.",
      "Of several controllers on one PostgreSQL database, one leads and the others stand by."
    },
    footer = {
      "",
      "Examples:",
      "  heddle serve --fabric big.net --data /var/lib/heddle",
      "  heddle serve --fabric 'XGFT(2;18,18;1,18)'",
      "  heddle serve --config /etc/heddle/serve.yaml --agent opensm"
    })
public final class ServeCommand extends ShellCommand {
  private static final System.Logger LOG = System.getLogger(ServeCommand.class.getName());

  /** Between attempts to lead. */
  private static final Duration POLL = Duration.ofSeconds(1);

  /**
   * After SIGTERM. Nothing acknowledged is lost when the process does not end in order: a kill at
   * any moment loses nothing either.
   */
  private static final Duration LONGEST_END = Duration.ofSeconds(8);

  @Mixin private ControllerOptions which;

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
      names = {"-e", "--engine"},
      paramLabel = "NAME",
      description = {
        "Engine of the base tables (default: as before; at the first start dmodk); 'heddle "
            + "engines' lists them. Where it cannot route the fabric, ftree or updn does."
      })
  private String engine;

  @Option(
      names = "--agent",
      paramLabel = "AGENT",
      completionCandidates = Choices.Agents.class,
      description = {
        "emulator (default); opensm: files and SIGHUP, read back by datagrams; dry-run: the same "
            + "files, but OpenSM is not told."
      })
  private String agent;

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS:PORT",
      description = "Address and port to listen on (default: " + ServeSettings.LISTEN + ").")
  private String listen;

  @Option(
      names = "--open",
      description = {
        "Without a token, every user of this machine is the provider. By default the first start "
            + "makes a provider's token, in heddle.token beside the database, and commands of the "
            + "same account find it."
      })
  private boolean open;

  @Option(
      names = "--new-token",
      description =
          "Make the provider's token 'initial' anew, in heddle.token, for who has lost it; the one "
              + "before counts no more.")
  private boolean newToken;

  public ServeCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    ServeSettings settings = settings();
    try (LogOutput _ = settings.log()) {
      return serve(settings);
    }
  }

  private int serve(ServeSettings settings) {
    LOG.log(Level.INFO, Version.line() + " starts: " + settings.summary());
    CountDownLatch ended = new CountDownLatch(1);
    ServeParts parts = new ServeParts(session, settings);
    ServiceManager manager =
        new ServiceManager(session.env(), ProcessHandle.current().pid(), parts::vitals);
    parts.whenReady(manager::ready);
    try (manager;
        Leadership leadership = settings.leadership(parts.own());
        CertificateWatch _ = new CertificateWatch(settings, parts::reload, manager)) {
      manager.start();
      LeaderElection succession = new LeaderElection(leadership, parts.with(leadership), POLL);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(succession, manager, ended)));
      succession.run();
    } catch (StoreException | AgentException e) {
      throw Failure.badInput(e.getMessage());
    } catch (IllegalArgumentException e) {
      throw Failure.refused("the fabric cannot be served: " + e.getMessage(), List.of());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      if (!(e instanceof Failure)) {
        LOG.log(Level.ERROR, "ended by an error", e);
      }
      throw e;
    } finally {
      LOG.log(Level.INFO, Version.line() + " stops");
      ended.countDown();
    }
    return ExitCode.OK;
  }

  private ServeSettings settings() {
    ServeFile file = which.file(session);
    return new ServeSettings(
        session,
        file,
        chosen(listen, file.listen()).orElse(ServeSettings.LISTEN),
        which.data(file),
        chosen(database, file.database()),
        chosen(fabric, file.fabric()),
        chosen(agent, file.agent()).orElse(ServeSettings.EMULATOR),
        chosen(engine, file.engine()).map(ServeCommand::baseEngine),
        which.machines(file),
        open || file.open(),
        newToken);
  }

  /** The engine of a name, if it can make base tables. */
  static String baseEngine(String name) {
    RoutingEngine engine = Engines.named(name);
    BaseEngines.refusal(engine)
        .ifPresent(
            why -> {
              throw Failure.badInput(why);
            });
    return engine.name();
  }

  private static Optional<String> chosen(String given, Optional<String> inFile) {
    return given == null ? inFile : Optional.of(given);
  }

  /**
   * SIGTERM: the process waits until what was accepted has been answered, but not for ever: a
   * database or a fabric that does not answer must not keep it.
   */
  private void stop(LeaderElection succession, ServiceManager manager, CountDownLatch ended) {
    manager.stopping();
    succession.end();
    try {
      if (!ended.await(LONGEST_END.toMillis(), TimeUnit.MILLISECONDS)) {
        session.note("not everything stopped within " + LONGEST_END.toSeconds() + " s; exiting");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
