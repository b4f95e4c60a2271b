package org.heddle.cli.serve;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.heddle.catalog.EngineFallback;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;
import org.heddle.control.Controller;
import org.heddle.control.LeaderElection;
import org.heddle.control.Reconciler;
import org.heddle.control.port.FabricAgent;
import org.heddle.control.port.Leadership;
import org.heddle.control.port.Store;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.MachineList;
import org.heddle.plan.StateProof;
import org.heddle.routing.EngineNames;
import org.heddle.server.HttpServer;
import org.heddle.server.Retention;
import org.heddle.server.StandbyServer;
import org.heddle.server.Vitals;
import org.heddle.server.auth.Credentials;
import org.heddle.server.auth.FirstToken;
import org.heddle.server.auth.LocalServers;
import org.heddle.server.http.Tls;

/**
 * What {@code heddle serve} does when it leads and when it stands by. Whatever the leading process
 * knows is read anew when it begins, and let go when it ends; only the port stays the same.
 */
final class ServeParts {
  static final String FABRIC = "default";

  /** Of the base tables, at the first start. */
  private static final String ENGINE = EngineNames.DMODK;

  private static final System.Logger LOG = System.getLogger(ServeParts.class.getName());

  private final Session session;
  private final ServeSettings settings;
  private final InetSocketAddress asked;
  private final Optional<Tls> tls;

  /** What of the server that answers now takes other certificates. */
  private final AtomicReference<Consumer<Tls>> reload = new AtomicReference<>(_ -> {});

  /** How the process is: what of the server that answers now knows it. */
  private final AtomicReference<Supplier<Vitals>> vitals =
      new AtomicReference<>(() -> Vitals.well("starting"));

  /** Told whenever a server has begun to answer. */
  private Runnable ready = () -> {};

  /** True until the token that was asked for is made. */
  private final AtomicBoolean newToken;

  ServeParts(Session session, ServeSettings settings) {
    this.session = session;
    this.settings = settings;
    this.asked = settings.address();
    this.newToken = new AtomicBoolean(settings.newToken());
    this.tls = settings.tls();
    if (tls.isEmpty() && !asked.getAddress().isLoopbackAddress()) {
      session.note("without tls_keystore tokens and passwords travel in clear");
    }
  }

  private String base(String host, int port) {
    String name = host.contains(":") ? "[" + host + "]" : host;
    return (tls.isPresent() ? "https" : "http") + "://" + name + ":" + port;
  }

  /** As the files are now, so that a server that begins later has those that were put there. */
  private Optional<Tls> tls() {
    try {
      return settings.tls();
    } catch (Failure e) {
      LOG.log(Level.WARNING, "the certificate cannot be used now: " + e.getMessage());
      return tls;
    }
  }

  private void serves(Consumer<Tls> reloading) {
    reload.set(reloading);
  }

  /** How the process is now. */
  Vitals vitals() {
    return vitals.get().get();
  }

  /** What to do whenever a server has begun to answer. */
  void whenReady(Runnable then) {
    ready = then;
  }

  /**
   * Has the server go on with the certificates that are in the files now.
   *
   * @throws Failure if they cannot be used: then it goes on with those from before
   */
  void reload() {
    settings
        .tls()
        .ifPresent(
            files -> {
              try {
                reload.get().accept(files);
              } catch (IllegalArgumentException e) {
                throw Failure.badInput(e.getMessage());
              }
            });
  }

  /** Where others reach this process; empty if the system chooses the port. */
  String own() {
    if (asked.getPort() == 0) {
      return "";
    }
    String host = asked.getHostString();
    if (asked.getAddress().isAnyLocalAddress()) {
      try {
        host = InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException _) {
        return "";
      }
    }
    return base(host, asked.getPort());
  }

  /** The parts under a leadership. */
  LeaderElection.Parts with(Leadership leadership) {
    return new Parts(leadership);
  }

  private final class Parts implements LeaderElection.Parts {
    private final Leadership leadership;

    /** What runs, the last begun first. */
    private final Deque<Runnable> running = new ArrayDeque<>();

    private InetSocketAddress address = asked;
    private StandbyServer standby;

    Parts(Leadership leadership) {
      this.leadership = leadership;
    }

    @Override
    public void standBy(String why) {
      vitals.set(() -> Vitals.well("stands by: " + why));
      if (standby != null) {
        standby.say(why);
        return;
      }
      StandbyServer server = new StandbyServer(address, tls());
      serves(server::reload);
      server.say(why);
      listen(server::start);
      standby = server;
      String base = base(address.getHostString(), address.getPort());
      session.out().printf("heddle: standing by at %s: %s%n", base, why);
      session.out().flush();
      ready.run();
    }

    @Override
    public void lead() {
      Store store = settings.store(leadership);
      running.push(store::close);
      Optional<Store.Saved> saved = store.load(FABRIC);
      List<Fabric> known = new ArrayList<>(); // as it is, and as it was when it lacked nothing
      MachineList machines;
      if (saved.isEmpty()) {
        Fabric first = settings.firstFabric();
        settings.engine().ifPresent(e -> requireProven(first, e));
        known.add(first);
        machines = settings.machines(known); // before a fabric is kept that would not be read again
        store.create(FABRIC, first, settings.engine().orElse(ENGINE));
      } else {
        settings
            .fabric()
            .ifPresent(
                file ->
                    LOG.log(
                        Level.INFO,
                        "the fabric is that of the database, where changes are; "
                            + file
                            + " was for the first start and is not read"));
        known.add(saved.get().fabric());
        saved.get().reference().fabric().ifPresent(known::add);
        String before = saved.get().engine();
        settings
            .engine()
            .filter(e -> !e.equals(before))
            .ifPresent(
                e -> {
                  requireProven(saved.get().fabric(), e);
                  store.engine(FABRIC, e);
                  LOG.log(Level.INFO, "base tables of " + e + " instead of " + before);
                });
        machines = settings.machines(known);
      }
      Credentials credentials = new Credentials();
      store.credentials().forEach(credentials::accept);
      makeToken(store, credentials);
      Controller controller =
          Controller.open(
              store, Clock.systemUTC(), FABRIC, settings.keyRanges(), machines, settings.quotas());
      running.push(controller::close);
      Retention retention =
          new Retention(store, FABRIC, settings.file().keep(), settings.archive());
      running.push(retention::close);
      retention.start();
      FabricAgent there = settings.agent(controller.view().fabric());
      running.push(there::close);
      there.noVirtualLids().ifPresent(controller::refuseOwnLids);
      Reconciler reconciler =
          new Reconciler(controller, there, settings.file().correctDrift(), settings.pace());
      running.push(reconciler::close);
      endStandby();
      HttpServer server =
          new HttpServer(controller, reconciler, credentials, address, tls(), settings.file());
      running.push(server::close);
      serves(server::reload);
      reconciler.start();
      listen(server::start);
      session
          .out()
          .printf("heddle: serving at %s/v1%n", base(address.getHostString(), address.getPort()));
      session.out().printf("console: %s/%n", base(address.getHostString(), address.getPort()));
      sayToken(credentials);
      if (there.kind().equals(ServeSettings.OPENSM)) {
        session.out().println("start OpenSM with: " + settings.generation().command());
      }
      session.out().flush();
      vitals.set(server::vitals);
      ready.run();
    }

    /** Without a credential everybody who reaches the port would be the provider. */
    private void makeToken(Store store, Credentials credentials) {
      FirstToken.close(settings.directory())
          .ifPresent(
              file ->
                  LOG.log(
                      Level.WARNING,
                      file
                          + " could be read by other users of this machine: now by its owner only;"
                          + " a start with --new-token makes another token"));
      if (newToken.getAndSet(false)) {
        Path file = FirstToken.renew(store, credentials, settings.directory(), Instant.now());
        LOG.log(
            Level.INFO,
            "made the provider's token '%s' anew, in %s; the one before counts no more"
                .formatted(FirstToken.NAME, file));
      } else if (!settings.open()) {
        FirstToken.make(store, credentials, settings.directory(), Instant.now())
            .ifPresent(
                file ->
                    LOG.log(
                        Level.INFO,
                        "there were no credentials: made the provider's token '%s', in %s"
                            .formatted(FirstToken.NAME, file)));
      } else if (credentials.isEmpty() && !asked.getAddress().isLoopbackAddress()) {
        throw Failure.refused(
            "there are no tokens, and " + settings.listen() + " is open to the network",
            List.of("leave out --open, or listen on 127.0.0.1"));
      } else if (credentials.isEmpty() && !settings.file().network().proxies().isEmpty()) {
        // what comes through a proxy seems to come from this machine if the proxy says nothing
        throw Failure.refused(
            "there are no tokens, and whoever reaches one of 'proxies' would be the provider",
            List.of("leave out --open, or proxies"));
      } else if (credentials.isEmpty()) {
        LOG.log(Level.WARNING, "open: every user of this machine is the provider");
      }
    }

    /** Where the token is, for people, and for commands of the same account. */
    private void sayToken(Credentials credentials) {
      Optional<Path> valid = FirstToken.valid(credentials, settings.directory());
      if (valid.isEmpty() && !credentials.isEmpty()) {
        LOG.log(
            Level.INFO,
            "no token that counts is in %s: others get in as before; whoever has none starts once with --new-token"
                .formatted(FirstToken.file(settings.directory())));
      }
      valid.ifPresent(
          file -> {
            session.out().println("token: " + file);
            if (asked.getAddress().isLoopbackAddress() || asked.getAddress().isAnyLocalAddress()) {
              running.push(LocalServers.note(session.env(), address, file));
            }
          });
    }

    /** Whatever an engine of others does: what it makes is proven before it is taken. */
    private static void requireProven(Fabric fabric, String engine) {
      StateProof.baseTrouble(fabric, engine)
          .ifPresent(
              why -> {
                throw Failure.refused(
                    "the engine " + engine + " cannot serve this fabric: " + why,
                    List.of("take " + String.join(" or ", EngineFallback.ORDER)));
              });
    }

    private void listen(Listening server) {
      try {
        address = new InetSocketAddress(address.getAddress(), server.start());
      } catch (IOException e) {
        // Jetty says only where; in use, forbidden or not of this machine is what is under it
        Throwable why = e.getCause() == null ? e : e.getCause();
        throw Failure.badInput("cannot listen on " + settings.listen() + ": " + why.getMessage());
      }
    }

    private void endStandby() {
      if (standby != null) {
        standby.close();
        standby = null;
      }
    }

    @Override
    public void rest() {
      endStandby();
      vitals.set(() -> Vitals.well("resting"));
      RuntimeException first = null;
      while (!running.isEmpty()) {
        try {
          running.pop().run();
        } catch (RuntimeException e) {
          first = first == null ? e : first; // the others end all the same
        }
      }
      if (first != null) {
        throw first;
      }
    }
  }

  /** A server that begins to listen and says on which port. */
  private interface Listening {
    int start() throws IOException;
  }
}
