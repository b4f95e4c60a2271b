/**
 * What a fabric should be, and what a change does to it. Pure: no port, no clock, no thread. The
 * controller gives it a state and a change and gets the next state, or a refusal.
 *
 * <ul>
 *   <li>The desired state: {@link org.heddle.plan.View}, which never changes, and {@link
 *       org.heddle.plan.Working}, a copy that a change is worked out on.
 *   <li>What a change does: {@link org.heddle.plan.Decider}, for machines {@code VmDecider}, for
 *       what is taken out of service {@link org.heddle.plan.Drains}; what a request must be like:
 *       {@code Specs}.
 *   <li>Who holds which hosts and links, nothing twice: {@link org.heddle.plan.Holdings}.
 *   <li>Another fabric, after damage, a repair, a drain, a restart: {@link
 *       org.heddle.plan.Rebinding}; what is routed round what is out of service: {@link
 *       org.heddle.plan.OutOfService}, {@code Detours}.
 *   <li>The fabric with what does not depend on tenants: {@link org.heddle.plan.Site}.
 *   <li>Routes and their proof: {@link org.heddle.plan.Tables}; tenants apart without links of
 *       their own: {@code Isolation}; machines: {@link org.heddle.plan.Machines}, {@code
 *       MachineRoutes}.
 *   <li>What would happen: {@link org.heddle.plan.Trial}, with {@code MachineEffects}; what
 *       happened, in words: {@link org.heddle.plan.Events}, {@link org.heddle.plan.Differences}.
 * </ul>
 *
 * <p>Start with {@link org.heddle.plan.Decider}, then {@link org.heddle.plan.Holdings}.
 */
package org.heddle.plan;
