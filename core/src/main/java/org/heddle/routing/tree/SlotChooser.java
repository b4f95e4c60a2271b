package org.heddle.routing.tree;

/** What distinguishes the tree engines: which up slot every LID gets at every level. */
public interface SlotChooser {
  SlotPlan choose(TreeGraph graph, Destinations dest, LeafHosts hosts);
}
