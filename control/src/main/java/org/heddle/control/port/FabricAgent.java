package org.heddle.control.port;

import java.util.List;
import java.util.function.Consumer;
import org.heddle.control.model.Tenant;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;

/** The way to a real or emulated fabric. Thread-safe. */
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
   * @param writes blocks that differ from the observation, in an order that is safe
   */
  record Target(
      long epoch,
      Fabric fabric,
      ForwardingTables tables,
      List<BlockWrite> writes,
      List<Tenant> tenants) {
    public Target {
      writes = List.copyOf(writes);
      tenants = List.copyOf(tenants);
    }
  }

  /**
   * What became of an attempt.
   *
   * @param written blocks that were acknowledged
   * @param problems one sentence each; the reconciler will try again
   */
  record Applied(int written, List<String> problems) {
    public Applied {
      problems = List.copyOf(problems);
    }
  }

  /** The kind: emulator, dry-run, opensm. */
  String kind();

  /** Reads the fabric and its tables. */
  Observation observe();

  /** Writes. Partial success is no error: what is there is found by the next observation. */
  Applied apply(Target target);

  /** Has somebody told when the fabric may have changed; the text says what is known. */
  void onChange(Consumer<String> listener);

  @Override
  void close();
}
