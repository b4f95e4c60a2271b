/**
 * From a fabric to forwarding tables.
 *
 * <ul>
 *   <li>The plug-in: {@link org.heddle.routing.RoutingEngine}; what it gets and gives: {@link
 *       org.heddle.routing.RoutingRequest}, {@link org.heddle.routing.RoutingResult}; engines are
 *       in {@code engine} and found through {@link org.heddle.catalog.Catalog}.
 *   <li>The tables: {@link org.heddle.routing.ForwardingTables}.
 *   <li>Names of engines that other parts choose themselves: {@link
 *       org.heddle.routing.EngineNames}.
 *   <li>Parts of engines: {@code tree}, {@code partition}, {@code metabase}. Tenants inside links
 *       of their own: {@code links}.
 * </ul>
 *
 * <p>Tables are checked by {@code verify}, which shares no code with engines. Start with {@link
 * org.heddle.routing.RoutingEngine}.
 */
@PublicApi
package org.heddle.routing;

import org.heddle.api.PublicApi;
