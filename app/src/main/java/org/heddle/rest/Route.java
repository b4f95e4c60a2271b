package org.heddle.rest;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A method and a path with variables ({@code /v1/tenants/{name}}), and what answers it. The list of
 * routes is what the server, its description and the tests of access go by.
 *
 * @param changes true if it takes the right to change something
 * @param summary one line for the description
 */
public record Route(String method, String path, boolean changes, String summary, Handler handler) {
  /** Answers a call. */
  @FunctionalInterface
  public interface Handler {
    /** The reply; {@link Problem} is thrown for the others. */
    Reply handle(Call call);
  }

  /** The variables of a path if it is of this route. */
  Optional<Map<String, String>> match(List<String> segments) {
    String[] mine = path.substring(1).split("/");
    if (mine.length != segments.size()) {
      return Optional.empty();
    }
    Map<String, String> out = new HashMap<>();
    for (int i = 0; i < mine.length; i++) {
      if (mine[i].startsWith("{")) {
        out.put(mine[i].substring(1, mine[i].length() - 1), segments.get(i));
      } else if (!mine[i].equals(segments.get(i))) {
        return Optional.empty();
      }
    }
    return Optional.of(out);
  }
}
