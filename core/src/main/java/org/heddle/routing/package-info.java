/**
 * From a fabric to forwarding tables.
 *
 * <p>{@link org.heddle.routing.RoutingEngine} is the plug-in point; the engines live in {@code
 * engine}, are found through {@link org.heddle.catalog.Catalog}, and are checked by {@code verify},
 * which shares no code with them.
 */
package org.heddle.routing;
