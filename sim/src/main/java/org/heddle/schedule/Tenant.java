package org.heddle.schedule;

import org.heddle.allocation.Allocation;

/**
 * A running tenant.
 *
 * @param end when it leaves
 * @param expected when the scheduler thinks that it leaves; not earlier
 * @param request index in the workload; breaks ties
 */
record Tenant(long end, long expected, int request, Allocation allocation)
    implements Comparable<Tenant> {
  @Override
  public int compareTo(Tenant other) {
    int byEnd = Long.compare(end, other.end);
    return byEnd != 0 ? byEnd : Integer.compare(request, other.request);
  }
}
