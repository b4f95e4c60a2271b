package org.heddle.server.ufm;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.control.Reconciler;
import org.heddle.control.model.Actor;
import org.junit.jupiter.api.BeforeEach;

/** The cases, given to the API itself. */
class UfmApiTest extends UfmCases {
  private UfmApi api;

  @Override
  @BeforeEach
  void open() throws Exception {
    super.open();
    api =
        new UfmApi(
            controller,
            SmKeys.OPENSM,
            () -> new Reconciler.Status(0, true, 0, List.of(), 0),
            List::of);
  }

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
        api.call(
            new UfmCall(
                method,
                Arrays.asList(target.substring(1).split("/", -1)),
                query,
                body.getBytes(StandardCharsets.UTF_8),
                new Actor("somebody", Actor.Role.PROVIDER, "")));
    return new Answer(answer.status(), answer.text());
  }
}
