package org.heddle.server.ufm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.NodeType;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.Vm;
import org.heddle.text.tenants.TenantsNames;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The shapes of the API's answers. */
final class UfmViews {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** What UFM says of a system whose IP address it does not know. */
  private static final String NO_ADDRESS = "0.0.0.0";

  private UfmViews() {}

  /** All partitions by ascending key; the default one is always there. */
  static ObjectNode partitions(DesiredState view, boolean guids, boolean quality) {
    List<Tenant> all = new ArrayList<>(view.all());
    all.sort(Comparator.comparingInt(Tenant::pkey));
    ObjectNode out = JSON.objectNode();
    for (Tenant tenant : all) {
      out.set(UfmText.key(tenant.pkey()), partition(view, tenant, guids, quality));
    }
    if (view.tenantOfKey(PartitionOptions.MANAGEMENT).isEmpty()) {
      out.set(UfmText.key(PartitionOptions.MANAGEMENT), management(guids, quality));
    }
    return out;
  }

  /** One partition, flat. */
  static ObjectNode partition(DesiredState view, Tenant tenant, boolean guids, boolean quality) {
    PartitionOptions options = tenant.spec().partition();
    return partition(
        options.givenName().orElse(tenant.name()),
        options,
        guids ? view.members(tenant) : null,
        quality);
  }

  /** The default partition, to which nobody added anything. */
  static ObjectNode management(boolean guids, boolean quality) {
    PartitionOptions options =
        PartitionOptions.ofKey(PartitionOptions.MANAGEMENT).withIpOverIb(true);
    return partition(UfmText.MANAGEMENT, options, guids ? List.of() : null, quality);
  }

  private static ObjectNode partition(
      String name, PartitionOptions options, List<Member> members, boolean quality) {
    ObjectNode out = JSON.objectNode();
    if (members != null) {
      out.set("guids", members(members));
    }
    out.put("ip_over_ib", options.ipOverIb());
    out.put("partition", name);
    if (options.pkey() == PartitionOptions.MANAGEMENT) {
      out.put("index0", false);
      out.put("membership", "limited");
    }
    if (quality) {
      out.set("qos_conf", quality(UfmQuality.of(options)));
    }
    return out;
  }

  private static ArrayNode members(List<Member> members) {
    List<Member> sorted = new ArrayList<>(members);
    sorted.sort((a, b) -> Long.compareUnsigned(a.guid(), b.guid()));
    ArrayNode out = JSON.arrayNode();
    for (Member member : sorted) {
      out.addObject()
          .put("guid", Guid.hex16(member.guid()))
          .put("index0", member.index0())
          .put("membership", member.full() ? "full" : "limited");
    }
    return out;
  }

  private static ObjectNode quality(UfmQuality q) {
    ObjectNode out = JSON.objectNode();
    out.put("mtu_limit", (int) q.mtuLimit());
    if (q.rateLimit() == Math.rint(q.rateLimit())) {
      out.put("rate_limit", (int) q.rateLimit());
    } else {
      out.put("rate_limit", q.rateLimit());
    }
    out.put("service_level", (int) q.serviceLevel());
    return out;
  }

  /**
   * Ports with a cable.
   *
   * @param type {@code Computer}, {@code Switch}, or null for both
   * @param system only those of this system or node, or 0 for all
   */
  static ArrayNode ports(Fabric fabric, int[] levels, String type, long system) {
    ArrayNode out = JSON.arrayNode();
    TenantsNames names = new TenantsNames(fabric);
    for (int node = 0; node < fabric.nodeCount(); node++) {
      boolean computer = fabric.nodeType(node) == NodeType.CA;
      if (type != null && !type.equalsIgnoreCase(computer ? "Computer" : "Switch")) {
        continue;
      }
      if (system != 0 && !isOf(fabric, node, system)) {
        continue;
      }
      for (int number = 1; number <= fabric.portCount(node); number++) {
        int port = fabric.port(node, number);
        if (port != Fabric.NONE && fabric.peer(port) != Fabric.NONE) {
          out.add(port(fabric, names, levels, port));
        }
      }
    }
    return out;
  }

  private static ObjectNode port(Fabric fabric, TenantsNames names, int[] levels, int port) {
    int node = fabric.nodeOf(port);
    int number = fabric.numberOf(port);
    boolean computer = fabric.nodeType(node) == NodeType.CA;
    int peer = fabric.peer(port);
    int peerNode = fabric.nodeOf(peer);
    String guid = Guid.hex16(computer ? fabric.portGuid(port) : fabric.nodeGuid(node));
    int lid = computer ? fabric.lid(port) : fabric.lid(fabric.port(node, 0));
    return JSON.objectNode()
        .put("guid", guid)
        .put("name", guid + "_" + number)
        .put("systemID", Guid.hex16(systemGuid(fabric, node)))
        .put("lid", lid)
        .put("dname", computer ? "HCA-1/" + number : Integer.toString(number))
        .put("number", number)
        .put("physical_port_number", number)
        .put("active_width", fabric.width(port).text())
        .put("active_speed", fabric.speed(port).name())
        .put("label", fabric.label(port) == null ? "" : fabric.label(port))
        .put("system_name", computer ? names.of(port) : fabric.description(node))
        .put("description", (computer ? "Computer" : "Switch") + " IB Port")
        .put("node_description", fabric.description(node) + (computer ? "" : ":" + number))
        .put("physical_state", "Link Up")
        .put("logical_state", "Active")
        .put("tier", levels[node])
        .put("peer_node_name", fabric.description(peerNode))
        .put("peer_guid", Guid.hex16(peerGuid(fabric, peer)))
        .put("peer_port_dname", Integer.toString(fabric.numberOf(peer)))
        .put(
            "peer_node_description",
            fabric.description(peerNode)
                + (fabric.isSwitch(peerNode) ? ":" + fabric.numberOf(peer) : ""));
  }

  private static long peerGuid(Fabric fabric, int peer) {
    int node = fabric.nodeOf(peer);
    return fabric.isSwitch(node) ? fabric.nodeGuid(node) : fabric.portGuid(peer);
  }

  private static long systemGuid(Fabric fabric, int node) {
    return fabric.systemGuid(node) != 0 ? fabric.systemGuid(node) : fabric.nodeGuid(node);
  }

  /** Systems; {@code type} is {@code switch}, {@code host} or null for both. */
  static ArrayNode systems(Fabric fabric, String type) {
    ArrayNode out = JSON.arrayNode();
    for (int node = 0; node < fabric.nodeCount(); node++) {
      String kind = fabric.isSwitch(node) ? "switch" : "host";
      if (type != null && !type.equalsIgnoreCase(kind)) {
        continue;
      }
      String guid = Guid.hex16(systemGuid(fabric, node));
      out.addObject()
          .put("name", guid)
          .put("system_name", fabric.description(node))
          .put("description", fabric.description(node))
          .put("ip", NO_ADDRESS)
          .put("guid", Guid.hex16(fabric.nodeGuid(node)))
          .put("system_guid", guid)
          .put("type", kind)
          .put("total_num_of_ports", fabric.portCount(node));
    }
    return out;
  }

  private static boolean isOf(Fabric fabric, int node, long system) {
    return systemGuid(fabric, node) == system || fabric.nodeGuid(node) == system;
  }

  /**
   * Links, each once: from the port of the lower id.
   *
   * @param system only those at this system or node; 0 for all
   */
  static ArrayNode links(Fabric fabric, long system) {
    ArrayNode out = JSON.arrayNode();
    for (int node = 0; node < fabric.nodeCount(); node++) {
      for (int number = 1; number <= fabric.portCount(node); number++) {
        int port = fabric.port(node, number);
        if (port == Fabric.NONE || fabric.peer(port) < port) {
          continue;
        }
        int peer = fabric.peer(port);
        boolean there = isOf(fabric, node, system) || isOf(fabric, fabric.nodeOf(peer), system);
        if (system != 0 && !there) {
          continue;
        }
        String from = Guid.hex16(peerGuid(fabric, port));
        String to = Guid.hex16(peerGuid(fabric, peer));
        out.addObject()
            .put("name", from + "_" + number + ":" + to + "_" + fabric.numberOf(peer))
            .put("source_guid", from)
            .put("source_port", Integer.toString(number))
            .put("source_port_dname", Integer.toString(number))
            .put("source_port_name", from + "_" + number)
            .put("destination_guid", to)
            .put("destination_port", Integer.toString(fabric.numberOf(peer)))
            .put("destination_port_dname", Integer.toString(fabric.numberOf(peer)))
            .put("destination_port_name", to + "_" + fabric.numberOf(peer))
            .put("width", fabric.width(port).text())
            .put("source_port_node_description", fabric.description(node))
            .put("destination_port_node_description", fabric.description(fabric.nodeOf(peer)))
            .put("severity", "Info");
      }
    }
    return out;
  }

  /** True if the thing has the values that the query asks for, of these names. */
  static boolean matches(UfmCall call, ObjectNode thing, String... names) {
    for (String name : names) {
      String wanted = call.query().get(name);
      if (wanted != null && !thing.get(name).asString().equalsIgnoreCase(wanted)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Virtual ports: those of machines.
   *
   * @param system only those on this system or node, or 0
   * @param onPort only those on the port of this GUID or name, or null
   */
  static ArrayNode virtualPorts(DesiredState view, long system, String onPort) {
    Fabric fabric = view.fabric();
    TenantsNames names = new TenantsNames(fabric);
    ArrayNode out = JSON.arrayNode();
    for (Vm vm : view.vms().values()) {
      int port = fabric.findPort(vm.portGuid());
      String guid = Guid.hex16(vm.portGuid());
      int number = port == Fabric.NONE ? 0 : fabric.numberOf(port);
      boolean ofSystem =
          system == 0
              || vm.host().guid() == system
              || port != Fabric.NONE && isOf(fabric, fabric.nodeOf(port), system);
      boolean ofPort =
          onPort == null
              || onPort.equalsIgnoreCase(guid)
              || onPort.equalsIgnoreCase(guid + "_" + number);
      if (!ofSystem || !ofPort) {
        continue;
      }
      int node = port == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(port);
      out.addObject()
          .put("virtual_port_guid", Guid.hex16(vm.vguid()))
          .put("virtual_port_state", vm.stranded().isEmpty() ? "Active" : "Down")
          .put("virtual_port_lid", vm.lid())
          .put(
              "system_guid",
              Guid.hex16(node == Fabric.NONE ? vm.host().guid() : systemGuid(fabric, node)))
          .put("system_name", node == Fabric.NONE ? vm.host().name() : names.of(port))
          .put("system_ip", NO_ADDRESS)
          .put("node_description", node == Fabric.NONE ? "" : fabric.description(node))
          .put("port_guid", guid)
          .put("port_name", guid + "_" + number)
          .put("physical_port_number", number);
    }
    return out;
  }

  /** One page of a list: pages count from 1. */
  static ObjectNode page(ArrayNode all, long page, long size) {
    ArrayNode data = JSON.arrayNode();
    long from = Math.multiplyExact(page - 1, size);
    for (long i = from; i < Math.min(all.size(), from + size); i++) {
      data.add(all.get((int) i));
    }
    ObjectNode out = JSON.objectNode();
    out.put("filtered_entries", all.size());
    out.put("num_of_pages", Math.max(1, Math.ceilDiv(all.size(), size)));
    out.set("data", data);
    return out;
  }

  /** A job that has come to its end. */
  static ObjectNode job(long id) {
    return JSON.objectNode()
        .put("ID", Long.toString(id))
        .put("Status", "Completed")
        .put("Progress", 100)
        .put("Summary", "done");
  }

  /** The subnet manager's keys. */
  static ObjectNode smKeys(SmKeys keys) {
    return JSON.objectNode()
        .put("subnet_prefix", Guid.format(keys.subnetPrefix()))
        .put("m_key", Guid.format(keys.mKey()))
        .put("sm_key", Guid.format(keys.smKey()))
        .put("sa_key", Guid.format(keys.saKey()))
        .put("m_key_per_port", keys.mKeyPerPort());
  }

  /** Texts as an array. */
  static ArrayNode texts(List<String> texts) {
    ArrayNode out = JSON.arrayNode();
    texts.forEach(out::add);
    return out;
  }
}
