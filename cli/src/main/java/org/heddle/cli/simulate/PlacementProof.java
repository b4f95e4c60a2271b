package org.heddle.cli.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.allocation.Allocation;
import org.heddle.schedule.Watcher;
import org.heddle.verify.links.AllocationAudit;
import org.heddle.verify.links.AllocationFinding;
import org.heddle.verify.links.AllocationLedger;

/**
 * Puts every placement of a simulation to the proof: by itself, and against all tenants that run at
 * that time. Keeps the first few findings.
 */
final class PlacementProof implements Watcher {
  private static final int KEPT = 10;

  private final ScheduleRun run;
  private final AllocationAudit audit;
  private final AllocationLedger ledger;
  private final int permutations;
  private final List<String> findings = new ArrayList<>();
  private int checked;

  /**
   * A proof of one run.
   *
   * @param permutations how many each placement is tried with
   */
  PlacementProof(ScheduleRun run, long seed, int permutations) {
    this.run = run;
    this.permutations = permutations;
    ledger = new AllocationLedger(run.plant().fabric());
    audit = new AllocationAudit(run.plant().fabric(), run.tree(), new SplittableRandom(seed), 0);
  }

  @Override
  public void started(long time, int request, Allocation allocation) {
    add(request, audit.sample(allocation, checked * permutations, permutations));
    add(request, ledger.enter(request, allocation));
    checked++;
  }

  private void add(int request, List<AllocationFinding> found) {
    for (AllocationFinding finding : found) {
      if (findings.size() < KEPT) {
        long id = run.requests().workload().id(request);
        findings.add(run.allocator().name() + ", request " + id + ": " + finding);
      }
    }
  }

  @Override
  public void ended(long time, int request, Allocation allocation) {
    ledger.leave(request, allocation);
  }

  /** Placements that were checked. */
  int checked() {
    return checked;
  }

  /** What was wrong with them, the first ten. */
  List<String> findings() {
    return findings;
  }
}
