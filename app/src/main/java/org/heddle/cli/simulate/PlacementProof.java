package org.heddle.cli.simulate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.heddle.allocation.Allocation;
import org.heddle.schedule.Watcher;
import org.heddle.verify.AllocationAudit;
import org.heddle.verify.AllocationFinding;

/**
 * Puts every placement of a simulation to the proof: by itself, and against all tenants that run at
 * that time. Keeps the first few findings.
 */
final class PlacementProof implements Watcher {
  private static final int PERMUTATIONS = 3;
  private static final int KEPT = 10;

  private final ScheduleRun run;
  private final AllocationAudit audit;
  private final Map<Integer, Allocation> running = new HashMap<>();
  private final List<String> findings = new ArrayList<>();
  private int checked;

  PlacementProof(ScheduleRun run, long seed) {
    this.run = run;
    audit =
        new AllocationAudit(
            run.plant().fabric(), run.tree(), new SplittableRandom(seed), PERMUTATIONS);
  }

  @Override
  public void started(long time, int request, Allocation allocation) {
    running.put(request, allocation);
    checked++;
    add(request, audit.audit(List.of(allocation)));
    add(request, audit.exclusive(List.copyOf(running.values())));
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
    running.remove(request);
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
