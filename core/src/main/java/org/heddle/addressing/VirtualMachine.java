package org.heddle.addressing;

import java.util.List;

/**
 * A running virtual machine and its addresses.
 *
 * @param id unique in its placement
 * @param vguid GUID of its virtual function; with the subnet prefix it is its GID
 * @param port port id of its hypervisor's channel adapter
 * @param function virtual function it has there, from 0
 * @param lid the LID its peers send to: its own, or its hypervisor's
 * @param ownLid false if it shares the LID of its hypervisor
 * @param weight its share of the hypervisor's link relative to the other machines, 1 or more
 * @param pkeys base P_Keys it needs
 */
public record VirtualMachine(
    String id,
    long vguid,
    int port,
    int function,
    int lid,
    boolean ownLid,
    int weight,
    List<Integer> pkeys) {
  public VirtualMachine {
    pkeys = List.copyOf(pkeys);
  }

  /**
   * What is asked for when a machine starts.
   *
   * @param ownLid asks for a LID of its own under {@link AddressingScheme#HYBRID}; the other
   *     schemes decide themselves
   */
  public record Request(String id, boolean ownLid, int weight, List<Integer> pkeys) {
    public Request {
      pkeys = List.copyOf(pkeys);
      if (id.isBlank() || weight < 1) {
        throw new IllegalArgumentException("VM '" + id + "' with weight " + weight);
      }
    }

    /** A machine with a LID of its own, weight 1, no P_Key but the default. */
    public static Request of(String id) {
      return new Request(id, true, 1, List.of());
    }
  }
}
