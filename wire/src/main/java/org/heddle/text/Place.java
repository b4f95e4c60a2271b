package org.heddle.text;

import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;

/**
 * Where in a fabric, and in the file that describes it, something was found.
 *
 * @param node description of the node, possibly empty
 * @param guid its node GUID, {@code 0x} and 16 digits
 * @param port number of the port, or 0 for the node itself
 * @param neighbour description of the node at the other end of the cable, or null without one
 * @param neighbourGuid its node GUID, or null
 * @param neighbourPort number of the port there, or 0
 * @param line line of the file, from 1, or 0 if it has none
 */
public record Place(
    String node,
    String guid,
    int port,
    String neighbour,
    String neighbourGuid,
    int neighbourPort,
    int line) {

  /** The place of a port of a fabric, port 0 for the node itself, at a line of its file. */
  public static Place of(Fabric fabric, int port, int line) {
    int node = fabric.nodeOf(port);
    int peer = fabric.peer(port);
    int other = peer == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(peer);
    return new Place(
        fabric.description(node).strip(),
        Guid.format(fabric.nodeGuid(node)),
        fabric.numberOf(port),
        other == Fabric.NONE ? null : fabric.description(other).strip(),
        other == Fabric.NONE ? null : Guid.format(fabric.nodeGuid(other)),
        other == Fabric.NONE ? 0 : fabric.numberOf(peer),
        line);
  }

  /** The place of a port of a fabric, without a line. */
  public static Place of(Fabric fabric, int port) {
    return of(fabric, port, 0);
  }

  /** {@code 'node00 HCA-1' 0x.. port 1, on 'leaf0' 0x.. port 3, line 17}. */
  @Override
  public String toString() {
    return named(node, guid)
        + (port > 0 ? " port " + port : "")
        + (neighbourGuid == null
            ? ""
            : ", on " + named(neighbour, neighbourGuid) + " port " + neighbourPort)
        + (line > 0 ? ", line " + line : "");
  }

  private static String named(String description, String guid) {
    return description.isEmpty() ? guid : "'" + Tokens.excerpt(description) + "' " + guid;
  }
}
