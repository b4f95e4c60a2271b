package org.heddle.plan;

import java.time.Instant;
import java.util.List;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.JournalEntry;
import org.heddle.plan.model.Outcome;

/**
 * Works out what a change would do to a published state, on a copy and beside the thread that
 * writes: decides, routes and proves with the same code as the change itself.
 */
public final class Trial {
  private Trial() {}

  /** A published state with what it was made from, which nobody changes any more. */
  public record Basis(View view, Working working) {}

  /**
   * Tries a change.
   *
   * @param actor who asks
   * @param now what the clock says
   * @param noOwnLids as for {@link Decider}
   */
  public static Outcome run(
      Basis basis, Change change, String actor, Instant now, String noOwnLids, Progress progress) {
    View view = basis.view();
    Working before = basis.working();
    Working w = before.copy();
    long epoch = view.epoch() + 1;
    int steps = change instanceof Change.Together c ? c.changes().size() : 1;
    switch (new Decider(w, epoch, now, noOwnLids, progress).decide(change)) {
      case Decider.Decision.Settled s -> {
        return s.outcome();
      }
      case Decider.Decision.Changed c -> {
        boolean same = w.routesAs(before) && w.machines.routedAs(before.machines);
        progress.at("routing and proving", steps, steps);
        Tables.Result tables =
            same ? before.routed.with(w.machines, before.routed.tables()) : Tables.prove(w);
        List<JournalEntry.Effect> effects = c.effects();
        while (Decider.mayGiveUp(change, tables)) {
          effects = Decider.merged(effects, Rebinding.giveUp(w, tables, epoch));
          tables = Tables.prove(w);
        }
        if (!tables.ok()) {
          return Outcome.Refused.of(tables.code(), tables.trouble());
        }
        progress.at("comparing", steps, steps);
        return new Outcome.Accepted(
            epoch,
            c.tenant(),
            false,
            Differences.blocks(view, tables.machines().fabric(), tables.tables()),
            effects,
            c.vm(),
            c.migration().map(m -> m.by(actor)),
            MachineEffects.of(view, tables.machines(), tables.tables()));
      }
    }
  }
}
