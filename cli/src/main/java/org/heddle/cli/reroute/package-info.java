/** {@code heddle reroute}: the tables after damage, with few changes. */
package org.heddle.cli.reroute;
