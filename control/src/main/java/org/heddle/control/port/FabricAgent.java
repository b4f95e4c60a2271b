package org.heddle.control.port;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.heddle.fabric.Fabric;
import org.heddle.plan.model.Partition;
import org.heddle.routing.ForwardingTables;

/** Access to a real or emulated fabric. Thread-safe. */
public interface FabricAgent extends AutoCloseable {
  /**
   * What is there now.
   *
   * @param tables of that fabric's switch ids
   * @param notes what could not be read
   */
  record Observation(Fabric fabric, ForwardingTables tables, List<String> notes) {
    public Observation {
      notes = List.copyOf(notes);
    }
  }

  /** 64 entries of one switch. */
  record BlockWrite(long switchGuid, int block, byte[] entries) {}

  /**
   * What should be there.
   *
   * @param writes blocks that differ from the observation, in an order that is safe; none if only
   *     partitions differ
   * @param partitions by ascending key
   * @param fence to be asked right before anything is written, and after
   */
  record Target(
      long epoch,
      Fabric fabric,
      ForwardingTables tables,
      List<BlockWrite> writes,
      List<Partition> partitions,
      Fence fence) {
    public Target {
      writes = List.copyOf(writes);
      partitions = List.copyOf(partitions);
    }
  }

  /**
   * What became of an attempt.
   *
   * @param written blocks that were acknowledged
   * @param problems one sentence each; the reconciler will try again
   * @param soon false if trying again is of no use before the usual time
   * @param end how it ended if there are no problems
   */
  record Applied(int written, List<String> problems, boolean soon, End end) {
    /** How an attempt without problems ended. */
    public enum End {
      /** The fabric has it. */
      WRITTEN,
      /** The fabric is another one meanwhile: it has to be looked at again. */
      OVERTAKEN,
      /** Files say it, and nobody is told: that is all there will be. */
      FILED
    }

    public Applied {
      problems = List.copyOf(problems);
    }

    /** One that has written, or has tried to. */
    public Applied(int written, List<String> problems, boolean soon) {
      this(written, problems, soon, End.WRITTEN);
    }
  }

  /**
   * A figure for whoever watches the agent.
   *
   * @param name as Prometheus wants it, without the product's name
   * @param counter true if it never falls while the process runs; else a gauge
   */
  record Figure(String name, boolean counter, String help, double value) {}

  /** The kind: emulator, dry-run, opensm. */
  String kind();

  /**
   * Reads the fabric and its tables.
   *
   * @throws AgentException if it cannot be read, or not to its end
   */
  Observation observe();

  /**
   * What was written, is neither cabling nor tables, and is not in force any more, as the last
   * observation has shown; one sentence each. Everything is written again unless this is empty.
   */
  default List<String> astray() {
    return List.of();
  }

  /** Why what was decided cannot be handed on at all, as when a disk is full; empty if it can. */
  default Optional<String> cannotWrite() {
    return Optional.empty();
  }

  /** Writes. Partial success is no error: what is there is found by the next observation. */
  Applied apply(Target target);

  /**
   * The same, telling how far it is.
   *
   * @param left told how many of the target's blocks the fabric does not have yet, when that has
   *     changed; on the calling thread
   */
  default Applied apply(Target target, IntConsumer left) {
    return apply(target);
  }

  /** What it has done since the start; may be asked at any time and does not wait. */
  default List<Figure> figures() {
    return List.of();
  }

  /**
   * Why switches do not get entries for LIDs of machines here, and what to do instead; empty if
   * they do.
   */
  default Optional<String> noVirtualLids() {
    return Optional.empty();
  }

  /**
   * Has somebody told when the fabric, or something else that was written, is not as the last
   * observation has shown it; the text says what is known. On any thread, possibly during an
   * observation, which may then have missed it.
   */
  void onChange(Consumer<String> listener);

  /** Has somebody told when a look is worth its while, though nothing is known to be wrong. */
  default void onSuspicion(Runnable listener) {}

  @Override
  void close();
}
