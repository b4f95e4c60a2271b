package org.heddle.cli.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Shard;
import org.heddle.experiment.ExperimentCase;
import org.heddle.experiment.ExperimentRow;

/** Runs cases side by side; rows come back in the order of the cases. */
final class ExperimentRunner {
  private final ExperimentPlan plan;
  private final CaseStore store;
  private final int threads;
  private int reused;

  /**
   * A runner.
   *
   * @param store where finished cases are kept, or null
   */
  ExperimentRunner(ExperimentPlan plan, CaseStore store, int threads) {
    this.plan = plan;
    this.store = store;
    this.threads = threads;
  }

  /** Cases that were there already. */
  int reused() {
    return reused;
  }

  /** Runs the cases of a part: every {@code of}-th, from the {@code number}-th. */
  List<ExperimentRow> run(Shard part, Progress progress) {
    AtomicBoolean goOn = new AtomicBoolean(true);
    List<ExperimentCase> cases = plan.cases(goOn::get);
    AtomicLong done = new AtomicLong();
    long total = (cases.size() - part.number() + part.of()) / part.of();
    ExecutorService pool =
        Executors.newFixedThreadPool(threads, Thread.ofPlatform().daemon().factory());
    List<Future<List<ExperimentRow>>> futures = new ArrayList<>();
    try {
      for (int i = part.number() - 1; i < cases.size(); i += part.of()) {
        int number = i;
        List<ExperimentRow> there = store == null ? null : store.get(number).orElse(null);
        if (there != null) {
          reused++;
          progress.update(done.incrementAndGet(), total);
          futures.add(CompletableFuture.completedFuture(there));
          continue;
        }
        futures.add(
            pool.submit(
                () -> {
                  List<ExperimentRow> rows = plan.kind().run(cases.get(number));
                  if (store != null) {
                    store.put(number, rows);
                  }
                  progress.update(done.incrementAndGet(), total);
                  return rows;
                }));
      }
      List<ExperimentRow> rows = new ArrayList<>();
      for (Future<List<ExperimentRow>> future : futures) {
        rows.addAll(future.get());
      }
      return rows;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.badInput("interrupted");
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IllegalArgumentException cause ->
            throw Failure.badInput(plan.file().name() + ": " + cause.getMessage());
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        default -> throw new IllegalStateException(e.getCause());
      }
    } finally {
      goOn.set(false);
      pool.shutdownNow();
    }
  }
}
