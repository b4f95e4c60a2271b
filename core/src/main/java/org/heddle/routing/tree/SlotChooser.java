package org.heddle.routing.tree;

/** The decision in which the tree engines differ: which up slot every LID gets at every level. */
public interface SlotChooser {
  SlotPlan choose(TreeGraph graph, Destinations dest, LeafHosts hosts);

  /**
   * True if a cable keeps its number in a bundle that has lost others, so that little else changes;
   * false if those that are left are numbered from 0, which spreads better.
   */
  default boolean keepsCables() {
    return true;
  }

  /**
   * True if destinations may leave the rule by which those of missing slots are dealt out, so that
   * no link of a damaged tree carries far more than others ({@link Relief}).
   */
  default boolean evensLinks() {
    return false;
  }
}
