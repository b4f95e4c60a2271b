/**
 * {@code heddle allocate}: tenants with hosts and links of their own, one at a time, kept in a
 * state file. Shells over {@link org.heddle.plan}, which decides, routes and proves.
 *
 * <ul>
 *   <li>Admitting: {@link org.heddle.cli.allocate.AddCommand}; giving back: {@link
 *       org.heddle.cli.allocate.RemoveCommand}; after damage: {@link
 *       org.heddle.cli.allocate.RepairCommand}.
 *   <li>The fabric and what is held in it, as a desired state: {@code AllocationState}. Proof of
 *       the result: {@code Proof}.
 *   <li>Files for OpenSM, OpenStack, Slurm: {@link org.heddle.cli.allocate.ExportCommand}, {@code
 *       ExportFiles}.
 *   <li>A tenants file with the policy {@code links}, for {@code heddle plan}: {@link
 *       org.heddle.cli.allocate.LinkPlan}.
 * </ul>
 */
package org.heddle.cli.allocate;
