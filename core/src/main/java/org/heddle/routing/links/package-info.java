/** Routing of tenants inside links of their own. */
package org.heddle.routing.links;
