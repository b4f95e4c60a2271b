/**
 * Routing tenant by tenant: which tenants may share a channel, and which lane each takes (Zahid et
 * al.). Only engines use it.
 *
 * <ul>
 *   <li>What the engines of the family have in common: {@link
 *       org.heddle.routing.partition.PartitionRouting}.
 *   <li>Who is where: {@code PartitionMap}; in which order: {@code PartitionOrder}; the choice of a
 *       way: {@link org.heddle.routing.partition.PartitionSlots}, by {@code PartitionLoads} and
 *       {@code ChannelClaims}.
 *   <li>Who meets: {@code PartitionTrace}; lanes for those: {@code LaneColouring}.
 *   <li>If that keeps no promise, all up/down routings are searched: {@code PartitionSearch}.
 * </ul>
 *
 * <p>Start with {@link org.heddle.routing.partition.PartitionRouting}.
 */
package org.heddle.routing.partition;
