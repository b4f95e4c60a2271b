package org.heddle.reconfig.migration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.routing.ForwardingTables;

/** Collects the writes of a plan in growing arrays, one 64-entry block per write. */
final class WriteList {
  private static final int BLOCK = ForwardingTables.BLOCK_SIZE;
  private static final byte NO_PORT = (byte) ForwardingTables.NO_PORT;

  final List<Integer> dropped = new ArrayList<>();
  final List<String> notes = new ArrayList<>();
  private final ForwardingTables tables;
  private final Skyline skyline; // null if there is none

  int size;
  int[] sw;
  int[] block;
  int[] rank;
  byte[] part;
  byte[] side;
  byte[] data;

  WriteList(ForwardingTables tables, Skyline skyline, int expected) {
    this.tables = tables;
    this.skyline = skyline;
    int n = Math.max(4, expected);
    sw = new int[n];
    block = new int[n];
    rank = new int[n];
    part = new byte[n];
    side = new byte[n];
    data = new byte[n * BLOCK];
  }

  /** Adds a write of the block that holds a LID, as the tables have it; returns its number. */
  int add(int s, int lid, MigrationPlan.Part what, int atRank) {
    if (size == sw.length) {
      int n = 2 * size;
      sw = Arrays.copyOf(sw, n);
      block = Arrays.copyOf(block, n);
      rank = Arrays.copyOf(rank, n);
      part = Arrays.copyOf(part, n);
      side = Arrays.copyOf(side, n);
      data = Arrays.copyOf(data, n * BLOCK);
    }
    int from = lid / BLOCK * BLOCK;
    int known = Math.clamp(tables.topLid() + 1 - from, 0, BLOCK);
    if (known > 0) {
      tables.copy(s, from, data, size * BLOCK, known);
    }
    Arrays.fill(data, size * BLOCK + known, (size + 1) * BLOCK, NO_PORT);
    sw[size] = s;
    block[size] = lid / BLOCK;
    rank[size] = atRank;
    part[size] = (byte) what.ordinal();
    side[size] = (byte) sideOf(s).ordinal();
    return size++;
  }

  /** Puts an entry into a write if its block holds the LID. */
  void put(int write, int lid, int port) {
    if (lid / BLOCK == block[write]) {
      data[write * BLOCK + lid % BLOCK] = (byte) port;
    }
  }

  private MigrationPlan.Side sideOf(int s) {
    if (skyline == null) {
      return MigrationPlan.Side.OTHER;
    }
    return switch (skyline.side[s]) {
      case Skyline.SOURCE -> MigrationPlan.Side.SOURCE;
      case Skyline.DESTINATION -> MigrationPlan.Side.DESTINATION;
      case Skyline.COMMON -> MigrationPlan.Side.COMMON;
      default -> MigrationPlan.Side.OTHER;
    };
  }
}
