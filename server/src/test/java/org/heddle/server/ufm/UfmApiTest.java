package org.heddle.server.ufm;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.heddle.control.model.Actor;

/** The cases, given to the API itself. */
class UfmApiTest extends UfmCases {
  @Override
  Answer call(String line, String body) {
    String method = line.substring(0, line.indexOf(' '));
    String target = line.substring(line.indexOf(' ') + 1);
    int mark = target.indexOf('?');
    Map<String, String> query = new HashMap<>();
    if (mark >= 0) {
      for (String pair : target.substring(mark + 1).split("&")) {
        query.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
      }
      target = target.substring(0, mark);
    }
    UfmAnswer answer =
        new UfmApi(controller, SmKeys.OPENSM)
            .call(
                new UfmCall(
                    method,
                    Arrays.asList(target.substring(1).split("/", -1)),
                    query,
                    body.getBytes(StandardCharsets.UTF_8),
                    new Actor("somebody", Actor.Role.PROVIDER, "")));
    return new Answer(answer.status(), answer.text());
  }
}
