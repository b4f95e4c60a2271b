/**
 * Up and down routing in trees: the parts from which engines are assembled. Only engines use it.
 *
 * <ul>
 *   <li>The tree as engines see it: {@link org.heddle.routing.tree.TreeGraph}.
 *   <li>The one decision in which tree engines differ, which of several equal ports to use: {@link
 *       org.heddle.routing.tree.SlotChooser}, a {@link org.heddle.routing.tree.SlotPlan} of it;
 *       {@link org.heddle.routing.tree.CountingSlots}, {@link org.heddle.routing.tree.ModuloSlots},
 *       {@link org.heddle.routing.tree.VirtualSlots}.
 *   <li>Tables from the decision: {@link org.heddle.routing.tree.TreeTables}; all of it together:
 *       {@link org.heddle.routing.tree.TreeRouting}.
 *   <li>What damage has made uneven: {@link org.heddle.routing.tree.Relief}.
 *   <li>Where there is no common ancestor: {@link org.heddle.routing.tree.ReRootedOrder}, {@link
 *       org.heddle.routing.tree.TurnNotes}.
 *   <li>Without a tree: {@link org.heddle.fabric.SwitchLinks}, {@link
 *       org.heddle.routing.tree.HopRows}, {@link org.heddle.routing.tree.LinkOrder}.
 *   <li>Ports of one machine on separate paths: {@link org.heddle.routing.tree.Mates}.
 * </ul>
 *
 * <p>Start with {@link org.heddle.routing.tree.TreeRouting}.
 */
package org.heddle.routing.tree;
