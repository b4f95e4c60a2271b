package org.heddle.agent;

import java.util.List;
import org.heddle.control.port.FabricAgent;
import org.heddle.fabric.Fabric;
import org.heddle.plan.model.Partition;
import org.heddle.routing.ForwardingTables;

/**
 * What OpenSM programmed the last time it was told, as confirmed by the fabric. OpenSM compares new
 * files with what it has written itself, and writes a block only if that differs; so a block that
 * somebody else has overwritten stays overwritten until OpenSM is restarted.
 *
 * @param by who has written it
 */
record InForce(
    Fabric fabric, ForwardingTables tables, List<Partition> partitions, SubnetManager by) {
  private static final int BLOCK = ForwardingTables.BLOCK_SIZE;

  static InForce of(FabricAgent.Target target, SubnetManager by) {
    return new InForce(target.fabric(), target.tables(), target.partitions(), by);
  }

  /** The same with a manager that has gone on. */
  InForce seen(SubnetManager now) {
    return new InForce(fabric, tables, partitions, now);
  }

  /** True if nothing of a target is news to OpenSM. */
  boolean says(FabricAgent.Target target) {
    return target.partitions().equals(partitions)
        && target.fabric().fingerprint() == fabric.fingerprint()
        && target.tables().topLid() == tables.topLid()
        && differing(fabric, tables, target.tables()) == 0;
  }

  private static int differing(Fabric fabric, ForwardingTables a, ForwardingTables b) {
    int count = 0;
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      count += a.differingBlocks(sw, b);
    }
    return count;
  }

  /**
   * How many blocks differ from what is wanted; -1 if there is one among them that OpenSM does not
   * believe to have written: it may be about to.
   *
   * @param wantedOf the fabric whose switch ids both tables have
   */
  int onlyBelieved(Fabric wantedOf, ForwardingTables live, ForwardingTables wanted) {
    int count = 0;
    int top = Math.max(live.topLid(), wanted.topLid());
    for (int sw = 0; sw < wantedOf.switchCount(); sw++) {
      if (live.differingBlocks(sw, wanted) == 0) {
        continue;
      }
      int there = fabric.findNode(wantedOf.nodeGuid(sw));
      for (int from = 0; from <= top; from += BLOCK) {
        if (equal(live, sw, wanted, sw, from)) {
          continue;
        }
        if (there == Fabric.NONE || !equal(tables, there, wanted, sw, from)) {
          return -1;
        }
        count++;
      }
    }
    return count;
  }

  private static boolean equal(ForwardingTables a, int inA, ForwardingTables b, int inB, int from) {
    boolean same = true;
    for (int lid = from; lid < from + BLOCK && same; lid++) {
      same = a.port(inA, lid) == b.port(inB, lid);
    }
    return same;
  }
}
