package org.heddle.smp.client;

import org.heddle.fabric.Counted;
import org.heddle.mad.MadStatus;
import org.heddle.mad.Smp;

/** The outcome of a request. */
public sealed interface SmpOutcome {
  /**
   * The node did as it was told.
   *
   * @param smp its answer; valid until the handler returns
   */
  record Answer(Smp smp) implements SmpOutcome {}

  /**
   * The node refused.
   *
   * @param status the status field, see {@link MadStatus}
   */
  record Refusal(int status) implements SmpOutcome {
    @Override
    public String toString() {
      return MadStatus.message(status);
    }
  }

  /**
   * No answer came.
   *
   * @param attempts how often it was sent; 0 if not at all, because too many others stayed without
   */
  record Silence(int attempts) implements SmpOutcome {
    @Override
    public String toString() {
      if (attempts == 0) {
        return "not asked, since too many others do not answer";
      }
      return "no answer to " + Counted.of(attempts, "attempt", "attempts");
    }
  }
}
