package org.heddle.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A PostgreSQL server with a database of its own, thrown away at the end. PostgreSQL does not run
 * as root: then it runs as the user {@code postgres}.
 */
public final class PostgresCluster implements AutoCloseable {
  /** The database's user, who needs no password. */
  public static final String USER = "heddle";

  private final Path directory;
  private final PeerProcess server;
  private final int port;

  private PostgresCluster(Path directory, PeerProcess server, int port) {
    this.directory = directory;
    this.server = server;
    this.port = port;
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
    Path bin = Program.POSTGRES.find().orElseThrow().getParent();
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
