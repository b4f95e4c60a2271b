package org.heddle.text.opensm;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.heddle.fabric.Guid;
import org.heddle.text.Parsed;
import org.heddle.text.Source;
import org.heddle.text.opensm.PartitionsConf.Definition;
import org.heddle.text.opensm.PartitionsConf.GroupFlags;
import org.heddle.text.opensm.PartitionsConf.Member;
import org.heddle.text.opensm.PartitionsConf.MemberKind;
import org.heddle.text.opensm.PartitionsConf.Membership;
import org.heddle.text.opensm.PartitionsConf.MulticastGroup;

/**
 * Writes {@code partitions.conf} in a form that leaves OpenSM's parser no choice: every key stated,
 * every membership spelled out, two ports a line so that no line comes near the limit of 4,094
 * characters, a comma behind every mgid, and the semicolon always behind an entry.
 *
 * <p>Names keep the printable ASCII characters that mean nothing to OpenSM and lose the rest to
 * {@code _}; they end after 31 characters. The text is read back by {@link PartitionsConfReader}
 * before it is returned.
 */
public final class PartitionsConfWriter {
  private static final int PORTS_A_LINE = 2;
  private static final int MAX_NAME = 31;

  private PartitionsConfWriter() {}

  /**
   * The text of a configuration. Definitions whose names had to change, and generated keys, come
   * back in their written form.
   *
   * @throws IllegalArgumentException if there is no definition: OpenSM takes that for an error
   */
  public static byte[] write(PartitionsConf conf) {
    if (conf.definitions().isEmpty()) {
      throw new IllegalArgumentException("OpenSM rejects a partitions file without a definition");
    }
    StringBuilder out = new StringBuilder();
    for (Definition d : conf.definitions()) {
      definition(d, out);
    }
    byte[] bytes = out.toString().getBytes(StandardCharsets.US_ASCII);
    Parsed<PartitionsConf> back = PartitionsConfReader.read(new Source("(written)", bytes));
    if (!back.ok() || !canonical(back.get()).equals(canonical(conf))) {
      throw new IllegalStateException(
          "written partitions read back differently: " + back.problems());
    }
    return bytes;
  }

  /** The configuration as its text states it: stated keys, safe names, no line numbers. */
  public static PartitionsConf canonical(PartitionsConf conf) {
    List<Definition> out = new ArrayList<>();
    for (Definition d : conf.definitions()) {
      out.add(
          new Definition(
              0,
              safeName(d.name()),
              d.pkey(),
              false,
              d.indexZero(),
              d.ipoib(),
              d.flags(),
              d.defaultMembership(),
              d.members(),
              d.groups()));
    }
    return new PartitionsConf(out);
  }

  private static void definition(Definition d, StringBuilder out) {
    out.append(safeName(d.name())).append("=0x%04x".formatted(d.pkey()));
    if (d.indexZero()) {
      out.append(", indx0");
    }
    if (d.ipoib()) {
      out.append(", ipoib");
    }
    flags(d.flags(), GroupFlags.DEFAULT, ", ", out);
    if (d.defaultMembership() != Membership.LIMITED) {
      out.append(", defmember=").append(word(d.defaultMembership()));
    }
    out.append(" :\n");
    for (MulticastGroup group : d.groups()) {
      group(group, d.flags(), out);
    }
    members(d.members(), out);
  }

  private static void group(MulticastGroup group, GroupFlags partition, StringBuilder out) {
    GroupFlags f = group.flags();
    out.append("  mgid=").append(group.mgid());
    // stated even where inherited: the comma keeps OpenSM from reading on behind the line
    out.append(",mtu=").append(f.mtu()).append(",rate=").append(f.rate());
    GroupFlags inherited =
        new GroupFlags(
            f.mtu(),
            f.rate(),
            partition.sl(),
            partition.scopes(),
            partition.qKey(),
            0,
            partition.flowLabel());
    flags(f, inherited, ",", out);
    out.append('\n');
  }

  private static void flags(GroupFlags f, GroupFlags inherited, String comma, StringBuilder out) {
    if (f.mtu() != inherited.mtu()) {
      out.append(comma).append("mtu=").append(f.mtu());
    }
    if (f.rate() != inherited.rate()) {
      out.append(comma).append("rate=").append(f.rate());
    }
    if (f.sl() != inherited.sl()) {
      out.append(comma).append("sl=").append(f.sl());
    }
    for (int scope = 1; scope < 16; scope++) {
      if ((f.scopes() & ~inherited.scopes() & 1 << scope) != 0) {
        out.append(comma).append("scope=").append(scope);
      }
    }
    if (f.qKey() != inherited.qKey()) {
      out.append(comma).append("Q_Key=0x").append(Integer.toHexString(f.qKey()));
    }
    if (f.trafficClass() != inherited.trafficClass()) {
      out.append(comma).append("TClass=").append(f.trafficClass());
    }
    if (f.flowLabel() != inherited.flowLabel()) {
      out.append(comma).append("FlowLabel=").append(f.flowLabel());
    }
  }

  private static void members(List<Member> members, StringBuilder out) {
    if (members.isEmpty()) {
      out.append("  NONE ;\n");
      return;
    }
    for (int i = 0; i < members.size(); i++) {
      Member m = members.get(i);
      out.append(i % PORTS_A_LINE == 0 ? "  " : " ");
      out.append(m.kind() == MemberKind.GUID ? Guid.format(m.guid()) : m.kind().name());
      out.append('=').append(word(m.membership()));
      boolean last = i == members.size() - 1;
      out.append(last ? " ;\n" : i % PORTS_A_LINE == PORTS_A_LINE - 1 ? ",\n" : ",");
    }
  }

  private static String word(Membership m) {
    return m.name().toLowerCase(Locale.ROOT);
  }

  private static String safeName(String name) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < name.length() && out.length() < MAX_NAME; i++) {
      char c = name.charAt(i);
      boolean safe = c >= ' ' && c < 0x7f && ",:;=#".indexOf(c) < 0;
      out.append(safe ? c : '_');
    }
    return out.toString().strip();
  }
}
