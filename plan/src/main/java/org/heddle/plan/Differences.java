package org.heddle.plan;

import java.util.ArrayList;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.plan.model.Outcome;
import org.heddle.routing.ForwardingTables;

/** What differs between two snapshots of a fabric, in words. */
public final class Differences {
  private static final int SHOWN = 4;

  private Differences() {}

  /**
   * True if cables, their rates and addresses are the same: tables of one are tables of the other,
   * and who has what it was promised on one has it on the other.
   */
  public static boolean none(Fabric a, Fabric b) {
    boolean same = a.fingerprint() == b.fingerprint() && a.portIdLimit() == b.portIdLimit();
    for (int port = 0; same && port < a.portIdLimit(); port++) {
      same = a.lid(port) == b.lid(port) && a.linkMegabits(port) == b.linkMegabits(port);
    }
    return same;
  }

  /** Switches that are in both, whose blocks of 64 entries differ. O(switches * LIDs). */
  public static List<Outcome.SwitchBlocks> blocks(
      DesiredState now, Fabric fabric, ForwardingTables next) {
    List<Outcome.SwitchBlocks> out = new ArrayList<>();
    Fabric f = now.fabric();
    for (int sw = 0; sw < f.switchCount() && now.tables() != next; sw++) {
      int there = f == fabric ? sw : fabric.findNode(f.nodeGuid(sw));
      if (there == Fabric.NONE) {
        continue;
      }
      int blocks =
          there == sw
              ? now.tables().differingBlocks(sw, next)
              : blocks(now.tables(), sw, next, there);
      if (blocks > 0) {
        out.add(new Outcome.SwitchBlocks(f.nodeGuid(sw), f.description(sw), blocks));
      }
    }
    return out;
  }

  private static int blocks(ForwardingTables a, int inA, ForwardingTables b, int inB) {
    int last = -1;
    int count = 0;
    for (int lid = 0; lid <= Math.max(a.topLid(), b.topLid()); lid++) {
      int block = lid / ForwardingTables.BLOCK_SIZE;
      if (block != last && a.port(inA, lid) != b.port(inB, lid)) {
        last = block;
        count++;
      }
    }
    return count;
  }

  public static String of(Fabric before, Fabric after) {
    List<String> out = new ArrayList<>();
    nodes(before, after, " is gone", out);
    nodes(after, before, " is new", out);
    links(before, after, " is down", out);
    links(after, before, " is up", out);
    rates(before, after, out);
    if (out.isEmpty()) {
      return "LIDs are others";
    }
    int more = out.size() - SHOWN;
    String text = String.join("; ", out.subList(0, Math.min(SHOWN, out.size())));
    return text + (more > 0 ? "; and " + more + " more" : "");
  }

  private static void rates(Fabric before, Fabric after, List<String> out) {
    for (int port = 0; port < before.portIdLimit(); port++) {
      int peer = before.peer(port);
      int node = peer <= port ? Fabric.NONE : after.findNode(before.nodeGuid(before.nodeOf(port)));
      int number = before.numberOf(port);
      if (node == Fabric.NONE || number > after.portCount(node)) {
        continue;
      }
      int there = after.port(node, number);
      if (after.peer(there) != Fabric.NONE
          && after.linkMegabits(there) != before.linkMegabits(port)) {
        out.add(
            "link %s port %d runs at %s%s, not %s%s any more"
                .formatted(
                    after.node(node).display(),
                    number,
                    after.width(there).text(),
                    after.speed(there),
                    before.width(port).text(),
                    before.speed(port)));
      }
    }
  }

  private static void nodes(Fabric from, Fabric to, String what, List<String> out) {
    for (int n = 0; n < from.nodeCount(); n++) {
      if (to.findNode(from.nodeGuid(n)) == Fabric.NONE) {
        out.add(from.node(n).display() + what);
      }
    }
  }

  private static void links(Fabric from, Fabric to, String what, List<String> out) {
    for (int port = 0; port < from.portIdLimit(); port++) {
      int peer = from.peer(port);
      if (peer <= port) {
        continue;
      }
      int a = to.findNode(from.nodeGuid(from.nodeOf(port)));
      int b = to.findNode(from.nodeGuid(from.nodeOf(peer)));
      if (a == Fabric.NONE || b == Fabric.NONE) {
        continue;
      }
      int there =
          from.numberOf(port) > to.portCount(a)
              ? Fabric.NONE
              : to.peer(to.port(a, from.numberOf(port)));
      if (there == Fabric.NONE
          || to.nodeOf(there) != b
          || to.numberOf(there) != from.numberOf(peer)) {
        out.add(
            "link "
                + from.node(from.nodeOf(port)).display()
                + " port "
                + from.numberOf(port)
                + what);
      }
    }
  }
}
