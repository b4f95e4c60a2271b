package org.heddle.opensm;

import java.nio.charset.StandardCharsets;
import org.heddle.tenancy.Partition;

/**
 * The settings with which the programs of a tenant use its partition and service level, as lines
 * {@code NAME=value} that shells, systemd and container runtimes read alike.
 *
 * <p>Programs disagree about what a key is: UCX takes the base key only, Open MPI and MVAPICH2 mask
 * the membership bit, NCCL wants an index. The header shows both forms of the key.
 */
public final class TenantEnvironment {
  private static final int FULL_MEMBER = 0x8000;

  private TenantEnvironment() {}

  /**
   * The text for one tenant.
   *
   * @param sl its service level
   * @param ipoib the partition has a broadcast group
   * @param onlyPartition none of its ports is in another partition of a tenant
   */
  public static byte[] write(Partition partition, int sl, boolean ipoib, boolean onlyPartition) {
    String base = "0x%04x".formatted(partition.pkey());
    String full = "0x%04x".formatted(partition.pkey() | FULL_MEMBER);
    StringBuilder out = new StringBuilder();
    comment(out, "Tenant " + partition.name() + ": P_Key " + full + " in the tables of full");
    comment(out, "members, " + base + " in those of limited ones; service level " + sl + ".");
    comment(out, "Programs that ask the subnet manager for a path (librdmacm) need none of this.");
    if (ipoib) {
      comment(
          out,
          "IP over InfiniBand: ip link add link ib0 name ib0."
              + full.substring(2)
              + " type ipoib pkey "
              + full);
    }
    set(out, "UCX_IB_PKEY", base);
    set(out, "UCX_IB_SL", String.valueOf(sl));
    set(out, "NCCL_IB_SL", String.valueOf(sl));
    comment(out, "NCCL_IB_PKEY is an index into the port's table, not a key. The line that");
    comment(out, "  grep -H " + full + " /sys/class/infiniband/*/ports/*/pkeys/*");
    comment(
        out,
        "prints ends the file name in it. The default key is at index 0"
            + (onlyPartition ? "; this one is" : "."));
    if (onlyPartition) {
      comment(out, "usually at 1. Indices stay where they are when other keys go: look it up.");
    }
    out.append(onlyPartition ? "NCCL_IB_PKEY=1\n" : "# NCCL_IB_PKEY=...\n");
    set(out, "NVSHMEM_IB_SL", String.valueOf(sl));
    set(out, "OMPI_MCA_btl_openib_pkey", base);
    set(out, "OMPI_MCA_btl_openib_ib_service_level", String.valueOf(sl));
    set(out, "MV2_DEFAULT_PKEY", base);
    set(out, "MV2_DEFAULT_SERVICE_LEVEL", String.valueOf(sl));
    return out.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private static void comment(StringBuilder out, String text) {
    out.append("# ").append(text).append('\n');
  }

  private static void set(StringBuilder out, String name, String value) {
    out.append(name).append('=').append(value).append('\n');
  }
}
