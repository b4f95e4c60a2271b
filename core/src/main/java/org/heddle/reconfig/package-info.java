/**
 * What it takes to bring a running fabric from one set of tables to another.
 *
 * <ul>
 *   <li>Which blocks differ: {@link org.heddle.reconfig.TableDiff}.
 *   <li>In which order they may be written, so that no packet is lost or runs in circles in
 *       between: {@link org.heddle.reconfig.TableChange}, by {@code Precedence}.
 *   <li>Whether packets in flight can deadlock: {@link org.heddle.reconfig.CreditProof}; what is
 *       known about a set of tables: {@link org.heddle.reconfig.TableState}.
 *   <li>Where links were lost since the tables were made: {@link org.heddle.reconfig.DeadPort}.
 * </ul>
 *
 * <p>Machines that move are in {@code migration}, tables after damage in {@code reroute}. Start
 * with {@link org.heddle.reconfig.TableDiff}.
 */
package org.heddle.reconfig;
