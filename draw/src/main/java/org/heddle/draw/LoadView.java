package org.heddle.draw;

/** Which direction of a cable its colour tells. */
public enum LoadView {
  /**
   * Both: small drawings show each direction as a stroke of its own, up on the left and down on the
   * right; large ones the larger of the two.
   */
  BOTH,
  /** The channel towards the roots. */
  UP,
  /** The channel towards the hosts: the one that contention in a fat-tree is judged by. */
  DOWN
}
