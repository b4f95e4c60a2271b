package org.heddle.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.URIUtil;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.heddle.control.Controller;
import org.heddle.control.LogContext;
import org.heddle.control.Reconciler;
import org.heddle.control.model.Actor;
import org.heddle.control.model.AuditRecord;
import org.heddle.control.port.StoreException;
import org.heddle.server.auth.CredentialUse;
import org.heddle.server.auth.Credentials;
import org.heddle.server.console.ConsolePages;
import org.heddle.server.console.PictureApi;
import org.heddle.server.http.AddressLimit;
import org.heddle.server.http.Call;
import org.heddle.server.http.Cut;
import org.heddle.server.http.ErrorAnswers;
import org.heddle.server.http.Origins;
import org.heddle.server.http.Problem;
import org.heddle.server.http.Remotes;
import org.heddle.server.http.Reply;
import org.heddle.server.http.Representation;
import org.heddle.server.http.Route;
import org.heddle.server.http.ServerTls;
import org.heddle.server.http.SlowRequests;
import org.heddle.server.http.Tls;
import org.heddle.server.jobs.JobApi;
import org.heddle.server.jobs.Jobs;
import org.heddle.server.openapi.OpenApi;
import org.heddle.server.ufm.UfmArea;
import org.heddle.server.ufm.UfmLogin;
import org.heddle.server.v1.AccountApi;
import org.heddle.server.v1.ApiV1;
import org.heddle.server.v1.EventFeed;
import org.heddle.server.v1.EventStreams;
import org.heddle.server.v1.ExportApi;
import org.heddle.server.v1.InventoryApi;
import org.heddle.server.v1.LaasApi;
import org.heddle.server.v1.MigrationApi;
import org.heddle.server.v1.NodeApi;
import org.heddle.server.v1.PlanApi;
import org.heddle.server.v1.ServiceApi;
import org.heddle.server.v1.SessionApi;
import org.heddle.server.v1.VmApi;
import org.heddle.text.config.ServeFile;

/** The server: finds the sender and the route, and writes the answer. */
public final class HttpServer implements AutoCloseable {
  private static final int BODY_LIMIT = 1 << 20;

  /** What is read and thrown away of a body that is too large, so that the answer arrives. */
  private static final long DISCARD_LIMIT = 8L * BODY_LIMIT;

  private static final int HEADER_LIMIT = 16 * 1024;
  private static final long IDLE_MILLIS = 30_000;

  /** From a request's first byte to its last: 1 MiB comes in time over 300 kbit/s. */
  static final Duration REQUEST_TIME = Duration.ofSeconds(30);

  /** What is being answered when the server ends has so long; connections that rest, less. */
  private static final Duration ENDING = Duration.ofSeconds(2);

  private static final Duration RESTING = Duration.ofMillis(300);

  /** Twice as many as there may be streams; who comes then waits. */
  private static final int CONNECTIONS = 2 * EventStreams.MOST;

  /**
   * Connections that wait to be accepted. Those that come when all places are taken try again after
   * one, three and seven seconds, which is what clients that all begin at once would see.
   */
  private static final int ACCEPTING = 1024;

  private static final String ACTOR = "org.heddle.actor";

  /** Characters of a path that are recorded. */
  private static final int LINE = 256;

  private static final System.Logger LOG = System.getLogger(HttpServer.class.getName());

  private final RequestIds ids = new RequestIds();

  private final Server server;
  private final ServerConnector connector;
  private final Optional<ServerTls> tls;
  private final Remotes remotes;
  private final AddressLimit addresses;
  private final List<Route> routes;
  private final Credentials credentials;
  private final RateLimits limits;
  private final UfmArea ufm;
  private final UfmLogin logins;
  private final EventFeed feed;
  private final RequestAudit audit;
  private final Operations operations;
  private final PictureApi pictures;
  private final Jobs jobs;
  private final CredentialUse uses;
  private final SlowRequests slow;
  private final Metrics metrics = new Metrics();
  private final AtomicInteger reading = new AtomicInteger();

  /**
   * A server that does not listen yet, without TLS.
   *
   * @param credentials if there are none, everybody is the provider: for loopback only
   */
  public HttpServer(
      Controller controller,
      Reconciler reconciler,
      Credentials credentials,
      InetSocketAddress address) {
    this(controller, reconciler, credentials, address, Optional.empty());
  }

  /** The same with TLS, if there is a certificate. */
  public HttpServer(
      Controller controller,
      Reconciler reconciler,
      Credentials credentials,
      InetSocketAddress address,
      Optional<Tls> tls) {
    this(controller, reconciler, credentials, address, tls, ServeFile.EMPTY);
  }

  /** The same as a configuration says. */
  public HttpServer(
      Controller controller,
      Reconciler reconciler,
      Credentials credentials,
      InetSocketAddress address,
      Optional<Tls> tls,
      ServeFile settings) {
    this(
        controller,
        reconciler,
        credentials,
        address,
        tls,
        REQUEST_TIME,
        new RateLimits(settings.limits(), settings.quotas(), System::nanoTime),
        settings.network());
    // waiting for a subnet manager is no hanging
    operations.patience(Operations.PATIENCE.plusMillis(settings.settleMillis()));
  }

  /** The same with another limit of the time in which a request has to arrive. */
  HttpServer(
      Controller controller,
      Reconciler reconciler,
      Credentials credentials,
      InetSocketAddress address,
      Optional<Tls> files,
      Duration requestTime,
      RateLimits limits,
      ServeFile.Network network) {
    this.remotes = new Remotes(network.proxies());
    this.tls = files.map(ServerTls::new);
    this.addresses =
        new AddressLimit(
            network.connectionsPerAddress(),
            tls.isPresent(),
            RateLimits::network,
            remotes::isProxy);
    this.limits = limits;
    this.credentials = credentials;
    this.logins = new UfmLogin(credentials, Clock.systemUTC());
    this.audit = new RequestAudit(controller.store());
    this.feed = new EventFeed(controller);
    EventStreams streams = new EventStreams(feed);
    this.jobs = new Jobs(controller, reconciler, Clock.systemUTC());
    this.operations = new Operations(controller, reconciler, metrics, streams, addresses::refused);
    this.ufm = new UfmArea(controller, credentials, reconciler::status, operations::problems);
    List<Route> all =
        new ArrayList<>(new ApiV1(controller, reconciler, credentials, streams).routes());
    this.pictures = new PictureApi(controller);
    all.addAll(pictures.routes());
    InventoryApi inventory = new InventoryApi(controller);
    all.addAll(inventory.routes());
    all.addAll(new NodeApi(inventory).routes());
    all.addAll(new SessionApi(credentials).routes());
    all.addAll(new ExportApi(controller).routes());
    this.uses = new CredentialUse(controller.store(), credentials);
    credentials.onChange(feed::wake);
    credentials.renewBy(controller.store()::put);
    all.addAll(new AccountApi(controller.store(), credentials, InstantSource.system()).routes());
    all.addAll(new PlanApi(controller).routes());
    all.addAll(new ServiceApi(controller).routes());
    all.addAll(new JobApi(jobs).routes());
    all.addAll(new VmApi(controller).routes());
    all.addAll(new MigrationApi(controller, reconciler).routes());
    all.addAll(new LaasApi(controller).routes());
    all.addAll(operations.routes());
    all.add(new Route("GET", "/v1/openapi.json", false, "This description", _ -> description()));
    this.routes = List.copyOf(all);
    QueuedThreadPool threads = new QueuedThreadPool(64, 4);
    threads.setVirtualThreadsExecutor(Executors.newVirtualThreadPerTaskExecutor());
    threads.setDaemon(true);
    server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(HEADER_LIMIT);
    // Slurm's epilog sends host lists like node[1-4] in the path as they are
    // and clients put a base that ends with a slash before a path that begins with one
    http.setUriCompliance(
        UriCompliance.DEFAULT.with(
            "heddle",
            UriCompliance.Violation.ILLEGAL_PATH_CHARACTERS,
            UriCompliance.Violation.AMBIGUOUS_EMPTY_SEGMENT));
    connector = connector(server, http, tls);
    connector.setHost(address.getAddress().getHostAddress());
    connector.setPort(address.getPort());
    connector.setIdleTimeout(IDLE_MILLIS);
    connector.setAcceptQueueSize(ACCEPTING);
    server.addConnector(connector);
    server.addBean(new NetworkConnectionLimit(CONNECTIONS, connector));
    connector.addBean(addresses);
    slow = new SlowRequests(connector, requestTime);
    server.setHandler(new Dispatcher());
    server.setErrorHandler(new ErrorAnswers(UfmArea::refuse));
    connector.setShutdownIdleTimeout(RESTING.toMillis());
    server.setStopTimeout(Math.min(ENDING.toMillis(), requestTime.toMillis()));
  }

  /** A connector, for HTTPS if there is a certificate. */
  static ServerConnector connector(Server server, HttpConfiguration http, Optional<ServerTls> tls) {
    HttpConnectionFactory plain = new HttpConnectionFactory(http);
    if (tls.isEmpty()) {
      return new ServerConnector(server, plain);
    }
    http.addCustomizer(new SecureRequestCustomizer(false)); // clients use addresses as names
    return new ServerConnector(
        server, new SslConnectionFactory(tls.get().context(), plain.getProtocol()), plain);
  }

  /**
   * Goes on with the certificates that are in the files now.
   *
   * @throws IllegalArgumentException if they cannot be used: then with those from before
   */
  public void reload(Tls files) {
    tls.ifPresent(t -> t.reload(files));
  }

  /** How the process is that answers here. */
  public Vitals vitals() {
    return operations.vitals();
  }

  /** How long something may be under way before readiness says that it hangs, for tests. */
  void patience(Duration longest) {
    operations.patience(longest);
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
    audit.start();
    listen(server);
    Thread.ofPlatform().name("heddle-picture").daemon().start(pictures::prepare);
    slow.start();
    uses.start();
    jobs.start();
    return connector.getLocalPort();
  }

  /** Starts Jetty, whose faults are all of any kind. */
  static void listen(Server server) throws IOException {
    try {
      server.start();
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  private Reply description() {
    return Reply.ok(OpenApi.document(routes));
  }

  /**
   * Takes no more connections, ends the streams, waits a little for what is being answered, and
   * cuts off whoever is still there then, so that nobody can keep the server from ending.
   */
  @Override
  public void close() {
    feed.close();
    slow.close();
    try {
      server.stop();
    } catch (TimeoutException _) {
      // somebody was cut off: half a request, or an answer that is not read
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      jobs.close();
      uses.close();
      audit.close();
    }
  }

  private final class Dispatcher extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback)
        throws IOException {
      String id = ids.of(Optional.ofNullable(request.getHeaders().get(RequestIds.HEADER)));
      response.getHeaders().put(RequestIds.HEADER, id);
      try {
        LogContext.run(Map.of(LogContext.REQUEST, id), () -> serve(request, response, callback));
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
      return true;
    }

    private void serve(Request request, Response response, Callback callback) {
      long began = System.nanoTime();
      List<String> segments = segments(request);
      boolean ofUfm = UfmArea.holds(segments) || UfmLogin.holds(segments);
      String note = "";
      Reply reply;
      try {
        reply = answer(request, segments);
      } catch (RuntimeException e) {
        Problem p = problem(e);
        note = p.status() == 500 ? where(e) : "";
        if (p.status() == 500) {
          LOG.log(Level.ERROR, "a request failed: " + line(request), e);
        }
        reply = ofUfm ? UfmArea.problem(p) : Reply.of(p);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      if (request.getMethod().equals("HEAD") && reply.body() instanceof Reply.Stream) {
        reply = new Reply(reply.status(), new byte[0], reply.headers());
      }
      if (reply.status() == 401) {
        String scheme = ofUfm ? "Basic realm=\"heddle\"" : "Bearer";
        response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, scheme);
      }
      metrics.answered(reply.status(), System.nanoTime() - began);
      note(request, reply.status(), note);
      Reply sent = Representation.of(method(request), request.getHeaders()::get, reply);
      write(response, sent, Callback.from(() -> slow.answered(request), callback));
    }
  }

  /**
   * Requests for changes, and those of whom nobody knows who sends them; not those that come too
   * often, which would fill the record.
   */
  private void note(Request request, int status, String note) {
    boolean reading = method(request).equals("GET") && status != 401 && note.isEmpty();
    if (status == 429 || reading) {
      return;
    }
    String name = (String) request.getAttribute(ACTOR);
    audit.record(
        new AuditRecord(
            0,
            Instant.now(),
            name == null ? "" : name,
            remotes.of(request),
            line(request),
            status,
            note));
  }

  /**
   * Method and path: queries and bodies, where secrets could be, are not written. Anybody may send
   * a path, and as long a one as a header may be.
   */
  private static String line(Request request) {
    return request.getMethod() + " " + Cut.to(LINE, Request.getPathInContext(request));
  }

  /** What a handler could not do, as an answer. */
  private static Problem problem(RuntimeException e) {
    return switch (e) {
      case Problem p -> p;
      case StoreException s -> Problem.database(s.getMessage());
      case HttpException http -> ErrorAnswers.problem(http.getCode(), http.getReason());
      default -> ErrorAnswers.problem(500, "");
    };
  }

  /** Where the program failed, for whoever mends it; values could be secrets. */
  private static String where(RuntimeException e) {
    String place =
        Arrays.stream(e.getStackTrace())
            .filter(f -> f.getClassName().startsWith("org.heddle"))
            .findFirst()
            .map(f -> " at " + f.getClassName() + ":" + f.getLineNumber())
            .orElse("");
    return "internal: " + e.getClass().getName() + place;
  }

  /** HEAD is GET whose answer has no body, which the HTTP library leaves out. */
  private static String method(Request request) {
    return request.getMethod().equals("HEAD") ? "GET" : request.getMethod();
  }

  private Optional<Reply> open(List<String> segments) {
    return operations.open("GET", segments).or(() -> ConsolePages.open("GET", segments));
  }

  private Reply answer(Request request, List<String> segments) throws IOException {
    String method = method(request);
    Optional<Reply> open = open(segments);
    if (open.isPresent()) {
      return open.filter(_ -> method.equals("GET"))
          .orElseThrow(() -> Problem.notWith(method, List.of("GET", "HEAD")));
    }
    Origins.check(
        Optional.ofNullable(request.getHeaders().get(HttpHeader.ORIGIN)),
        Optional.ofNullable(request.getHeaders().get(HttpHeader.HOST)),
        credentials.isEmpty());
    if (UfmLogin.holds(segments)) {
      return login(request);
    }
    boolean ofUfm = UfmArea.holds(segments);
    Actor actor = actor(request, ofUfm);
    request.setAttribute(ACTOR, actor.name());
    Route route = ofUfm ? null : route(method, segments, actor);
    Call call =
        new Call(
            actor,
            method,
            Request.getPathInContext(request),
            segments,
            Map.of(),
            query(request, ofUfm),
            headers(request),
            body(request));
    slow.complete(request);
    if (ofUfm) {
      return ufm.answer(call);
    }
    Call matched = call.with(route.match(segments).orElseThrow());
    if (route.path().startsWith("/v1/")) {
      route.check(matched);
    }
    return Jobs.wanted(route, matched)
        ? jobs.accept(route, matched)
        : route.handler().handle(matched);
  }

  private Reply login(Request request) throws IOException {
    byte[] body = body(request); // first: one that is sent slowly counts when it is there
    slow.complete(request);
    return limits.login(
        remotes.of(request),
        () -> logins.answer(request.getMethod(), body, remotes.isSecure(request)),
        login -> login.status() == 200);
  }

  /** Who sends it, within its limits; clients of UFM may show a session instead of a credential. */
  private Actor actor(Request request, boolean ofUfm) {
    if (credentials.isEmpty()) {
      if (!remotes.isLocal(request)) {
        throw new Problem(401, "unauthorized", "only this machine gets in without a token");
      }
      return new Actor("local", Actor.Role.PROVIDER, "");
    }
    Optional<String> header =
        Optional.ofNullable(request.getHeaders().get(HttpHeader.AUTHORIZATION))
            .filter(h -> !h.isBlank());
    if (header.isEmpty() && ofUfm) {
      Optional<Actor> session = logins.actor(Request.getCookies(request));
      if (session.isPresent()) {
        return limits.actor(session.get());
      }
    }
    Optional<Actor> shown =
        header.isEmpty() ? ServerTls.client(request).flatMap(credentials::named) : Optional.empty();
    if (shown.isPresent()) {
      return limits.actor(shown.get());
    }
    return limits.actor(header, remotes.of(request), credentials);
  }

  private Route route(String method, List<String> segments, Actor actor) {
    Set<String> known = new TreeSet<>();
    for (Route route : routes) {
      boolean matches = route.match(segments).isPresent();
      if (matches) {
        known.add(route.method());
      }
      if (!matches || !route.method().equals(method)) {
        continue;
      }
      if (route.changes() && actor.role() == Actor.Role.VIEWER) {
        throw new Problem(403, "forbidden", "a viewer changes nothing");
      }
      return route;
    }
    if (known.contains("GET")) {
      known.add("HEAD");
    }
    throw known.isEmpty() ? Problem.notFound() : Problem.notWith(method, known);
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

  /**
   * The parameters of a request. Whoever says one twice might mean either; clients of UFM may, and
   * the first counts.
   */
  private static Map<String, String> query(Request request, boolean twice) {
    Map<String, String> out = new HashMap<>();
    for (Fields.Field field : Request.extractQueryParameters(request)) {
      if (!twice && field.hasMultipleValues()) {
        throw Problem.malformed("the parameter '" + field.getName() + "' is there more than once");
      }
      out.putIfAbsent(field.getName(), field.getValue());
    }
    return out;
  }

  private static Map<String, String> headers(Request request) {
    Map<String, String> out = new HashMap<>();
    request
        .getHeaders()
        .forEach(f -> out.putIfAbsent(f.getName().toLowerCase(Locale.ROOT), f.getValue()));
    return out;
  }

  /** Connections that count for their address, for tests. */
  int connections() {
    return addresses.open();
  }

  /** Requests whose bodies have not come in full, for tests. */
  int reading() {
    return reading.get();
  }

  private byte[] body(Request request) throws IOException {
    reading.incrementAndGet();
    try {
      return whole(request);
    } finally {
      reading.decrementAndGet();
    }
  }

  private static byte[] whole(Request request) throws IOException {
    try (InputStream in = Content.Source.asInputStream(request)) {
      byte[] out = in.readNBytes(BODY_LIMIT + 1);
      if (out.length > BODY_LIMIT) {
        discard(in);
        throw new Problem(413, "too-large", "a body has 1 MiB at most");
      }
      String encoding = request.getHeaders().get(HttpHeader.CONTENT_ENCODING);
      if (out.length > 0 && encoding != null && !encoding.equalsIgnoreCase("identity")) {
        throw new Problem(
            415, "unsupported", "a body is read as it is: 'Content-Encoding' must not be there");
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
    if (reply.body() instanceof Reply.Stream stream) {
      stream(response, stream, callback);
      return;
    }
    response.write(true, ByteBuffer.wrap(reply.bytes()), callback);
  }

  private static void stream(Response response, Reply.Stream stream, Callback callback) {
    try (OutputStream out = Content.Sink.asOutputStream(response)) {
      stream.writeTo(out);
    } catch (IOException e) {
      callback.failed(e); // the reader is gone
      return;
    }
    callback.succeeded();
  }
}
