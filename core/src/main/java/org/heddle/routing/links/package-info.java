/**
 * Routing of tenants inside links of their own, over the tables of any engine: {@link
 * org.heddle.routing.links.LinkRouting} (Zahavi et al., "Links as a Service"); {@link
 * org.heddle.routing.links.Region} is what it has to know of a tenant.
 */
package org.heddle.routing.links;
