package org.heddle.cli.remote;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.heddle.cli.shell.Failure;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Calls of a controller's {@code /v1}. A change goes out under an idempotency key, so that it can
 * be sent again when an answer is lost or another process takes over: it happens once. What is
 * tried again: lost connections, 429 and 503, seven times in 10 to 20 seconds, each time at the
 * next of the addresses. A connection that all addresses refuse is not.
 *
 * <p>Everything that goes wrong is a {@link Failure}: 1 where the controller refuses, 2 where it
 * could not be asked.
 */
public final class ServerClient implements AutoCloseable {
  private static final int TRIES = 7;
  private static final long FIRST_PAUSE_MILLIS = 200;
  private static final long LONGEST_PAUSE_MILLIS = 5000;
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(60);
  private static final int PAGE = 1000;

  /** Waits. */
  static final Consumer<Duration> SLEEP =
      d -> {
        try {
          Thread.sleep(d);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw Failure.badInput("interrupted");
        }
      };

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final List<URI> servers;
  private final Optional<String> token;
  private final Consumer<Duration> pause;
  private final HttpClient http;
  private Consumer<String> done = _ -> {};
  private int current;

  ServerClient(
      List<URI> servers,
      Optional<String> token,
      Optional<SSLContext> trust,
      Consumer<Duration> pause) {
    this.servers = List.copyOf(servers);
    this.token = token;
    this.pause = pause;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT);
    trust.ifPresent(builder::sslContext);
    this.http = builder.build();
  }

  /** Tells somebody of changes that are made. */
  ServerClient telling(Consumer<String> listener) {
    done = listener;
    return this;
  }

  /** The address that answered last, or would be asked first. */
  public String server() {
    return servers.get(current).toString();
  }

  /** The beginning of a command's JSON document. */
  public ObjectNode document(String format) {
    return JsonNodeFactory.instance.objectNode().put("format", format).put("server", server());
  }

  /** Asks for something. */
  public JsonNode get(String path) {
    return call("GET", path, Optional.empty(), Optional.empty(), Optional.empty(), false);
  }

  /** Asks for a change, once. */
  public JsonNode change(String method, String path, Optional<ObjectNode> body) {
    return change(method, path, body, Optional.empty());
  }

  /** Asks for a change, once, on a condition: the value of {@code If-Match}. */
  public JsonNode change(
      String method, String path, Optional<ObjectNode> body, Optional<String> version) {
    return call(method, path, body, Optional.of(UUID.randomUUID().toString()), version, false);
  }

  /**
   * Asks for a change, once, and does not wait for it.
   *
   * @param version the value of {@code If-Match}
   * @return the job
   */
  public JsonNode job(
      String method, String path, Optional<ObjectNode> body, Optional<String> version) {
    String key = UUID.randomUUID().toString();
    JsonNode answer = call(method, path, body, Optional.of(key), version, true);
    if (!answer.has("progress")) {
      throw Failure.badInput(
          server() + " has done it, but does not support jobs",
          "is it an older controller? leave out " + "--wait");
    }
    return answer;
  }

  /** All items of a list, page by page. */
  public List<JsonNode> all(String path) {
    return all(path, "");
  }

  /** The same of those that a query names; empty for all. */
  public List<JsonNode> all(String path, String query) {
    List<JsonNode> out = new ArrayList<>();
    String after = "";
    while (true) {
      JsonNode page = get(path + "?limit=" + PAGE + (query.isEmpty() ? "" : "&" + query) + after);
      page.path("items").forEach(out::add);
      JsonNode next = page.path("next");
      if (!next.isString() || page.path("items").isEmpty()) {
        return out;
      }
      after = "&after=" + Words.encoded(next.stringValue());
    }
  }

  private JsonNode call(
      String method,
      String path,
      Optional<ObjectNode> body,
      Optional<String> key,
      Optional<String> version,
      boolean later) {
    HttpRequest.BodyPublisher content =
        body.map(b -> HttpRequest.BodyPublishers.ofByteArray(JSON.writeValueAsBytes(b)))
            .orElseGet(HttpRequest.BodyPublishers::noBody);
    HttpResponse<byte[]> response =
        exchange(
            uri -> {
              HttpRequest.Builder request =
                  request(uri, path).timeout(ANSWER).method(method, content);
              body.ifPresent(_ -> request.header("Content-Type", "application/json"));
              key.ifPresent(k -> request.header("Idempotency-Key", k));
              if (later) {
                request.header("Prefer", "respond-async");
              }
              version.ifPresent(v -> request.header("If-Match", v));
              return request.build();
            },
            HttpResponse.BodyHandlers.ofByteArray(),
            false);
    JsonNode answer = json(response);
    if (response.statusCode() / 100 != 2) {
      throw Failures.refusal(server(), response.statusCode(), answer, token.isPresent());
    }
    if (key.isPresent() && !path.contains("dry_run")) {
      done.accept(server() + " has done what was asked for");
    }
    return answer;
  }

  /**
   * A stream that goes on until one side ends it.
   *
   * @param again true if it was open before: then a refused connection is tried again, too
   */
  HttpResponse<Stream<String>> stream(String path, Optional<String> after, boolean again) {
    if (again) {
      pause.accept(Duration.ofMillis(FIRST_PAUSE_MILLIS));
    }
    HttpResponse<Stream<String>> response =
        exchange(
            uri -> {
              HttpRequest.Builder request =
                  request(uri, path).timeout(ANSWER).header("Accept", "text/event-stream").GET();
              after.ifPresent(id -> request.header("Last-Event-ID", id));
              return request.build();
            },
            HttpResponse.BodyHandlers.ofLines(),
            again);
    if (response.statusCode() != 200) {
      try (Stream<String> lines = response.body()) {
        JsonNode answer =
            read(String.join("\n", lines.toList()).getBytes(StandardCharsets.UTF_8), server());
        throw Failures.refusal(server(), response.statusCode(), answer, token.isPresent());
      }
    }
    return response;
  }

  private HttpRequest.Builder request(URI server, String path) {
    HttpRequest.Builder out = HttpRequest.newBuilder(URI.create(server + path));
    token.ifPresent(t -> out.header("Authorization", "Bearer " + t));
    return out.header("Accept", "application/json");
  }

  /** A request to one of the servers. */
  private interface Maker {
    HttpRequest to(URI server);
  }

  private <T> HttpResponse<T> exchange(
      Maker maker, HttpResponse.BodyHandler<T> handler, boolean patient) {
    int refused = 0;
    for (int tried = 1; ; tried++) {
      URI server = servers.get(current);
      long wait = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << tried - 1);
      try {
        HttpResponse<T> response = http.send(maker.to(server), handler);
        int status = response.statusCode();
        if (status != 429 && status != 503 || tried == TRIES) {
          return response;
        }
        refused = 0;
        wait = Math.max(wait, retryAfter(response));
      } catch (SSLException e) {
        throw Failures.tls(server, e);
      } catch (IOException e) {
        boolean unreachable = Failures.unreachable(e) && !patient;
        refused = unreachable ? refused + 1 : 0;
        if (tried == TRIES || refused == servers.size() || Failures.notHttp(e)) {
          throw Failures.lost(server, e, tried);
        }
        wait = unreachable ? 0 : wait;
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        throw Failure.badInput("interrupted");
      }
      current = (current + 1) % servers.size();
      if (wait > 0) {
        pause.accept(Duration.ofMillis(wait));
      }
    }
  }

  private static long retryAfter(HttpResponse<?> response) {
    String text = response.headers().firstValue("Retry-After").orElse("");
    return text.matches("\\d{1,4}")
        ? Math.min(LONGEST_PAUSE_MILLIS, 1000L * Integer.parseInt(text))
        : 0;
  }

  private JsonNode json(HttpResponse<byte[]> response) {
    String type = response.headers().firstValue("Content-Type").orElse("");
    if (response.body().length == 0 || !type.contains("json")) {
      throw Failures.stranger(server(), response.statusCode());
    }
    return read(response.body(), server());
  }

  private static JsonNode read(byte[] bytes, String server) {
    try {
      return JSON.readTree(bytes);
    } catch (JacksonException e) {
      throw Failures.stranger(server, 0);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
