/**
 * Hosts and links for tenants: links as a service (Zahavi et al., "Links as a Service (LaaS)").
 *
 * <ul>
 *   <li>The tree as an allocator sees it: {@link org.heddle.allocation.Plant}; what of it is free:
 *       {@link org.heddle.allocation.Occupancy}.
 *   <li>A place for a request: {@link org.heddle.allocation.AllocationRequest} in, {@link
 *       org.heddle.allocation.AllocationResult} out; the plug-in is {@link
 *       org.heddle.allocation.Allocator}, what a tenant got {@link
 *       org.heddle.allocation.Allocation}.
 *   <li>The same search for every way in: {@link org.heddle.allocation.Placing}. Without links of
 *       their own: {@link org.heddle.allocation.NearbyHosts}.
 *   <li>Why there is none, and what would help: {@link org.heddle.allocation.Refusal}, by {@link
 *       org.heddle.allocation.Advisor}.
 *   <li>Hosts and links known by GUID, in a fabric that has changed: {@link
 *       org.heddle.allocation.AllocationBinder}. Other links for the same hosts: {@link
 *       org.heddle.allocation.Relinking}.
 * </ul>
 *
 * <p>Start with {@link org.heddle.allocation.Plant}, then {@link org.heddle.allocation.Allocator}.
 */
@PublicApi
package org.heddle.allocation;

import org.heddle.api.PublicApi;
