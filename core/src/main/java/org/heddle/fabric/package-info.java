/**
 * The fabric model: one immutable snapshot of nodes, ports, links and addresses.
 *
 * <p>{@link org.heddle.fabric.Fabric} holds dense {@code int} ids and plain arrays; {@link
 * org.heddle.fabric.FabricBuilder} makes it; {@link org.heddle.fabric.NodeView} and {@link
 * org.heddle.fabric.PortView} show one node or port at the edge of the program. Ids are valid
 * within one snapshot only; the GUID is the identity across snapshots and files.
 */
@PublicApi
package org.heddle.fabric;

import org.heddle.api.PublicApi;
