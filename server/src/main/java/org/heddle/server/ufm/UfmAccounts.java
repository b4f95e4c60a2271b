package org.heddle.server.ufm;

import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Credential;
import org.heddle.control.port.Store;
import org.heddle.server.auth.Credentials;
import org.heddle.server.auth.PasswordHash;
import org.heddle.server.http.Call;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code /app/tokens} and {@code /app/users} of the UFM interface, by which provisioning tools get
 * a token and change a password. A token's secret is in the answer that makes it and nowhere else.
 */
final class UfmAccounts {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Ten years in seconds, as UFM says, of those that do not end by themselves. */
  private static final long EXPIRES_IN = 315_360_000;

  private static final int SHORTEST_PASSWORD = 8;
  private static final int LONGEST_NAME = 22;
  private static final int DIGITS = 8;

  private final Store store;
  private final Credentials credentials;
  private final InstantSource clock;

  UfmAccounts(Store store, Credentials credentials, InstantSource clock) {
    this.store = store;
    this.credentials = credentials;
    this.clock = clock;
  }

  /** True if a path behind the base is one of these. */
  static boolean holds(List<String> path) {
    return path.equals(List.of("app", "tokens"))
        || path.size() == 3 && path.subList(0, 2).equals(List.of("app", "users"));
  }

  UfmAnswer answer(Call call, List<String> path) {
    String method = call.method() + " " + path.get(1);
    return switch (method) {
      case "POST tokens" -> make(call.actor());
      case "GET tokens" -> list(call.actor());
      case "PUT users" -> password(call, path.get(2));
      default -> UfmAnswer.error(405, call.method() + " is not for this resource");
    };
  }

  private UfmAnswer make(Actor actor) {
    if (credentials.isEmpty()) {
      return UfmAnswer.error(409, "nobody needs a token here; POST /v1/users makes the first user");
    }
    String secret = Credentials.secret();
    Credential made =
        new Credential(
                prefix(actor) + Credentials.secret().substring(0, DIGITS),
                Credentials.TOKEN,
                Credentials.hash(secret),
                actor.role(),
                actor.tenant(),
                clock.instant().truncatedTo(ChronoUnit.SECONDS),
                false)
            .of(Credentials.userOf(store.credentials(), actor));
    store.put(made);
    credentials.accept(made);
    return UfmAnswer.ok(document(actor, made, secret));
  }

  private UfmAnswer list(Actor actor) {
    ArrayNode out = JSON.arrayNode();
    for (Credential c : store.credentials()) {
      if (c.kind().equals(Credentials.TOKEN) && c.name().startsWith(prefix(actor))) {
        out.add(document(actor, c, ""));
      }
    }
    return UfmAnswer.ok(out);
  }

  private static String prefix(Actor actor) {
    String name = actor.name();
    return name.substring(0, Math.min(LONGEST_NAME, name.length())) + "-";
  }

  private static ObjectNode document(Actor actor, Credential c, String secret) {
    return JSON.objectNode()
        .put("access_token", secret)
        .put("revoked", c.revoked())
        .put("issued_at", c.issued().getEpochSecond())
        .put("expires_in", expiresIn(c))
        .put("username", actor.name());
  }

  private static long expiresIn(Credential c) {
    return c.expires()
        .map(end -> Math.max(0, end.getEpochSecond() - c.issued().getEpochSecond()))
        .orElse(EXPIRES_IN);
  }

  private UfmAnswer password(Call call, String name) {
    String password = call.json().path("password").asString("");
    if (password.length() < SHORTEST_PASSWORD) {
      return UfmAnswer.error(400, "a password has 8 characters or more");
    }
    synchronized (credentials) {
      Credential before = credentials.user(name).orElse(null);
      if (before == null) {
        return UfmAnswer.error(404, "no user " + name);
      }
      Credential after = before.withHash(PasswordHash.of(password), clock.instant());
      store.put(after);
      credentials.accept(after);
    }
    return UfmAnswer.ok(JSON.objectNode().put("name", name));
  }
}
