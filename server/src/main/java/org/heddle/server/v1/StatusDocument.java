package org.heddle.server.v1;

import java.util.List;
import org.heddle.control.Reconciler;

/** How far the reconciler is, as it is shown. */
record StatusDocument(
    long epoch, boolean inSync, int differing, List<String> problems, long written) {

  static StatusDocument of(Reconciler.Status s) {
    return new StatusDocument(s.epoch(), s.inSync(), s.differing(), s.problems(), s.written());
  }
}
