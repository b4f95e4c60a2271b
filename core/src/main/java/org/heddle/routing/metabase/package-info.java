/**
 * Routing by rank: tables in which the messages of collective operations do not meet. Only engines
 * use it.
 *
 * <ul>
 *   <li>Paths to every leaf, worked out once, and tables made from them for any order of hosts:
 *       {@link org.heddle.routing.metabase.Metabase}.
 *   <li>The slots of hosts: {@code HostSlots}, {@code RankSlots}; which path for whom: {@code
 *       BruckPaths}, {@code RecursiveDoublingPaths}, {@code ContentionFreePaths}.
 *   <li>What is left to improve: {@code ExchangeTuner}.
 * </ul>
 *
 * <p>Start with {@link org.heddle.routing.metabase.Metabase}.
 */
package org.heddle.routing.metabase;
