package org.heddle.verify.transition;

import java.util.List;
import org.heddle.verify.AuditReport;

/**
 * The effects of a sequence of table writes, state by state.
 *
 * @param states states checked: one for every write and LID it changes
 * @param droppedStates states in which some switch has no entry for a LID: it is dropped on
 *     purpose, or its entries are coming
 * @param faults states in which a LID has a loop or is delivered at a wrong port from some switch
 *     of its component, or is no longer reached from a switch that had reached it
 * @param examples the first faults, in words
 * @param creditLoops of all routes, including those of packets in flight between old and new
 *     entries; the worst part between two drains
 */
public record TransitionReport(
    int states,
    int droppedStates,
    int faults,
    List<String> examples,
    AuditReport.CreditLoops creditLoops) {
  public TransitionReport {
    examples = List.copyOf(examples);
  }

  /** True if nothing is wrong in any state. */
  public boolean isClean() {
    return faults == 0 && creditLoops.cyclic() == 0;
  }
}
