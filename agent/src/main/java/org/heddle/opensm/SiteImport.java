package org.heddle.opensm;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.heddle.fabric.Counted;
import org.heddle.fabric.PathRate;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Origin;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.TenantSpec;
import org.heddle.text.opensm.PartitionsConf;
import org.heddle.text.opensm.PartitionsConf.Definition;
import org.heddle.text.opensm.PartitionsConf.GroupFlags;
import org.heddle.text.opensm.PartitionsConf.MemberKind;
import org.heddle.text.opensm.PartitionsConf.Membership;
import org.heddle.text.opensm.PartitionsConfWriter;
import org.heddle.text.tenants.PartitionNames;

/**
 * A site's partitions as tenants, so that {@link ControlPartitions} writes partitions that give
 * every port the same keys, whichever ports there are.
 *
 * <p>A tenant can have ports by GUID, full or limited, a service level, IP over InfiniBand, a rate,
 * an MTU, and its key at index 0. What else a definition says ({@code ALL}, {@code SELF}, multicast
 * groups, scopes) is kept as text with the tenant and written before its members. Of one
 * definition, ports that are named behind the last entry of another kind become members all the
 * same: OpenSM applies entries in order, so they can be changed later. The default partition is
 * kept as text in any case, since Heddle's own has other members.
 */
public final class SiteImport {
  /** The default partition's tenant. */
  private static final String MANAGEMENT = "management";

  private SiteImport() {}

  /**
   * A partition as a tenant.
   *
   * @param was its name before
   * @param spec members only, with the site as origin
   * @param why it is kept as text too, a clause each; none if it is a tenant like others
   * @param inForce ports that are members because they had the key, though no file said so
   */
  public record Imported(String was, TenantSpec spec, List<String> why, int inForce) {
    public Imported {
      why = List.copyOf(why);
    }
  }

  /** What OpenSM does without a file: everybody is a full member of the default partition. */
  public static PartitionsConf withoutFile() {
    return new PartitionsConf(
        List.of(
            Definition.of(
                "Default",
                PartitionsConf.DEFAULT_PKEY,
                true,
                List.of(
                    PartitionsConf.Member.of(MemberKind.ALL, Membership.FULL),
                    PartitionsConf.Member.of(MemberKind.SELF, Membership.FULL)))));
  }

  /**
   * The partitions by ascending key, the default one included. O(entries).
   *
   * @param conf what the site's file says
   * @param inForce GUIDs of ports that had a key by no file, by key; true for full members
   * @param names of tenants that are there, by key: they stay
   */
  public static List<Imported> of(
      PartitionsConf conf, Map<Integer, Map<Long, Boolean>> inForce, Map<Integer, String> names) {
    TreeMap<Integer, List<Definition>> byKey = new TreeMap<>();
    byKey.put(PartitionsConf.DEFAULT_PKEY, new ArrayList<>());
    for (Definition d : conf.definitions()) {
      byKey.computeIfAbsent(d.pkey(), _ -> new ArrayList<>()).add(d);
    }
    inForce.keySet().forEach(key -> byKey.computeIfAbsent(key, _ -> new ArrayList<>()));
    PartitionNames fresh =
        new PartitionNames(
            Stream.concat(names.values().stream(), Stream.of(MANAGEMENT))
                .collect(Collectors.toSet()));
    List<Imported> out = new ArrayList<>();
    byKey.forEach(
        (key, definitions) -> {
          String was = definitions.isEmpty() ? "" : definitions.getFirst().name();
          String name =
              key == PartitionsConf.DEFAULT_PKEY
                  ? MANAGEMENT
                  : names.containsKey(key) ? names.get(key) : fresh.of(was, key);
          out.add(imported(name, was, key, definitions, inForce.getOrDefault(key, Map.of())));
        });
    return out;
  }

  private static Imported imported(
      String name, String was, int key, List<Definition> all, Map<Long, Boolean> inForce) {
    List<String> why = why(key, all);
    Map<Long, Boolean> members = new LinkedHashMap<>();
    String kept = "";
    Definition first = all.isEmpty() ? Definition.of(name, key, false, List.of()) : all.getFirst();
    if (why.isEmpty()) {
      for (Definition d : all) {
        d.members().forEach(m -> put(m, members));
      }
    } else if (all.size() == 1) {
      int end = behindLast(first.members());
      first.members().subList(end, first.members().size()).forEach(m -> put(m, members));
      kept = text(List.of(with(first, key, first.members().subList(0, end))));
    } else if (all.isEmpty()) {
      kept =
          text(
              List.of(
                  Definition.of(
                      "Default",
                      key,
                      false,
                      List.of(
                          PartitionsConf.Member.of(MemberKind.ALL, Membership.LIMITED),
                          PartitionsConf.Member.of(MemberKind.SELF, Membership.FULL)))));
    } else {
      kept = text(all.stream().map(d -> with(d, key, d.members())).toList());
    }
    inForce.forEach(members::put);
    GroupFlags flags = first.flags();
    PartitionOptions options =
        new PartitionOptions(
            key,
            first.ipoib(),
            first.indexZero(),
            flags.mtu() == GroupFlags.DEFAULT.mtu() ? 0 : PathRate.mtuOfCode(flags.mtu()).orElse(0),
            flags.rate() == GroupFlags.DEFAULT.rate()
                ? 0
                : PathRate.ofCode(flags.rate()).map(PathRate::gigabits).orElse(0.0),
            flags.sl(),
            false,
            Origin.SITE,
            "",
            kept);
    List<Member> ports = new ArrayList<>();
    members.forEach((guid, full) -> ports.add(new Member(guid, full, first.indexZero())));
    return new Imported(was, TenantSpec.partition(name, "", options, ports), why, inForce.size());
  }

  private static void put(PartitionsConf.Member m, Map<Long, Boolean> members) {
    members.remove(m.guid()); // the order is that of the last entries
    members.put(m.guid(), m.membership() != Membership.LIMITED);
  }

  private static Definition with(Definition d, int key, List<PartitionsConf.Member> members) {
    return new Definition(
        0,
        d.name(),
        key,
        false,
        d.indexZero(),
        d.ipoib(),
        d.flags(),
        d.defaultMembership(),
        members,
        d.groups());
  }

  private static String text(List<Definition> definitions) {
    return new String(
        PartitionsConfWriter.write(new PartitionsConf(definitions)), StandardCharsets.US_ASCII);
  }

  /** Where the ports begin that only their GUIDs name, and each once. */
  private static int behindLast(List<PartitionsConf.Member> members) {
    int end = members.size();
    Map<Long, Membership> seen = new HashMap<>();
    while (end > 0) {
      PartitionsConf.Member m = members.get(end - 1);
      boolean plain = m.kind() == MemberKind.GUID && m.membership() != Membership.BOTH;
      if (!plain || seen.getOrDefault(m.guid(), m.membership()) != m.membership()) {
        break;
      }
      seen.put(m.guid(), m.membership());
      end--;
    }
    return end;
  }

  /** Why a tenant cannot say it all. */
  private static List<String> why(int key, List<Definition> all) {
    List<String> out = new ArrayList<>();
    if (key == PartitionsConf.DEFAULT_PKEY) {
      out.add("it is the default partition");
    }
    Map<Long, Membership> seen = new HashMap<>();
    TreeSet<String> kinds = new TreeSet<>();
    boolean both = false;
    int groups = 0;
    for (Definition d : all) {
      groups += d.groups().size();
      for (PartitionsConf.Member m : d.members()) {
        if (m.kind() != MemberKind.GUID) {
          kinds.add(m.kind().name());
        } else {
          Membership before = seen.put(m.guid(), m.membership());
          both |= m.membership() == Membership.BOTH || before != null && before != m.membership();
        }
      }
    }
    if (!kinds.isEmpty()) {
      out.add("it names " + String.join(", ", kinds));
    }
    if (both) {
      out.add("a port is in it in two ways");
    }
    if (groups > 0) {
      out.add("it has " + Counted.of(groups, "multicast group", "multicast groups"));
    }
    for (Definition d : all) {
      Definition first = all.getFirst();
      if (!d.flags().equals(first.flags())
          || d.ipoib() != first.ipoib()
          || d.indexZero() != first.indexZero()) {
        out.add("its " + all.size() + " definitions have different flags");
        break;
      }
    }
    all.stream().findFirst().flatMap(SiteImport::flags).ifPresent(out::add);
    return out;
  }

  private static Optional<String> flags(Definition d) {
    GroupFlags f = d.flags();
    if (PathRate.mtuOfCode(f.mtu()).isEmpty() || PathRate.ofCode(f.rate()).isEmpty()) {
      return Optional.of("its mtu=" + f.mtu() + " or rate=" + f.rate() + " is unusual");
    }
    if (f.scopes() != 0 || f.qKey() != 0 || f.trafficClass() != 0 || f.flowLabel() != 0) {
      return Optional.of("it has a scope, Q_Key, TClass or FlowLabel");
    }
    return d.indexZero() && d.members().isEmpty()
        ? Optional.of("it has indx0 and no members")
        : Optional.empty();
  }
}
