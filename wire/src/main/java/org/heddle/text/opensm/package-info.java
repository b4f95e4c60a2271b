/**
 * OpenSM's configuration, read as OpenSM reads it.
 *
 * <ul>
 *   <li>Partitions: {@link org.heddle.text.opensm.PartitionsConfReader} and {@link
 *       org.heddle.text.opensm.PartitionsConfWriter} of {@link
 *       org.heddle.text.opensm.PartitionsConf}; who is in which one in the end: {@link
 *       org.heddle.text.opensm.EffectivePartitions}; as a tenancy: {@link
 *       org.heddle.text.opensm.PartitionsTenancy}. {@code OsmPartitionParser} takes the very steps
 *       of OpenSM's parser.
 *   <li>Quality of service: {@link org.heddle.text.opensm.QosPolicyReader} and {@link
 *       org.heddle.text.opensm.QosPolicyWriter} of {@link org.heddle.text.opensm.QosPolicy}.
 *   <li>Routing chains of MLNX_SM: {@link org.heddle.text.opensm.RoutingChains}, {@link
 *       org.heddle.text.opensm.ChainFileReader}.
 * </ul>
 */
@PublicApi
package org.heddle.text.opensm;

import org.heddle.api.PublicApi;
