package org.heddle.text.lft;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.Lid;
import org.heddle.routing.ForwardingTables;
import org.heddle.text.IdentityCode;
import org.heddle.text.Place;
import org.heddle.text.Problems;
import org.heddle.text.topology.IdentityCheck;

/**
 * Addresses that a tables file gives to ports, matched to a fabric: collects base LID and LMC by
 * port, then makes the fabric that has them.
 */
final class PortLids {
  private final Fabric fabric;
  private final Problems problems;
  private final int[] lid;
  private final byte[] lmc;
  private final List<Unknown> unknown = new ArrayList<>();
  private final BitSet named = new BitSet(); // ports that the file names
  private int known;

  /** A port of the file that is not in the fabric, with the first LID that it has there. */
  private record Unknown(long guid, int lid) {}

  PortLids(Fabric fabric, Problems problems) {
    this.fabric = fabric;
    this.problems = problems;
    this.lid = new int[fabric.portIdLimit()];
    this.lmc = new byte[fabric.portIdLimit()];
  }

  /** Takes the LIDs of a dump that names the port behind each; LMC is seen from their number. */
  void takeFrom(LftDump dump) {
    int[] low = new int[fabric.portIdLimit()];
    int[] high = new int[fabric.portIdLimit()];
    long lastGuid = 0;
    int port = Fabric.NONE;
    for (int l = Lid.MIN_UNICAST; l <= dump.topLid(); l++) {
      long guid = dump.guidOfLid(l);
      if (guid == 0 || isVirtual(l)) {
        continue;
      }
      if (guid != lastGuid) {
        port = find(guid, l);
        lastGuid = guid;
      }
      if (port != Fabric.NONE) {
        low[port] = low[port] == 0 ? l : low[port];
        high[port] = l;
      }
    }
    for (int p = 0; p < low.length; p++) {
      if (low[p] != 0) {
        takeRange(p, low[p], high[p]);
      }
    }
  }

  /** LIDs of virtual functions are not the port's own, though the file names the port for them. */
  private boolean isVirtual(int l) {
    int owner = fabric.portOfLid(l);
    if (owner == Fabric.NONE || fabric.virtualLids().size() == 0) {
      return false;
    }
    int base = fabric.lid(owner);
    return l < base || l >= base + (1 << fabric.lmc(owner));
  }

  private void takeRange(int port, int low, int high) {
    int base = fabric.lid(port);
    if (base != Lid.NONE && base <= low && high < base + (1 << fabric.lmc(port))) {
      take(port, base, fabric.lmc(port));
      return;
    }
    int bits = 0;
    while (low >> bits != high >> bits) {
      bits++;
    }
    int aligned = low >> bits << bits;
    if (bits > Lid.MAX_LMC || aligned == 0) {
      List<Place> places = List.of(Place.of(fabric, port, 0));
      String what = "a port has the LIDs " + low + " and " + high + ", which no LMC explains";
      problems.identity(
          IdentityCode.SEVERAL_LIDS,
          IdentityCheck.sentence(what, places, "the first is used"),
          places);
      take(port, low, 0);
    } else {
      take(port, aligned, bits);
    }
  }

  /** The port of a GUID in a file, or {@link Fabric#NONE}, which is counted. */
  int find(long guid, int lid) {
    int port = fabric.findPort(guid);
    if (port == Fabric.NONE) {
      unknown.add(new Unknown(guid, lid));
    } else {
      named.set(port);
      known++;
    }
    return port;
  }

  /**
   * GUIDs that were asked for and are not in the fabric, those of these switches left out, and
   * those of virtual functions: what the tables deliver to a port that the file names, too. A port
   * that it does not name is another host's, in the place of the one that was lost.
   *
   * @param switches node GUIDs; the port GUID of a switch is its node GUID
   */
  List<Long> lostBut(List<Long> switches, ForwardingTables tables) {
    Set<Long> known = new HashSet<>(switches);
    return unknown.stream()
        .filter(u -> !known.contains(u.guid) && !isFunction(u, tables))
        .map(Unknown::guid)
        .distinct()
        .toList();
  }

  private boolean isFunction(Unknown u, ForwardingTables tables) {
    int port = UnknownLids.delivery(fabric, tables, u.lid);
    return port != Fabric.NONE && named.get(port);
  }

  /** Sets the address of a port. */
  void take(int port, int base, int mask) {
    lid[port] = base;
    lmc[port] = (byte) mask;
  }

  /** Ports of the file that the fabric has. */
  int knownPorts() {
    return known;
  }

  /** The fabric with the collected addresses; the given one if it has them already. */
  Fabric fabric() {
    if (!unknown.isEmpty()) {
      problems.note(
          0,
          Counted.of(unknown.size(), "port of the file is", "ports of the file are")
              + " not in the fabric, the first is "
              + Guid.format(unknown.getFirst().guid));
    }
    int[] owner = new int[lastLid() + 1];
    Arrays.fill(owner, Fabric.NONE);
    for (int p = 0; p < lid.length; p++) {
      if (lid[p] != Lid.NONE && !claim(owner, p)) {
        usedTwice(owner, p);
        lid[p] = Lid.NONE;
        lmc[p] = 0;
      }
    }
    boolean changed = false;
    for (int p = 0; p < lid.length; p++) {
      if (lid[p] == Lid.NONE) {
        keepOld(owner, p);
      }
      changed |= lid[p] != fabric.lid(p) || lmc[p] != fabric.lmc(p);
    }
    return changed ? fabric.withLids(lid, lmc) : fabric;
  }

  private int lastLid() {
    int last = fabric.topLid();
    for (int p = 0; p < lid.length; p++) {
      last = Math.max(last, lid[p] + (1 << lmc[p]) - 1);
    }
    return Math.min(last, Lid.MAX_UNICAST);
  }

  private void keepOld(int[] owner, int port) {
    lid[port] = fabric.lid(port);
    lmc[port] = (byte) fabric.lmc(port);
    if (lid[port] != Lid.NONE && !claim(owner, port)) {
      usedTwice(owner, port);
      lid[port] = Lid.NONE;
      lmc[port] = 0;
    }
  }

  /** A port whose LIDs another one has already; those beyond unicast are nobody's. */
  private void usedTwice(int[] owner, int port) {
    int last = lid[port] + (1 << lmc[port]) - 1;
    int at = lid[port];
    while (at <= last && at < owner.length && owner[at] == Fabric.NONE) {
      at++;
    }
    if (at > last || at >= owner.length) {
      problems.warn(0, "LID " + last + " is not a unicast LID; its port is left without LID");
      return;
    }
    List<Place> places = List.of(Place.of(fabric, owner[at], 0), Place.of(fabric, port, 0));
    problems.identity(
        IdentityCode.DUPLICATE_LID,
        IdentityCheck.sentence(
            "2 ports have the LID " + at, places, "the second is left without LID"),
        places);
  }

  private boolean claim(int[] owner, int port) {
    int last = lid[port] + (1 << lmc[port]) - 1;
    if (last > Lid.MAX_UNICAST) {
      return false;
    }
    for (int l = lid[port]; l <= last; l++) {
      if (owner[l] != Fabric.NONE) {
        return false;
      }
    }
    Arrays.fill(owner, lid[port], last + 1, port);
    return true;
  }
}
