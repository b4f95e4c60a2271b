package org.heddle.control;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** How long what happens between a request for a change and the fabric takes. Thread-safe. */
public final class Stages {
  /** In the order in which a change passes them. */
  public enum Stage {
    /** Until the writer takes it. */
    WAIT,
    /** Names, keys, places. */
    DECIDE,
    /** Routes and their proof, of all changes that are taken together. */
    PROVE,
    /** The transaction of the database. */
    COMMIT,
    /** What the agent does until the fabric has it, or does not take it; repeated until it has. */
    APPLY;

    /** As the metrics call it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How often, and how long in all. */
  public record Figure(long count, long nanos) {}

  private static final class Sum {
    private final LongAdder count = new LongAdder();
    private final LongAdder nanos = new LongAdder();
  }

  private final Map<Stage, Sum> sums = new EnumMap<>(Stage.class);

  Stages() {
    for (Stage stage : Stage.values()) {
      sums.put(stage, new Sum());
    }
  }

  void took(Stage stage, long nanos) {
    Sum sum = sums.get(stage);
    sum.count.increment();
    sum.nanos.add(nanos);
  }

  /** Does it, and takes its time, however it ends. */
  <T> T timed(Stage stage, Supplier<T> what) {
    long began = System.nanoTime();
    try {
      return what.get();
    } finally {
      took(stage, System.nanoTime() - began);
    }
  }

  /** Those of a stage since the start. */
  public Figure figure(Stage stage) {
    Sum sum = sums.get(stage);
    return new Figure(sum.count.sum(), sum.nanos.sum());
  }
}
