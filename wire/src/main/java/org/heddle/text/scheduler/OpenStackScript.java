package org.heddle.text.scheduler;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.Machines;
import org.heddle.text.TextOut;

/**
 * Shell scripts that give a tenant its project and host aggregate in OpenStack, and take them away,
 * so that the scheduler places its machines on its hosts and nobody else's (scheduler filter {@code
 * AggregateMultiTenancyIsolation}). The same commands as those of the links-as-a-service paper,
 * appendix A.5, in the words of today's client.
 */
public final class OpenStackScript {
  private OpenStackScript() {}

  /**
   * The machines that nodes are in, by the names OpenStack knows them by, in the order given.
   * Machines that no description names are left out; {@link #unnamed} has them.
   */
  public static List<String> hosts(Fabric fabric, int[] nodes) {
    Machines machines = fabric.machines();
    Set<String> out = new LinkedHashSet<>();
    for (int node : nodes) {
      int machine = machines.of(node);
      if (machine != Fabric.NONE && machines.isNamed(machine)) {
        out.add(machines.name(machine));
      }
    }
    return List.copyOf(out);
  }

  /** The GUIDs of the nodes of machines without a name, in the order given. */
  public static List<String> unnamed(Fabric fabric, int[] nodes) {
    Machines machines = fabric.machines();
    List<String> out = new ArrayList<>();
    for (int node : nodes) {
      int machine = machines.of(node);
      if (machine == Fabric.NONE || !machines.isNamed(machine)) {
        out.add(Guid.format(fabric.nodeGuid(node)));
      }
    }
    return List.copyOf(out);
  }

  /** Adds a tenant. */
  public static byte[] add(String tenant, List<String> hosts) {
    List<String> lines = head("Adding tenant " + tenant + " to OpenStack");
    String project = "laas-tenant-" + tenant;
    String aggregate = "laas-aggr-" + tenant;
    lines.add("openstack project create --description 'Tenant " + tenant + "' " + project);
    lines.add("id=$(openstack project show -f value -c id " + project + ")");
    lines.add("openstack aggregate create " + aggregate);
    lines.add("openstack aggregate set --property filter_tenant_id=\"$id\" " + aggregate);
    hosts.forEach(h -> lines.add("openstack aggregate add host " + aggregate + " " + quoted(h)));
    return bytes(lines);
  }

  /** Removes a tenant. */
  public static byte[] remove(String tenant, List<String> hosts) {
    List<String> lines = head("Removing tenant " + tenant + " from OpenStack");
    String aggregate = "laas-aggr-" + tenant;
    hosts.forEach(h -> lines.add("openstack aggregate remove host " + aggregate + " " + quoted(h)));
    lines.add("openstack aggregate delete " + aggregate);
    lines.add("openstack project delete laas-tenant-" + tenant);
    return bytes(lines);
  }

  private static List<String> head(String what) {
    return new ArrayList<>(List.of("#!/bin/bash", "# " + what, "set -eu"));
  }

  private static String quoted(String text) {
    return text.matches("[A-Za-z0-9_.:-]+") && !text.startsWith("-")
        ? text
        : "'" + TextOut.printable(text).replace("'", "'\\''") + "'";
  }

  private static byte[] bytes(List<String> lines) {
    return (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
  }
}
