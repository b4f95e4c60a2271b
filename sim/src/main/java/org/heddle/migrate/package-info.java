/**
 * Migration simulator: virtual machines move one after the other, forwarding tables follow by
 * minimal reconfiguration, and now and then they are compared with tables that are computed anew.
 *
 * <p>{@link org.heddle.migrate.MigrationScenario} says where machines are and where they go, {@link
 * org.heddle.migrate.MigrationSimulation} moves them, {@link org.heddle.migrate.MigrationResult} is
 * what came of it.
 */
package org.heddle.migrate;
