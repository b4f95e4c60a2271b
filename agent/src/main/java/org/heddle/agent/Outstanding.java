package org.heddle.agent;

import java.util.BitSet;
import java.util.List;
import org.heddle.control.port.FabricAgent;
import org.heddle.fabric.Fabric;
import org.heddle.mad.AttributeId;
import org.heddle.mad.Smp;
import org.heddle.routing.ForwardingTables;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOutcome;
import org.heddle.smp.discover.DiscoveredFabric;

/**
 * Blocks that somebody else has to write and that are not there yet. Each look asks for some of
 * them in turn, one SMP per block, so blocks that have arrived are not read again. Not thread-safe.
 */
final class Outstanding {
  /** Blocks of a look. */
  static final int LOOK = 1_024;

  private final FabricAgent.Target target;
  private final BitSet missing = new BitSet();
  private int next;

  /** All blocks of a target. */
  Outstanding(FabricAgent.Target target) {
    this.target = target;
    missing.set(0, target.writes().size());
  }

  /** Blocks that were not there when they were asked for last. */
  int left() {
    return missing.cardinality();
  }

  /** Asks for some of them. */
  void look(SmpClient client, DiscoveredFabric discovered) {
    List<FabricAgent.BlockWrite> writes = target.writes();
    int count = Math.min(LOOK, missing.cardinality());
    for (int i = 0; i < count; i++) {
      int at = missing.nextSetBit(next);
      at = at < 0 ? missing.nextSetBit(0) : at;
      if (at < 0) {
        break; // answers to earlier ones have emptied it
      }
      next = at + 1;
      ask(client, discovered, writes.get(at), at);
    }
    client.drain();
  }

  private void ask(
      SmpClient client, DiscoveredFabric discovered, FabricAgent.BlockWrite block, int at) {
    int there = discovered.fabric().findNode(block.switchGuid());
    int sw = target.fabric().findNode(block.switchGuid());
    if (there == Fabric.NONE || sw == Fabric.NONE) {
      return;
    }
    client.get(
        discovered.route(there),
        AttributeId.LINEAR_FORWARDING_TABLE,
        block.block(),
        outcome -> {
          if (outcome instanceof SmpOutcome.Answer(Smp smp) && right(smp, sw, block.block())) {
            missing.clear(at);
          }
        });
  }

  private boolean right(Smp smp, int sw, int block) {
    ForwardingTables tables = target.tables();
    int from = block * ForwardingTables.BLOCK_SIZE;
    int end = Math.min(from + ForwardingTables.BLOCK_SIZE - 1, tables.topLid());
    boolean same = true;
    for (int lid = from; lid <= end && same; lid++) {
      same = (smp.buffer()[smp.dataOffset() + lid - from] & 0xff) == tables.port(sw, lid);
    }
    return same;
  }
}
