package org.heddle.congestion;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.traffic.Bisect;

/** Runs the trials of a {@link Study}, on one thread or several. */
public final class Evaluation {
  private static final long LARGEST_BATCH = 256;

  private Evaluation() {}

  /**
   * Somebody who watches trials go by. Called from several threads.
   *
   * @param done told how many trials have been run so far
   * @param goOn asked now and then; false ends the evaluation
   */
  public record Watcher(LongConsumer done, BooleanSupplier goOn) {
    /** Nobody. */
    public static final Watcher NONE = new Watcher(d -> {}, () -> true);
  }

  /** Runs trials 0 .. trials - 1 on the calling thread. */
  public static Statistics run(Study study, long trials) {
    Worker worker = new Worker(study);
    worker.run(0, trials);
    return worker.statistics();
  }

  /**
   * Runs trials number {@code from} to {@code to - 1}. The result does not depend on the number of
   * threads; results of ranges add up to that of the whole.
   *
   * @throws CancellationException if the watcher ends it, or the thread is interrupted
   */
  public static Statistics run(Study study, long from, long to, int threads, Watcher watcher) {
    long count = Math.max(0, to - from);
    long batch = Math.clamp(count / (8L * threads), 1, LARGEST_BATCH);
    AtomicLong next = new AtomicLong(from);
    AtomicLong done = new AtomicLong();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Statistics sum = new Statistics(study.settings().channels() ? study.routes().channels() : 0);
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < Math.clamp(count, 1, threads); i++) {
      Runnable task =
          () -> {
            try {
              // Made by its own thread, so that what two workers write is not on one cache line.
              Worker worker = new Worker(study);
              for (long t = next.getAndAdd(batch); t < to; t = next.getAndAdd(batch)) {
                if (failure.get() != null || !watcher.goOn().getAsBoolean()) {
                  failure.compareAndSet(null, new CancellationException());
                  return;
                }
                long end = Math.min(to, t + batch);
                worker.run(t, end);
                watcher.done().accept(done.addAndGet(end - t));
              }
              synchronized (sum) {
                sum.add(worker.statistics());
              }
            } catch (RuntimeException | Error e) {
              failure.compareAndSet(null, e);
            }
          };
      running.add(Thread.ofPlatform().daemon().name("trials-" + i).start(task));
    }
    join(running, failure);
    return sum;
  }

  private static void join(List<Thread> running, AtomicReference<Throwable> failure) {
    try {
      for (Thread thread : running) {
        thread.join();
      }
    } catch (InterruptedException e) {
      failure.compareAndSet(null, new CancellationException());
      Thread.currentThread().interrupt();
    }
    switch (failure.get()) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new IllegalStateException(e);
    }
  }

  /**
   * Random bisections of all hosts of a fabric: {@link Statistics#bandwidth()} is the effective
   * bisection bandwidth as a share of the link's.
   */
  public static Statistics bisection(
      Fabric fabric, ForwardingTables tables, long trials, long seed) {
    Routes routes = Routes.trace(fabric, tables, Routes.hosts(fabric));
    return run(Study.of(routes, new Bisect(), Study.Settings.shuffled(seed)), trials);
  }
}
