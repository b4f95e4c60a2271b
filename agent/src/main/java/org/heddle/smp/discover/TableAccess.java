package org.heddle.smp.discover;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.mad.AttributeId;
import org.heddle.mad.LinearForwardingBlock;
import org.heddle.mad.Smp;
import org.heddle.routing.ForwardingTables;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOutcome;

/** Reads the forwarding tables of all switches by datagrams. */
public final class TableAccess {
  /**
   * Tables as they are in the switches.
   *
   * @param tables one row a switch of the discovered fabric; what could not be read is empty
   * @param warnings what could not be read, one sentence each; empty if all is there
   * @param blocks blocks asked for
   */
  public record LiveTables(ForwardingTables tables, List<String> warnings, long blocks) {
    public LiveTables {
      warnings = List.copyOf(warnings);
    }
  }

  private TableAccess() {}

  /**
   * Reads what is in force: every block up to each switch's LinearFDBTop. One SMP a block, {@code
   * switches * topLid / 64} in all.
   */
  public static LiveTables read(SmpClient client, DiscoveredFabric discovered) {
    return read(client, discovered, 0);
  }

  /**
   * Reads what is in force, and up to a LID also what would be if switches looked it up.
   *
   * @param upTo read at least to this LID, as far as the switch has entries
   */
  public static LiveTables read(SmpClient client, DiscoveredFabric discovered, int upTo) {
    Fabric fabric = discovered.fabric();
    int topLid = Math.max(fabric.topLid(), upTo);
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      topLid = Math.max(topLid, Math.min(discovered.linearFdbTop(sw), 0xbfff));
    }
    byte[][] rows = new byte[fabric.switchCount()][topLid + 1];
    List<String> warnings = new ArrayList<>();
    long blocks = 0;
    for (int sw = 0; sw < rows.length; sw++) {
      Arrays.fill(rows[sw], (byte) ForwardingTables.NO_PORT);
      int wanted = Math.max(upTo, discovered.linearFdbTop(sw));
      int last = Math.min(Math.min(wanted, topLid), discovered.linearFdbCap(sw) - 1);
      for (int from = 0; from <= last && last > 0; from += LinearForwardingBlock.ENTRIES) {
        blocks++;
        int length = Math.min(LinearForwardingBlock.ENTRIES, last + 1 - from);
        readBlock(client, discovered, sw, rows[sw], from, length, warnings);
      }
    }
    client.drain();
    return new LiveTables(ForwardingTables.ofRows(rows, topLid), warnings, blocks);
  }

  private static void readBlock(
      SmpClient client,
      DiscoveredFabric discovered,
      int sw,
      byte[] row,
      int from,
      int length,
      List<String> warnings) {
    int block = from / LinearForwardingBlock.ENTRIES;
    client.get(
        discovered.route(sw),
        AttributeId.LINEAR_FORWARDING_TABLE,
        block,
        outcome -> {
          if (outcome instanceof SmpOutcome.Answer(Smp smp)) {
            System.arraycopy(smp.buffer(), smp.dataOffset(), row, from, length);
          } else {
            warnings.add(
                "block "
                    + block
                    + " of "
                    + discovered.fabric().node(sw).display()
                    + ": "
                    + outcome);
          }
        });
  }
}
