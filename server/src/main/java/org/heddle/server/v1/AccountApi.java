package org.heddle.server.v1;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Credential;
import org.heddle.control.model.Request;
import org.heddle.control.port.Store;
import org.heddle.server.auth.Credentials;
import org.heddle.server.auth.PasswordHash;
import org.heddle.server.http.Call;
import org.heddle.server.http.Digests;
import org.heddle.server.http.Documents;
import org.heddle.server.http.Listing;
import org.heddle.server.http.Problem;
import org.heddle.server.http.Reply;
import org.heddle.server.http.Route;
import tools.jackson.databind.JsonNode;

/**
 * API tokens and users: made, listed, revoked; another password. They are the provider's; viewers
 * read who there is, a user of a tenant changes its own password, and for tenants there is nothing
 * else here. Secrets are in the answer that makes them and nowhere else.
 *
 * <p>A request that is repeated under its key, because its answer was lost, gets a token with
 * another secret in the place of the one that nobody knows, as long as that was not used. So
 * nothing has to be kept from which a secret could be told.
 */
public final class AccountApi {
  private static final int SHORTEST_PASSWORD = 8;
  private static final int LONGEST_PASSWORD = 1024;
  private static final Set<String> OF_TOKEN = Set.of("name", "role", "tenant", "expires");

  private static final Set<String> OF_USER =
      Set.of("name", "role", "tenant", "expires", "password");

  private final Store store;
  private final Credentials credentials;
  private final InstantSource clock;

  public AccountApi(Store store, Credentials credentials, InstantSource clock) {
    this.store = store;
    this.credentials = credentials;
    this.clock = clock;
  }

  /**
   * A token or user.
   *
   * @param lastUsed to the minute
   * @param user of a token: the user who made it, with whom it ends
   * @param state valid or expired
   */
  record AccountDocument(
      String name,
      String role,
      String tenant,
      String created,
      Optional<String> expires,
      Optional<String> lastUsed,
      Optional<String> user,
      String state) {}

  record MadeToken(
      String name, String role, String tenant, Optional<String> expires, String accessToken) {}

  record MadeUser(String name, String role, String tenant, Optional<String> expires) {}

  record Done(String name, String outcome) {}

  /**
   * Somebody who is no more.
   *
   * @param tokens of that user, which ended as well
   */
  record Ended(String name, String outcome, List<String> tokens) {}

  /** Somebody who is to be made. */
  private record Wanted(String name, Actor.Role role, String tenant, Optional<Instant> expires) {}

  public List<Route> routes() {
    return List.of(
        new Route("GET", "/v1/tokens", false, "API tokens, by name", c -> list(c, false))
            .taking(Listing.PART)
            .lists(AccountDocument.class),
        new Route("POST", "/v1/tokens", true, "Make an API token", this::token)
            .makes(MadeToken.class, AccountDocument.class),
        new Route("GET", "/v1/tokens/{name}", false, "An API token", c -> one(c, false))
            .answers(AccountDocument.class),
        new Route("DELETE", "/v1/tokens/{name}", true, "Revoke a token", c -> end(c, false))
            .answers(Ended.class),
        new Route("GET", "/v1/users", false, "Users, by name", c -> list(c, true))
            .taking(Listing.PART)
            .lists(AccountDocument.class),
        new Route("POST", "/v1/users", true, "Make a user with a password", this::user)
            .makes(MadeUser.class, AccountDocument.class),
        new Route("GET", "/v1/users/{name}", false, "A user", c -> one(c, true))
            .answers(AccountDocument.class),
        new Route("PUT", "/v1/users/{name}", true, "Give a user another password", this::change)
            .answers(Done.class),
        new Route("DELETE", "/v1/users/{name}", true, "Remove a user", c -> end(c, true))
            .answers(Ended.class));
  }

  private static void provider(Call call, boolean changing) {
    if (changing ? !call.actor().changes("") : !call.actor().sees("")) {
      throw Problem.notFound();
    }
  }

  private static boolean isUser(Credential c) {
    return c.kind().equals(Credentials.PASSWORD);
  }

  private static String role(Actor.Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }

  private AccountDocument document(Credential c) {
    return new AccountDocument(
        c.name(),
        role(c.role()),
        c.tenant(),
        c.issued().toString(),
        c.expires().map(Instant::toString),
        credentials.used(c).map(at -> at.truncatedTo(ChronoUnit.SECONDS).toString()),
        Optional.of(c.user()).filter(u -> !u.isEmpty()),
        c.counts(clock.instant()) ? "valid" : "expired");
  }

  private Reply list(Call call, boolean users) {
    provider(call, false);
    String after = call.query().getOrDefault("after", "");
    int limit = call.limit();
    List<Credential> all =
        store.credentials().stream()
            .filter(c -> isUser(c) == users && !c.revoked() && c.name().compareTo(after) > 0)
            .sorted(Comparator.comparing(Credential::name))
            .toList();
    List<AccountDocument> out = new ArrayList<>();
    all.stream().limit(limit).forEach(c -> out.add(document(c)));
    boolean more = all.size() > out.size() && !out.isEmpty();
    return Reply.ok(
        new ApiV1.Page(out, more ? Optional.of(out.getLast().name()) : Optional.empty()));
  }

  private Optional<Credential> find(String name, boolean users) {
    return store.credentials().stream()
        .filter(c -> c.name().equals(name) && isUser(c) == users)
        .findFirst();
  }

  private Reply one(Call call, boolean users) {
    provider(call, false);
    return find(call.variables().get("name"), users)
        .filter(c -> !c.revoked())
        .map(c -> Reply.ok(document(c)))
        .orElseThrow(Problem::notFound);
  }

  private static Problem conflict(String detail) {
    return new Problem(409, "conflict", detail);
  }

  private Wanted wanted(JsonNode body) {
    String name = Documents.text(body, "name", "");
    String tenant = Documents.text(body, "tenant", "");
    String word = Documents.text(body, "role", "provider");
    Actor.Role role =
        Arrays.stream(Actor.Role.values())
            .filter(r -> r.name().equalsIgnoreCase(word))
            .findFirst()
            .orElseThrow(() -> Problem.malformed("'role' is provider, tenant or viewer"));
    boolean ownTenant = role == Actor.Role.TENANT;
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9_-]{0,30}")) {
      throw Problem.malformed(
          "'name' is 1 to 31 letters, digits, '_' or '-', the first a letter or digit");
    }
    if (ownTenant ? !tenant.matches("[A-Za-z0-9][A-Za-z0-9_-]{0,20}") : !tenant.isEmpty()) {
      throw Problem.malformed(
          "'tenant' goes with the role tenant: 1 to 21 letters, digits, '_' or '-'");
    }
    return new Wanted(name, role, tenant, expires(body));
  }

  private Optional<Instant> expires(JsonNode body) {
    JsonNode given = body.path("expires");
    if (given.isMissingNode() || given.isNull()) {
      return Optional.empty();
    }
    Instant end;
    try {
      end = OffsetDateTime.parse(Documents.text(body, "expires", "")).toInstant();
    } catch (DateTimeException _) {
      throw Problem.malformed("'expires' is a moment like \"2027-01-31T00:00:00Z\"");
    }
    if (!end.isAfter(clock.instant())) {
      throw Problem.malformed("'expires' is in the past");
    }
    return Optional.of(end.truncatedTo(ChronoUnit.SECONDS));
  }

  private static String password(JsonNode body) {
    String password = Documents.text(body, "password", "");
    if (password.length() < SHORTEST_PASSWORD || password.length() > LONGEST_PASSWORD) {
      throw Problem.malformed(
          "a 'password' has %d to %d characters".formatted(SHORTEST_PASSWORD, LONGEST_PASSWORD));
    }
    return password;
  }

  /** A request as it is remembered: passwords are not in it, not even as a digest. */
  private static Credential.Asked asked(Call call, String what) {
    Request request = ApiV1.request(call);
    String digest =
        request.key().isEmpty() ? "" : Digests.sha256(what.getBytes(StandardCharsets.UTF_8));
    return new Credential.Asked(request.actor().name(), request.key(), digest);
  }

  /**
   * What an earlier request of the same sender and key made or changed.
   *
   * @throws Problem if it asked for something else, or others came after it
   */
  private static Optional<Credential> repeated(List<Credential> all, Credential.Asked asked) {
    if (asked.key().isEmpty()) {
      return Optional.empty();
    }
    for (Credential c : all) {
      for (Credential.Asked before : c.asked()) {
        if (before.actor().equals(asked.actor()) && before.key().equals(asked.key())) {
          if (!before.digest().equals(asked.digest())) {
            throw new Problem(422, "key-reused", "the key was used for another request");
          }
          if (!c.asked().getLast().equals(before)) {
            throw conflict("it was done under this key, and changed or revoked since");
          }
          return Optional.of(c);
        }
      }
    }
    return Optional.empty();
  }

  private void put(Credential c) {
    store.put(c);
    credentials.accept(c);
  }

  private void requireFree(List<Credential> all, Wanted w) {
    if (credentials.isEmpty() && (w.role != Actor.Role.PROVIDER || w.expires.isPresent())) {
      throw conflict("the first credential must be a provider's that does not expire");
    }
    if (all.stream().anyMatch(c -> c.name().equals(w.name) && !c.revoked())) {
      throw conflict("there is a credential '" + w.name + "' already");
    }
  }

  private Credential fresh(List<Credential> all, Wanted w, String kind, String hash) {
    List<Credential.Asked> before =
        all.stream()
            .filter(c -> c.name().equals(w.name))
            .findFirst()
            .map(Credential::asked)
            .orElse(List.of());
    Instant now = clock.instant();
    return new Credential(w.name, kind, hash, w.role, w.tenant, now, false, w.expires, "", before);
  }

  private Reply token(Call call) {
    provider(call, true);
    Wanted w = wanted(call.json(OF_TOKEN));
    synchronized (credentials) {
      List<Credential> all = store.credentials();
      Credential.Asked asked = asked(call, "POST /v1/tokens\n" + w);
      Optional<Credential> earlier = repeated(all, asked);
      if (earlier.flatMap(credentials::used).isPresent()) {
        throw conflict(
            "the token '"
                + w.name
                + "' was made under this key and is in use; its secret was in the first answer only");
      }
      if (earlier.isEmpty()) {
        requireFree(all, w);
      }
      String secret = Credentials.secret();
      String hash = Credentials.hash(secret);
      Credential made =
          fresh(all, w, Credentials.TOKEN, hash)
              .of(Credentials.userOf(all, call.actor()))
              .after(asked);
      if (ApiV1.dry(call)) {
        return Reply.ok(document(made));
      }
      put(earlier.map(e -> e.withHash(hash, clock.instant())).orElse(made));
      return new Reply(
          201,
          new MadeToken(w.name, role(w.role), w.tenant, w.expires.map(Instant::toString), secret),
          Map.of("Location", "/v1/tokens/" + w.name));
    }
  }

  private Reply user(Call call) {
    provider(call, true);
    JsonNode body = call.json(OF_USER);
    Wanted w = wanted(body);
    String password = password(body);
    synchronized (credentials) {
      List<Credential> all = store.credentials();
      Credential.Asked asked = asked(call, "POST /v1/users\n" + w);
      Optional<Credential> earlier = repeated(all, asked);
      if (earlier.isEmpty()) {
        requireFree(all, w);
        Credential made =
            fresh(all, w, Credentials.PASSWORD, PasswordHash.of(password)).after(asked);
        if (ApiV1.dry(call)) {
          return Reply.ok(document(made));
        }
        put(made);
      } else {
        requireSame(earlier.get(), password);
      }
      return new Reply(
          201,
          new MadeUser(w.name, role(w.role), w.tenant, w.expires.map(Instant::toString)),
          Map.of("Location", "/v1/users/" + w.name));
    }
  }

  private void requireSame(Credential user, String password) {
    if (!credentials.isPassword(user, password)) {
      throw new Problem(422, "key-reused", "the key was used for another request");
    }
  }

  /** The provider changes everybody's password, a tenant's user its own. */
  private Reply change(Call call) {
    String name = call.variables().get("name");
    Actor actor = call.actor();
    boolean own =
        credentials
            .user(name)
            .filter(u -> u.name().equals(actor.name()) && u.actor().equals(actor))
            .isPresent();
    if (!own) {
      provider(call, true);
    }
    String password = password(call.json(Set.of("password")));
    synchronized (credentials) {
      Credential.Asked asked = asked(call, "PUT /v1/users/" + name);
      Optional<Credential> earlier = repeated(store.credentials(), asked);
      Credential user = find(name, true).filter(c -> !c.revoked()).orElseThrow(Problem::notFound);
      if (earlier.isPresent()) {
        requireSame(user, password);
      } else if (!ApiV1.dry(call)) {
        put(user.withHash(PasswordHash.of(password), clock.instant()).after(asked));
      }
      return Reply.ok(new Done(name, ApiV1.dry(call) ? "would-be" : "changed"));
    }
  }

  /** At once: the next request with it is refused, and its streams end. */
  private Reply end(Call call, boolean users) {
    provider(call, true);
    String name = call.variables().get("name");
    synchronized (credentials) {
      List<Credential> all = store.credentials();
      Credential.Asked asked =
          asked(call, "DELETE " + (users ? "/v1/users/" : "/v1/tokens/") + name);
      List<Credential> tokens = users ? tokensOf(all, name) : List.of();
      if (repeated(all, asked).isEmpty()) {
        Credential there =
            find(name, users).filter(c -> !c.revoked()).orElseThrow(Problem::notFound);
        List<Credential> ending = new ArrayList<>(tokens);
        ending.add(there);
        boolean another =
            all.stream().anyMatch(c -> opens(c) && !ending.contains(c))
                || ending.stream().noneMatch(AccountApi::opens);
        if (!another) {
          throw conflict(
              "it is the last credential of the provider that does not expire: nobody could get in"
                  + " any more");
        }
        if (!ApiV1.dry(call)) {
          tokens.forEach(t -> put(t.ended())); // first: who repeats it finds the user still there
          put(there.ended().after(asked));
        }
      }
      List<String> names = tokens.stream().map(Credential::name).toList();
      return Reply.ok(new Ended(name, ApiV1.dry(call) ? "would-be" : "revoked", names));
    }
  }

  private static List<Credential> tokensOf(List<Credential> all, String user) {
    return all.stream().filter(c -> !c.revoked() && !isUser(c) && c.user().equals(user)).toList();
  }

  /** True if the provider gets in by it, now and later. */
  private static boolean opens(Credential c) {
    return c.role() == Actor.Role.PROVIDER && !c.revoked() && c.expires().isEmpty();
  }
}
