package org.heddle.cli.tenants;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.Words;
import org.heddle.cli.shell.Failure;
import org.heddle.text.Hostlist;
import tools.jackson.databind.JsonNode;

/**
 * Hosts of a controller by name. A name is a host's node description, or its first word, as Slurm
 * calls a host whose adapters have a description like {@code node001 HCA-1}.
 */
final class HostNames {
  private static final int SHOWN = 5;

  private HostNames() {}

  /**
   * The node GUIDs of hosts.
   *
   * @param list names and ranges, as {@code node[001-016],gpu7}
   * @throws Failure exit code 2 if a name is no host's, or that of several
   */
  static List<String> guids(ServerClient client, String list) {
    Hostlist.Expansion names = Hostlist.expand(list);
    if (names.error() != null || names.names().isEmpty()) {
      throw Failure.badInput(
          "--host-names: " + (names.error() == null ? "names are expected" : names.error()),
          "names and ranges, as in node[001-016],gpu7");
    }
    Map<String, List<JsonNode>> hosts = byName(client);
    Set<String> out = new LinkedHashSet<>();
    List<String> missing = new ArrayList<>();
    for (String name : names.names()) {
      List<JsonNode> found = hosts.getOrDefault(name, List.of());
      if (found.size() > 1 && !isMachine(name, found)) {
        throw ambiguous(name, found);
      }
      if (found.isEmpty()) {
        missing.add(name);
      } else if (!out.add(Words.text(found.getFirst(), "guid"))) {
        throw Failure.badInput("--host-names names '" + name + "' twice");
      }
    }
    if (!missing.isEmpty()) {
      throw Failure.badInput(
          "the controller shows no host " + some(missing),
          "a tenant's token sees the hosts that it holds; -n N leaves the choice to the"
              + " controller");
    }
    return List.copyOf(out);
  }

  /** True if these are the adapters of the machine of that name: any of them stands for it. */
  private static boolean isMachine(String name, List<JsonNode> found) {
    return found.stream().allMatch(node -> Words.text(node, "machine").equals(name));
  }

  /** Every whole description goes before a first word that happens to be the same. */
  private static Map<String, List<JsonNode>> byName(ServerClient client) {
    Map<String, List<JsonNode>> whole = new TreeMap<>();
    Map<String, List<JsonNode>> first = new TreeMap<>();
    for (JsonNode node : client.all("/v1/nodes")) {
      if (Words.text(node, "kind").equals("host")) {
        String name = Words.text(node, "name");
        whole.computeIfAbsent(name, _ -> new ArrayList<>()).add(node);
        first.computeIfAbsent(name.strip().split("\\s")[0], _ -> new ArrayList<>()).add(node);
      }
    }
    first.putAll(whole);
    return first;
  }

  private static Failure ambiguous(String name, List<JsonNode> found) {
    List<String> each = new ArrayList<>();
    found.forEach(n -> each.add(Words.text(n, "guid") + " (" + Words.text(n, "name") + ")"));
    return Failure.badInput(
        "'" + name + "' is " + found.size() + " hosts: " + some(each),
        "--host-guids names one of them, or all");
  }

  private static String some(List<String> all) {
    String shown = String.join(", ", all.subList(0, Math.min(SHOWN, all.size())));
    return all.size() > SHOWN ? shown + " and " + (all.size() - SHOWN) + " more" : shown;
  }
}
