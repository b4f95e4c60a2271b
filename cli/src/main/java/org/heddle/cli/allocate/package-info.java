/**
 * {@code heddle allocate}: tenants with hosts and links of their own, one at a time, kept in a
 * state file.
 *
 * <ul>
 *   <li>Admitting: {@link org.heddle.cli.allocate.AddCommand}; giving back: {@link
 *       org.heddle.cli.allocate.RemoveCommand}; after damage: {@link
 *       org.heddle.cli.allocate.RepairCommand} with {@code Repair}.
 *   <li>The fabric and what is held in it: {@code AllocationState}. Tables: {@link
 *       org.heddle.cli.allocate.LinkTables}. Proof of the result: {@code Proof}.
 *   <li>Files for OpenSM, OpenStack, Slurm: {@link org.heddle.cli.allocate.ExportCommand}, {@code
 *       ExportFiles}.
 *   <li>A tenants file with the policy {@code links}, for {@code heddle plan}: {@link
 *       org.heddle.cli.allocate.LinkPlan}.
 * </ul>
 */
package org.heddle.cli.allocate;
