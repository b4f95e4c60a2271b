/**
 * {@code heddle plan}: from a fabric and a tenants file to tables, partitions and what it costs.
 */
package org.heddle.cli.plan;
