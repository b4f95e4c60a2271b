package org.heddle.ufm;

import java.util.List;
import java.util.Map;

/**
 * One call of the API.
 *
 * @param method upper case
 * @param path decoded segments behind the base ({@code /ufmRest}), none empty
 * @param query by name in lower case; the last of several values
 * @param body possibly empty
 * @param user who calls, for the record
 */
record UfmCall(
    String method, List<String> path, Map<String, String> query, byte[] body, String user) {

  /** True if the query has the flag, whatever the case of its value. */
  boolean flag(String name) {
    return "true".equalsIgnoreCase(query.get(name));
  }
}
