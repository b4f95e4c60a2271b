/**
 * Up and down routing in trees: the graph, the order of destinations, and the choice of a port
 * among equal ones ({@code SlotChooser}).
 *
 * <p>Engines are assembled from it; nobody else uses it.
 */
package org.heddle.routing.tree;
