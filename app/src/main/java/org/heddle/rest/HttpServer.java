package org.heddle.rest;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.URIUtil;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.heddle.control.Controller;
import org.heddle.control.Reconciler;
import org.heddle.control.model.Actor;

/** The server: finds the sender and the route, and writes the answer. */
public final class HttpServer implements AutoCloseable {
  private static final int BODY_LIMIT = 1 << 20;

  /** What is read and thrown away of a body that is too large, so that the answer arrives. */
  private static final long DISCARD_LIMIT = 8L * BODY_LIMIT;

  private static final int HEADER_LIMIT = 16 * 1024;
  private static final long IDLE_MILLIS = 30_000;

  private final Server server;
  private final ServerConnector connector;
  private final List<Route> routes;
  private final Credentials credentials;
  private final UfmArea ufm;

  /**
   * A server that does not listen yet.
   *
   * @param credentials if there are none, everybody is the provider: for loopback only
   */
  public HttpServer(
      Controller controller,
      Reconciler reconciler,
      Credentials credentials,
      InetSocketAddress address) {
    this.credentials = credentials;
    this.ufm = new UfmArea(controller);
    this.routes = new ApiV1(controller, reconciler, credentials).routes();
    QueuedThreadPool threads = new QueuedThreadPool(64, 4);
    threads.setVirtualThreadsExecutor(Executors.newVirtualThreadPerTaskExecutor());
    threads.setDaemon(true);
    server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(HEADER_LIMIT);
    // Slurm's epilog sends host lists like node[1-4] in the path as they are
    http.setUriCompliance(
        UriCompliance.DEFAULT.with("heddle", UriCompliance.Violation.ILLEGAL_PATH_CHARACTERS));
    connector = new ServerConnector(server, new HttpConnectionFactory(http));
    connector.setHost(address.getAddress().getHostAddress());
    connector.setPort(address.getPort());
    connector.setIdleTimeout(IDLE_MILLIS);
    server.addConnector(connector);
    server.setHandler(new Dispatcher());
    server.setStopTimeout(2000);
  }

  /** The routes, which tests of access go by. */
  List<Route> routes() {
    return routes;
  }

  /**
   * Begins to listen; returns the port.
   *
   * @throws IOException if the address cannot be had
   */
  public int start() throws IOException {
    try {
      server.start();
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
    return connector.getLocalPort();
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private final class Dispatcher extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback)
        throws IOException {
      List<String> segments = segments(request);
      boolean ofUfm = UfmArea.holds(segments);
      Reply reply;
      try {
        reply = answer(request, segments);
      } catch (Problem p) {
        reply = ofUfm ? UfmArea.problem(p) : new Reply(p.status(), p.document(), Map.of());
      }
      if (reply.status() == 401) {
        String scheme = ofUfm ? "Basic realm=\"heddle\"" : "Bearer";
        response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, scheme);
      }
      write(response, reply, callback);
      return true;
    }
  }

  private Reply answer(Request request, List<String> segments) throws IOException {
    String header = request.getHeaders().get(HttpHeader.AUTHORIZATION);
    Actor actor =
        credentials.isEmpty()
            ? new Actor("local", Actor.Role.PROVIDER, "")
            : Optional.ofNullable(header)
                .flatMap(credentials::actor)
                .orElseThrow(() -> new Problem(401, "unauthorized", "a token is needed"));
    boolean ofUfm = UfmArea.holds(segments);
    Route route = ofUfm ? null : route(request.getMethod(), segments, actor);
    Call call =
        new Call(
            actor,
            request.getMethod(),
            Request.getPathInContext(request),
            segments,
            Map.of(),
            query(request),
            headers(request),
            body(request));
    return ofUfm
        ? ufm.answer(call)
        : route.handler().handle(call.with(route.match(segments).orElseThrow()));
  }

  private Route route(String method, List<String> segments, Actor actor) {
    boolean known = false;
    for (Route route : routes) {
      boolean matches = route.match(segments).isPresent();
      known |= matches;
      if (!matches || !route.method().equals(method)) {
        continue;
      }
      if (route.changes() && actor.role() == Actor.Role.VIEWER) {
        throw new Problem(403, "forbidden", "a viewer changes nothing");
      }
      return route;
    }
    throw known ? new Problem(405, "method-not-allowed", "not with " + method) : Problem.notFound();
  }

  private static List<String> segments(Request request) {
    List<String> out = new ArrayList<>();
    for (String s : Request.getPathInContext(request).split("/")) {
      if (!s.isEmpty()) {
        out.add(URIUtil.decodePath(s));
      }
    }
    return out;
  }

  private static Map<String, String> query(Request request) {
    Map<String, String> out = new HashMap<>();
    Request.extractQueryParameters(request)
        .forEach(field -> out.putIfAbsent(field.getName(), field.getValue()));
    return out;
  }

  private static Map<String, String> headers(Request request) {
    Map<String, String> out = new HashMap<>();
    request
        .getHeaders()
        .forEach(f -> out.putIfAbsent(f.getName().toLowerCase(Locale.ROOT), f.getValue()));
    return out;
  }

  private static byte[] body(Request request) throws IOException {
    try (InputStream in = Content.Source.asInputStream(request)) {
      byte[] out = in.readNBytes(BODY_LIMIT + 1);
      if (out.length > BODY_LIMIT) {
        discard(in);
        throw new Problem(413, "too-large", "a body has 1 MiB at most");
      }
      return out;
    }
  }

  /**
   * Reads on for a while: a connection that is closed while the client still sends is reset, and
   * the client never sees the answer.
   */
  private static void discard(InputStream in) throws IOException {
    byte[] buffer = new byte[1 << 16];
    long left = DISCARD_LIMIT;
    for (int n = in.read(buffer); n >= 0 && left > 0; n = in.read(buffer)) {
      left -= n;
    }
  }

  private static void write(Response response, Reply reply, Callback callback) {
    response.setStatus(reply.status());
    String type = reply.status() >= 400 ? "application/problem+json" : "application/json";
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    if (reply.status() == 413) {
      response.getHeaders().put(HttpHeader.CONNECTION, "close"); // some of the body may be left
    }
    reply.headers().forEach(response.getHeaders()::put);
    byte[] bytes =
        reply.body() instanceof byte[] raw ? raw : Documents.JSON.writeValueAsBytes(reply.body());
    response.write(true, ByteBuffer.wrap(bytes), callback);
  }
}
