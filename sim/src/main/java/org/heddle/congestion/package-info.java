/**
 * How traffic patterns interfere with each other: flows on channels, over finished forwarding
 * tables. Definitions are those of ORCS (Schneider, Hoefler and Lumsdaine, "ORCS: an oblivious
 * routing congestion simulator", 2009), so that numbers can be compared one by one.
 *
 * <ul>
 *   <li>Routes between endports, traced once: {@link org.heddle.congestion.Routes}; what channels
 *       carry: {@code Capacity}.
 *   <li>What to evaluate: a {@link org.heddle.congestion.Study} of {@link
 *       org.heddle.congestion.Group}s; trials of it: {@link org.heddle.congestion.Evaluation}; what
 *       they gave, as exact counts: {@link org.heddle.congestion.Statistics}.
 *   <li>All-to-all without a list of routes: {@link org.heddle.congestion.AllToAllLoads}. Tables
 *       that change from trial to trial: {@link org.heddle.congestion.FlowWeights}.
 * </ul>
 *
 * <p>Start with {@link org.heddle.congestion.Study}.
 */
package org.heddle.congestion;
