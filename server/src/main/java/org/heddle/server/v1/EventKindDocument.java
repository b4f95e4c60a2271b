package org.heddle.server.v1;

import java.util.Arrays;
import java.util.List;
import org.heddle.plan.model.EventKind;

/**
 * A kind of events as it is shown.
 *
 * @param severity info, warning, or trouble: somebody should look
 * @param about what the subject of such an event names: tenant, vm, link, node or fabric
 */
record EventKindDocument(String kind, String severity, String about) {

  /** All kinds. */
  static List<EventKindDocument> all() {
    return Arrays.stream(EventKind.values())
        .map(k -> new EventKindDocument(k.word(), k.severity().word(), k.about().word()))
        .toList();
  }
}
