package org.heddle.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.heddle.control.Controller;
import org.heddle.control.Reconciler;
import org.heddle.control.emulator.Emulator;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Credential;
import org.heddle.control.model.Request;
import org.heddle.fabric.Fabric;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.Change;
import org.heddle.server.auth.Credentials;
import org.heddle.server.http.Tls;
import org.heddle.server.store.SqlStore;
import org.heddle.text.config.ServeFile;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;

/** A server on an emulated tree of 32 hosts, a database of its own, and a client. */
public final class TestServer implements AutoCloseable {
  final HttpClient client = HttpClient.newHttpClient();
  public final SqlStore store;
  final Credentials credentials = new Credentials();
  public final Controller controller;
  final Emulator emulator;
  public final Reconciler reconciler;
  final HttpServer server;
  final int port;

  /** Tokens are the names of who has them. */
  public record Token(String name, Actor.Role role, String tenant) {}

  public static final Token ROOT = new Token("root", Actor.Role.PROVIDER, "");
  public static final Token RED = new Token("red", Actor.Role.TENANT, "red");
  public static final Token EYE = new Token("eye", Actor.Role.VIEWER, "");

  /** A server that knows these tokens; without any, everybody is the provider. */
  public static TestServer start(Path directory, Token... tokens) throws IOException {
    return start(directory, HttpServer.REQUEST_TIME, tokens);
  }

  /** The same with these limits by this clock. */
  static TestServer start(
      Path directory, ServeFile.Limits limits, LongSupplier nanos, Token... tokens)
      throws IOException {
    return start(directory, new RateLimits(limits, nanos), tokens);
  }

  static TestServer start(Path directory, RateLimits limits, Token... tokens) throws IOException {
    return new TestServer(
        directory,
        tree(),
        Clock.systemUTC(),
        HttpServer.REQUEST_TIME,
        Optional.empty(),
        limits,
        tokens);
  }

  /** The same on another fabric, by another clock. */
  public static TestServer start(Path directory, Fabric fabric, Clock clock, Token... tokens)
      throws IOException {
    return new TestServer(
        directory, fabric, clock, HttpServer.REQUEST_TIME, Optional.empty(), unlimited(), tokens);
  }

  /** A server on a database that is there already; it knows these tokens besides those in it. */
  static TestServer start(SqlStore store, Clock clock, Token... tokens) throws IOException {
    return new TestServer(
        store,
        store.fabrics().getFirst(),
        clock,
        HttpServer.REQUEST_TIME,
        Optional.empty(),
        unlimited(),
        ServeFile.Network.DEFAULT,
        tokens);
  }

  /** The same with these settings of the network. */
  static TestServer start(
      Path directory, ServeFile.Network network, Optional<Tls> tls, Token... tokens)
      throws IOException {
    return new TestServer(
        made(directory, tree(), tokens),
        "f",
        Clock.systemUTC(),
        HttpServer.REQUEST_TIME,
        tls,
        unlimited(),
        network,
        tokens);
  }

  /** The same with another time that a request may take to arrive, and no limits of rates. */
  static TestServer start(Path directory, Duration requestTime, Token... tokens)
      throws IOException {
    return new TestServer(
        directory, tree(), Clock.systemUTC(), requestTime, Optional.empty(), unlimited(), tokens);
  }

  /** The same with TLS. */
  public static TestServer start(Path directory, Tls tls) throws IOException {
    return new TestServer(
        directory,
        tree(),
        Clock.systemUTC(),
        HttpServer.REQUEST_TIME,
        Optional.of(tls),
        unlimited());
  }

  /** A server of another fabric; everybody is the provider. */
  public static TestServer of(Path directory, Fabric fabric) throws IOException {
    return start(directory, fabric, Clock.systemUTC());
  }

  private static Fabric tree() {
    return TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,8;1,4)")).withAssignedLids();
  }

  private static RateLimits unlimited() {
    return new RateLimits(new ServeFile.Limits(0, 0, 0), System::nanoTime);
  }

  private TestServer(
      Path directory,
      Fabric fabric,
      Clock clock,
      Duration requestTime,
      Optional<Tls> tls,
      RateLimits limits,
      Token... tokens)
      throws IOException {
    this(
        made(directory, fabric, tokens),
        "f",
        clock,
        requestTime,
        tls,
        limits,
        new ServeFile.Network(0, List.of(), Optional.empty(), false),
        tokens);
  }

  private static SqlStore made(Path directory, Fabric fabric, Token... tokens) {
    SqlStore out = SqlStore.sqlite(directory.resolve("s.db"));
    out.create("f", fabric, "dmodk");
    for (Token token : tokens) {
      out.put(credential(token));
    }
    return out;
  }

  private static Credential credential(Token token) {
    String hash = Credentials.hash(token.name);
    return new Credential(
        token.name, "token", hash, token.role, token.tenant, Instant.EPOCH, false);
  }

  private TestServer(
      SqlStore store,
      String fabric,
      Clock clock,
      Duration requestTime,
      Optional<Tls> tls,
      RateLimits limits,
      ServeFile.Network network,
      Token... tokens)
      throws IOException {
    this.store = store;
    store.credentials().forEach(credentials::accept);
    for (Token token : tokens) {
      credentials.accept(credential(token));
    }
    controller = Controller.open(store, clock, fabric);
    emulator = new Emulator(store.load(fabric).orElseThrow().fabric());
    reconciler = new Reconciler(controller, emulator, true, Duration.ofHours(1));
    server =
        new HttpServer(
            controller,
            reconciler,
            credentials,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            tls,
            requestTime,
            limits,
            network);
    port = server.start();
  }

  /** Its address. */
  public String address() {
    return "http://127.0.0.1:" + port;
  }

  /** The desired state. */
  public DesiredState view() {
    return controller.view();
  }

  /** Asks for a change, whatever becomes of it. */
  public void submit(Change change) {
    controller.submit(change, Request.of(Actor.SYSTEM)).join();
  }

  /** A request of somebody without a credential, that must be answered well. */
  public void ask(String method, String path, String body) {
    try {
      HttpResponse<String> answer = send("", method, path, body);
      if (answer.statusCode() / 100 != 2) {
        throw new AssertionError(answer.statusCode() + " " + answer.body());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Has the reconciler look once. */
  public void look() {
    reconciler.pass();
  }

  /** A request by who has the token; without one, if it is empty. */
  HttpRequest.Builder request(String token, String path) {
    HttpRequest.Builder out = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    return token.isEmpty() ? out : out.header("Authorization", "Bearer " + token);
  }

  /** Sends a request by who has the token. */
  public HttpResponse<String> send(String token, String method, String path, String body)
      throws IOException, InterruptedException {
    return send(token, method, path, body, Map.of());
  }

  /** The same with further headers. */
  public HttpResponse<String> send(
      String token, String method, String path, String body, Map<String, String> headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        request(token, path).method(method, HttpRequest.BodyPublishers.ofString(body));
    headers.forEach(request::header);
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    server.close();
    controller.close();
    store.close();
    client.close();
  }
}
