package org.heddle.server.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.server.http.Reply;

/**
 * The console: a page, its style and its script from the jar. They say nothing of the fabric, so
 * everybody gets them; what they show comes from {@code /v1} under the reader's own credentials.
 */
public final class ConsolePages {
  /** Nothing from elsewhere, no script or style in the page, nobody may frame it. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

  /** The modules of the script; the page names them all, so that they come at once. */
  static final List<String> MODULES =
      List.of(
          "console.js",
          "api.js",
          "ask.js",
          "cursor.js",
          "details.js",
          "dom.js",
          "draft.js",
          "events.js",
          "form.js",
          "jobs.js",
          "keys.js",
          "layout.js",
          "legend.js",
          "machines.js",
          "overlay.js",
          "paint.js",
          "picture.js",
          "plans.js",
          "pointer.js",
          "state.js",
          "status.js",
          "tenants.js",
          "words.js");

  private static final Map<String, Reply> PAGES = pages();

  private ConsolePages() {}

  private static Map<String, Reply> pages() {
    Map<String, Reply> out = new HashMap<>();
    out.put("", page("index.html", "text/html"));
    out.put("console.css", page("console.css", "text/css"));
    out.put("favicon.svg", page("favicon.svg", "image/svg+xml"));
    for (String module : MODULES) {
      out.put(module, page(module, "text/javascript"));
    }
    return Map.copyOf(out);
  }

  /** The file of a path, if it is one of the console's. */
  public static Optional<Reply> open(String method, List<String> segments) {
    if (!method.equals("GET") || segments.size() > 1) {
      return Optional.empty();
    }
    return Optional.ofNullable(PAGES.get(segments.isEmpty() ? "" : segments.getFirst()));
  }

  private static Reply page(String name, String type) {
    try (InputStream in = ConsolePages.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks console/" + name);
      }
      return new Reply(
          200,
          in.readAllBytes(),
          Map.of(
              "Content-Type",
              type + "; charset=utf-8",
              "Content-Security-Policy",
              POLICY,
              "X-Content-Type-Options",
              "nosniff",
              "Referrer-Policy",
              "no-referrer"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
