package org.heddle.plan.model;

import java.util.Base64;

/**
 * The port by which each switch forwards to one LID. It is kept because it depends on where its
 * machine has been: a move changes few switches, and all others stay as they were.
 *
 * @param switches identifies a set of switches; the same as that of the snapshot that the column
 *     belongs to
 * @param ports one byte per switch, in the order of that snapshot, 255 for no entry, as Base64
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
