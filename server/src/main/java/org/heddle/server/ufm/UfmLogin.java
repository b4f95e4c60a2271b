package org.heddle.server.ufm;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.eclipse.jetty.http.HttpCookie;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Credential;
import org.heddle.server.auth.Credentials;
import org.heddle.server.http.Reply;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Sessions of UFM clients: a user sends name and password in a form, to {@code /dologin} as UFM's
 * documentation says or to {@code /ufmRest/login} as OpenStack's driver does, and gets a cookie.
 * The driver does so before every request and never ends a session, so nothing is kept of them
 * here: the cookie says who and until when, under a key of this process. It ends with the process,
 * after an hour, and when the user gets another password. It counts for the UFM interface only.
 *
 * <p>Wrong passwords are 401, not a page that asks for better ones. Thread-safe.
 */
public final class UfmLogin {
  private static final String COOKIE = "session";
  private static final Duration LASTS = Duration.ofHours(1);
  private static final String MAC = "HmacSHA256";

  private final Credentials credentials;
  private final Clock clock;
  private final SecretKeySpec key;

  public UfmLogin(Credentials credentials, Clock clock) {
    this.credentials = credentials;
    this.clock = clock;
    byte[] bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    this.key = new SecretKeySpec(bytes, MAC);
  }

  /** True if a path is one to log in at. */
  public static boolean holds(List<String> segments) {
    return segments.equals(List.of("dologin"))
        || segments.size() == 2 && UfmArea.holds(segments) && segments.get(1).equals("login");
  }

  public Reply answer(String method, byte[] body, boolean secure) {
    if (!method.equals("POST")) {
      return reply(UfmAnswer.error(405, method + " is not for this resource, POST is"), Map.of());
    }
    String text = new String(body, StandardCharsets.UTF_8);
    Optional<Credential> user = user(form(text, true));
    if (user.isEmpty()) {
      user = user(form(text, false)); // OpenStack's driver does not encode what it sends
    }
    if (user.isEmpty()) {
      return reply(UfmAnswer.error(401, "no user has this name and password"), Map.of());
    }
    String cookie =
        "%s=%s; Path=/; Max-Age=%d; HttpOnly; SameSite=Strict%s"
            .formatted(COOKIE, cookie(user.get()), LASTS.toSeconds(), secure ? "; Secure" : "");
    return reply(UfmAnswer.ok(JsonNodeFactory.instance.objectNode()), Map.of("Set-Cookie", cookie));
  }

  private static Reply reply(UfmAnswer answer, Map<String, String> more) {
    Map<String, String> headers = new HashMap<>(more);
    headers.put("Content-Type", UfmAnswer.CONTENT_TYPE);
    return new Reply(answer.status(), answer.body(), headers);
  }

  private Optional<Credential> user(Map<String, String> form) {
    String name = form.getOrDefault("httpd_username", form.getOrDefault("username", ""));
    String password = form.getOrDefault("httpd_password", form.getOrDefault("password", ""));
    return credentials.user(name, password);
  }

  private static Map<String, String> form(String text, boolean encoded) {
    Map<String, String> out = new HashMap<>();
    for (String pair : text.strip().split("&")) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        String value = pair.substring(equals + 1);
        try {
          value = encoded ? URLDecoder.decode(value, StandardCharsets.UTF_8) : value;
        } catch (IllegalArgumentException _) {
          return Map.of(); // no such encoding: it was not meant as one
        }
        out.put(pair.substring(0, equals), value);
      }
    }
    return out;
  }

  /** Name, end, and a code over both and what is kept of the password. */
  private String cookie(Credential user) {
    long end = clock.instant().plus(LASTS).getEpochSecond();
    String name =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(user.name().getBytes(StandardCharsets.UTF_8));
    return name + "." + end + "." + code(user, end);
  }

  private String code(Credential user, long end) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(key);
      String text = user.name() + "\n" + end + "\n" + user.hash();
      return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Who has logged in, if anybody. */
  public Optional<Actor> actor(List<HttpCookie> cookies) {
    return cookies.stream()
        .filter(c -> c.getName().equals(COOKIE))
        .findFirst()
        .flatMap(c -> user(c.getValue()))
        .map(Credential::actor);
  }

  private Optional<Credential> user(String cookie) {
    String[] parts = cookie.split("\\.", -1);
    if (parts.length != 3 || !parts[1].matches("\\d{1,18}")) {
      return Optional.empty();
    }
    String name;
    try {
      name = new String(Base64.getUrlDecoder().decode(parts[0]), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
    long end = Long.parseLong(parts[1]);
    byte[] code = parts[2].getBytes(StandardCharsets.UTF_8);
    return credentials
        .user(name)
        .filter(_ -> clock.instant().isBefore(Instant.ofEpochSecond(end)))
        .filter(u -> MessageDigest.isEqual(code(u, end).getBytes(StandardCharsets.UTF_8), code));
  }
}
