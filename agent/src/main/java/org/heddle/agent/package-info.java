/**
 * How the controller reaches a live fabric: how it reads one, and how it gets tables and partitions
 * into it.
 *
 * <ul>
 *   <li>Reading cabling, tables, keys, lanes and the subnet manager in charge: {@link
 *       org.heddle.agent.LiveReader}, with {@code PortKeys}, {@code LaneCheck} and {@code
 *       SubnetManager}.
 *   <li>Having OpenSM program what was decided: {@link org.heddle.agent.OpensmAgent}. {@link
 *       org.heddle.agent.GenerationDirectory} writes its files whole or not at all, {@code
 *       WrittenFiles} sees what becomes of them, {@code Reload} tells it, {@code Outstanding} asks
 *       for what has not come yet, {@code InForce} knows what OpenSM believes.
 *   <li>Looking without changing anything: {@link org.heddle.agent.DryRunAgent}.
 *   <li>Noticing soon that a look is worth its while: {@code Pulse}, {@code Patrol}; how long
 *       OpenSM may take: {@code TimeLimits}; how often something is corrected: {@code Budget}.
 *   <li>Not writing after the leadership is lost: {@code TermMarks}, for {@link
 *       org.heddle.control.port.Fence}.
 * </ul>
 *
 * <p>Start with {@link org.heddle.agent.OpensmAgent}. The contract is {@link
 * org.heddle.control.port.FabricAgent}.
 */
package org.heddle.agent;
