package org.heddle.server.v1;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.heddle.control.model.Actor;
import org.heddle.plan.model.Event;
import org.heddle.server.http.Call;
import org.heddle.server.http.Documents;
import org.heddle.server.http.Problem;
import org.heddle.server.http.Reply;

/** Server-sent events: what happens, as it happens, to those who may see it. */
public final class EventStreams {
  /** Readers at once. */
  public static final int MOST = 2000;

  /** Of these those of one credential of a tenant or a viewer, so that others find room. */
  public static final int MOST_OF_ONE = 100;

  /** A connection on which nothing happens gets a comment so often: it is closed after 30 s. */
  private static final long KEEP_ALIVE_MILLIS = 10_000;

  private final EventFeed feed;
  private final Semaphore free = new Semaphore(MOST);
  private final Map<String, Integer> byName = new ConcurrentHashMap<>();

  public EventStreams(EventFeed feed) {
    this.feed = feed;
  }

  /** Readers now. */
  public int count() {
    return MOST - free.availablePermits();
  }

  /**
   * A stream that begins after {@code Last-Event-ID}, or with what comes next.
   *
   * @param valid asked now and then whether the reader may still read
   */
  Reply open(Call call, BooleanSupplier valid) {
    String given = call.header("last-event-id").or(() -> parameter(call)).orElse("");
    if (!given.matches("\\d{0,18}")) {
      throw Problem.malformed("'Last-Event-ID' must be the id of an event, a whole number from 0");
    }
    long from = given.isEmpty() ? feed.last() : feed.known(Long.parseLong(given));
    Reply.Stream stream = out -> write(call, from, valid, out);
    return new Reply(200, stream, Map.of("Content-Type", "text/event-stream"));
  }

  private static java.util.Optional<String> parameter(Call call) {
    return java.util.Optional.ofNullable(call.query().get("after"));
  }

  private void write(Call call, long from, BooleanSupplier valid, OutputStream out)
      throws IOException {
    if (!begin(call.actor())) {
      out.write("event: too-many\ndata: {}\n\n".getBytes(StandardCharsets.UTF_8));
      return;
    }
    try {
      out.write(":\n\n".getBytes(StandardCharsets.UTF_8)); // the client sees that it is connected
      out.flush();
      long at = from;
      while (!feed.isClosed() && valid.getAsBoolean()) {
        List<Event> events = feed.after(at, KEEP_ALIVE_MILLIS);
        StringBuilder text = new StringBuilder();
        for (Event e : events) {
          at = e.id();
          if (call.actor().sees(e.owner())) {
            append(text, e);
          }
        }
        if (!text.isEmpty() || events.isEmpty()) {
          out.write((text.isEmpty() ? ":\n\n" : text).toString().getBytes(StandardCharsets.UTF_8));
          out.flush();
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      end(call.actor());
    }
  }

  private boolean begin(Actor actor) {
    boolean within = byName.merge(actor.name(), 1, Integer::sum) <= MOST_OF_ONE;
    boolean begun = (within || actor.role() == Actor.Role.PROVIDER) && free.tryAcquire();
    if (!begun) {
      forget(actor);
    }
    return begun;
  }

  private void end(Actor actor) {
    forget(actor);
    free.release();
  }

  private void forget(Actor actor) {
    byName.computeIfPresent(actor.name(), (_, count) -> count == 1 ? null : count - 1);
  }

  private static void append(StringBuilder text, Event e) {
    text.append("id: ")
        .append(e.id())
        .append("\nevent: ")
        .append(e.kind().word())
        .append("\ndata: ")
        .append(Documents.JSON.writeValueAsString(EventDocument.of(e)))
        .append("\n\n");
  }
}
