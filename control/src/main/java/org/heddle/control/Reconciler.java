package org.heddle.control;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Change;
import org.heddle.control.model.Outcome;
import org.heddle.control.model.Request;
import org.heddle.control.port.FabricAgent;
import org.heddle.control.port.FabricAgent.BlockWrite;
import org.heddle.fabric.Fabric;
import org.heddle.reconfig.TableChange;
import org.heddle.routing.ForwardingTables;

/**
 * Makes the fabric what it should be: reads what is there, plans anew if the cabling is another,
 * writes what differs, and does so again until nothing does.
 */
public final class Reconciler implements AutoCloseable {
  private final Controller controller;
  private final FabricAgent agent;
  private final boolean correct;
  private final Duration interval;
  private final Semaphore wake = new Semaphore(0);
  private final Thread thread;
  private volatile Status status = new Status(-1, false, 0, List.of(), 0);
  private volatile boolean closed;

  /**
   * How far it is.
   *
   * @param epoch that was compared
   * @param inSync true if nothing differed
   * @param differing blocks that differed
   * @param problems of the last attempt
   * @param written blocks written since the start
   */
  public record Status(
      long epoch, boolean inSync, int differing, List<String> problems, long written) {
    public Status {
      problems = List.copyOf(problems);
    }
  }

  /**
   * A reconciler that is not running yet.
   *
   * @param correct false to show drift and leave it: only new epochs are written
   * @param interval between looks when nothing happens, and before an attempt is repeated
   */
  public Reconciler(Controller controller, FabricAgent agent, boolean correct, Duration interval) {
    this.controller = controller;
    this.agent = agent;
    this.correct = correct;
    this.interval = interval;
    this.thread = Thread.ofPlatform().name("heddle-reconciler").daemon().unstarted(this::run);
  }

  /** Starts the thread. */
  public void start() {
    controller.onView(_ -> wake.release());
    agent.onChange(_ -> wake.release());
    thread.start();
  }

  /** How far it is. */
  public Status status() {
    return status;
  }

  private void run() {
    while (!closed) {
      try {
        boolean done = pass();
        wake.tryAcquire(
            done ? interval.toMillis() : Math.min(200, interval.toMillis()), TimeUnit.MILLISECONDS);
        wake.drainPermits();
      } catch (InterruptedException _) {
        return;
      } catch (RuntimeException e) {
        status =
            new Status(
                status.epoch, false, status.differing, List.of(e.toString()), status.written);
        wake.release(0);
        pause();
      }
    }
  }

  private void pause() {
    try {
      Thread.sleep(interval);
    } catch (InterruptedException _) {
      closed = true;
    }
  }

  /** One look, and one attempt to write what differs; true if fabric and desired state agree. */
  public boolean pass() {
    FabricAgent.Observation seen = agent.observe();
    View desired = controller.view();
    if (seen.fabric().fingerprint() != desired.fabric().fingerprint()) {
      Outcome outcome =
          controller
              .submit(
                  new Change.FabricChanged(
                      seen.fabric(), Differences.of(desired.fabric(), seen.fabric())),
                  Request.of(Actor.SYSTEM))
              .join();
      if (outcome instanceof Outcome.Refused no) {
        status = new Status(desired.epoch(), false, 0, List.of(no.reason()), status.written);
        return false;
      }
      desired = controller.view();
    }
    List<BlockWrite> writes = writes(seen, desired);
    Status before = status;
    if (writes.isEmpty()) {
      status = new Status(desired.epoch(), true, 0, seen.notes(), before.written);
      if (!before.inSync || before.epoch != desired.epoch()) {
        controller.tell("in-sync", desired.name(), "tables are those of epoch " + desired.epoch());
      }
      return controller.view().epoch() == desired.epoch();
    }
    boolean drift = before.inSync && before.epoch == desired.epoch();
    if (drift) {
      controller.tell("drift", desired.name(), writes.size() + " blocks differ");
    }
    if (!correct && (drift || before.epoch == desired.epoch())) {
      status = new Status(desired.epoch(), false, writes.size(), List.of("drift"), before.written);
      return true;
    }
    FabricAgent.Applied applied =
        agent.apply(
            new FabricAgent.Target(
                desired.epoch(),
                desired.fabric(),
                desired.tables(),
                writes,
                List.copyOf(desired.all())));
    status =
        new Status(
            correct ? desired.epoch() : before.epoch,
            false,
            writes.size(),
            applied.problems(),
            before.written + applied.written());
    return false;
  }

  private static List<BlockWrite> writes(FabricAgent.Observation seen, View desired) {
    Fabric fabric = desired.fabric();
    if (seen.fabric().fingerprint() != fabric.fingerprint()) {
      return List.of(); // changed again meanwhile: the next look sees to it
    }
    ForwardingTables there = seen.tables();
    boolean same = true;
    for (int sw = 0; sw < fabric.switchCount() && same; sw++) {
      same = there.differingBlocks(sw, desired.tables()) == 0;
    }
    if (same) {
      return List.of();
    }
    List<BlockWrite> out = new ArrayList<>();
    for (TableChange.Write w :
        TableChange.order(fabric, Optional.of(desired.tree()), there, desired.tables()).writes()) {
      out.add(new BlockWrite(fabric.nodeGuid(w.sw()), w.block(), w.entries()));
    }
    return out;
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
