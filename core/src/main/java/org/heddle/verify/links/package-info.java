/**
 * Proofs about links of their own.
 *
 * <ul>
 *   <li>From hosts and links alone: nothing is held twice, and every permutation of a tenant's
 *       hosts can be routed: {@link org.heddle.verify.links.AllocationAudit}; as tenants come and
 *       go: {@link org.heddle.verify.links.AllocationLedger}.
 *   <li>From finished tables: a tenant's routes stay inside its links: {@link
 *       org.heddle.verify.links.LinkConfinement}.
 *   <li>A permutation routed: {@code TenantRoutes}, by {@code NestedColouring} and {@code
 *       ListColouring}.
 * </ul>
 */
@PublicApi
package org.heddle.verify.links;

import org.heddle.api.PublicApi;
