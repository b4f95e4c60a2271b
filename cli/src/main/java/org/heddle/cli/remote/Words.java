package org.heddle.cli.remote;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.cli.shell.Failure;
import org.heddle.fabric.Counted;
import org.heddle.fabric.PathRate;
import org.heddle.text.TextOut;
import tools.jackson.databind.JsonNode;

/** The controller's documents in words. */
public final class Words {
  /** What OpenSM gives a broadcast group of which nothing else is said: bytes, and Gbit/s. */
  private static final int USUAL_MTU = 2048;

  private static final double USUAL_RATE = 10;

  private Words() {}

  /** A text as a segment of a path or a value of a query. */
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /**
   * The path of a tenant.
   *
   * @throws Failure exit code 2 for what cannot be a name: the path would be another one
   */
  public static String tenantPath(String name) {
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,30}")) {
      throw Failure.badInput(
          "'" + name + "' is not a tenant name",
          "1 to 31 letters, digits, '_', '-' or '.', the first a letter or digit");
    }
    return "/v1/tenants/" + name;
  }

  /**
   * A version as a condition, {@code If-Match}; null for none.
   *
   * @throws Failure exit code 2 if there can be no such version
   */
  public static Optional<String> version(Long version) {
    if (version != null && version < 0) {
      throw Failure.badInput("--if-version is 0 or more");
    }
    return Optional.ofNullable(version).map(v -> "\"" + v + "\"");
  }

  /** A field as text for people; empty if there is none. */
  public static String text(JsonNode node, String field) {
    JsonNode value = node.path(field);
    return value.isMissingNode() || value.isNull() ? "" : TextOut.printable(value.asString(""));
  }

  /** The texts of a list. */
  public static List<String> texts(JsonNode list) {
    List<String> out = new ArrayList<>();
    list.forEach(n -> out.add(TextOut.printable(n.asString(""))));
    return out;
  }

  /** A field of each of a list. */
  public static List<String> fields(JsonNode list, String field) {
    List<String> out = new ArrayList<>();
    list.forEach(n -> out.add(text(n, field)));
    return out;
  }

  /** {@code 6 hosts with links of their own, key 0x12}. */
  public static String tenant(JsonNode tenant) {
    int hosts = tenant.path("hosts").size();
    int members = tenant.path("members").size();
    boolean links = text(tenant, "policy").equals("links") && hosts > 0;
    return Counted.of(hosts, "host", "hosts")
        + (links ? " with links of their own" : "")
        + ", "
        + Counted.of(members, "member", "members")
        + ", key "
        + text(tenant, "pkey");
  }

  /** A tenant's IP over InfiniBand; empty if it has none. */
  public static String ipOverIb(JsonNode tenant) {
    return tenant.path("ipoib").asBoolean(false)
        ? "IPoIB with MTU %d, %s Gbit/s"
            .formatted(
                tenant.path("mtu").asInt(USUAL_MTU),
                PathRate.text(tenant.path("rate").asDouble(USUAL_RATE)))
        : "";
  }

  /** What would be written into the tables; empty if the controller does not say. */
  public static String tables(JsonNode answer) {
    JsonNode tables = answer.path("tables");
    return tables.isObject()
        ? Counted.of(tables.path("switches").asInt(0), "switch changes", "switches change")
            + ", "
            + Counted.of(tables.path("blocks").asInt(0), "block", "blocks")
        : "";
  }

  /** A moment without parts of seconds, as {@code 2026-11-28 12:00:00Z}. */
  public static String moment(JsonNode node, String field) {
    return text(node, field).replaceFirst("\\.\\d+Z$", "Z").replace('T', ' ');
  }
}
