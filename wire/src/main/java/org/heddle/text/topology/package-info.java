/**
 * Fabrics as files.
 *
 * <ul>
 *   <li>Which format it is, reading and writing of any: {@link
 *       org.heddle.text.topology.FabricFormats}.
 *   <li>What a file says, before anybody asks whether it fits together: {@code TopologyDraft}, by
 *       {@link org.heddle.text.topology.IbnetdiscoverReader} and {@link
 *       org.heddle.text.topology.SubnetListReader}; every contradiction decided in one documented
 *       way: {@code FabricAssembler}; what cannot be told apart: {@link
 *       org.heddle.text.topology.IdentityCheck}.
 *   <li>Written: {@link org.heddle.text.topology.IbnetdiscoverWriter}, {@link
 *       org.heddle.text.topology.IbsimNetlistWriter}, {@link
 *       org.heddle.text.topology.SubnetListWriter}.
 *   <li>Beside the fabric: names of nodes ({@link org.heddle.text.topology.NodeNameMapReader}),
 *       lists of GUIDs ({@link org.heddle.text.topology.GuidListReader}).
 * </ul>
 *
 * <p>Start with {@link org.heddle.text.topology.FabricFormats}.
 */
@PublicApi
package org.heddle.text.topology;

import org.heddle.api.PublicApi;
