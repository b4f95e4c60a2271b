package org.heddle.cli.serve;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.UnrecoverableKeyException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.heddle.agent.DryRunAgent;
import org.heddle.agent.GenerationDirectory;
import org.heddle.agent.LiveReader;
import org.heddle.agent.OpensmAgent;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Inputs;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.log.LogOutput;
import org.heddle.control.Pace;
import org.heddle.control.emulator.Emulator;
import org.heddle.control.port.FabricAgent;
import org.heddle.control.port.Leadership;
import org.heddle.control.port.Store;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.MachineList;
import org.heddle.plan.model.KeyRanges;
import org.heddle.plan.model.Quotas;
import org.heddle.server.http.ServerTls;
import org.heddle.server.http.Tls;
import org.heddle.server.store.DirectoryLock;
import org.heddle.server.store.PostgresLease;
import org.heddle.server.store.SqlStore;
import org.heddle.smp.transport.TransportSpec;
import org.heddle.text.config.ServeFile;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;

/** What {@code heddle serve} runs with: the command line, then the file, then defaults. */
record ServeSettings(
    Session session,
    ServeFile file,
    String listen,
    String data,
    Optional<String> database,
    Optional<String> fabric,
    String agent,
    Optional<String> engine,
    Optional<String> machines,
    boolean open,
    boolean newToken) {
  static final String LISTEN = "127.0.0.1:8480";
  static final String DATA = "heddle-data";
  static final String TREE = "XGFT(2;18,18;1,18)";
  static final String EMULATOR = "emulator";
  static final String OPENSM = "opensm";
  static final String DRY_RUN = "dry-run";

  private static final Pace EMULATOR_PACE = Pace.every(Duration.ofSeconds(10));

  /** A fifth of the time goes into looks. */
  private static final Pace LIVE_PACE = new Pace(Duration.ofMillis(200), Duration.ofSeconds(2), 4);

  private static final List<String> RELOAD = List.of("pkill", "-HUP", "-x", "opensm");

  ServeSettings {
    if (!List.of(EMULATOR, OPENSM, DRY_RUN).contains(agent)) {
      throw Failure.badInput(
          "there is no agent '" + agent + "'", "agents: emulator, opensm, dry-run");
    }
  }

  InetSocketAddress address() {
    int colon = listen.lastIndexOf(':');
    String port = listen.substring(colon + 1);
    if (colon < 1 || !port.matches("\\d{1,5}") || Integer.parseInt(port) > 65535) {
      throw Failure.badInput("'" + listen + "' is not ADDRESS:PORT");
    }
    try {
      return new InetSocketAddress(
          InetAddress.getByName(listen.substring(0, colon)), Integer.parseInt(port));
    } catch (UnknownHostException _) {
      throw Failure.badInput("there is no address '" + listen.substring(0, colon) + "'");
    }
  }

  /** Where the controller keeps what is its own. */
  Path directory() {
    return Inputs.path(data);
  }

  /** Where what is too old for the database goes. */
  Path archive() {
    return file.keep().archive().map(Inputs::path).orElseGet(() -> directory().resolve("archive"));
  }

  /** The SQLite database in a directory. */
  static Path database(String data) {
    return Inputs.path(data).resolve("heddle.db");
  }

  /**
   * What makes this the one process that writes.
   *
   * @param own where this process can be reached
   */
  Leadership leadership(String own) {
    if (database.isEmpty()) {
      if (file.databaseUser().or(file::databasePasswordFile).isPresent()) {
        throw Failure.badInput(
            "a user or a password for a database is given, but no 'database'",
            "a URL like jdbc:postgresql://localhost/heddle; without it everything would go to"
                + " SQLite in "
                + data);
      }
      return new DirectoryLock(Inputs.path(data));
    }
    if (!database.get().startsWith("jdbc:postgresql:")) {
      throw Failure.badInput(
          "'" + database.get() + "' is not a database",
          "a URL like jdbc:postgresql://localhost/heddle");
    }
    return new PostgresLease(database.get(), databaseUser(), databasePassword(), own);
  }

  /** The database, to be written as long as the leadership is held. */
  Store store(Leadership leadership) {
    return leadership instanceof PostgresLease lease
        ? SqlStore.postgres(
            database.orElseThrow(), databaseUser(), databasePassword(), Optional.of(lease))
        : SqlStore.sqlite(database(data));
  }

  private String databaseUser() {
    return file.databaseUser().orElse(System.getProperty("user.name"));
  }

  private String databasePassword() {
    return file.databasePasswordFile().map(this::secret).orElse("");
  }

  private String secret(String name) {
    return new String(session.read(name).bytes(), StandardCharsets.UTF_8).strip();
  }

  /** The keys that partitions may have, by who makes them. */
  KeyRanges keyRanges() {
    ServeFile.Keys keys = file.keys();
    return new KeyRanges(range(keys.tenant()), range(keys.client()), range(keys.job()));
  }

  /** What owners of tenants may have. */
  Quotas quotas() {
    Map<String, Quotas.Quota> out = new LinkedHashMap<>();
    file.quotas().forEach((owner, q) -> out.put(owner, quota(q)));
    Quotas.Quota others = out.remove(ServeFile.Quota.OTHERS);
    return new Quotas(out, others == null ? Quotas.Quota.NONE : others);
  }

  private static Quotas.Quota quota(ServeFile.Quota q) {
    return new Quotas.Quota(q.hosts(), q.links(), q.vms());
  }

  private static KeyRanges.Range range(Optional<ServeFile.KeyRange> given) {
    return given.map(r -> new KeyRanges.Range(r.first(), r.last())).orElse(KeyRanges.Range.ALL);
  }

  /** Key and certificate, if there are any. */
  Optional<Tls> tls() {
    return file.tlsKeystore().map(this::tls);
  }

  /** Looks into the keystore first: what is wrong with it would come too late and too vaguely. */
  private Tls tls(String keystore) {
    String password = file.tlsPasswordFile().map(this::secret).orElse("");
    try {
      KeyStore opened = KeyStore.getInstance("PKCS12");
      byte[] bytes = session.read(keystore).bytes();
      opened.load(new ByteArrayInputStream(bytes), password.toCharArray());
      if (Collections.list(opened.aliases()).stream().noneMatch(a -> isKey(opened, a))) {
        throw Failure.badInput("tls_keystore " + keystore + " holds no key");
      }
    } catch (IOException | GeneralSecurityException e) {
      boolean wrong = e.getCause() instanceof UnrecoverableKeyException;
      throw Failure.badInput(
          "tls_keystore "
              + keystore
              + (wrong ? ": the password is wrong" : " is not a PKCS #12 " + "file"),
          wrong
              ? "tls_password_file names a file with it"
              : "openssl pkcs12 -export -in cert.pem -inkey key.pem -out tls.p12");
    }
    Optional<Path> clients = file.network().clientCaFile().map(this::certificates);
    boolean required = file.network().clientCertificateRequired();
    return new Tls(Path.of(keystore).toAbsolutePath(), password, clients, required);
  }

  private Path certificates(String name) {
    session.read(name); // says what is wrong with the file
    Path path = Inputs.path(name).toAbsolutePath();
    try {
      ServerTls.trusted(path);
      return path;
    } catch (IllegalArgumentException e) {
      throw Failure.badInput("tls_client_ca_file " + e.getMessage());
    }
  }

  /** What is in the files of keys and certificates. */
  List<ByteBuffer> tlsContent() {
    return Stream.of(file.tlsKeystore(), file.tlsPasswordFile(), file.network().clientCaFile())
        .flatMap(Optional::stream)
        .map(name -> ByteBuffer.wrap(session.read(name).bytes()))
        .toList();
  }

  private static boolean isKey(KeyStore store, String alias) {
    try {
      return store.isKeyEntry(alias);
    } catch (KeyStoreException _) {
      return false;
    }
  }

  /** The directory of the files for OpenSM. */
  GenerationDirectory generation() {
    return new GenerationDirectory(
        file.files().map(Path::of).orElseGet(() -> Inputs.path(data).resolve("opensm")),
        file.live().opensmConf().map(Path::of),
        file.live().siteLanes());
  }

  private long mKey() {
    if (file.live().mKeyFile().isEmpty()) {
      return 0;
    }
    String name = file.live().mKeyFile().get();
    String digits = secret(name);
    try {
      return digits.startsWith("0x")
          ? Long.parseUnsignedLong(digits.substring(2), 16)
          : Long.parseUnsignedLong(digits);
    } catch (NumberFormatException _) {
      throw Failure.badInput(
          name + " is not a management key: 0x and at most 16 hexadecimal " + "digits");
    }
  }

  private LiveReader reader() {
    try {
      return new LiveReader(TransportSpec.parse(file.via().orElse("umad")), mKey());
    } catch (IllegalArgumentException e) {
      throw Failure.badInput(e.getMessage());
    }
  }

  /** The fabric of the first start: given, or what the agent sees, or a tree for the emulator. */
  Fabric firstFabric() {
    if (fabric.isEmpty() && !agent.equals(EMULATOR)) {
      return look((found, _) -> found);
    }
    String given = fabric.orElse(TREE);
    if (!given.matches("[XPxp]GFT\\(.*\\)")) {
      return FabricFiles.withLids(FabricFiles.read(session, given));
    }
    try {
      return FabricFiles.withLids(TreeGenerator.generate(TreeSpec.parse(given)));
    } catch (IllegalArgumentException e) {
      throw Failure.badInput("the fabric cannot be served: " + e.getMessage());
    }
  }

  /** What is done with a live fabric. */
  interface Looking<T> {
    T at(Fabric fabric, LiveReader reader);
  }

  /** Looks at the live fabric, and asks its ports for more. */
  <T> T look(Looking<T> looking) {
    try (LiveReader reader = reader()) {
      return looking.at(FabricFiles.withLids(reader.observe().fabric()), reader);
    }
  }

  /** True if there is a database already; of one elsewhere, that is taken for granted. */
  boolean keepsDatabase() {
    return database.isPresent() || session.inputs().exists(database(data).toString());
  }

  /**
   * The machines as the site lists them.
   *
   * @param fabrics in one of which each adapter must be
   */
  MachineList machines(List<Fabric> fabrics) {
    return machines
        .map(file -> FabricFiles.machines(session, session.read(file), fabrics))
        .orElse(MachineList.NONE);
  }

  /** The agent; the emulator begins with the fabric as it is known. */
  FabricAgent agent(Fabric known) {
    return switch (agent) {
      case OPENSM ->
          new OpensmAgent(
              reader(),
              generation(),
              new OpensmAgent.Options(
                  file.reload().isEmpty() ? RELOAD : file.reload(),
                  Duration.ofMillis(file.settleMillis()),
                  file.live().writeDrift()));
      case DRY_RUN -> new DryRunAgent(reader(), generation());
      default -> new Emulator(known);
    };
  }

  /** Begins the log. */
  LogOutput log() {
    ServeFile.Log asked = file.log();
    try {
      return LogOutput.start(
          asked.level(), asked.json(), asked.file().map(Inputs::path), session.err());
    } catch (IOException e) {
      throw Failure.badInput("cannot write to log_file " + asked.file().orElseThrow());
    }
  }

  /** What it runs with, in one line without secrets. */
  String summary() {
    return "listen %s%s, %s, agent %s,%s interval %s, %s, TLS %s, log %s%s"
        .formatted(
            listen,
            open ? " (open)" : "",
            database.map(_ -> "PostgreSQL").orElse("SQLite in " + data),
            agent,
            engine.map(e -> " engine " + e + ",").orElse(""),
            pace(),
            file.correctDrift() ? "corrects drift" : "leaves drift",
            file.tlsKeystore().isPresent() ? "on" : "off",
            file.log().level(),
            file.log().file().map(f -> " to " + f).orElse(""));
  }

  /** Time between looks at the fabric. */
  Pace pace() {
    if (file.intervalMillis() > 0) {
      return Pace.every(Duration.ofMillis(file.intervalMillis()));
    }
    return agent.equals(EMULATOR) ? EMULATOR_PACE : LIVE_PACE;
  }
}
