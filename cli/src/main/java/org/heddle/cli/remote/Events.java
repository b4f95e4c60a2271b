package org.heddle.cli.remote;

import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.heddle.cli.shell.Failure;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Follows a controller's events. A stream that ends or falls silent (the controller says something
 * at least every 10 s) is opened again behind the last event, wherever the controller is by then;
 * none is missed and none comes twice.
 */
public final class Events {
  private static final String PATH = "/v1/events";
  private static final long SILENCE_SECONDS = 30;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final ServerClient client;
  private Optional<String> last;

  /**
   * Events after one.
   *
   * @param last its id; empty for what happens from now on
   */
  public Events(ServerClient client, Optional<String> last) {
    this.client = client;
    this.last = last;
  }

  /** Hands over every event until the reader has enough. */
  public void follow(Predicate<JsonNode> reader) {
    boolean more = true;
    for (boolean again = false; more; again = true) {
      HttpResponse<Stream<String>> response = client.stream(PATH, last, again);
      try (Stream<String> lines = response.body()) {
        more = read(lines, reader);
      }
    }
  }

  /** The lines come in another thread, because reading them cannot be given a time limit. */
  private boolean read(Stream<String> lines, Predicate<JsonNode> reader) {
    BlockingQueue<Optional<String>> queue = new LinkedBlockingQueue<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                lines.forEach(line -> queue.add(Optional.of(line)));
              } catch (RuntimeException _) {
                // the connection is gone
              }
              queue.add(Optional.empty());
            });
    String kind = "";
    while (true) {
      Optional<String> line = next(queue);
      if (line.isEmpty()) {
        return true;
      }
      String text = line.get();
      if (text.startsWith("event: ")) {
        kind = text.substring("event: ".length());
      } else if (text.startsWith("id: ")) {
        last = Optional.of(text.substring("id: ".length()));
      } else if (text.startsWith("data: ")) {
        if (kind.equals("too-many")) {
          throw Failure.badInput(client.server() + " has too many readers of events");
        }
        if (!reader.test(event(text.substring("data: ".length())))) {
          return false;
        }
      }
    }
  }

  private static Optional<String> next(BlockingQueue<Optional<String>> queue) {
    try {
      Optional<String> line = queue.poll(SILENCE_SECONDS, TimeUnit.SECONDS);
      return line == null ? Optional.empty() : line;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw Failure.badInput("interrupted");
    }
  }

  private JsonNode event(String json) {
    try {
      return JSON.readTree(json);
    } catch (JacksonException e) {
      throw Failures.stranger(client.server(), 0);
    }
  }
}
