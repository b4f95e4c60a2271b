package org.heddle.server.ufm;

import java.util.List;
import java.util.Map;
import org.heddle.control.model.Actor;

/**
 * One call of the API.
 *
 * @param method upper case
 * @param path decoded segments behind the base ({@code /ufmRest}); empty ones are passed over
 * @param query names in lower case
 * @param body possibly empty, at most what the server lets through
 * @param actor who calls; rights were checked before
 */
public record UfmCall(
    String method, List<String> path, Map<String, String> query, byte[] body, Actor actor) {
  public UfmCall {
    path = path.stream().filter(s -> !s.isEmpty()).toList();
  }

  /** True if the query has the flag, whatever the case of its value. */
  boolean flag(String name) {
    return "true".equalsIgnoreCase(query.get(name));
  }
}
