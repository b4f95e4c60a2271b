/**
 * Routing tenant by tenant: who may share a channel with whom, and which lane it takes.
 *
 * <p>Only engines use it.
 */
package org.heddle.routing.partition;
