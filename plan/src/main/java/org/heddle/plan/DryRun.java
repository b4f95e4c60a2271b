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
public final class DryRun {
  private DryRun() {}

  /** A published state with what it was made from, which nobody changes any more. */
  public record Basis(DesiredState view, DraftState working) {}

  /**
   * Tries a change.
   *
   * @param actor who asks
   * @param now what the clock says
   * @param noOwnLids as for {@link ChangePlanner}
   */
  public static Outcome run(
      Basis basis, Change change, String actor, Instant now, String noOwnLids, Progress progress) {
    DesiredState view = basis.view();
    DraftState before = basis.working();
    DraftState w = before.copy();
    long epoch = view.epoch() + 1;
    int steps = change instanceof Change.Batch c ? c.changes().size() : 1;
    switch (new ChangePlanner(w, epoch, now, noOwnLids, progress).decide(change)) {
      case ChangePlanner.Decision.Settled s -> {
        return s.outcome();
      }
      case ChangePlanner.Decision.Changed c -> {
        boolean same = w.routesAs(before) && w.machines.routedAs(before.machines);
        progress.at("routing and proving", steps, steps);
        Tables tables =
            same ? before.routed.with(w.machines, before.routed.tables()) : StateProof.prove(w);
        List<JournalEntry.Effect> effects = c.effects();
        while (ChangePlanner.mayGiveUp(change, tables)) {
          effects = ChangePlanner.merged(effects, FabricChange.giveUp(w, tables, epoch));
          tables = StateProof.prove(w);
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
            VmEffects.of(view, tables.machines(), tables.tables()));
      }
    }
  }
}
