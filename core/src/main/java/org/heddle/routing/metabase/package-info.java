/**
 * Routing by rank: tables in which collective exchanges of ranked hosts do not meet. Only engines
 * use it.
 *
 * <ul>
 *   <li>Ways to every leaf, worked out once, and tables for any order of hosts from them: {@link
 *       org.heddle.routing.metabase.Metabase}.
 *   <li>The slots of hosts: {@code HostSlots}, {@code RankSlots}; which way for whom: {@code
 *       BruckWays}, {@code DoublingWays}, {@code SeparateWays}.
 *   <li>What is left to improve: {@code ExchangeTuner}.
 * </ul>
 *
 * <p>Start with {@link org.heddle.routing.metabase.Metabase}.
 */
package org.heddle.routing.metabase;
