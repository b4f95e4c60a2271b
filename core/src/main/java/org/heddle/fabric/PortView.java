package org.heddle.fabric;

/**
 * One port, for messages and reports; algorithms use the primitive accessors of {@link Fabric}.
 *
 * @param id dense id, valid in this snapshot only
 * @param number port number on its node; 0 is a switch's management port
 * @param peer id of the port at the other end of the cable, or {@link Fabric#NONE}
 */
public record PortView(int id, NodeView node, int number, long guid, int lid, int lmc, int peer) {}
