package org.heddle.pathcache;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.routing.ForwardingTables;

/**
 * Qualities of the paths of finished tables. A machine is reached as its hypervisor's base LID is,
 * which is exact for copied routes and a model for swapped ones. Links of unknown speed or MTU
 * limit nothing. Immutable.
 */
public final class PathQualities {
  /** Limits of {@link #slowed}: 4x FDR and an MTU of 2048 bytes. */
  public static final PathQuality SLOW =
      new PathQuality(LinkWidth.X4.lanes() * LinkSpeed.FDR.laneMegabits(), 4);

  private static final PathQuality UNLIMITED = new PathQuality(Integer.MAX_VALUE, 5);

  private final Fabric fabric;
  private final ForwardingTables tables;
  private final PathQuality[] ofPort;

  private PathQualities(Fabric fabric, ForwardingTables tables, PathQuality[] ofPort) {
    this.fabric = fabric;
    this.tables = tables;
    this.ofPort = ofPort;
  }

  /**
   * Links as the fabric has them.
   *
   * @param fabric with LIDs
   * @param tables whose rows are its switches
   */
  public static PathQualities of(Fabric fabric, ForwardingTables tables) {
    PathQuality[] out = new PathQuality[fabric.portIdLimit()];
    for (int p = 0; p < out.length; p++) {
      int megabits = fabric.linkMegabits(p);
      int mtu = fabric.mtuCode(p);
      out[p] =
          new PathQuality(
              megabits == 0 ? UNLIMITED.megabits() : megabits,
              mtu == 0 ? UNLIMITED.mtuCode() : mtu);
    }
    return new PathQualities(fabric, tables, out);
  }

  /**
   * The same where a share of the leaf switches, the last ones by id, is of an older generation: no
   * link of theirs is better than {@link #SLOW}.
   *
   * @param percent 0 to 100; rounded down to whole switches
   */
  public PathQualities slowed(double percent) {
    BitSet leaves = new BitSet();
    for (int p = 0; p < ofPort.length; p++) {
      int sw = fabric.isEndport(p) ? fabric.attachedSwitch(p) : Fabric.NONE;
      if (sw != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(p))) {
        leaves.set(sw);
      }
    }
    int rest = (int) (leaves.cardinality() * percent / 100);
    PathQuality[] out = Arrays.copyOf(ofPort, ofPort.length);
    int sw = leaves.length();
    for (; rest > 0; rest--) {
      sw = leaves.previousSetBit(sw - 1);
      for (int n = 1; n <= fabric.portCount(sw); n++) {
        int port = fabric.port(sw, n);
        int peer = fabric.peer(port);
        out[port] = out[port].and(SLOW);
        if (peer != Fabric.NONE) {
          out[peer] = out[peer].and(SLOW);
        }
      }
    }
    return new PathQualities(fabric, tables, out);
  }

  /** The fabric. */
  public Fabric fabric() {
    return fabric;
  }

  /**
   * The path from one port of a channel adapter to another's base LID; between machines of one
   * port, which do not leave it, what its link can do. O(length).
   *
   * @return empty if the tables do not lead there
   */
  public Optional<PathQuality> between(int from, int to) {
    PathQuality out = ofPort[from];
    if (from == to) {
      return Optional.of(out);
    }
    int in = fabric.peer(from);
    for (int hops = 0; hops <= fabric.switchCount() && in != Fabric.NONE; hops++) {
      int node = fabric.nodeOf(in);
      out = out.and(ofPort[in]);
      if (in == to) {
        return Optional.of(out);
      }
      int number = fabric.isSwitch(node) ? tables.port(node, fabric.lid(to)) : 0;
      if (number == 0 || number > fabric.portCount(node)) {
        return Optional.empty();
      }
      int port = fabric.port(node, number);
      out = out.and(ofPort[port]);
      in = fabric.peer(port);
    }
    return Optional.empty();
  }
}
