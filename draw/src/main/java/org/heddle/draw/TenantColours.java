package org.heddle.draw;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.heddle.fabric.Fabric;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;

/**
 * Colours of hosts by tenant. The first twelve tenants have colours that are easy to tell apart
 * (Tableau's ten, with two more); further ones go round the colour wheel by the golden angle, which
 * keeps neighbours in the list far from each other. Deterministic.
 */
public final class TenantColours {
  private static final String[] FIRST = {
    "#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#b07aa1", "#76b7b2", "#edc948", "#9c755f",
    "#ff9da7", "#2f6f4f", "#6b5bd2", "#a0a832"
  };

  private TenantColours() {}

  /** The colour of a tenant by its index, {@code #rrggbb}. */
  public static String of(int tenant) {
    if (tenant < FIRST.length) {
      return FIRST[tenant];
    }
    double hue = (tenant * 137.50776405) % 360;
    double lightness = tenant % 2 == 0 ? 0.48 : 0.6;
    return hex(hue, 0.55, lightness);
  }

  private static String hex(double hue, double saturation, double lightness) {
    int colour = 0;
    for (int offset : new int[] {0, 8, 4}) {
      double k = (offset + hue / 30) % 12;
      double a = saturation * Math.min(lightness, 1 - lightness);
      double value = lightness - a * Math.clamp(Math.min(k - 3, 9 - k), -1, 1);
      colour = colour << 8 | (int) Math.round(255 * value);
    }
    return String.format("#%06x", colour);
  }

  /** Colour of a host by node id: that of the first tenant it has a port in, null for none. */
  public static IntFunction<String> ofHosts(Fabric fabric, Tenancy tenancy) {
    String[] colours = new String[fabric.nodeCount()];
    List<Partition> partitions = tenancy.partitions();
    for (int p = partitions.size() - 1; p >= 0; p--) {
      for (PartitionMember member : partitions.get(p).members()) {
        colours[fabric.nodeOf(member.port())] = of(p);
      }
    }
    return node -> colours[node];
  }

  /** The options with hosts coloured by tenant, and the names of the tenants below. */
  public static DrawOptions apply(DrawOptions options, Fabric fabric, Tenancy tenancy) {
    List<DrawOptions.Key> legend = new ArrayList<>();
    for (int p = 0; p < tenancy.partitions().size(); p++) {
      legend.add(new DrawOptions.Key(of(p), tenancy.partitions().get(p).name()));
    }
    return options.withHostColour(ofHosts(fabric, tenancy)).withLegend(legend);
  }
}
