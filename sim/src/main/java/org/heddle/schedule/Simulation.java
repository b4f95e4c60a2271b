package org.heddle.schedule;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.Occupancy;
import org.heddle.allocation.Plant;
import org.heddle.fabric.Fabric;

/**
 * Runs a workload through an allocator: discrete events, exact times.
 *
 * <p>At each time, tenants that end leave first, then requests that arrive join the queue, then the
 * queue is served (Zahavi et al., LaaS, section 6.1; strict FIFO there). A request that does not
 * fit even into the empty fabric is refused when its turn comes, instead of blocking the queue for
 * ever. A reservation goes by the run times that were announced, which are never too short, so it
 * is never too early; who leaves before that makes room before that.
 *
 * <p>About one attempt per start and one per end of a tenant for FIFO; for EASY up to {@code depth}
 * more an end, fewer as sizes that have failed are not tried again before something is released.
 * One object runs one workload, in one thread.
 */
public final class Simulation {
  private final Plant plant;
  private final Workload work;
  private final ScheduleOptions options;
  private final Watcher watcher;
  private final AttemptLog log;
  private final AttemptLog trials;
  private final Occupancy occupancy;
  private final PriorityQueue<Tenant> running = new PriorityQueue<>();
  private final Waiting waiting;
  private final Meter meter;
  private final Timeline timeline = new Timeline();
  private final Map<Integer, Boolean> fitsEmpty = new HashMap<>();
  private final Relinker relinker;
  private final int links;
  private final long[] waits;
  private int started;
  private int refused;
  private int overtook;
  private int requested;
  private int held;
  private int heldLinks;
  private int arrived;
  private int relinkedRequests;
  private int relinkedTenants;
  private long relinkedBlocks;
  private long now;
  private long lastStart;

  /** The first in the queue did not fit and nothing has been released since. */
  private boolean headBlocked;

  private Reservation reservation;

  private Simulation(
      Plant plant,
      Workload work,
      Allocator allocator,
      ScheduleOptions options,
      Watcher watcher,
      LongSupplier clock) {
    this.plant = plant;
    this.work = work;
    this.options = options;
    this.watcher = watcher;
    log = new AttemptLog(allocator, options, clock);
    trials = new AttemptLog(allocator, options, () -> 0);
    relinker = new Relinker(plant, allocator, options);
    occupancy = Occupancy.empty(plant);
    waiting = new Waiting(work.count());
    links = linkCount(plant);
    meter = new Meter(plant.hostCount(), links);
    waits = new long[work.count()];
  }

  /**
   * Runs the workload to its end.
   *
   * @param clock nanoseconds, for the durations of attempts; nothing else depends on it
   */
  public static ScheduleResult run(
      Plant plant,
      Workload work,
      Allocator allocator,
      ScheduleOptions options,
      Watcher watcher,
      LongSupplier clock) {
    return new Simulation(plant, work, allocator, options, watcher, clock).run();
  }

  /** Links between switches that an empty plant offers, in all rails. */
  private static int linkCount(Plant plant) {
    int n = 0;
    for (int rail = 0; rail < plant.rails(); rail++) {
      for (int l = 0; l < plant.leafCount(); l++) {
        for (int p = 0; p < plant.positions(); p++) {
          n += plant.hasUp(l, p) && plant.upPort(rail, l, p) != Fabric.NONE ? 1 : 0;
        }
      }
      for (int s = 0; s < plant.subtreeCount() * plant.planes(); s++) {
        int t = s / plant.planes();
        int q = s % plant.planes();
        for (int r = 0; r < plant.rootLinks(); r++) {
          n += plant.hasRoot(t, q, r) && plant.rootPort(rail, t, q, r) != Fabric.NONE ? 1 : 0;
        }
      }
    }
    return n;
  }

  private ScheduleResult run() {
    boolean goOn = true;
    while (goOn && (arrived < work.count() || !running.isEmpty())) {
      long next = nextTime();
      meter.advance(next, requested, held, heldLinks, headSize());
      now = next;
      while (!running.isEmpty() && running.peek().end() == now) {
        leave(running.poll());
      }
      int firstNew = arrived;
      while (arrived < work.count() && work.arrival(arrived) == now) {
        waiting.add(arrived++);
      }
      serve(firstNew);
      if (waiting.isEmpty()) {
        meter.queueEmpty(now);
      }
      timeline.add(now, requested, held, heldLinks, running.size(), waiting.count());
      goOn = watcher.goOn(started + refused, work.count());
    }
    return result(!goOn && (arrived < work.count() || !running.isEmpty()));
  }

  private long nextTime() {
    long end = running.isEmpty() ? Long.MAX_VALUE : running.peek().end();
    return arrived < work.count() ? Math.min(end, work.arrival(arrived)) : end;
  }

  private int headSize() {
    return waiting.isEmpty() ? 0 : work.size(waiting.first());
  }

  private void leave(Tenant tenant) {
    Allocation a = tenant.allocation();
    occupancy.release(a);
    requested -= a.requested();
    held -= a.hostCount();
    heldLinks -= a.linkCount();
    headBlocked = false;
    watcher.ended(now, tenant.request(), a);
  }

  // ---- the queue

  private void serve(int firstNew) {
    boolean onlyNew = headBlocked;
    while (!waiting.isEmpty() && !headBlocked) {
      int head = waiting.first();
      Allocation place = attempt(head);
      if (place != null) {
        waiting.remove(head);
        start(head, place);
      } else if (fitsEmpty(work.size(head))) {
        headBlocked = true;
        meter.blocked(now);
      } else {
        waiting.remove(head);
        refused++;
      }
    }
    if (headBlocked && options.queue() == QueuePolicy.EASY) {
      backfill(onlyNew ? firstNew : waiting.after(waiting.first()));
    }
  }

  /** A place for the first in the queue, the reserved one if all who were in the way have left. */
  private Allocation attempt(int head) {
    Allocation place = AttemptLog.placed(log.place(work.size(head), occupancy));
    boolean reserved = reservation != null && reservation.request() == head;
    if (place == null && reserved && occupancy.fits(reservation.place())) {
      return reservation.place();
    }
    boolean relink = place == null && options.relink() > 0;
    return relink && occupancy.freeHosts() >= work.size(head) ? relinkFor(head) : place;
  }

  /** Gives running tenants other links so that the request fits; null if that is no help. */
  private Allocation relinkFor(int head) {
    Relinker.Plan plan = relinker.find(work.size(head), occupancy, running).orElse(null);
    if (plan == null) {
      return null;
    }
    for (Tenant t : plan.before()) {
      occupancy.release(t.allocation());
      running.remove(t);
      heldLinks -= t.allocation().linkCount();
      watcher.relinking(now, t.request(), t.allocation());
    }
    for (int i = 0; i < plan.before().size(); i++) {
      Tenant t = plan.before().get(i);
      Allocation other = plan.after().get(i);
      occupancy.take(other);
      running.add(new Tenant(t.end(), t.expected(), t.request(), other));
      heldLinks += other.linkCount();
      watcher.relinked(now, t.request(), other);
      relinkedBlocks += Relinker.blocks(t.allocation(), other);
    }
    relinkedTenants += plan.before().size();
    relinkedRequests++;
    return plan.place();
  }

  private boolean fitsEmpty(int size) {
    return size <= plant.hostCount()
        && fitsEmpty.computeIfAbsent(
            size, n -> AttemptLog.placed(trials.place(n, Occupancy.empty(plant))) != null);
  }

  private void start(int request, Allocation place) {
    occupancy.take(place);
    long end = now + work.length(request);
    running.add(new Tenant(end, now + work.expected(request), request, place));
    requested += place.requested();
    held += place.hostCount();
    heldLinks += place.linkCount();
    waits[started++] = now - work.arrival(request);
    lastStart = now;
    watcher.started(now, request, place);
  }

  // ---- backfilling

  private void backfill(int from) {
    int head = waiting.first();
    if (reservation == null || reservation.request() != head) {
      reservation =
          Reservation.find(
              head,
              work.size(head),
              occupancy,
              running,
              (hosts, future) -> AttemptLog.placed(trials.place(hosts, future)));
    }
    int free = occupancy.freeHosts();
    boolean[] failed = new boolean[free + 1];
    boolean[] failedBeside = new boolean[free + 1];
    Occupancy beside = reservation.guarded(occupancy);
    int next = from;
    for (int looked = 0; looked < options.depth() && next != Waiting.NONE; looked++) {
      int request = next;
      next = waiting.after(request);
      int size = work.size(request);
      boolean shortEnough = now + work.expected(request) <= reservation.time();
      Occupancy where = shortEnough ? occupancy : beside;
      boolean[] memo = shortEnough ? failed : failedBeside;
      if (size > where.freeHosts() || memo[size]) {
        continue;
      }
      Allocation place = AttemptLog.placed(log.place(size, where));
      if (place == null) {
        memo[size] = true;
        continue;
      }
      waiting.remove(request);
      start(request, place);
      overtook++;
      if (shortEnough) {
        beside = reservation.guarded(occupancy);
      } else {
        beside.take(place);
      }
    }
  }

  private ScheduleResult result(boolean cancelled) {
    long[] sorted = Arrays.copyOf(waits, started);
    Arrays.sort(sorted);
    double sum = 0;
    for (long w : sorted) {
      sum += w;
    }
    return new ScheduleResult(
        plant.hostCount(),
        links,
        started,
        refused,
        overtook,
        cancelled,
        work.count() == 0 ? 0 : work.arrival(0),
        lastStart,
        now,
        meter.steady(now),
        new ScheduleResult.Waits(
            started == 0 ? 0 : sum / started,
            ScheduleResult.percentile(sorted, 50),
            ScheduleResult.percentile(sorted, 90),
            ScheduleResult.percentile(sorted, 99),
            started == 0 ? 0 : sorted[started - 1]),
        log.counts(),
        trials.counts().all(),
        new ScheduleResult.Relinks(relinkedRequests, relinkedTenants, relinkedBlocks),
        timeline,
        log.allTimes(),
        log.placedTimes(),
        log.longestAnsweredNs());
  }
}
