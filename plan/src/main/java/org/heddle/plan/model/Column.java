package org.heddle.plan.model;

import java.util.Base64;

/**
 * Where one LID leaves every switch, kept because it depends on where its machine has been: a move
 * changes few switches, all others stay as they were.
 *
 * @param switches what tells one set of switches from another; the same as that of the snapshot
 *     that the column belongs to
 * @param ports a byte a switch in the order of that snapshot, 255 for no entry, as Base64
 */
public record Column(long switches, String ports) {
  /** A column from its ports. */
  public static Column of(long switches, byte[] ports) {
    return new Column(switches, Base64.getEncoder().encodeToString(ports));
  }

  /** The ports, in an array of the caller's own. */
  public byte[] bytes() {
    return Base64.getDecoder().decode(ports);
  }
}
