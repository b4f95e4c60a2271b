package org.heddle.cli.tenants;

import java.util.List;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.shell.Choices;
import org.heddle.cli.shell.Failure;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What a tenant of a controller is to be like. */
final class TenantOptions {
  @Option(
      names = {"-n", "--hosts"},
      paramLabel = "N",
      description = "How many hosts; the controller looks for them.")
  private Integer hosts;

  @Option(
      names = "--host-guids",
      paramLabel = "GUID",
      split = ",",
      description = "These hosts, by node GUID, instead of a number of hosts.")
  private List<String> hostGuids;

  @Option(
      names = "--host-names",
      paramLabel = "LIST",
      description =
          "These hosts, by name, as in node[001-016],gpu7; a name that several adapters have is "
              + "refused with their GUIDs.")
  private String hostNames;

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      completionCandidates = Choices.Promises.class,
      description =
          "links: up-links of its own; phy: no channel shared with another partition; vlane: where "
              + "one is shared, on another lane; def: a partition key only (default: links).")
  private String policy;

  @Option(
      names = "--oversubscription",
      paramLabel = "N",
      description = "Hosts that may share an up-link (default: 1).")
  private Integer oversubscription;

  @Option(
      names = "--rails",
      paramLabel = "RAILS",
      completionCandidates = Choices.Rails.class,
      description =
          "Of machines with several adapters: separate, links for each rail by itself; joined, also "
              + "for traffic across rails (default: separate).")
  private String rails;

  @Option(
      names = "--allocator",
      paramLabel = "NAME",
      description = "Allocator that finds hosts and links (default: exact).")
  private String allocator;

  @Option(
      names = "--pkey",
      paramLabel = "KEY",
      description = "Partition key, 0x1 to 0x7ffe (default: the controller's choice).")
  private String pkey;

  @Option(
      names = "--owner",
      paramLabel = "TENANT",
      description = "Tenant whose tokens may see and change it.")
  private String owner;

  @Option(
      names = "--ipoib",
      negatable = true,
      description =
          "With IP over InfiniBand: the partition gets a broadcast group (default: without).")
  private Boolean ipoib;

  @Option(
      names = "--mtu",
      paramLabel = "BYTES",
      description = "MTU of that group: 2048 (default) or 4096.")
  private Integer mtu;

  @Option(
      names = "--rate",
      paramLabel = "GBIT",
      description =
          "Rate of that group in Gbit/s, at most that of the slowest host's link (default: 10).")
  private Double rate;

  /** True if it is said which or how many hosts. */
  boolean saysHosts() {
    return hosts != null || hostGuids != null || hostNames != null;
  }

  /** The request. What was not said is left to the controller. */
  ObjectNode body(String name) {
    if (hostNames != null && hostGuids != null) {
      throw Failure.badInput("--host-names or --host-guids, not both");
    }
    if (hosts != null && hostGuids != null && hosts != hostGuids.size()) {
      throw Failure.badInput("--hosts contradicts the number of --host-guids");
    }
    if (hosts != null && hosts < 0) {
      throw Failure.badInput("--hosts is 0 or more");
    }
    ObjectNode out = JsonNodeFactory.instance.objectNode().put("name", name);
    if (hostGuids != null) {
      hostGuids.forEach(out.putArray("host_guids")::add);
    } else if (hosts != null) {
      out.put("hosts", hosts);
    }
    text(out, "policy", policy);
    text(out, "allocator", allocator);
    text(out, "rails", rails);
    text(out, "pkey", pkey);
    text(out, "owner", owner);
    if (ipoib != null) {
      out.put("ipoib", ipoib);
    }
    if (mtu != null) {
      out.put("mtu", mtu);
    }
    if (rate != null) {
      out.put("rate", rate);
    }
    if (oversubscription != null) {
      out.put("oversubscription", oversubscription);
    }
    return out;
  }

  /** Puts the GUIDs of the hosts that are named into a request, which is asked for. */
  ObjectNode resolved(ServerClient client, ObjectNode body) {
    if (hostNames != null) {
      List<String> guids = HostNames.guids(client, hostNames);
      if (hosts != null && hosts != guids.size()) {
        throw Failure.badInput("--hosts contradicts the number of --host-names");
      }
      body.remove("hosts");
      guids.forEach(body.putArray("host_guids")::add);
    }
    return body;
  }

  private static void text(ObjectNode out, String key, String value) {
    if (value != null) {
      out.put(key, value);
    }
  }
}
