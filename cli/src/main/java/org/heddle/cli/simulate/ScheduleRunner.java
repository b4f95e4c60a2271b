package org.heddle.cli.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.heddle.allocation.Allocation;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Progress;
import org.heddle.schedule.ScheduleResult;
import org.heddle.schedule.Simulation;
import org.heddle.schedule.Watcher;

/**
 * Runs simulations side by side. Each has an occupancy of its own and nothing is shared but the
 * immutable plant, so that results do not depend on the number of threads; they come back in the
 * order of the runs.
 */
final class ScheduleRunner {
  private final int threads;
  private final Progress progress;
  private final Function<ScheduleRun, Watcher> also;

  /**
   * A runner.
   *
   * @param also makes a watcher of each run's own
   */
  ScheduleRunner(int threads, Progress progress, Function<ScheduleRun, Watcher> also) {
    this.threads = threads;
    this.progress = progress;
    this.also = also;
  }

  /** Runs them all. */
  List<ScheduleRun> run(List<ScheduleRun> runs) {
    long total = 0;
    for (ScheduleRun run : runs) {
      total += run.requests().workload().count();
    }
    AtomicLong done = new AtomicLong();
    ExecutorService pool =
        Executors.newFixedThreadPool(
            Math.min(threads, runs.size()), Thread.ofPlatform().daemon().factory());
    List<Future<ScheduleResult>> futures = new ArrayList<>();
    try {
      for (ScheduleRun run : runs) {
        Watcher watcher = new Progressing(also.apply(run), done, total, progress);
        futures.add(pool.submit(() -> one(run, watcher)));
      }
      List<ScheduleRun> out = new ArrayList<>();
      for (int i = 0; i < runs.size(); i++) {
        out.add(runs.get(i).withResult(futures.get(i).get()));
      }
      return out;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.badInput("interrupted");
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        default -> throw new IllegalStateException(e.getCause());
      }
    } finally {
      pool.shutdownNow(); // those that still run see the interrupt
    }
  }

  private static ScheduleResult one(ScheduleRun run, Watcher watcher) {
    return Simulation.run(
        run.plant(),
        run.requests().workload(),
        run.allocator(),
        run.options(),
        watcher,
        System::nanoTime);
  }

  /** Adds up what all runs have done, and stops a run that is interrupted. */
  private static final class Progressing implements Watcher {
    private final Watcher also;
    private final AtomicLong done;
    private final long total;
    private final Progress progress;
    private int before;

    Progressing(Watcher also, AtomicLong done, long total, Progress progress) {
      this.also = also;
      this.done = done;
      this.total = total;
      this.progress = progress;
    }

    @Override
    public void started(long time, int request, Allocation allocation) {
      also.started(time, request, allocation);
    }

    @Override
    public void ended(long time, int request, Allocation allocation) {
      also.ended(time, request, allocation);
    }

    @Override
    public boolean goOn(int started, int all) {
      progress.update(done.addAndGet(started - before), total);
      before = started;
      return !Thread.currentThread().isInterrupted();
    }
  }
}
