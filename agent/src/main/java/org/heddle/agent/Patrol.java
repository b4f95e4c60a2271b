package org.heddle.agent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.mad.AttributeId;
import org.heddle.mad.PKeyBlock;
import org.heddle.routing.ForwardingTables;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOutcome;
import org.heddle.smp.discover.DiscoveredFabric;

/**
 * Reads keys and forwarding entries in turn, some at a time, between and during looks, and compares
 * them with what the last look has read: so what somebody else writes is noticed before the next
 * look, which takes long in a large fabric. Keys go first: they are fewer, and keep tenants apart.
 * Not thread-safe.
 */
final class Patrol {
  /** SMPs of a walk. */
  private static final int KEYS = 768;

  private static final int ENTRIES = 256;

  private Known known;
  private final List<int[]> keyBlocks = new ArrayList<>(); // index of the table, first key
  private int nextKey;
  private int nextEntry;

  /**
   * What the last look has read. Nothing in it changes any more.
   *
   * @param keys none unless they were right
   */
  record Known(DiscoveredFabric discovered, ForwardingTables tables, List<PortKeys.Table> keys) {
    Known withKeys(List<PortKeys.Table> right) {
      return new Known(discovered, tables, right);
    }
  }

  /** Reads on where the last walk ended; what is not as it was first, in a sentence. */
  Optional<String> walk(SmpClient client, Known now) {
    if (now != known) {
      known = now;
      keyBlocks.clear();
      for (int i = 0; i < now.keys.size(); i++) {
        PortKeys.Table table = now.keys.get(i);
        for (int from = 0;
            from < table.keys().length && !table.unread()[0];
            from += PKeyBlock.ENTRIES) {
          keyBlocks.add(new int[] {i, from});
        }
      }
    }
    String[] first = new String[1];
    for (int n = Math.min(KEYS, keyBlocks.size()); n > 0; n--) {
      nextKey %= keyBlocks.size();
      int[] block = keyBlocks.get(nextKey++);
      key(client, now.keys.get(block[0]), block[1], first);
    }
    int perSwitch = now.tables.topLid() / ForwardingTables.BLOCK_SIZE + 1;
    int all = perSwitch * now.discovered.fabric().switchCount();
    for (int n = Math.min(ENTRIES, all); n > 0; n--) {
      nextEntry %= all;
      entries(client, nextEntry / perSwitch, nextEntry % perSwitch, first);
      nextEntry++;
    }
    client.drain();
    return Optional.ofNullable(first[0]);
  }

  private void key(SmpClient client, PortKeys.Table table, int from, String[] first) {
    DiscoveredFabric discovered = known.discovered;
    client.get(
        PortKeys.route(discovered, table),
        AttributeId.P_KEY_TABLE,
        PortKeys.modifier(discovered, table, from),
        outcome -> {
          if (outcome instanceof SmpOutcome.Answer answer) {
            PKeyBlock block = new PKeyBlock().wrap(answer.smp());
            for (int i = 0; i < PKeyBlock.ENTRIES && from + i < table.keys().length; i++) {
              if (block.key(i) != table.keys()[from + i] && first[0] == null) {
                first[0] =
                    "other keys: "
                        + PortKeys.name(discovered.fabric(), table.port())
                        + " has 0x%04x where 0x%04x was"
                            .formatted(block.key(i), table.keys()[from + i]);
              }
            }
          }
        });
  }

  private void entries(SmpClient client, int sw, int block, String[] first) {
    Fabric fabric = known.discovered.fabric();
    int from = block * ForwardingTables.BLOCK_SIZE;
    int top = Math.min(known.tables.topLid(), known.discovered.linearFdbTop(sw));
    int length = Math.min(ForwardingTables.BLOCK_SIZE, top + 1 - from);
    if (length <= 0) {
      return;
    }
    client.get(
        known.discovered.route(sw),
        AttributeId.LINEAR_FORWARDING_TABLE,
        block,
        outcome -> {
          if (outcome instanceof SmpOutcome.Answer answer) {
            byte[] was = new byte[length];
            known.tables.copy(sw, from, was, 0, length);
            int at = answer.smp().dataOffset();
            if (!Arrays.equals(was, 0, length, answer.smp().buffer(), at, at + length)
                && first[0] == null) {
              first[0] = "other entries at " + fabric.node(sw).display();
            }
          }
        });
  }
}
