package org.heddle.control;

import java.time.Instant;
import org.heddle.control.model.Change;
import org.heddle.control.model.Outcome;

/**
 * Works out what a change would do to a published state, on a copy and beside the thread that
 * writes: decides, routes and proves with the same code as the change itself.
 */
final class Trial {
  private Trial() {}

  /** A published state with what it was made from, which nobody changes any more. */
  record Basis(View view, Working working) {}

  static Outcome run(Basis basis, Change change, Instant now, Progress progress) {
    View view = basis.view();
    Working w = basis.working().copy();
    long epoch = view.epoch() + 1;
    int steps = change instanceof Change.Together c ? c.changes().size() : 1;
    switch (new Decider(w, epoch, now, progress).decide(change)) {
      case Decider.Decision.Settled s -> {
        return s.outcome();
      }
      case Decider.Decision.Changed c -> {
        boolean same = w.routesAs(basis.working());
        progress.at("routing", steps, steps);
        Tables.Result tables =
            same ? new Tables.Result(view.tables(), null, view.notes()) : Tables.route(w);
        progress.at("proving", steps, steps);
        String trouble = tables.ok() && !same ? Tables.proof(w, tables.tables()) : tables.trouble();
        if (trouble != null) {
          return Outcome.Refused.of(
              tables.ok() ? Outcome.Code.UNPROVEN : Outcome.Code.NO_PLACE, trouble);
        }
        progress.at("comparing", steps, steps);
        return new Outcome.Accepted(
            epoch,
            c.tenant(),
            false,
            Differences.blocks(view, w.site.fabric(), tables.tables()),
            c.effects());
      }
    }
  }
}
