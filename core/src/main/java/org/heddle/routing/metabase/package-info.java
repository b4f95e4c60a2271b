/**
 * Routing by rank: tables in which collective exchanges of ranked hosts do not meet.
 *
 * <p>Only engines use it.
 */
package org.heddle.routing.metabase;
