package org.heddle.addressing;

import java.util.Locale;

/**
 * Who has a LID of its own (Tasoulas, thesis, paper II, section V; paper V, sections 4 and 4.1).
 */
public enum AddressingScheme {
  /** Every virtual function has a LID from the start; a migration swaps two of them. */
  PREPOPULATED("vSwitch, every function has a LID from the start"),
  /** A machine gets the next free LID when it starts; a migration copies the hypervisor's route. */
  DYNAMIC("vSwitch, a VM gets a LID when it starts"),
  /** Machines share the LID of their hypervisor, which changes when they move: peers lose them. */
  SHARED_PORT("VMs share their hypervisor's LID, moving breaks connections"),
  /** Machines that ask for it have a LID of their own, the others share. */
  HYBRID("some VMs own a LID, the others share their hypervisor's"),
  /**
   * LIDs of 18 bits for machines, in a second forwarding table, 196,608 of them. Needs switches and
   * adapters that do not exist.
   */
  EXTENDED("18-bit LIDs in a second table; needs future hardware");

  private final String summary;

  AddressingScheme(String summary) {
    this.summary = summary;
  }

  /** The name users type. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** One line for lists. */
  public String summary() {
    return summary;
  }

  /** True if no hardware can do it yet: only planned and costed. */
  public boolean needsFutureHardware() {
    return this == EXTENDED;
  }
}
