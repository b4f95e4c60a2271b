/**
 * Who owns what on a fabric: partitions, their members, and how strictly they are kept apart.
 *
 * <ul>
 *   <li>All partitions with their rules: {@link org.heddle.tenancy.Tenancy} of {@link
 *       org.heddle.tenancy.Partition}s of {@link org.heddle.tenancy.PartitionMember}s, with an
 *       {@link org.heddle.tenancy.IsolationPolicy} each.
 *   <li>The key of a tenant that leaves it to Heddle, the same in every command and the controller:
 *       {@link org.heddle.tenancy.PKeys}.
 *   <li>Lanes: {@link org.heddle.tenancy.Lanes}; weights from what hosts received: {@link
 *       org.heddle.tenancy.LearnedWeights}.
 * </ul>
 *
 * <p>Everything here is resolved: members are port ids of one {@link org.heddle.fabric.Fabric}
 * snapshot. {@code text.tenants} reads and resolves what users write. Start with {@link
 * org.heddle.tenancy.Tenancy}.
 */
@PublicApi
package org.heddle.tenancy;

import org.heddle.api.PublicApi;
