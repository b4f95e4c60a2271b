/**
 * Tables that keep as much of the old ones as possible: after damage anywhere ({@link
 * org.heddle.reconfig.reroute.MinimalReroute}), or with one sub-tree rerouted and the rest left
 * alone ({@link org.heddle.reconfig.reroute.SubtreeReroute}). {@code PathChanges} counts what
 * changed. Start with {@link org.heddle.reconfig.reroute.MinimalReroute}.
 */
package org.heddle.reconfig.reroute;
