package org.heddle.text.tenants;

import java.util.List;
import org.heddle.tenancy.Partition;

/**
 * What the people of a tenant type so that their programs use its P_Key.
 *
 * <p>Three programs, three forms of one key: UCX refuses the membership bit ({@code
 * uct_ib_iface_init_pkey}: 0 to 0x7fff), IP over InfiniBand wants it, and NCCL takes the position
 * of the key in the port's table ({@code qpAttr.pkey_index}), which only the port knows.
 */
public final class TenantsEnvironment {
  /** What to know about the lines, once for all tenants. */
  public static final List<String> NOTES =
      List.of(
          "UCX takes the key without the membership bit and refuses it with the bit; IP over"
              + " InfiniBand wants the bit.",
          "NCCL takes the index in the port's P_Key table, not the key, and the same on all ports:"
              + " 0 if the partition has indx0",
          "in partitions.conf (one tenant of a host can), else what the grep line prints. Programs"
              + " that always use",
          "index 0, such as NVSHMEM, need indx0.");

  private TenantsEnvironment() {}

  /** Lines for a shell on a host of the tenant. */
  public static List<String> lines(Partition partition) {
    int base = partition.pkey();
    int full = base | 0x8000;
    return List.of(
        "export UCX_IB_PKEY=0x%04x".formatted(base),
        "export NCCL_IB_PKEY=0",
        "grep -iE '0x(%04x|%04x)' /sys/class/infiniband/*/ports/*/pkeys/*".formatted(base, full),
        "ip link add link ib0 name ib0.%04x type ipoib pkey 0x%04x".formatted(full, full));
  }
}
