/**
 * OpenSM as the subnet manager that programs what Heddle computed, and the files that make it do
 * so.
 *
 * <ul>
 *   <li>All files of a set of tables, read back before they count: {@link
 *       org.heddle.opensm.OpensmFiles}.
 *   <li>What somebody has changed in one of them: {@link org.heddle.opensm.FileDifference}.
 *   <li>Partitions and service levels of tenants: {@link org.heddle.opensm.TenantFiles}, {@link
 *       org.heddle.opensm.ControlPartitions} for a controller, {@code PartitionLevels}.
 *   <li>Lanes: {@link org.heddle.opensm.QosOptions}; the options file: {@link
 *       org.heddle.opensm.OpensmConf}.
 *   <li>What a tenant's programs have to be told: {@link org.heddle.opensm.TenantEnvironment}.
 * </ul>
 *
 * <p>The formats themselves are in {@code text.opensm}. Start with {@link
 * org.heddle.opensm.OpensmFiles}.
 */
package org.heddle.opensm;
