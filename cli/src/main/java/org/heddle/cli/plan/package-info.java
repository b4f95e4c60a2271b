/**
 * {@code heddle plan}: from a fabric and a tenants file to tables, partitions and what it costs.
 * {@link org.heddle.cli.plan.PlanCommand} computes a {@code Plan}, {@code PlanFiles} writes it,
 * {@code PlanPrinter} and {@code PlanDocument} tell of it.
 */
package org.heddle.cli.plan;
