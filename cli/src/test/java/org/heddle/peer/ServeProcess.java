package org.heddle.peer;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.heddle.cli.Main;

/** {@code heddle serve} as a process of its own, started again and again at the same port. */
final class ServeProcess implements AutoCloseable {
  /** After this a client that has somebody else to ask goes there. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Path directory;
  private final String name;
  private final List<String> options;
  private final Map<String, String> environment;
  private final int port;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(PeerProcess.DEADLINE) // shorter for those that are impatient
          .build();
  private PeerProcess process;
  private int starts;

  /** One that is open to everybody, so that a test need not know a token. */
  ServeProcess(Path directory, String name, List<String> options) {
    this(directory, name, Stream.concat(Stream.of("--open"), options.stream()).toList(), Map.of());
  }

  /** The same with these options only, in another environment. */
  ServeProcess(Path directory, String name, List<String> options, Map<String, String> environment) {
    this.directory = directory;
    this.name = name;
    this.options = List.copyOf(options);
    this.environment = Map.copyOf(environment);
    this.port = Ports.free();
  }

  String base() {
    return "http://127.0.0.1:" + port;
  }

  private Path file() {
    return directory.resolve(name + "-" + starts + ".out");
  }

  /** What it has said since its last start. */
  String output() {
    return IbsimFabric.read(file());
  }

  private void start() {
    starts++;
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>(List.of(java, "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("serve", "--listen", "127.0.0.1:" + port));
    command.addAll(List.of("--fabric", "XGFT(2;6,8;1,6)"));
    command.addAll(options);
    process = PeerProcess.start(directory, file(), environment, command);
  }

  /** Starts it, and waits until it has said something. */
  void start(String until) {
    start();
    process.await(until, () -> output().contains(until));
  }

  /** Starts it, and waits for its end; returns the exit code. */
  int runToItsEnd() {
    start();
    return process.awaitEnd();
  }

  /** Waits for its end; returns the exit code. */
  int awaitEnd() {
    return process.awaitEnd();
  }

  void await(String what, BooleanSupplier condition) {
    process.await(what, condition);
  }

  long pid() {
    return process.pid();
  }

  void kill() {
    process.kill();
  }

  /** Sends a signal by its name. */
  void signal(String signal) {
    process.signal(signal);
  }

  /** Reads something; waits for the answer as long as it takes. */
  HttpResponse<String> get(String path) throws IOException {
    try {
      return http.send(
          HttpRequest.newBuilder(URI.create(base() + path)).timeout(PeerProcess.DEADLINE).build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** Asks for a tenant of one host; waits for the answer as long as it takes. */
  CompletableFuture<HttpResponse<String>> make(String tenant) {
    return post("/v1/tenants", "{\"name\":\"%s\",\"hosts\":1}".formatted(tenant));
  }

  /** Posts a body; waits for the answer as long as it takes. */
  CompletableFuture<HttpResponse<String>> post(String path, String body) {
    return http.sendAsync(
        HttpRequest.newBuilder(URI.create(base() + path))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** Sends a request under a key; gives up after a while. */
  HttpResponse<String> send(String method, String path, String body, String key)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create(base() + path))
            .timeout(PATIENCE)
            .header("Idempotency-Key", key)
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    if (process != null && process.isAlive()) {
      process.kill(); // it may be stopped, and then hears of nothing else
    }
    http.close();
  }
}
