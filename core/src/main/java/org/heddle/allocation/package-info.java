/**
 * Hosts and links for tenants: links as a service (Zahavi et al., "Links as a Service (LaaS)").
 *
 * <p>{@link org.heddle.allocation.Plant} is the tree as an allocator sees it, {@link
 * org.heddle.allocation.Occupancy} what of it is free, {@link org.heddle.allocation.Allocator} the
 * plug-in that finds a place, {@link org.heddle.allocation.Allocation} what a tenant got. {@link
 * org.heddle.allocation.Advisor} says what would make a rejected request fit.
 */
package org.heddle.allocation;
