package org.heddle.server.console;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.HostRef;
import org.heddle.plan.model.LinkRef;
import org.heddle.plan.model.Tenant;
import org.heddle.server.http.Documents;

/**
 * A fabric and its tenants as numbers that are small enough to send to a page: 1,620 switches with
 * 23,328 links between them are 0.5 MB. Switches and links are called by their place in these
 * lists.
 *
 * @param names of the switches, those of a level from left to right, level by level from the leaves
 * @param guids of the switches
 * @param level of each switch, 1 for leaves, 0 for one that is no part of the tree
 * @param plane of each switch, -1 for one that is no part of the tree
 * @param hosts linked to each switch
 * @param links between switches: lower, upper end, number of cables; three numbers each
 * @param load of each link: pairs of hosts of the same tenant whose route uses it, in the direction
 *     that has more, with the tables as they should be
 * @param sharing of each link: tenants whose routes use it
 * @param drainedSwitches places of switches that no traffic crosses
 * @param drainedLinks link and number of its cables that are out of service; two numbers each
 * @param owners of the hosts' ports, switch after switch, in the order of its ports: place among
 *     the tenants, or -1
 * @param tenants and what they have
 */
record Picture(
    String fabric,
    String fingerprint,
    long epoch,
    int levels,
    int planes,
    List<String> names,
    List<String> guids,
    int[] level,
    int[] plane,
    int[] hosts,
    int[] links,
    long[] load,
    int[] sharing,
    int[] drainedSwitches,
    int[] drainedLinks,
    int[] owners,
    List<Owner> tenants) {

  /**
   * A tenant.
   *
   * @param hosts switch and number of its hosts there; two numbers each
   * @param links link and number of its cables there that are its own; two numbers each
   */
  record Owner(
      String name,
      String policy,
      String pkey,
      long created,
      int hostCount,
      int linkCount,
      int[] hosts,
      int[] links,
      List<String> broken) {}

  /** Of these tenants. O(ports + what {@link PictureLoad} takes). */
  static Picture of(DesiredState v, List<Tenant> tenants) {
    PictureLayout layout = PictureLayout.of(v);
    PictureLoad load = new PictureLoad(v, layout);
    List<Owner> owners = new ArrayList<>();
    for (Tenant t : tenants) {
      owners.add(owner(v, layout, t));
      load.add(t);
    }
    Fabric f = v.fabric();
    int n = layout.order.length;
    List<String> names = new ArrayList<>();
    List<String> guids = new ArrayList<>();
    int[] level = new int[n];
    int[] plane = new int[n];
    int[] hosts = new int[n];
    for (int i = 0; i < n; i++) {
      int sw = layout.order[i];
      String said = f.description(sw);
      names.add(said.isEmpty() ? Guid.format(f.nodeGuid(sw)) : said);
      guids.add(Guid.format(f.nodeGuid(sw)));
      level[i] = v.tree().level(sw);
      plane[i] = v.tree().plane(sw);
      hosts[i] = layout.hosts[sw];
    }
    return new Picture(
        v.name(),
        Guid.format(f.fingerprint()),
        v.epoch(),
        v.tree().levels(),
        v.tree().planeCount(),
        names,
        guids,
        level,
        plane,
        hosts,
        layout.links(),
        load.most(),
        load.sharing(),
        drainedSwitches(v, layout),
        drainedLinks(v, layout),
        cells(v, layout, tenants),
        owners);
  }

  private static int[] drainedSwitches(DesiredState v, PictureLayout layout) {
    int[] out = new int[layout.order.length];
    int n = 0;
    for (int i = 0; i < out.length; i++) {
      if (v.switchIsOut(layout.order[i])) {
        out[n++] = i;
      }
    }
    return Arrays.copyOf(out, n);
  }

  private static int[] drainedLinks(DesiredState v, PictureLayout layout) {
    Fabric f = v.fabric();
    int[] cables = new int[layout.linkCount()];
    for (int sw = 0; sw < f.switchCount(); sw++) {
      for (int k = 1; k <= f.portCount(sw); k++) {
        int port = f.port(sw, k);
        int link = layout.linkOf(port);
        if (link >= 0 && v.cableIsOut(port) && layout.upward(sw, port)) {
          cables[link]++;
        }
      }
    }
    return pairs(cables);
  }

  /** As a tenant may see it: not how many changes there were, nor what the provider repairs. */
  Picture withoutEpoch() {
    return new Picture(
        fabric,
        fingerprint,
        0,
        levels,
        planes,
        names,
        guids,
        level,
        plane,
        hosts,
        links,
        load,
        sharing,
        new int[0],
        new int[0],
        owners,
        tenants);
  }

  private static int[] cells(DesiredState v, PictureLayout layout, List<Tenant> tenants) {
    Fabric f = v.fabric();
    int[] holder = new int[f.nodeCount()];
    Arrays.fill(holder, -1);
    for (int t = 0; t < tenants.size(); t++) {
      for (HostRef h : v.adapters(tenants.get(t))) {
        int node = f.findNode(h.guid());
        if (node != Fabric.NONE) {
          holder[node] = t;
        }
      }
    }
    int[] out = new int[Arrays.stream(layout.hosts).sum()];
    int n = 0;
    for (int sw : layout.order) {
      for (int p = 1; p <= f.portCount(sw); p++) {
        int peer = f.peerNode(f.port(sw, p));
        if (peer != Fabric.NONE && !f.isSwitch(peer)) {
          out[n++] = holder[peer];
        }
      }
    }
    return out;
  }

  private static Owner owner(DesiredState v, PictureLayout layout, Tenant t) {
    Fabric f = v.fabric();
    int[] hosts = new int[layout.order.length];
    for (HostRef h : v.adapters(t)) {
      int node = f.findNode(h.guid());
      for (int p = 1; node != Fabric.NONE && p <= f.portCount(node); p++) {
        int sw = f.attachedSwitch(f.port(node, p));
        if (sw != Fabric.NONE) {
          hosts[layout.place[sw]]++;
        }
      }
    }
    int[] links = new int[layout.linkCount()];
    for (LinkRef l : t.links()) {
      int node = f.findNode(l.from());
      if (node != Fabric.NONE && l.port() <= f.portCount(node)) {
        int link = layout.linkOf(f.port(node, l.port()));
        if (link >= 0) {
          links[link]++;
        }
      }
    }
    return new Owner(
        t.name(),
        t.spec().policy().word(),
        "0x" + Integer.toHexString(t.pkey()),
        t.created(),
        t.hosts().size(),
        t.links().size(),
        pairs(hosts),
        pairs(links),
        Documents.broken(t));
  }

  private static int[] pairs(int[] counts) {
    int[] out = new int[2 * counts.length];
    int n = 0;
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        out[n++] = i;
        out[n++] = counts[i];
      }
    }
    return Arrays.copyOf(out, n);
  }
}
