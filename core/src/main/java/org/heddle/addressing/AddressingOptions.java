package org.heddle.addressing;

import org.heddle.fabric.Lid;

/**
 * How virtual machines are addressed, and the limits of the hardware.
 *
 * @param scheme who has a LID of its own
 * @param order from which end LIDs for machines are searched
 * @param functions virtual functions per channel adapter port, 1..{@value #MAX_FUNCTIONS}
 * @param fdbCapacity entries of the smallest linear forwarding table in the fabric: LIDs run up to
 *     one less
 * @param pkeyTable entries of the P_Key table of an adapter port, shared by its functions
 * @param gidPrefix subnet prefix, the upper half of every GID
 * @param firstVguid the first vGUID to assign; vGUIDs count up and are never reused
 */
public record AddressingOptions(
    AddressingScheme scheme,
    LidOrder order,
    int functions,
    int fdbCapacity,
    int pkeyTable,
    long gidPrefix,
    long firstVguid) {

  /** Functions that adapters offer at most (ConnectX-3; paper II, footnote 2). */
  public static final int MAX_FUNCTIONS = 126;

  /** The smallest LID of the extended space: 18 bits, the upper two not zero. */
  public static final int FIRST_EXTENDED = 0x10000;

  /** The largest LID of the extended space; there are 196,608. */
  public static final int LAST_EXTENDED = 0x3FFFF;

  /** Where free LIDs are looked for. */
  public enum LidOrder {
    /** The smallest free one. */
    UP,
    /** The largest free one: floating LIDs, away from the hosts' (paper I, section IV). */
    DOWN
  }

  public AddressingOptions {
    if (functions < 1 || functions > MAX_FUNCTIONS) {
      throw new IllegalArgumentException(functions + " functions are not 1..126");
    }
    if (fdbCapacity < 2 || fdbCapacity > Lid.MAX_UNICAST + 1) {
      throw new IllegalArgumentException(fdbCapacity + " table entries are not 2..49152");
    }
    if (pkeyTable < 1) {
      throw new IllegalArgumentException("a P_Key table of " + pkeyTable + " entries");
    }
  }

  /**
   * Sixteen functions, full tables, 128 P_Keys, the default subnet prefix, locally administered
   * vGUIDs, LIDs from below.
   */
  public static AddressingOptions of(AddressingScheme scheme) {
    return new AddressingOptions(
        scheme,
        LidOrder.UP,
        16,
        Lid.MAX_UNICAST + 1,
        128,
        0xfe80_0000_0000_0000L,
        0x0200_0000_0000_0001L);
  }

  /** The same with another number of functions. */
  public AddressingOptions withFunctions(int count) {
    return new AddressingOptions(
        scheme, order, count, fdbCapacity, pkeyTable, gidPrefix, firstVguid);
  }

  /** The same with another order of LIDs. */
  public AddressingOptions withOrder(LidOrder other) {
    return new AddressingOptions(
        scheme, other, functions, fdbCapacity, pkeyTable, gidPrefix, firstVguid);
  }

  /** The same with smaller forwarding tables. */
  public AddressingOptions withFdbCapacity(int entries) {
    return new AddressingOptions(
        scheme, order, functions, entries, pkeyTable, gidPrefix, firstVguid);
  }

  /** The same with another P_Key table. */
  public AddressingOptions withPkeyTable(int entries) {
    return new AddressingOptions(
        scheme, order, functions, fdbCapacity, entries, gidPrefix, firstVguid);
  }

  /** The largest LID that tables can hold. */
  public int topLid() {
    return Math.min(Lid.MAX_UNICAST, fdbCapacity - 1);
  }
}
