package org.heddle.addressing;

import org.heddle.fabric.Fabric;
import org.heddle.fabric.Lid;

/**
 * How many virtual machines fit, and what the limit is.
 *
 * @param scheme under which scheme
 * @param hypervisors hosts that can run machines
 * @param machines machines that fit at the same time
 * @param ownLids how many of them can have a LID of their own
 * @param limit the sentence that explains the limit
 */
public record VmCapacity(
    AddressingScheme scheme, int hypervisors, int machines, int ownLids, String limit) {

  private static final String BY_LIDS = "unicast LIDs";
  private static final String BY_FUNCTIONS = "virtual functions";
  private static final String BY_EXTENDED = "LIDs of the extended space";

  /**
   * A fabric of as many hypervisors as its LIDs allow, all of whose functions run a machine (paper
   * II, section V-A: 16 functions, 2,891 hypervisors, 46,256 machines).
   *
   * @param otherLids LIDs that switches, routers and other nodes take
   */
  public static VmCapacity largest(AddressingOptions options, int otherLids) {
    int free = Math.max(0, options.topLid() - otherLids);
    int functions = options.functions();
    return switch (options.scheme()) {
      case PREPOPULATED, DYNAMIC -> {
        int hypervisors = free / (functions + 1);
        yield full(options, hypervisors, hypervisors * functions, BY_LIDS);
      }
      case SHARED_PORT -> full(options, free, 0, BY_LIDS);
      case HYBRID -> full(options, free, 0, BY_LIDS);
      case EXTENDED -> {
        int space = AddressingOptions.LAST_EXTENDED - AddressingOptions.FIRST_EXTENDED + 1;
        int hypervisors = Math.min(free, space / functions);
        String limit = free <= space / functions ? BY_LIDS : BY_EXTENDED;
        yield full(options, hypervisors, hypervisors * functions, limit);
      }
    };
  }

  private static VmCapacity full(AddressingOptions options, int hypervisors, int own, String why) {
    return new VmCapacity(
        options.scheme(), hypervisors, hypervisors * options.functions(), own, why);
  }

  /**
   * A given fabric: every linked port of a channel adapter is a hypervisor's.
   *
   * @param fabric with LIDs; virtual ones do not count as used
   */
  public static VmCapacity of(Fabric fabric, AddressingOptions options) {
    int used = 0;
    int hypervisors = 0;
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      used += fabric.lid(port) != Lid.NONE ? 1 << fabric.lmc(port) : 0;
      hypervisors += VmPlacement.isHypervisor(fabric, port) ? 1 : 0;
    }
    int free = Math.max(0, options.topLid() - used);
    int functions = options.functions();
    int all = hypervisors * functions;
    AddressingScheme scheme = options.scheme();
    return switch (scheme) {
      case PREPOPULATED -> {
        int fits = Math.min(hypervisors, free / functions);
        String limit = fits < hypervisors ? BY_LIDS : BY_FUNCTIONS;
        yield new VmCapacity(scheme, fits, fits * functions, fits * functions, limit);
      }
      case DYNAMIC -> {
        int fits = Math.min(all, free);
        yield new VmCapacity(scheme, hypervisors, fits, fits, free < all ? BY_LIDS : BY_FUNCTIONS);
      }
      case SHARED_PORT -> new VmCapacity(scheme, hypervisors, all, 0, BY_FUNCTIONS);
      case HYBRID -> new VmCapacity(scheme, hypervisors, all, Math.min(all, free), BY_FUNCTIONS);
      case EXTENDED -> {
        int space = AddressingOptions.LAST_EXTENDED - AddressingOptions.FIRST_EXTENDED + 1;
        int fits = Math.min(all, space);
        yield new VmCapacity(
            scheme, hypervisors, fits, fits, fits < all ? BY_EXTENDED : BY_FUNCTIONS);
      }
    };
  }
}
