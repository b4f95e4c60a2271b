/**
 * What a fabric should be, and what a change does to it: the planner under {@code plan}, {@code
 * allocate} and the controller. Pure: no port, no clock, no thread. It is given a state and a
 * change and gives the next state, or a refusal.
 *
 * <ul>
 *   <li>The desired state: {@link org.heddle.plan.DesiredState}, which never changes, and {@link
 *       org.heddle.plan.DraftState}, a copy on which a change is worked out.
 *   <li>What a change does: {@link org.heddle.plan.ChangePlanner}, for virtual machines {@code
 *       VmPlanner}, for drained links and switches {@link org.heddle.plan.Drains}; what a request
 *       must be like: {@code TenantValidator}.
 *   <li>Who holds which hosts and links, nothing twice: {@link org.heddle.plan.Holdings}.
 *   <li>Another fabric, after damage, a repair, a drain, a restart: {@link
 *       org.heddle.plan.FabricChange}; routes round what is out of service: {@link
 *       org.heddle.plan.ServiceState}, {@code OutOfServiceRoutes}.
 *   <li>The fabric, and everything that does not depend on tenants: {@link
 *       org.heddle.plan.PhysicalFabric}.
 *   <li>Routes: {@link org.heddle.plan.StateRouter}, their proof: {@link
 *       org.heddle.plan.StateProof}; tenants kept apart without links of their own: {@code
 *       Isolation}; virtual machines: {@link org.heddle.plan.VmInventory}, {@code VmRoutes}.
 *   <li>What would happen: {@link org.heddle.plan.DryRun}, with {@code VmEffects}; what happened,
 *       in words: {@link org.heddle.plan.Events}, {@link org.heddle.plan.Differences}.
 * </ul>
 *
 * <p>Start with {@link org.heddle.plan.ChangePlanner}, then {@link org.heddle.plan.Holdings}.
 */
package org.heddle.plan;
