/**
 * Who sends to whom: {@link org.heddle.traffic.TrafficPattern}, one record per pattern, found by
 * name in {@link org.heddle.traffic.Patterns}; {@link org.heddle.traffic.Flows} takes the messages
 * of a level, {@link org.heddle.traffic.FlowList} is a given list of flows. Knows nothing of
 * fabrics. Start with {@link org.heddle.traffic.Shift} for an example.
 */
package org.heddle.traffic;
