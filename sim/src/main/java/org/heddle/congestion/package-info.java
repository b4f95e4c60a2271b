/**
 * How much traffic patterns get in each other's way: flows on channels, over finished forwarding
 * tables. Definitions are those of ORCS (Schneider, Hoefler and Lumsdaine, "ORCS: an oblivious
 * routing congestion simulator", 2009), so that numbers can be compared one by one.
 */
package org.heddle.congestion;
