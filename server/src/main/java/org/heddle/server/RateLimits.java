package org.heddle.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.heddle.control.model.Actor;
import org.heddle.server.auth.Credentials;
import org.heddle.server.http.Problem;
import org.heddle.server.http.Rates;
import org.heddle.server.http.Turns;
import org.heddle.text.config.ServeFile;

/**
 * Who may ask how often. Each credential of a tenant or a viewer has a rate of its own, and
 * providers another one, by default none: the UFM clients, all of which may use one credential, do
 * not understand that they have to wait. An address that sends wrong credentials may do so a few
 * times a minute; then passwords from there are not looked at for a while, except those that were
 * right before. Tokens always are, which costs nothing and cannot be guessed: so nobody can keep
 * another one out who shares its address.
 */
final class RateLimits {
  /** Seconds of a rate that may come at once. */
  private static final int BURST_SECONDS = 4;

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final int IPV6_NETWORK_BYTES = 8;
  private static final int IPV6_BYTES = 16;

  private final Rates others;
  private final Rates providers;
  private final Rates failures;
  private final Rates strangers;
  private static final Optional<Rates> NO_QUOTA = Optional.of(new Rates(0, 1));

  private final Map<String, Optional<Rates>> tenants = new HashMap<>();
  private final Turns turns = new Turns();
  private final LongSupplier nanos;
  private final long origin;

  /**
   * Limits.
   *
   * @param nanos a clock that never goes back
   */
  RateLimits(ServeFile.Limits limits, LongSupplier nanos) {
    this(limits, Map.of(), nanos);
  }

  /**
   * The same.
   *
   * @param quotas of tenants, whose credentials share the requests that they may send
   */
  RateLimits(ServeFile.Limits limits, Map<String, ServeFile.Quota> quotas, LongSupplier nanos) {
    quotas.forEach(
        (tenant, q) -> q.requestsPerSecond().ifPresent(rate -> tenants.put(tenant, quota(rate))));
    this.others = perSecond(limits.requestsPerSecond());
    this.providers = perSecond(limits.providerRequestsPerSecond());
    this.strangers = perSecond(limits.requestsPerSecond());
    int failing = limits.failuresPerMinute();
    this.failures = new Rates(failing == 0 ? 0 : TimeUnit.MINUTES.toNanos(1) / failing, failing);
    this.nanos = nanos;
    this.origin = nanos.getAsLong();
  }

  /** Unlike for a limit, none is none. */
  private static Optional<Rates> quota(int rate) {
    return rate == 0 ? Optional.empty() : Optional.of(perSecond(rate));
  }

  private static Rates perSecond(int rate) {
    return new Rates(rate == 0 ? 0 : SECOND / rate, BURST_SECONDS * rate);
  }

  /**
   * Who sends a request.
   *
   * @param header {@code Authorization}
   * @throws Problem 401 if nobody knows, 429 if it asks too often
   */
  Actor actor(Optional<String> header, String remote, Credentials credentials) {
    String address = network(remote);
    if (header.isEmpty()) {
      pass(strangers, address);
      throw unknown();
    }
    return actor(
        credentials
            .known(header.get())
            .orElseGet(() -> looked(header.get(), address, credentials)));
  }

  /**
   * Somebody who is known already.
   *
   * @throws Problem 429 if it asks too often
   */
  Actor actor(Actor actor) {
    pass(actor.role() == Actor.Role.PROVIDER ? providers : others, actor.name());
    if (actor.role() == Actor.Role.TENANT) {
      Optional<Rates> quota =
          tenants.containsKey(actor.tenant())
              ? tenants.get(actor.tenant())
              : tenants.getOrDefault(ServeFile.Quota.OTHERS, NO_QUOTA);
      pass(
          quota.orElseThrow(
              () ->
                  new Problem(
                      403, "forbidden", "the quota of '" + actor.tenant() + "' is no requests")),
          actor.tenant());
    }
    return actor;
  }

  private Actor looked(String header, String address, Credentials credentials) {
    return turns.in(
        address,
        () -> {
          Optional<Actor> meanwhile = credentials.known(header); // the same, sent at once
          return meanwhile.isPresent()
              ? meanwhile.get()
              : counted(address, () -> credentials.actor(header), Optional::isPresent)
                  .orElseThrow(RateLimits::unknown);
        });
  }

  /**
   * A name and password that are looked at outside {@link #actor}.
   *
   * @param right if they were right, by what came of it
   * @throws Problem 429 if too many from there were wrong
   */
  <T> T login(String remote, Supplier<T> look, Predicate<T> right) {
    String address = network(remote);
    return turns.in(address, () -> counted(address, look, right));
  }

  /**
   * Counted before the password is looked at, and given back if it was right. Only a few are looked
   * at at once ({@link Turns}), so right ones that take their time do not use up what wrong ones
   * may.
   */
  private <T> T counted(String address, Supplier<T> look, Predicate<T> right) {
    pass(failures, address);
    T out = look.get();
    if (right.test(out)) {
      failures.giveBack(address);
    }
    return out;
  }

  private void pass(Rates rates, String who) {
    long wait = rates.take(who, nanos.getAsLong() - origin);
    if (wait > 0) {
      long seconds = (wait + SECOND - 1) / SECOND;
      throw Problem.tooOften(seconds);
    }
  }

  private static Problem unknown() {
    return new Problem(401, "unauthorized", "a token is needed");
  }

  /** An address; of IPv6, where each has as many as it likes, the network of 64 bits. */
  static String network(String address) {
    if (!address.contains(":")) {
      return address;
    }
    try {
      byte[] bytes = InetAddress.getByName(address).getAddress(); // a literal: nobody is asked
      return bytes.length == IPV6_BYTES
          ? HexFormat.of().formatHex(Arrays.copyOf(bytes, IPV6_NETWORK_BYTES))
          : address;
    } catch (UnknownHostException _) {
      return address;
    }
  }
}
