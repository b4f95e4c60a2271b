/**
 * What it takes to bring a running fabric from one set of tables to another.
 *
 * <ul>
 *   <li>Which blocks differ: {@link org.heddle.reconfig.TableDiff}.
 *   <li>In which order they may be written, so that nothing is lost or circles meanwhile: {@link
 *       org.heddle.reconfig.TableChange}, by {@code Precedence}.
 *   <li>Whether packets in flight can deadlock: {@link org.heddle.reconfig.CreditProof}; what a set
 *       of tables is like: {@link org.heddle.reconfig.TableState}.
 *   <li>Where links were lost since: {@link org.heddle.reconfig.DeadPort}.
 * </ul>
 *
 * <p>Machines that move are in {@code migration}, tables after damage in {@code reroute}. Start
 * with {@link org.heddle.reconfig.TableDiff}.
 */
package org.heddle.reconfig;
