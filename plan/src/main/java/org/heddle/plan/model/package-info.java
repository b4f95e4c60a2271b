/**
 * The records that a plan is made of; immutable.
 *
 * <ul>
 *   <li>Requests: {@link org.heddle.plan.model.TenantSpec}, {@link org.heddle.plan.model.VmSpec},
 *       {@link org.heddle.plan.model.PartitionOptions}; how strictly: {@link
 *       org.heddle.plan.model.Policy}.
 *   <li>What is there: {@link org.heddle.plan.model.Tenant}, {@link org.heddle.plan.model.Vm},
 *       {@link org.heddle.plan.model.Partition}, {@link org.heddle.plan.model.Member}, {@link
 *       org.heddle.plan.model.Drained}; hosts and links across snapshots: {@link
 *       org.heddle.plan.model.HostRef}, {@link org.heddle.plan.model.LinkRef}.
 *   <li>A change and its outcome: {@link org.heddle.plan.model.Change}, {@link
 *       org.heddle.plan.model.Outcome}, {@link org.heddle.plan.model.Migration}.
 *   <li>Parts of a promise that do not hold: {@link org.heddle.plan.model.Breach}.
 *   <li>What happened: {@link org.heddle.plan.model.Event} with its {@link
 *       org.heddle.plan.model.EventKind}, {@link org.heddle.plan.model.JournalEntry}.
 * </ul>
 *
 * <p>Start with {@link org.heddle.plan.model.Change}.
 */
package org.heddle.plan.model;
