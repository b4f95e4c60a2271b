package org.heddle.text.tenants;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.heddle.allocation.Rails;
import org.heddle.fabric.Guid;
import org.heddle.fabric.PathRate;
import org.heddle.text.Parsed;
import org.heddle.text.Source;
import org.heddle.text.TextOut;
import org.heddle.text.tenants.TenantsFile.ByGuid;
import org.heddle.text.tenants.TenantsFile.Count;
import org.heddle.text.tenants.TenantsFile.Group;
import org.heddle.text.tenants.TenantsFile.HostWeight;
import org.heddle.text.tenants.TenantsFile.Hosts;
import org.heddle.text.tenants.TenantsFile.IpOverIb;
import org.heddle.text.tenants.TenantsFile.LinkEnd;
import org.heddle.text.tenants.TenantsFile.Member;
import org.heddle.text.tenants.TenantsFile.OwnLinks;
import org.heddle.text.tenants.TenantsFile.Rules;
import org.heddle.text.tenants.TenantsFile.Tenant;

/**
 * Writes a tenants file as YAML, one value a line, defaults left out, keys in a fixed order: the
 * same content gives the same bytes, and a changed member a changed line. Every text is read back
 * and compared before it is returned.
 */
public final class TenantsFileWriter {
  private static final Set<String> WORDS = Set.of("null", "true", "false", "auto", "yes", "no");

  private TenantsFileWriter() {}

  /** {@link #write(TenantsFile, List)} without comments. */
  public static byte[] write(TenantsFile file) {
    return write(file, List.of());
  }

  /**
   * The text of a file.
   *
   * @param comments lines to put at the top, without {@code #}
   * @throws IllegalArgumentException if the content breaks a rule of the format, such as two
   *     tenants of one name
   */
  public static byte[] write(TenantsFile file, List<String> comments) {
    StringBuilder out = new StringBuilder();
    for (String comment : comments) {
      out.append(("# " + TextOut.printable(comment)).stripTrailing()).append('\n');
    }
    out.append("version: 1\n");
    rules(file.rules(), out);
    weights(file.weights(), "", out);
    out.append(file.tenants().isEmpty() ? "tenants: []\n" : "tenants:\n");
    for (Tenant tenant : file.tenants()) {
      tenant(tenant, out);
    }
    byte[] bytes = out.toString().getBytes(StandardCharsets.UTF_8);
    Parsed<TenantsFile> back = TenantsFileReader.read(new Source(file.source(), bytes));
    if (!back.ok()) {
      throw new IllegalArgumentException("no valid tenants file: " + back.problems());
    }
    if (!canonical(back.get()).equals(canonical(file))) {
      throw new IllegalStateException("a written tenants file reads back differently");
    }
    return bytes;
  }

  /** The content without line numbers, to compare. */
  public static TenantsFile canonical(TenantsFile file) {
    Rules r = file.rules();
    List<Group> sharing = r.sharing().stream().map(g -> new Group(0, g.names())).toList();
    List<Tenant> tenants = new ArrayList<>();
    for (Tenant t : file.tenants()) {
      List<Member> members = new ArrayList<>();
      for (Member m : t.members()) {
        members.add(
            new Member(0, m.selector(), m.full(), m.weight(), m.ports(), m.hca(), m.guest()));
      }
      tenants.add(
          new Tenant(
              0,
              t.name(),
              t.pkey(),
              0,
              t.policy(),
              t.full(),
              t.weight(),
              t.exclusive(),
              t.ownLinks().map(TenantsFileWriter::unplaced),
              t.ipOverIb(),
              members,
              unplaced(t.weights())));
    }
    return new TenantsFile(
        file.source(),
        new Rules(
            r.strict(),
            r.dataLanes(),
            r.physicalShare(),
            r.pkeyTable(),
            sharing,
            r.isolation(),
            r.engine().map(e -> new TenantsFile.Engine(0, e.name()))),
        unplaced(file.weights()),
        tenants);
  }

  private static OwnLinks unplaced(OwnLinks own) {
    List<LinkEnd> held = own.held().stream().map(l -> new LinkEnd(0, l.guid(), l.port())).toList();
    return new OwnLinks(own.oversubscription(), own.rails(), held);
  }

  private static List<HostWeight> unplaced(List<HostWeight> weights) {
    return weights.stream().map(w -> new HostWeight(0, w.hosts(), w.weight())).toList();
  }

  private static void rules(Rules rules, StringBuilder out) {
    out.append("mode: ").append(rules.strict() ? "strict" : "best-effort").append('\n');
    Rules usual = Rules.DEFAULT;
    if (rules.dataLanes() != usual.dataLanes()) {
      out.append("data_lanes: ").append(rules.dataLanes()).append('\n');
    }
    if (rules.physicalShare() != usual.physicalShare()) {
      String share = BigDecimal.valueOf(rules.physicalShare()).toPlainString();
      out.append("physical_share: ").append(share).append('\n');
    }
    if (rules.pkeyTable() != usual.pkeyTable()) {
      out.append("pkey_table: ").append(rules.pkeyTable()).append('\n');
    }
    if (rules.isolation().isPresent()) {
      String a = BigDecimal.valueOf(rules.isolation().getAsDouble()).toPlainString();
      out.append("isolation: ").append(a).append('\n');
    }
    rules.engine().ifPresent(e -> out.append("engine: ").append(flow(e.name())).append('\n'));
    if (!rules.sharing().isEmpty()) {
      out.append("sharing:\n");
      for (Group group : rules.sharing()) {
        List<String> names = group.names().stream().map(TenantsFileWriter::flow).toList();
        out.append("  - [").append(String.join(", ", names)).append("]\n");
      }
    }
  }

  private static void tenant(Tenant t, StringBuilder out) {
    out.append("  - name: ").append(quoted(t.name())).append('\n');
    out.append("    pkey: ")
        .append(t.pkey() == 0 ? "auto" : "0x%04x".formatted(t.pkey()))
        .append('\n');
    out.append("    policy: ").append(t.policy().word()).append('\n');
    if (!t.full()) {
      out.append("    membership: limited\n");
    }
    if (t.weight() != 0) {
      out.append("    weight: ").append(t.weight()).append('\n');
    }
    if (t.exclusive()) {
      out.append("    exclusive: true\n");
    }
    t.ownLinks().ifPresent(own -> ownLinks(own, out));
    t.ipOverIb().ifPresent(ip -> ipOverIb(ip, out));
    out.append(t.members().isEmpty() ? "    members: []\n" : "    members:\n");
    for (Member m : t.members()) {
      member(m, out);
    }
    weights(t.weights(), "    ", out);
  }

  private static void ipOverIb(IpOverIb ip, StringBuilder out) {
    out.append("    ipoib: ").append(ip.wanted()).append('\n');
    if (ip.mtu() != 0) {
      out.append("    mtu: ").append(ip.mtu()).append('\n');
    }
    if (ip.rate() != 0) {
      out.append("    rate: ").append(PathRate.text(ip.rate())).append('\n');
    }
  }

  private static void ownLinks(OwnLinks own, StringBuilder out) {
    out.append("    links: exclusive\n");
    if (own.oversubscription() != 1) {
      out.append("    oversubscription: ").append(own.oversubscription()).append('\n');
    }
    if (own.rails() != Rails.SEPARATE) {
      out.append("    rails: ").append(own.rails().word()).append('\n');
    }
    if (!own.held().isEmpty()) {
      out.append("    own_links:\n");
      Map<Guid, List<String>> ports = new TreeMap<>();
      for (LinkEnd l : own.held()) {
        ports.computeIfAbsent(l.guid(), _ -> new ArrayList<>()).add(String.valueOf(l.port()));
      }
      ports.forEach(
          (guid, numbers) ->
              out.append("      - \"")
                  .append(guid)
                  .append(':')
                  .append(String.join(",", numbers))
                  .append("\"\n"));
    }
  }

  private static void member(Member m, StringBuilder out) {
    boolean bare =
        m.full().isEmpty()
            && m.weight() == 0
            && m.ports().isEmpty()
            && m.hca().isEmpty()
            && !m.guest();
    switch (m.selector()) {
      case Hosts h when bare && h.expressions().size() == 1 ->
          out.append("      - ").append(quoted(h.expressions().get(0))).append('\n');
      case Hosts h when h.expressions().size() == 1 ->
          out.append("      - hosts: ").append(quoted(h.expressions().get(0))).append('\n');
      case Hosts h -> {
        out.append("      - hosts:\n");
        h.expressions().forEach(e -> out.append("          - ").append(quoted(e)).append('\n'));
      }
      case ByGuid g when bare -> out.append("      - ").append(g.guid()).append('\n');
      case ByGuid g -> out.append("      - guid: ").append(g.guid()).append('\n');
      case Count c -> out.append("      - count: ").append(c.hosts()).append('\n');
    }
    m.full()
        .ifPresent(
            full -> out.append("        membership: ").append(full ? "full\n" : "limited\n"));
    if (m.weight() != 0) {
      out.append("        weight: ").append(m.weight()).append('\n');
    }
    if (!m.ports().isEmpty()) {
      out.append("        ports: ").append(m.ports()).append('\n');
    }
    if (!m.hca().isEmpty()) {
      out.append("        hca: ").append(quoted(m.hca())).append('\n');
    }
    if (m.guest()) {
      out.append("        guest: true\n");
    }
  }

  private static void weights(List<HostWeight> weights, String indent, StringBuilder out) {
    if (weights.isEmpty()) {
      return;
    }
    out.append(indent).append("weights:\n");
    for (HostWeight w : weights) {
      out.append(indent).append("  ").append(quoted(w.hosts()));
      out.append(": ").append(w.weight()).append('\n');
    }
  }

  private static String flow(String text) {
    return TenantsChecks.isName(text) && !WORDS.contains(text) ? text : inQuotes(text);
  }

  /** Text as a scalar in block style, where brackets and commas need no quotes. */
  private static String quoted(String text) {
    boolean plain = !text.isEmpty() && !WORDS.contains(text.toLowerCase(Locale.ROOT));
    for (int i = 0; i < text.length() && plain; i++) {
      char c = text.charAt(i);
      boolean word = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
      plain = word || i > 0 && "_-.[],*?".indexOf(c) >= 0;
    }
    return plain ? text : inQuotes(text);
  }

  private static String inQuotes(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < 0x20 || c >= 0x7f && c < 0xa0 || c == 0x2028 || c == 0x2029 || c >= 0xfeff) {
        out.append("\\u%04x".formatted((int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
