/**
 * Proofs that tenants do not meet: partitions, lanes, shared channels.
 *
 * <ul>
 *   <li>The entry point: {@link org.heddle.verify.isolation.IsolationAudit}; the result: {@link
 *       org.heddle.verify.isolation.IsolationReport}; the list of findings: {@link
 *       org.heddle.verify.isolation.IsolationCode}.
 *   <li>Who meets whom: {@code PartitionSweep} follows the routes of every partition, {@code
 *       Sharing} compares their channels.
 *   <li>What it costs the others: {@link org.heddle.verify.isolation.IsolationPrice}.
 * </ul>
 *
 * <p>Start with {@link org.heddle.verify.isolation.IsolationAudit}.
 */
@PublicApi
package org.heddle.verify.isolation;

import org.heddle.api.PublicApi;
