/**
 * Moving virtual machines: which table entries are written when, and what it costs (Tasoulas,
 * thesis, papers II and V).
 *
 * <ul>
 *   <li>One move: {@link org.heddle.reconfig.migration.MigrationPlanner} makes a {@link
 *       org.heddle.reconfig.migration.MigrationPlan}, as {@link
 *       org.heddle.reconfig.migration.MigrationOptions} says.
 *   <li>Several at once: {@link org.heddle.reconfig.migration.VmMoves}, in waves that do not
 *       disturb each other.
 *   <li>Starting and stopping too, with addresses: {@link
 *       org.heddle.reconfig.migration.VmMigration}.
 *   <li>Costs in packets: {@link org.heddle.reconfig.migration.MigrationCost}, {@link
 *       org.heddle.reconfig.migration.MigrationCosts}.
 * </ul>
 *
 * <p>Start with {@link org.heddle.reconfig.migration.VmMigration}.
 */
package org.heddle.reconfig.migration;
