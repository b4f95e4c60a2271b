package org.heddle.control.emulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.heddle.control.port.FabricAgent;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.fabric.VirtualLids;
import org.heddle.routing.ForwardingTables;
import org.heddle.topology.generate.FabricCut;
import org.heddle.topology.generate.FabricExtras;

/**
 * A fabric in memory with the limits of a real one: tables are written in blocks of 64 entries and
 * end where the switch's linear table ends, which may be beyond the fabric's own LIDs; a switch
 * that is gone accepts no writes; links and nodes go down and come back with LIDs and tables
 * unchanged. Writes fail on demand.
 */
public final class Emulator implements FabricAgent {
  /** Entries of a linear forwarding table unless told otherwise. */
  public static final int LINEAR_CAP = 49152;

  private final Fabric whole;
  private final int linearCap;
  private final Map<Long, byte[]> rows = new HashMap<>();
  private final BitSet deadNodes = new BitSet();
  private final BitSet deadPorts = new BitSet();
  private final BitSet slowPorts = new BitSet();
  private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
  private Fabric now;
  private int failing;
  private long written;

  /** A fabric whose switches have no entries; LIDs that are missing are given. */
  public Emulator(Fabric fabric, int linearCap) {
    this.whole = fabric.withVirtualLids(VirtualLids.NONE).withAssignedLids();
    this.now = whole;
    this.linearCap = linearCap;
    for (int sw = 0; sw < whole.switchCount(); sw++) {
      byte[] row = new byte[whole.topLid() + 1];
      Arrays.fill(row, (byte) ForwardingTables.NO_PORT);
      rows.put(whole.nodeGuid(sw), row);
    }
  }

  /** The same with the usual limit. */
  public Emulator(Fabric fabric) {
    this(fabric, LINEAR_CAP);
  }

  @Override
  public String kind() {
    return "emulator";
  }

  @Override
  public synchronized Observation observe() {
    byte[][] out = new byte[now.switchCount()][];
    int length = whole.topLid() + 1;
    for (int sw = 0; sw < out.length; sw++) {
      length = Math.max(length, used(rows.get(now.nodeGuid(sw))));
    }
    for (int sw = 0; sw < out.length; sw++) {
      byte[] row = rows.get(now.nodeGuid(sw));
      out[sw] = row.length < length ? grown(row, length) : Arrays.copyOf(row, length);
    }
    return new Observation(now, ForwardingTables.ofRows(out, length - 1), List.of());
  }

  /** Entries up to the last that says something. */
  private static int used(byte[] row) {
    int n = row.length;
    while (n > 0 && row[n - 1] == (byte) ForwardingTables.NO_PORT) {
      n--;
    }
    return n;
  }

  private static byte[] grown(byte[] row, int length) {
    byte[] out = Arrays.copyOf(row, length);
    Arrays.fill(out, row.length, length, (byte) ForwardingTables.NO_PORT);
    return out;
  }

  /** The row of a switch with room for a number of entries, as far as its linear table goes. */
  private byte[] row(long switchGuid, int entries) {
    byte[] row = rows.get(switchGuid);
    int length = Math.min(entries, linearCap);
    if (row.length < length) {
      row = grown(row, length);
      rows.put(switchGuid, row);
    }
    return row;
  }

  @Override
  public synchronized Applied apply(Target target) {
    List<String> problems = new ArrayList<>();
    int done = 0;
    for (BlockWrite w : target.writes()) {
      if (!target.fence().holds()) {
        problems.add("the leadership was lost: no more is written");
        break;
      }
      int node = now.findNode(w.switchGuid());
      int from = w.block() * ForwardingTables.BLOCK_SIZE;
      if (node == Fabric.NONE || !now.isSwitch(node)) {
        problems.add("no answer from switch 0x" + Long.toHexString(w.switchGuid()));
      } else if (failing > 0) {
        failing--;
        problems.add("a write was lost");
      } else if (from >= linearCap) {
        problems.add("block " + w.block() + " is beyond the linear table");
      } else {
        byte[] row = row(w.switchGuid(), from + used(w.entries()));
        int length = Math.min(Math.min(w.entries().length, row.length - from), linearCap - from);
        if (length > 0) {
          System.arraycopy(w.entries(), 0, row, from, length);
        }
        done++;
      }
    }
    written += done;
    return new Applied(done, problems, true);
  }

  /** The next so many blocks are lost. */
  public synchronized void failWrites(int count) {
    failing = count;
  }

  /** Blocks written so far. */
  public synchronized long written() {
    return written;
  }

  /** Somebody else changes an entry. */
  public void disturb(long switchGuid, int lid, int port) {
    synchronized (this) {
      row(switchGuid, lid + 1)[lid] = (byte) port;
    }
    tell("somebody wrote an entry");
  }

  /**
   * Takes the link at a port down, or brings it back.
   *
   * @return false if there is no such port
   */
  public boolean setLink(long nodeGuid, int number, boolean up) {
    return change(deadPorts, cable(nodeGuid, number), up);
  }

  /**
   * Has the cable at a port run at one lane of the lowest speed, or as before.
   *
   * @return false if there is no such cable
   */
  public boolean setSlow(long nodeGuid, int number, boolean slow) {
    return change(slowPorts, cable(nodeGuid, number), !slow);
  }

  /** Takes a node down, or brings it back; false if there is none. */
  public boolean setNode(long nodeGuid, boolean up) {
    return change(deadNodes, whole.findNode(nodeGuid), up);
  }

  /** The port of a cable that has the smaller id, or NONE. */
  private int cable(long nodeGuid, int number) {
    int node = whole.findNode(nodeGuid);
    if (node == Fabric.NONE || number < 1 || number > whole.portCount(node)) {
      return Fabric.NONE;
    }
    int port = whole.port(node, number);
    int peer = whole.peer(port);
    return peer == Fabric.NONE ? Fabric.NONE : Math.min(port, peer);
  }

  private boolean change(BitSet dead, int at, boolean up) {
    if (at == Fabric.NONE) {
      return false;
    }
    synchronized (this) {
      dead.set(at, !up);
      Fabric slower = FabricExtras.withRate(whole, slowPorts, LinkWidth.X1, LinkSpeed.SDR);
      now =
          deadNodes.isEmpty() && deadPorts.isEmpty()
              ? slower
              : FabricCut.without(slower, deadNodes, deadPorts);
    }
    tell(up ? "something came back" : "something went down");
    return true;
  }

  private void tell(String what) {
    listeners.forEach(l -> l.accept(what));
  }

  @Override
  public void onChange(Consumer<String> listener) {
    listeners.add(listener);
  }

  @Override
  public void close() {
    listeners.clear();
  }
}
