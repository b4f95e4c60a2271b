package org.heddle.ufm;

import java.util.List;
import java.util.Map;
import org.heddle.control.ufm.UfmMember;
import org.heddle.control.ufm.UfmPartition;
import org.heddle.control.ufm.UfmPartitions;
import org.heddle.control.ufm.UfmQos;
import org.heddle.control.ufm.UfmText;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.NodeType;
import org.heddle.text.TenantsNames;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The shapes of the API's answers. */
final class UfmViews {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private UfmViews() {}

  /** All partitions, keyed by key. */
  static ObjectNode partitions(UfmPartitions all, boolean guids, boolean qos) {
    ObjectNode out = JSON.objectNode();
    for (UfmPartition partition : all.all()) {
      out.set(UfmText.key(partition.key()), partition(partition, guids, qos));
    }
    return out;
  }

  /** One partition, flat. */
  static ObjectNode partition(UfmPartition partition, boolean guids, boolean qos) {
    ObjectNode out = JSON.objectNode();
    if (guids) {
      out.set("guids", members(partition));
    }
    out.put("ip_over_ib", partition.ipOverIb());
    out.put("partition", partition.name());
    if (partition.key() == UfmText.MANAGEMENT) {
      out.put("index0", false);
      out.put("membership", "limited");
    }
    if (qos) {
      out.set("qos_conf", qos(partition.qos()));
    }
    return out;
  }

  private static ArrayNode members(UfmPartition partition) {
    ArrayNode out = JSON.arrayNode();
    for (Map.Entry<Long, UfmMember> member : partition.members().entrySet()) {
      out.addObject()
          .put("guid", Guid.hex16(member.getKey()))
          .put("index0", member.getValue().index0())
          .put("membership", member.getValue().kind().text());
    }
    return out;
  }

  private static ObjectNode qos(UfmQos qos) {
    ObjectNode out = JSON.objectNode();
    out.put("mtu_limit", qos.mtuLimit());
    if (qos.rateLimit() == Math.rint(qos.rateLimit())) {
      out.put("rate_limit", (int) qos.rateLimit());
    } else {
      out.put("rate_limit", qos.rateLimit());
    }
    out.put("service_level", qos.serviceLevel());
    return out;
  }

  /**
   * Ports with a cable.
   *
   * @param computersOnly only those of hosts
   * @param system only those of this system or node, or 0 for all
   */
  static ArrayNode ports(Fabric fabric, int[] levels, boolean computersOnly, long system) {
    ArrayNode out = JSON.arrayNode();
    TenantsNames names = new TenantsNames(fabric);
    for (int node = 0; node < fabric.nodeCount(); node++) {
      boolean computer = fabric.nodeType(node) == NodeType.CA;
      if (computersOnly && !computer) {
        continue;
      }
      if (system != 0 && systemGuid(fabric, node) != system && fabric.nodeGuid(node) != system) {
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
          .put("guid", Guid.hex16(fabric.nodeGuid(node)))
          .put("system_guid", guid)
          .put("type", kind)
          .put("total_num_of_ports", fabric.portCount(node));
    }
    return out;
  }

  /** Links, each once: from the port of the lower id. */
  static ArrayNode links(Fabric fabric) {
    ArrayNode out = JSON.arrayNode();
    for (int node = 0; node < fabric.nodeCount(); node++) {
      for (int number = 1; number <= fabric.portCount(node); number++) {
        int port = fabric.port(node, number);
        if (port == Fabric.NONE || fabric.peer(port) < port) {
          continue;
        }
        int peer = fabric.peer(port);
        String from = Guid.hex16(peerGuid(fabric, port));
        String to = Guid.hex16(peerGuid(fabric, peer));
        out.addObject()
            .put("name", from + "_" + number + ":" + to + "_" + fabric.numberOf(peer))
            .put("source_guid", from)
            .put("source_port", number)
            .put("destination_guid", to)
            .put("destination_port", fabric.numberOf(peer))
            .put("source_port_node_description", fabric.description(node))
            .put("destination_port_node_description", fabric.description(fabric.nodeOf(peer)))
            .put("severity", "Info");
      }
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

  /** A job. */
  static ObjectNode job(UfmBackend.Job job) {
    return JSON.objectNode()
        .put("ID", job.id())
        .put("Status", job.status())
        .put("Progress", job.progress())
        .put("Summary", job.summary());
  }

  /** The subnet manager's keys. */
  static ObjectNode smKeys(UfmBackend.SmKeys keys) {
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
