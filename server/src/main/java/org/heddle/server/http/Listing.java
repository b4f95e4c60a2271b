package org.heddle.server.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;

/**
 * Which part of a list of numbered things a request asks for.
 *
 * @param from the number behind which it begins, in its order
 * @param since things of this moment or later
 * @param until things before this moment
 * @param actor things of this one; empty for everybody's
 */
public record Listing(
    long from,
    int limit,
    boolean descending,
    Optional<Instant> since,
    Optional<Instant> until,
    String actor) {
  /** What a page has unless it is asked for otherwise. */
  public static final int PAGE = 100;

  /** What a page has at most. */
  public static final int MOST = 1000;

  /** Names in a query that say where a page begins and how long it is. */
  public static final List<String> PART = List.of("after", "limit");

  /** The same of things with numbers. */
  public static final List<String> NUMBERED = List.of("after", "limit", "order");

  /** The same of things with numbers and times. */
  public static final List<String> TIMED = List.of("after", "limit", "order", "since", "until");

  /** The same of things with numbers and times, and somebody who did them. */
  public static final List<String> DONE =
      List.of("after", "limit", "order", "since", "until", "actor");

  private static final String DESCENDING = "desc";

  /**
   * What a request says.
   *
   * @throws Problem 400 if that is wrong
   */
  public static Listing of(Call call) {
    String order = call.query().getOrDefault("order", "asc");
    if (!order.equals("asc") && !order.equals(DESCENDING)) {
      throw Problem.malformed("'order' is asc or desc");
    }
    boolean descending = order.equals(DESCENDING);
    return new Listing(
        call.number("after", descending ? Long.MAX_VALUE : 0),
        call.limit(),
        descending,
        moment(call, "since"),
        moment(call, "until"),
        call.query().getOrDefault("actor", ""));
  }

  private static Optional<Instant> moment(Call call, String name) {
    String text = call.query().getOrDefault(name, "");
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException _) {
      throw Problem.malformed("'" + name + "' is a moment like 2026-11-29T08:00:00Z");
    }
  }

  /** The same from another number on, if that is later in its order. */
  public Listing notBefore(long number) {
    return new Listing(
        descending ? from : Math.max(from, number), limit, descending, since, until, actor);
  }

  /** True if something of a moment is asked for. */
  public boolean wants(Instant at) {
    return since.filter(at::isBefore).isEmpty() && until.filter(end -> !at.isBefore(end)).isEmpty();
  }

  /** True if something is asked for that somebody did at a moment. */
  public boolean wants(Instant at, String who) {
    return wants(at) && (actor.isEmpty() || actor.equals(who));
  }
}
