package org.heddle.allocation.search;

import java.util.ArrayList;
import java.util.List;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationResult;
import org.heddle.allocation.Occupancy;
import org.heddle.allocation.Plant;

/**
 * The ways to read one request, one after the other until a place is found: as the allocator would
 * like to serve it, then as it would rather not.
 *
 * <p><b>Fewer hosts a link than allowed.</b> With p hosts a link a search looks for multiples of p
 * first, so that no link is half used, then for any numbers of hosts, and then for what p - 1, .. 1
 * would get: a place that keeps the stronger promise keeps the weaker one, and so nobody is refused
 * who would be served if he asked for more. <b>Scattered</b>, unless the request says that it would
 * rather wait ({@link AllocationRequest#KEEP_TOGETHER}). <b>Other schemes</b> after that.
 *
 * <p>At most {@code 4 * p} attempts a scheme, p no more than a leaf has hosts; each has the budget
 * of the request. One attempt with p = 1 if the request would rather wait.
 */
public final class Attempts {
  private final AllocationRequest request;
  private final Occupancy occupancy;
  private AllocationResult refusal;
  private long steps;
  private boolean aborted;

  private Attempts(AllocationRequest request, Occupancy occupancy) {
    this.request = request;
    this.occupancy = occupancy;
  }

  /**
   * How an attempt reads the request.
   *
   * @param share hosts that may share an up-link
   * @param grain leaves but the last take multiples of it
   * @param together false if every place will do
   */
  record Reading(int share, int grain, boolean together) {}

  /** One search for a place. */
  public interface Scheme {
    AllocationResult place(SearchView v);
  }

  /**
   * The first place that is found.
   *
   * @param others schemes for requests that would rather be served in another way than not at all;
   *     what they give beyond the hosts asked for is left free
   */
  public static AllocationResult place(
      AllocationRequest request, Occupancy occupancy, Scheme scheme, List<Scheme> others) {
    Attempts attempts = new Attempts(request, occupancy);
    Plant plant = occupancy.plant();
    boolean joined = JoinedSearch.concerns(request, plant);
    Scheme first = joined ? v -> new JoinedSearch(v).run() : scheme;
    List<Scheme> rest = new ArrayList<>(joined ? List.of() : others);
    if (!joined && plant.severalLeaves() && !others.isEmpty()) {
      rest.add(v -> new JoinedSearch(v).run()); // what keeps more than is asked for will do
    }
    AllocationResult result = attempts.with(first, true);
    if (result == null && request.extraSubtrees() == AllocationRequest.DEFAULT_SCATTER) {
      result = attempts.anyhow(first, rest);
    }
    if (result != null) {
      return result;
    }
    return attempts.aborted ? new AllocationResult.Aborted(attempts.steps) : attempts.refusal;
  }

  private AllocationResult anyhow(Scheme scheme, List<Scheme> others) {
    if (refusal instanceof AllocationResult.Rejected(AllocationResult.Reason reason)
        && reason == AllocationResult.Reason.NOT_ENOUGH_HOSTS) {
      return null;
    }
    AllocationResult result = with(scheme, false);
    for (int i = 0; i < others.size() && result == null; i++) {
      result = trimmed(with(others.get(i), false));
    }
    return result;
  }

  /** Returns a place, or null after having noted why there is none. */
  private AllocationResult with(Scheme scheme, boolean together) {
    int most = Math.clamp(request.oversubscription(), 1, Math.max(1, occupancy.plant().maxSlots()));
    for (int share = most; share >= 1; share--) {
      for (int grain = share; grain >= 1; grain -= Math.max(1, share - 1)) {
        SearchView v = new SearchView(request, occupancy, new Reading(share, grain, together));
        AllocationResult result = scheme.place(v);
        switch (result) {
          case AllocationResult.Placed _ -> {
            return result;
          }
          case AllocationResult.Aborted a -> {
            aborted = true;
            steps += a.steps();
          }
          case AllocationResult.Rejected _ -> refusal = result;
        }
        if (!request.links() || v.slots.total() < request.hosts()) {
          return null;
        }
      }
    }
    return null;
  }

  private AllocationResult trimmed(AllocationResult result) {
    return result instanceof AllocationResult.Placed(Allocation a)
        ? new AllocationResult.Placed(trimmed(a, request, occupancy))
        : result;
  }

  /** The same with the hosts asked for only, those of the smallest leaf left out first. */
  static Allocation trimmed(Allocation a, AllocationRequest request, Occupancy occupancy) {
    if (a.hostCount() == request.hosts()) {
      return a;
    }
    int[] keep = new int[a.leafCount()];
    for (int i = 0; i < keep.length; i++) {
      keep[i] = a.hostsOn(i);
    }
    for (int more = a.hostCount() - request.hosts(); more > 0; more--) {
      keep[smallest(keep)]--;
    }
    FreeSlots slots = new FreeSlots(request, occupancy);
    AllocationBuilder out = new AllocationBuilder(a.plant(), request);
    for (int i = 0; i < keep.length; i++) {
      if (keep[i] > 0) {
        slots.pick(a.leaf(i), keep[i], out);
        out.ups(a.leaf(i), a, i);
      }
    }
    return out.roots(a).build();
  }

  /** The leaf with fewest hosts, but with some; the last of several. */
  private static int smallest(int[] hosts) {
    int best = -1;
    for (int i = 0; i < hosts.length; i++) {
      if (hosts[i] > 0 && (best < 0 || hosts[i] <= hosts[best])) {
        best = i;
      }
    }
    return best;
  }
}
