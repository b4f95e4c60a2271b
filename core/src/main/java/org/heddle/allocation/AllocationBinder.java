package org.heddle.allocation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;

/**
 * Finds links that are known by GUIDs and port numbers, from a state file or a database, in a
 * fabric that may have changed since, and their coordinates in its plant. Immutable; O(ports) to
 * make, O(1) a link.
 */
public final class AllocationBinder {
  private final Plant plant;
  private final Fabric fabric;

  /** Coordinates of the link at a port, by port id: leaf or level-2 switch, and number there. */
  private final int[] owner;

  private final int[] number;
  private final boolean[] rootLink;

  /** For the links of a plant. */
  public AllocationBinder(Plant plant) {
    this.plant = plant;
    fabric = plant.fabric();
    owner = new int[fabric.portIdLimit()];
    number = new int[owner.length];
    rootLink = new boolean[owner.length];
    Arrays.fill(owner, Fabric.NONE);
    for (int rail = 0; rail < plant.rails(); rail++) {
      for (int l = 0; l < plant.leafCount(); l++) {
        for (int p = 0; p < plant.positions(); p++) {
          note(plant.upPort(rail, l, p), l, p, false);
        }
      }
      for (int s = 0; s < plant.subtreeCount() * plant.planes(); s++) {
        for (int r = 0; r < plant.rootLinks(); r++) {
          note(plant.rootPort(rail, s / plant.planes(), s % plant.planes(), r), s, r, true);
        }
      }
    }
  }

  private void note(int port, int at, int which, boolean root) {
    if (port != Fabric.NONE) {
      owner[port] = at;
      number[port] = which;
      rootLink[port] = root;
    }
  }

  /**
   * A link by both its ends.
   *
   * @param from node GUID of the lower switch
   * @param port number there
   * @param to node GUID of the upper switch
   * @param toPort number there
   */
  public record Link(long from, int port, long to, int toPort) {}

  /** Adds the coordinate of the link with that lower end to an allocation. */
  public void add(AllocationBuilder builder, int port) {
    int at = owner[port];
    if (rootLink[port]) {
      builder.root(at / plant.planes(), at % plant.planes(), number[port]);
    } else {
      builder.up(at, number[port]);
    }
  }

  /** True if the coordinate of the link with that lower end is free. */
  public boolean isFree(Occupancy occupancy, int port) {
    int at = owner[port];
    int which = number[port];
    long word =
        rootLink[port]
            ? occupancy.rootMask(at / plant.planes(), at % plant.planes(), which >> 6)
            : occupancy.upMask(at, which >> 6);
    return (word >>> (which & 63) & 1) != 0;
  }

  /**
   * The port of a link's lower end, if the cable is as it was and counts on all rails. Which end is
   * the lower one may be another than when the link was found.
   *
   * @return {@link Fabric#NONE} if it is not, or does not
   */
  public int port(Link link) {
    int port = cable(link);
    if (port == Fabric.NONE) {
      return Fabric.NONE;
    }
    int lower = owner[port] == Fabric.NONE ? fabric.peer(port) : port;
    return owner[lower] != Fabric.NONE && onAllRails(lower) ? lower : Fabric.NONE;
  }

  /** The port of the end that is named first, if the cable is as it was. */
  public int cable(Link link) {
    int port = port(link.from(), link.port());
    int peer = port == Fabric.NONE ? Fabric.NONE : fabric.peer(port);
    return peer != Fabric.NONE && peer == port(link.to(), link.toPort()) ? port : Fabric.NONE;
  }

  /** A port of a switch, or {@link Fabric#NONE}. */
  private int port(long guid, int at) {
    int node = fabric.findNode(guid);
    boolean there =
        node != Fabric.NONE && fabric.isSwitch(node) && at >= 1 && at <= fabric.portCount(node);
    return there ? fabric.port(node, at) : Fabric.NONE;
  }

  private boolean onAllRails(int port) {
    int s = owner[port];
    return rootLink[port]
        ? plant.hasRoot(s / plant.planes(), s % plant.planes(), number[port])
        : plant.hasUp(s, number[port]);
  }

  /**
   * The link of which a switch's port is the lower end.
   *
   * @return one that leads nowhere, to GUID 0, if there is none now
   */
  public static Link link(Fabric fabric, long from, int port) {
    int node = fabric.findNode(from);
    boolean there = node != Fabric.NONE && port >= 1 && port <= fabric.portCount(node);
    int peer = there ? fabric.peer(fabric.port(node, port)) : Fabric.NONE;
    return peer == Fabric.NONE
        ? new Link(from, port, 0, 0)
        : new Link(from, port, fabric.nodeGuid(fabric.nodeOf(peer)), fabric.numberOf(peer));
  }

  /** The links of an allocation, known by GUIDs, in the order of their lower ends' port ids. */
  public static List<Link> links(Allocation a) {
    Fabric fabric = a.plant().fabric();
    List<Link> out = new ArrayList<>();
    for (int port : a.links()) {
      int peer = fabric.peer(port);
      out.add(
          new Link(
              fabric.nodeGuid(fabric.nodeOf(port)),
              fabric.numberOf(port),
              fabric.nodeGuid(fabric.nodeOf(peer)),
              fabric.numberOf(peer)));
    }
    return out;
  }
}
