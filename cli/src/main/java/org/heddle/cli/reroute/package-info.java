/**
 * {@code heddle reroute}: the tables after damage, or for the traffic of one part, with few
 * changes. {@link org.heddle.cli.reroute.RerouteCommand} chooses the method of {@code
 * reconfig.reroute}, {@code ReroutePrinter} and {@code RerouteDocument} tell what changed.
 */
package org.heddle.cli.reroute;
