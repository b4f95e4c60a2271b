package org.heddle.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * A PostgreSQL server with a database of its own, thrown away at the end. PostgreSQL does not run
 * as root: then it runs as the user {@code postgres}.
 */
public final class PostgresCluster implements AutoCloseable {
  /** The database's user, who needs no password. */
  public static final String USER = "heddle";

  private static final Path INSTALLED = Path.of("/usr/lib/postgresql");

  private final Path directory;
  private final PeerProcess server;
  private final int port;

  private PostgresCluster(Path directory, PeerProcess server, int port) {
    this.directory = directory;
    this.server = server;
    this.port = port;
  }

  /** Skips the test, or fails it under CI, unless PostgreSQL's server is installed. */
  public static void assumePresent() {
    if (programs().isPresent()) {
      return;
    }
    String message = "NOT TESTED against PostgreSQL: apt-get install postgresql";
    if ("true".equals(System.getenv("CI"))) {
      Assertions.fail(message);
    }
    System.err.println(message);
    Assumptions.abort(message);
  }

  /** The directory of the newest version's programs. */
  private static Optional<Path> programs() {
    if (!Files.isDirectory(INSTALLED)) {
      return Optional.empty();
    }
    try (Stream<Path> versions = Files.list(INSTALLED)) {
      return versions
          .map(v -> v.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
          .max(Comparator.naturalOrder());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> asUser(String... command) {
    List<String> all = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      all.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
    }
    all.addAll(List.of(command));
    return all;
  }

  private static void run(Path output, List<String> command) {
    try (PeerProcess process = PeerProcess.start(Path.of("/"), output, Map.of(), command)) {
      if (process.awaitEnd() != 0) {
        throw new AssertionError(String.join(" ", command) + "\n" + Peers.tail(output));
      }
    }
  }

  /** Makes a cluster and starts its server; the log goes into a directory of the test. */
  public static PostgresCluster start(Path logs) {
    Path bin = programs().orElseThrow();
    Path output = logs.resolve("initdb.out");
    run(output, asUser("mktemp", "-d", "/tmp/heddle-pg-XXXXXX"));
    Path directory = Path.of(IbsimFabric.read(output).strip());
    String data = directory.resolve("data").toString();
    run(
        output,
        asUser(
            bin.resolve("initdb").toString(), "-D", data, "-A", "trust", "-U", USER, "-E", "UTF8"));
    int port = Ports.free();
    Path log = logs.resolve("postgres.out");
    PeerProcess server =
        PeerProcess.start(
            Path.of("/"),
            log,
            Map.of(),
            asUser(
                bin.resolve("postgres").toString(),
                "-D",
                data,
                "-k",
                directory.toString(),
                "-p",
                String.valueOf(port),
                "-c",
                "listen_addresses=127.0.0.1"));
    PostgresCluster cluster = new PostgresCluster(directory, server, port);
    try {
      server.await(
          "PostgreSQL", () -> IbsimFabric.read(log).contains("ready to accept connections"));
      return cluster;
    } catch (AssertionError e) {
      cluster.close();
      throw e;
    }
  }

  /** For JDBC; the database {@code postgres}. */
  public String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
  }

  /**
   * By SIGINT, upon which the server cuts its clients off and ends after the last of its processes:
   * none of them writes any more when the files go.
   */
  @Override
  public void close() {
    if (server.isAlive()) {
      server.signal("INT");
      server.awaitEnd();
    }
    server.close();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
