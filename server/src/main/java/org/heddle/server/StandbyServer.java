package org.heddle.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.heddle.server.console.ConsolePages;
import org.heddle.server.http.Documents;
import org.heddle.server.http.ErrorAnswers;
import org.heddle.server.http.Problem;
import org.heddle.server.http.Reply;
import org.heddle.server.http.ServerTls;
import org.heddle.server.http.Tls;
import org.heddle.server.ufm.UfmArea;

/**
 * What a process answers while another one leads: that it lives, that it is not ready, the
 * console's page, and to all else 503 with the leader's address. It reads no body, knows no
 * credentials and nothing of the fabric.
 */
public final class StandbyServer implements AutoCloseable {
  private static final long IDLE_MILLIS = 5000;
  private static final String RETRY_SECONDS = "1";

  private final Server server;
  private final ServerConnector connector;
  private final Optional<ServerTls> tls;
  private volatile String why = "";

  /** A server that does not listen yet. */
  public StandbyServer(InetSocketAddress address, Optional<Tls> files) {
    this.tls = files.map(ServerTls::new);
    QueuedThreadPool threads = new QueuedThreadPool(16, 2);
    threads.setDaemon(true);
    server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    connector = HttpServer.connector(server, http, tls);
    connector.setHost(address.getAddress().getHostAddress());
    connector.setPort(address.getPort());
    connector.setIdleTimeout(IDLE_MILLIS);
    server.addConnector(connector);
    server.setHandler(new Answering());
    server.setErrorHandler(new ErrorAnswers(UfmArea::refuse));
  }

  /**
   * Goes on with the certificates that are in the files now.
   *
   * @throws IllegalArgumentException if they cannot be used: then with those from before
   */
  public void reload(Tls files) {
    tls.ifPresent(t -> t.reload(files));
  }

  /** Why it does not lead, from now on. */
  public void say(String text) {
    why = text;
  }

  /**
   * Begins to listen; returns the port.
   *
   * @throws IOException if the address cannot be had
   */
  public int start() throws IOException {
    HttpServer.listen(server);
    return connector.getLocalPort();
  }

  private Reply answer(String method, String path) {
    if (method.equals("GET") || method.equals("HEAD")) {
      switch (path) {
        case "/healthz":
          return Reply.ok(new Operations.Health("ok", List.of()));
        case "/readyz":
          return new Reply(503, new Operations.Health("standby", List.of(why)), Map.of());
        case "/metrics":
          return new Reply(
              200,
              Metrics.standby().getBytes(StandardCharsets.UTF_8),
              Map.of("Content-Type", Metrics.CONTENT_TYPE));
        default:
      }
    }
    // the console says itself that this one stands by, and goes on once it leads
    Optional<Reply> page = ConsolePages.open(method, segments(path));
    if (page.isPresent()) {
      return page.get();
    }
    Problem p = new Problem(503, "standby", "this process stands by: " + why);
    return new Reply(503, p.document(), Map.of("Retry-After", RETRY_SECONDS));
  }

  private static List<String> segments(String path) {
    return Arrays.stream(path.split("/")).filter(s -> !s.isEmpty()).toList();
  }

  private final class Answering extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      Reply reply = answer(request.getMethod(), Request.getPathInContext(request));
      response.setStatus(reply.status());
      String type = reply.status() >= 400 ? "application/problem+json" : "application/json";
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
      response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
      reply.headers().forEach(response.getHeaders()::put);
      byte[] bytes =
          reply.body() instanceof byte[] raw ? raw : Documents.JSON.writeValueAsBytes(reply.body());
      response.write(true, ByteBuffer.wrap(bytes), callback);
      return true;
    }
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
