package org.heddle.server.console;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Lid;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.HostRef;
import org.heddle.plan.model.Tenant;
import org.heddle.routing.ForwardingTables;

/**
 * Who uses which link, from the tables: for each tenant the routes from each switch that has hosts
 * of it to each of its hosts, counted as often as there are hosts to send. For one tenant O(its
 * switches * its hosts * height).
 */
final class PictureLoad {
  private final Fabric fabric;
  private final ForwardingTables tables;
  private final PictureLayout layout;

  /** Pairs over a link upwards and downwards. */
  private final long[] up;

  private final long[] down;
  private final int[] sharing;
  private final int[] last;
  private int tenants;
  private final DesiredState view;

  PictureLoad(DesiredState v, PictureLayout layout) {
    this.view = v;
    this.fabric = v.fabric();
    this.tables = v.tables();
    this.layout = layout;
    this.up = new long[layout.linkCount()];
    this.down = new long[layout.linkCount()];
    this.sharing = new int[layout.linkCount()];
    this.last = new int[layout.linkCount()];
  }

  /** Adds the routes of one tenant. */
  void add(Tenant t) {
    tenants++;
    int[] ports = ports(t);
    int[] senders = new int[fabric.switchCount()];
    for (int port : ports) {
      senders[fabric.attachedSwitch(port)]++;
    }
    for (int sw = 0; sw < senders.length; sw++) {
      for (int i = 0; senders[sw] > 0 && i < ports.length; i++) {
        walk(sw, senders[sw], ports[i]);
      }
    }
  }

  private int[] ports(Tenant t) {
    int[] out = new int[16];
    int n = 0;
    for (HostRef h : view.adapters(t)) {
      int node = fabric.findNode(h.guid());
      for (int p = 1; node != Fabric.NONE && p <= fabric.portCount(node); p++) {
        int port = fabric.port(node, p);
        if (fabric.attachedSwitch(port) == Fabric.NONE || fabric.lid(port) == Lid.NONE) {
          continue;
        }
        out = n == out.length ? Arrays.copyOf(out, 2 * n) : out;
        out[n++] = port;
      }
    }
    return Arrays.copyOf(out, n);
  }

  /** Follows the tables; a route that leads nowhere, or round, ends. */
  private void walk(int from, int weight, int to) {
    int lid = fabric.lid(to);
    int sw = from;
    for (int hops = 0; hops < 16 && sw != fabric.attachedSwitch(to); hops++) {
      int number = tables.port(sw, lid);
      if (number == 0 || number > fabric.portCount(sw)) {
        return;
      }
      int port = fabric.port(sw, number);
      int link = layout.linkOf(port);
      if (link < 0) {
        return;
      }
      (layout.upward(sw, port) ? up : down)[link] += weight;
      if (last[link] != tenants) {
        last[link] = tenants;
        sharing[link]++;
      }
      sw = fabric.peerNode(port);
    }
  }

  /** By link, the pairs of the direction that has more. */
  long[] most() {
    long[] out = new long[up.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = Math.max(up[i], down[i]);
    }
    return out;
  }

  /** By link, the tenants that use it. */
  int[] sharing() {
    return sharing;
  }
}
