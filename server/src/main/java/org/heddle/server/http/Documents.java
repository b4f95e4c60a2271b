package org.heddle.server.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.Rails;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.Breach;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** JSON of the {@code /v1} interface. */
public final class Documents {
  public static final JsonMapper JSON =
      JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();

  private static final Set<String> TENANT =
      Set.of(
          "name",
          "owner",
          "policy",
          "hosts",
          "host_guids",
          "oversubscription",
          "rails",
          "allocator",
          "pkey",
          "ipoib",
          "mtu",
          "rate",
          "members");

  private static final Set<String> MEMBER = Set.of("guid", "membership", "index0", "pending");

  private Documents() {}

  /** A host and the switch it is linked to, the first if there are several; empty if none. */
  record Host(String guid, String name, String leaf) {}

  record Link(String from, int port, String to, int toPort) {}

  record MemberOf(String guid, String membership, boolean index0, boolean pending) {}

  public record TenantDocument(
      String name,
      String owner,
      String policy,
      String pkey,
      int oversubscription,
      @JsonInclude(JsonInclude.Include.NON_NULL) String rails,
      String allocator,
      boolean ipoib,
      @JsonInclude(JsonInclude.Include.NON_NULL) Integer mtu,
      @JsonInclude(JsonInclude.Include.NON_NULL) Double rate,
      long version,
      String since,
      List<Host> hosts,
      List<Link> links,
      List<MemberOf> members,
      List<String> broken) {}

  record SwitchDocument(String guid, String name, int blocks) {}

  /** What a dry run would change in the tables; the switches with most blocks, 20 at most. */
  public record TablesDocument(int switches, int blocks, List<SwitchDocument> most) {}

  public static TablesDocument tables(List<Outcome.SwitchBlocks> differing) {
    List<SwitchDocument> most =
        differing.stream()
            .sorted(Comparator.comparingInt(Outcome.SwitchBlocks::blocks).reversed())
            .limit(20)
            .map(s -> new SwitchDocument(Guid.format(s.guid()), s.name(), s.blocks()))
            .toList();
    int blocks = differing.stream().mapToInt(Outcome.SwitchBlocks::blocks).sum();
    return new TablesDocument(differing.size(), blocks, most);
  }

  /** A partition key as documents have it. */
  public static String key(int pkey) {
    return "0x" + Integer.toHexString(pkey);
  }

  /** What of a tenant's promise does not hold, one sentence each: the one place that says it. */
  public static List<String> broken(Tenant t) {
    return Breach.sentences(t.broken());
  }

  public static TenantDocument tenant(DesiredState view, Tenant t) {
    List<MemberOf> members = new ArrayList<>();
    for (Member m : view.members(t)) {
      members.add(
          new MemberOf(
              Guid.format(m.guid()),
              m.full() ? "full" : "limited",
              m.index0(),
              view.fabric().findPort(m.guid()) == Fabric.NONE));
    }
    return new TenantDocument(
        t.name(),
        t.spec().owner(),
        t.spec().policy().word(),
        key(t.pkey()),
        t.spec().oversubscription(),
        rails(t.spec().rails()),
        t.spec().allocator(),
        t.spec().partition().ipOverIb(),
        mtu(t.spec().partition()),
        rate(t.spec().partition()),
        t.changed(),
        t.since().toString(),
        t.hosts().stream()
            .map(h -> new Host(Guid.format(h.guid()), h.name(), leaf(view.fabric(), h.guid())))
            .toList(),
        t.links().stream()
            .map(l -> new Link(Guid.format(l.from()), l.port(), Guid.format(l.to()), l.toPort()))
            .toList(),
        members,
        broken(t));
  }

  /** What is said of rails: nothing of the usual ones. */
  public static String rails(Rails rails) {
    return rails == Rails.SEPARATE ? null : rails.word();
  }

  /** What is said of the MTU: nothing of the usual one. */
  public static Integer mtu(PartitionOptions options) {
    return options.mtu() == 0 ? null : options.mtu();
  }

  /** What is said of the rate: nothing of the usual one. */
  public static Double rate(PartitionOptions options) {
    return options.rate() == 0 ? null : options.rate();
  }

  /**
   * Partition options with what a request says of IP over InfiniBand; the rest stays.
   *
   * @throws Problem 400 if that is of another type
   */
  public static PartitionOptions ipOverIb(JsonNode node, PartitionOptions before) {
    JsonNode wanted = node.path("ipoib");
    if (!wanted.isMissingNode() && !wanted.isBoolean()) {
      throw Problem.malformed("'ipoib' must be true or false");
    }
    JsonNode rate = node.path("rate");
    if (!rate.isMissingNode() && !rate.isNumber()) {
      throw Problem.malformed("'rate' must be a number, in Gbit/s");
    }
    return before
        .withIpOverIb(wanted.asBoolean(before.ipOverIb()))
        .withQuality(
            number(node, "mtu", before.mtu()), rate.asDouble(before.rate()), before.serviceLevel());
  }

  private static String leaf(Fabric fabric, long guid) {
    int node = fabric.findNode(guid);
    for (int p = 1; node != Fabric.NONE && p <= fabric.portCount(node); p++) {
      int sw = fabric.attachedSwitch(fabric.port(node, p));
      if (sw != Fabric.NONE) {
        return Guid.format(fabric.nodeGuid(sw));
      }
    }
    return "";
  }

  /** Reads a request for a tenant; unknown and wrong fields are problems. */
  public static TenantSpec spec(JsonNode node, String owner) {
    for (String key : node.propertyNames()) {
      if (!TENANT.contains(key)) {
        throw Problem.malformed("unknown field '" + key + "'");
      }
    }
    List<Long> named = new ArrayList<>();
    for (JsonNode guid : list(node, "host_guids")) {
      named.add(guid(guid));
    }
    List<Member> members = new ArrayList<>();
    for (JsonNode m : list(node, "members")) {
      members.add(member(m));
    }
    String owned = text(node, "owner", owner);
    if (!owned.matches("|[A-Za-z0-9][A-Za-z0-9_-]{0,20}")) {
      throw Problem.malformed("'owner' is the tenant of tokens, 21 letters, digits, '_' or '-'");
    }
    String word = text(node, "policy", "links");
    Policy policy =
        Policy.of(word)
            .orElseThrow(
                () -> Problem.malformed("unknown policy '" + word + "': links, phy, vlane or def"));
    String rails = text(node, "rails", Rails.SEPARATE.word());
    return new TenantSpec(
        text(node, "name", ""),
        owned,
        policy,
        number(node, "hosts", 0),
        named,
        number(node, "oversubscription", 1),
        Rails.of(rails).orElseThrow(() -> Problem.malformed("'rails' must be separate or joined")),
        text(node, "allocator", Allocator.DEFAULT),
        ipOverIb(node, PartitionOptions.ofKey(key(node))),
        members);
  }

  /** A GUID, or an object as it is shown: then what it says of membership and index counts. */
  private static Member member(JsonNode node) {
    if (!node.isObject()) {
      return new Member(guid(node), true, false);
    }
    for (String key : node.propertyNames()) {
      if (!MEMBER.contains(key)) {
        throw Problem.malformed("unknown field '" + key + "' of a member");
      }
    }
    String kind = text(node, "membership", "full");
    if (!kind.equals("full") && !kind.equals("limited")) {
      throw Problem.malformed("'membership' must be full or limited");
    }
    JsonNode first = node.path("index0");
    if (!first.isMissingNode() && !first.isBoolean()) {
      throw Problem.malformed("'index0' must be true or false");
    }
    return new Member(guid(node.path("guid")), kind.equals("full"), first.asBoolean(false));
  }

  private static Iterable<JsonNode> list(JsonNode node, String key) {
    JsonNode value = node.path(key);
    if (!value.isMissingNode() && !value.isArray()) {
      throw Problem.malformed("'" + key + "' must be a list");
    }
    return value;
  }

  /** A text of an object. */
  public static String text(JsonNode node, String key, String otherwise) {
    JsonNode value = node.path(key);
    if (value.isMissingNode()) {
      return otherwise;
    }
    if (!value.isString()) {
      throw Problem.malformed("'" + key + "' must be a text");
    }
    return value.stringValue();
  }

  public static int number(JsonNode node, String key, int otherwise) {
    JsonNode value = node.path(key);
    if (value.isMissingNode()) {
      return otherwise;
    }
    if (!value.isInt()) {
      throw Problem.malformed("'" + key + "' must be a whole number below 2,147,483,648");
    }
    return value.intValue();
  }

  private static int key(JsonNode node) {
    String text = text(node, "pkey", "0x0");
    if (!text.matches("0x[0-9a-fA-F]{1,4}")) {
      throw Problem.malformed("'pkey' must be a text like \"0x12\"");
    }
    return Integer.parseInt(text.substring(2), 16) & 0x7fff;
  }

  private static long guid(JsonNode node) {
    String text = node.isString() ? node.stringValue() : "";
    if (!text.matches("(0x)?[0-9a-fA-F]{1,16}") || text.matches("(0x)?0+")) {
      throw Problem.malformed("a GUID is a text of up to 16 hexadecimal digits, not 0");
    }
    return Long.parseUnsignedLong(text.startsWith("0x") ? text.substring(2) : text, 16);
  }
}
