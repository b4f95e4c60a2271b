package org.heddle.cli.shell;

import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;

/**
 * Colours of tenants in pictures: Paul Tol's muted and bright schemes, which remain distinct to
 * colour-blind readers, repeated when they run out. A host of several tenants is dark grey.
 */
public final class TenantColours {
  private static final String SEVERAL = "#333333";

  private static final List<String> COLOURS =
      List.of(
          "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#332288", "#999933",
          "#44aa99", "#882255", "#ddcc77", "#cc6677");

  private TenantColours() {}

  /** Colour of a tenant by its index. */
  public static String of(int partition) {
    return COLOURS.get(partition % COLOURS.size());
  }

  /** Colours by node id, null for nodes of no tenant. O(members). */
  public static String[] byNode(Fabric fabric, Tenancy tenancy) {
    int[] owner = new int[fabric.nodeCount()];
    Arrays.fill(owner, -1);
    String[] out = new String[owner.length];
    for (int p = 0; p < tenancy.partitions().size(); p++) {
      Partition partition = tenancy.partitions().get(p);
      for (PartitionMember member : partition.members()) {
        int node = fabric.nodeOf(member.port());
        out[node] = owner[node] < 0 || owner[node] == p ? of(p) : SEVERAL;
        owner[node] = owner[node] < 0 ? p : owner[node];
      }
    }
    return out;
  }
}
