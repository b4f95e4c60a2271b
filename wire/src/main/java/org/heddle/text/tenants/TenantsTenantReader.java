package org.heddle.text.tenants;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.heddle.allocation.Rails;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.Guid;
import org.heddle.fabric.PathRate;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Partition;
import org.heddle.text.Hostlist;
import org.heddle.text.Problems;
import org.heddle.text.Tokens;
import org.heddle.text.tenants.TenantsFile.ByGuid;
import org.heddle.text.tenants.TenantsFile.Count;
import org.heddle.text.tenants.TenantsFile.Hosts;
import org.heddle.text.tenants.TenantsFile.IpOverIb;
import org.heddle.text.tenants.TenantsFile.LinkEnd;
import org.heddle.text.tenants.TenantsFile.Member;
import org.heddle.text.tenants.TenantsFile.OwnLinks;
import org.heddle.text.tenants.TenantsFile.Selector;
import org.heddle.text.tenants.TenantsFile.Tenant;
import org.heddle.text.yaml.YamlFields;
import org.heddle.text.yaml.YamlNode;
import org.heddle.text.yaml.YamlNode.Mapping;
import org.heddle.text.yaml.YamlNode.Scalar;
import org.heddle.text.yaml.YamlNode.Sequence;

/** Reads one tenant of a tenants file. */
final class TenantsTenantReader {
  static final List<String> TENANT_KEYS =
      List.of(
          "name",
          "pkey",
          "policy",
          "membership",
          "weight",
          "exclusive",
          "links",
          "oversubscription",
          "rails",
          "own_links",
          "ipoib",
          "mtu",
          "rate",
          "members",
          "weights");
  static final List<String> MEMBER_KEYS =
      List.of("hosts", "guid", "count", "membership", "weight", "ports", "hca", "guest");

  static final int MAX_COUNT = 0xbfff;

  private static final Map<String, Boolean> MEMBERSHIPS = flags("full", "limited");
  private static final Map<String, Boolean> TRUTH = flags("true", "false");
  private static final Map<String, Boolean> LINKS = flags("exclusive", "shared");

  private final Problems problems;

  TenantsTenantReader(Problems problems) {
    this.problems = problems;
  }

  private static Map<String, Boolean> flags(String yes, String no) {
    Map<String, Boolean> words = new LinkedHashMap<>();
    words.put(yes, true);
    words.put(no, false);
    return words;
  }

  private static Map<String, IsolationPolicy> policies() {
    Map<String, IsolationPolicy> words = new LinkedHashMap<>();
    for (IsolationPolicy policy : IsolationPolicy.values()) {
      words.put(policy.word(), policy);
    }
    return words;
  }

  private static Map<String, Rails> rails() {
    Map<String, Rails> words = new LinkedHashMap<>();
    for (Rails r : Rails.values()) {
      words.put(r.word(), r);
    }
    return words;
  }

  Tenant tenant(Mapping map) {
    YamlFields fields = new YamlFields(map, TENANT_KEYS, "of a tenant", problems);
    String name = name(fields, map);
    int pkeyLine = fields.has("pkey") ? fields.line("pkey") : map.line();
    List<Member> members = new ArrayList<>();
    for (YamlNode node : fields.list("members", "a list of members")) {
      Member member = member(node);
      if (member != null) {
        members.add(member);
      }
    }
    boolean links = fields.choice("links", LINKS, false);
    if (links) {
      checkLinks(fields, members);
    } else {
      for (String key : List.of("oversubscription", "rails", "own_links")) {
        if (fields.has(key)) {
          problems.error(fields.line(key), "'" + key + "' goes with 'links: exclusive'");
        }
      }
    }
    return new Tenant(
        fields.has("name") ? fields.line("name") : map.line(),
        name,
        pkey(fields),
        pkeyLine,
        fields.choice("policy", policies(), links ? IsolationPolicy.PHY : IsolationPolicy.DEF),
        fields.choice("membership", MEMBERSHIPS, true),
        fields.integer("weight", 1, TenantsFile.MAX_WEIGHT, 0),
        fields.choice("exclusive", TRUTH, links),
        links ? Optional.of(ownLinks(fields, members)) : Optional.empty(),
        ipOverIb(fields),
        members,
        TenantsFileReader.weights(fields, problems));
  }

  private Optional<IpOverIb> ipOverIb(YamlFields fields) {
    boolean wanted = fields.choice("ipoib", TRUTH, false);
    for (String key : List.of("mtu", "rate")) {
      if (fields.has(key) && !wanted) {
        problems.error(fields.line(key), "'" + key + "' goes with 'ipoib: true'");
      }
    }
    int mtu = fields.choice("mtu", mtus(), 0);
    double rate = fields.choice("rate", rates(), 0.0);
    return fields.has("ipoib") ? Optional.of(new IpOverIb(wanted, mtu, rate)) : Optional.empty();
  }

  private static Map<String, Integer> mtus() {
    Map<String, Integer> words = new LinkedHashMap<>();
    PathRate.mtus().forEach(bytes -> words.put(Integer.toString(bytes), bytes));
    return words;
  }

  private static Map<String, Double> rates() {
    Map<String, Double> words = new LinkedHashMap<>();
    PathRate.all().forEach(r -> words.put(PathRate.text(r.gigabits()), r.gigabits()));
    return words;
  }

  /** Links of one's own need hosts of one's own, chosen by one side only. */
  private void checkLinks(YamlFields fields, List<Member> members) {
    if (fields.choice("policy", policies(), IsolationPolicy.PHY) != IsolationPolicy.PHY) {
      problems.error(
          fields.line("policy"), "'links: exclusive' implies 'policy: phy'; leave the policy out");
    }
    if (!fields.choice("exclusive", TRUTH, true)) {
      problems.error(
          fields.line("exclusive"), "'links: exclusive' implies 'exclusive: true'; leave it out");
    }
    boolean counted = members.stream().anyMatch(m -> m.selector() instanceof Count);
    if (counted && !members.stream().allMatch(m -> m.guest() || m.selector() instanceof Count)) {
      problems.error(
          fields.line("links"),
          "'links: exclusive' needs members that are all named or all counted: the links decide"
              + " which hosts are counted");
    }
  }

  private OwnLinks ownLinks(YamlFields fields, List<Member> members) {
    List<LinkEnd> held = new ArrayList<>();
    Set<String> known = new HashSet<>();
    for (YamlNode node : fields.list("own_links", "a list of links")) {
      List<LinkEnd> ends = node instanceof Scalar s ? linkEnds(s) : List.of();
      if (ends.isEmpty()) {
        problems.error(
            node.line(),
            "links are the GUID of their lower switch and the ports there, such as"
                + " \"0x0002c90200412345:7,8\", got: "
                + node.kind());
      }
      for (LinkEnd end : ends) {
        if (!known.add(end.toString())) {
          problems.error(node.line(), "the link " + end + " is here twice");
        }
        held.add(end);
      }
    }
    if (!held.isEmpty() && members.stream().anyMatch(m -> m.selector() instanceof Count)) {
      problems.error(
          fields.line("own_links"), "'own_links' needs members that are all named, not counted");
    }
    return new OwnLinks(
        fields.integer("oversubscription", 1, MAX_COUNT, 1),
        fields.choice("rails", rails(), Rails.SEPARATE),
        held);
  }

  /** Empty if it is wrong. */
  private static List<LinkEnd> linkEnds(Scalar node) {
    String text = node.text().strip();
    int colon = text.indexOf(':');
    String digits = colon < 0 ? "" : Tokens.withoutPrefix(text.substring(0, colon));
    if (!text.startsWith("0x") || !Tokens.isHex(digits)) {
      return List.of();
    }
    Guid guid = new Guid(Long.parseUnsignedLong(digits, 16));
    List<LinkEnd> out = new ArrayList<>();
    for (String port : text.substring(colon + 1).split(",", -1)) {
      int number = Tokens.number(port.strip());
      if (number < 1 || number > FabricBuilder.MAX_PORTS) {
        return List.of();
      }
      out.add(new LinkEnd(node.line(), guid, number));
    }
    return out;
  }

  private String name(YamlFields fields, Mapping map) {
    if (!fields.has("name")) {
      problems.error(map.line(), "a tenant without 'name'");
      return "";
    }
    String name = fields.text("name", "the tenant's name");
    if (name == null) {
      return "";
    }
    if (!TenantsChecks.isName(name)) {
      problems.error(
          fields.line("name"),
          "a name is 1 to 31 letters, digits, '_', '-' or '.', the first a letter or digit, as"
              + " OpenSM can hold it; got: "
              + Tokens.excerpt(name));
    }
    return name;
  }

  /** The base key, or 0 for an automatic one. */
  private int pkey(YamlFields fields) {
    String what = "a P_Key such as 0x0101, or auto";
    String text = fields.text("pkey", what);
    if (text == null || text.equals("auto")) {
      return 0;
    }
    int line = fields.line("pkey");
    boolean hex = text.startsWith("0x") || text.startsWith("0X");
    String digits = Tokens.withoutPrefix(text);
    int value = -1;
    if (hex && Tokens.isHex(digits)) {
      long wide = Long.parseUnsignedLong(digits, 16);
      value = wide >>> 16 == 0 ? (int) wide : -1;
    } else if (!hex && !(text.length() > 1 && text.startsWith("0"))) {
      value = Tokens.number(text);
    }
    if (value < 0 || value > 0xffff) {
      problems.error(line, "'pkey' must be " + what + ", 16 bits; got: " + Tokens.excerpt(text));
      return 0;
    }
    int base = value & Partition.DEFAULT_PKEY;
    if (base == 0) {
      problems.error(line, Tokens.excerpt(text) + " is not a P_Key: 0x0000 is reserved as invalid");
    } else if (base == Partition.DEFAULT_PKEY) {
      problems.error(
          line,
          Tokens.excerpt(text)
              + " is the default partition, 0x7fff, in which every port is: no tenant can have it");
      return 0;
    }
    return base;
  }

  private Member member(YamlNode node) {
    if (node instanceof Scalar s && !s.isNull() && !s.text().isBlank()) {
      Selector selector = bare(s.text().strip(), s.line());
      return selector == null
          ? null
          : new Member(s.line(), selector, Optional.empty(), 0, List.of(), "");
    }
    if (!(node instanceof Mapping map)) {
      problems.error(
          node.line(),
          "a member must be a host name, a hostlist such as node[01-16], a GUID, or a map with"
              + " hosts, guid or count; got: "
              + node.kind());
      return null;
    }
    YamlFields fields = new YamlFields(map, MEMBER_KEYS, "of a member", problems);
    Selector selector = selector(fields, map);
    Optional<Boolean> full =
        fields.has("membership")
            ? Optional.of(fields.choice("membership", MEMBERSHIPS, true))
            : Optional.empty();
    int weight = fields.integer("weight", 1, TenantsFile.MAX_WEIGHT, 0);
    List<Integer> ports = ports(fields);
    String hca = fields.text("hca", "the name of an adapter, such as mlx5_0");
    boolean guest = fields.choice("guest", TRUTH, false);
    if (guest && selector instanceof Count) {
      problems.error(
          fields.line("guest"), "hosts that are counted are the tenant's own, no guests");
    }
    return selector == null
        ? null
        : new Member(map.line(), selector, full, weight, ports, hca == null ? "" : hca, guest);
  }

  private Selector selector(YamlFields fields, Mapping map) {
    int ways = 0;
    for (String key : List.of("hosts", "guid", "count")) {
      ways += fields.has(key) ? 1 : 0;
    }
    if (ways != 1) {
      problems.error(
          map.line(),
          "a member needs exactly one of hosts, guid and count"
              + (ways == 0 ? "" : "; this one has " + ways));
      return null;
    }
    if (fields.has("hosts")) {
      return hosts(fields);
    }
    if (fields.has("count")) {
      int count = fields.integer("count", 1, MAX_COUNT, 0);
      return count == 0 ? null : new Count(count);
    }
    String text = fields.text("guid", "a GUID such as 0x0002c903007b78b0");
    return text == null ? null : guid(text, fields.line("guid"));
  }

  private Selector hosts(YamlFields fields) {
    List<YamlNode> nodes =
        fields.value("hosts") instanceof Sequence s ? s.items() : List.of(fields.value("hosts"));
    List<String> expressions = new ArrayList<>();
    for (YamlNode node : nodes) {
      if (node instanceof Scalar s && !s.isNull() && !s.text().isBlank()) {
        String text = s.text().strip();
        if (checked(text, s.line())) {
          expressions.add(text);
        }
      } else {
        problems.error(
            node.line() > 0 ? node.line() : fields.line("hosts"),
            "'hosts' must be a host name, a hostlist or a list of these, got: " + node.kind());
      }
    }
    return expressions.isEmpty() ? null : new Hosts(expressions);
  }

  private Selector bare(String text, int line) {
    if (text.startsWith("0x") || text.startsWith("0X")) {
      return guid(text, line);
    }
    return checked(text, line) ? new Hosts(List.of(text)) : null;
  }

  private Selector guid(String text, int line) {
    String digits = Tokens.withoutPrefix(text);
    if (!Tokens.isHex(digits)) {
      problems.error(
          line, "a GUID is 0x and up to 16 hexadecimal digits, got: " + Tokens.excerpt(text));
      return null;
    }
    long value = Long.parseUnsignedLong(digits, 16);
    if (value == 0) {
      problems.error(line, "0 is not a GUID: the port (a virtual function?) does not have one yet");
      return null;
    }
    return new ByGuid(new Guid(value));
  }

  private boolean checked(String expression, int line) {
    Hostlist.Expansion expansion = Hostlist.expand(expression);
    if (expansion.error() != null) {
      problems.error(line, expansion.error());
    }
    return expansion.error() == null;
  }

  private List<Integer> ports(YamlFields fields) {
    if (!fields.has("ports")) {
      return List.of();
    }
    TreeSet<Integer> ports = new TreeSet<>();
    List<YamlNode> nodes =
        fields.value("ports") instanceof Sequence s ? s.items() : List.of(fields.value("ports"));
    for (YamlNode node : nodes) {
      int port = node instanceof Scalar s ? Tokens.number(s.text().strip()) : -1;
      if (port < 1 || port > FabricBuilder.MAX_PORTS) {
        problems.error(
            fields.line("ports"),
            "'ports' must be port numbers from 1, such as [1, 2], got: " + node.kind());
      } else {
        ports.add(port);
      }
    }
    if (nodes.isEmpty()) {
      problems.error(fields.line("ports"), "'ports' is empty; leave it out for all ports");
    }
    return List.copyOf(ports);
  }
}
