/**
 * {@code heddle migrate}: moves of virtual machines. {@link
 * org.heddle.cli.migrate.PlanMovesCommand} says what to write, {@link
 * org.heddle.cli.migrate.ApplyMovesCommand} writes it into a live fabric, {@link
 * org.heddle.cli.migrate.CostsCommand} says what it costs in packets. {@code MoveInputs} reads what
 * all of them need; the planning is {@link org.heddle.reconfig.migration.VmMigration}.
 */
package org.heddle.cli.migrate;
