package org.heddle.text.lft;

import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;

/**
 * Forwarding tables of a file together with the fabric they were matched to.
 *
 * @param fabric the fabric with the LIDs the tables speak of; the same object that was given if
 *     nothing differs
 * @param tables one row a switch of that fabric; rows the file lacked are empty
 * @param lost what the file speaks of and the fabric does not have
 */
public record BoundTables(Fabric fabric, ForwardingTables tables, Lost lost) {

  /** Tables of which nothing was lost. */
  public BoundTables(Fabric fabric, ForwardingTables tables) {
    this(fabric, tables, Lost.NOTHING);
  }

  /**
   * Nodes of the file that are not in the fabric.
   *
   * @param switches node GUIDs, in the order of the file
   * @param ports port GUIDs of other destinations, in the order of the file, without virtual
   *     functions of ports that are there
   */
  public record Lost(List<Long> switches, List<Long> ports) {
    /** Nothing lost. */
    public static final Lost NOTHING = new Lost(List.of(), List.of());

    public Lost {
      switches = List.copyOf(switches);
      ports = List.copyOf(ports);
    }
  }
}
