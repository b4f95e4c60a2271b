package org.heddle.routing.engine;

/** What distinguishes the tree engines: which up slot every LID gets at every level. */
interface SlotChooser {
  SlotPlan choose(TreeGraph graph, Destinations dest, LeafHosts hosts);
}
