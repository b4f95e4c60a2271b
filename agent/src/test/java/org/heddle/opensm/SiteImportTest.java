package org.heddle.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Origin;
import org.heddle.plan.model.Partition;
import org.heddle.plan.model.TenantSpec;
import org.heddle.text.Source;
import org.heddle.text.opensm.PartitionsConf;
import org.heddle.text.opensm.PartitionsConfReader;
import org.heddle.text.opensm.PartitionsConfWriter;
import org.junit.jupiter.api.Test;

/**
 * What a site's partitions come to at each port, before and after they are tenants, worked out from
 * the entries and from the text of the file that is written, without the classes that do so
 * elsewhere.
 */
class SiteImportTest {
  private static final int FILES = Boolean.getBoolean("heddle.sweep") ? 20_000 : 1_500;
  private static final int PORTS = 12;
  private static final long SELF = 0x101;
  private static final Pattern DEFINITION = Pattern.compile("([^:;]*):([^;]*);");

  private enum Kind {
    CA,
    SWITCH,
    ROUTER
  }

  /** Ports of hosts and switches, and one of a router. */
  private static Kind kind(long guid) {
    int n = (int) (guid - SELF);
    return n < 8 ? Kind.CA : n < 11 ? Kind.SWITCH : Kind.ROUTER;
  }

  /** Keys of every port, 1 for limited, 2 for full, 3 for both; and what groups there are. */
  private static final class Oracle {
    final TreeMap<Long, TreeMap<Integer, Integer>> keys = new TreeMap<>();
    final TreeMap<Integer, TreeSet<String>> flags = new TreeMap<>();
    final TreeMap<Long, TreeSet<Integer>> first = new TreeMap<>();
    final boolean both;

    Oracle(boolean both) {
      this.both = both;
      entry(0x7fff, "ALL", "limited", false);
      entry(0x7fff, "SELF", "full", false);
    }

    void entry(int key, String who, String how, boolean index0) {
      for (int i = 0; i < PORTS; i++) {
        long guid = SELF + i;
        boolean meant =
            switch (who) {
              case "ALL" -> true;
              case "SELF" -> guid == SELF;
              case "ALL_CAS" -> kind(guid) == Kind.CA;
              case "ALL_SWITCHES" -> kind(guid) == Kind.SWITCH;
              case "ALL_ROUTERS" -> kind(guid) == Kind.ROUTER;
              default -> Long.decode(who) == guid;
            };
        if (meant) {
          int bits = how.equals("limited") ? 1 : how.equals("full") || !both ? 2 : 3;
          int old = keys.computeIfAbsent(guid, _ -> new TreeMap<>()).getOrDefault(key, 0);
          keys.get(guid).put(key, both ? old | bits : bits);
          if (index0) {
            first.computeIfAbsent(guid, _ -> new TreeSet<>()).add(key);
          }
        }
      }
    }

    /** The strict form that Heddle writes, by expressions. */
    static Oracle of(String text, boolean both) {
      Oracle out = new Oracle(both);
      Matcher d = DEFINITION.matcher(text);
      while (d.find()) {
        String[] head = d.group(1).strip().split(",");
        int key = Integer.decode(head[0].substring(head[0].indexOf('=') + 1).strip()) & 0x7fff;
        boolean index0 = false;
        TreeSet<String> flags = new TreeSet<>();
        for (int i = 1; i < head.length; i++) {
          String flag = head[i].strip();
          index0 |= flag.equals("indx0");
          if (!flag.startsWith("defmember") && !flag.equals("indx0")) {
            flags.add(flag);
          }
        }
        out.flags.computeIfAbsent(key, _ -> new TreeSet<>()).add(flags.toString());
        for (String entry : d.group(2).split(",|\\n")) {
          String[] e = entry.strip().split("=");
          if (e.length == 2) {
            out.entry(key, e[0], e[1], index0);
          }
        }
      }
      return out;
    }
  }

  /** A file of a site, and what it comes to. */
  private static final class Site {
    final SplittableRandom random;
    final Oracle oracle;
    final StringBuilder text = new StringBuilder("# partitions of the site\n");

    Site(long seed) {
      random = new SplittableRandom(seed);
      oracle = new Oracle(random.nextInt(4) == 0);
      for (int i = 1 + random.nextInt(7); i > 0; i--) {
        definition();
      }
    }

    private String any(String... words) {
      return words[random.nextInt(words.length)];
    }

    private void definition() {
      int key = random.nextInt(5) == 0 ? 0x7fff : 1 + random.nextInt(6);
      String number =
          switch (random.nextInt(3)) {
            case 0 -> String.valueOf(key);
            case 1 -> "0x%x".formatted(key);
            default -> "0x%x".formatted(key | 0x8000);
          };
      boolean index0 = random.nextInt(6) == 0;
      TreeSet<String> flags = flags();
      String usual = any("limited", "full", "limited", "");
      text.append(any("red", "my project", "Default", "lab.2", "", "99", "all of it"))
          .append('=')
          .append(number)
          .append(index0 ? ", indx0" : "");
      flags.forEach(f -> text.append(", ").append(f));
      text.append(usual.isEmpty() ? "" : ", defmember=" + usual).append(" : ");
      oracle.flags.computeIfAbsent(key, _ -> new TreeSet<>()).add(flags.toString());
      int entries = random.nextInt(6);
      for (int i = 0; i < entries; i++) {
        String who =
            random.nextInt(3) == 0
                ? any("ALL", "SELF", "ALL_CAS", "ALL_SWITCHES", "ALL_ROUTERS")
                : "0x%x".formatted(SELF + random.nextInt(PORTS + 2));
        String how = any("", "full", "limited", "full", "limited", "both");
        text.append(who).append(how.isEmpty() ? "" : "=" + how);
        text.append(i == entries - 1 ? "" : any(",", ", ", ",\n  ", " ,\n # nothing\n"));
        String is = how.isEmpty() ? usual.isEmpty() ? "limited" : usual : how;
        oracle.entry(key, who, is, index0);
      }
      text.append(entries == 0 ? "NONE;\n" : any(" ;\n", ";\n"));
    }

    private TreeSet<String> flags() {
      TreeSet<String> flags = new TreeSet<>();
      if (random.nextBoolean()) {
        flags.add("ipoib");
      }
      if (random.nextInt(4) == 0) {
        flags.add("sl=" + (1 + random.nextInt(7)));
      }
      if (random.nextInt(5) == 0) {
        flags.add(any("mtu=5", "mtu=5", "mtu=2"));
      }
      if (random.nextInt(5) == 0) {
        flags.add(any("rate=12", "rate=16", "rate=2"));
      }
      if (random.nextInt(8) == 0) {
        flags.add("scope=" + (1 + random.nextInt(14)));
      }
      return flags;
    }
  }

  private static PartitionsConf read(String text) {
    return PartitionsConfReader.read(Source.of("partitions.conf", text)).get();
  }

  private static String written(List<SiteImport.Imported> imported) {
    List<Partition> partitions = new ArrayList<>();
    for (SiteImport.Imported one : imported) {
      TenantSpec s = one.spec();
      partitions.add(new Partition(s.name(), s.partition(), s.members()));
    }
    return text(partitions);
  }

  private static String text(List<Partition> partitions) {
    return new String(
        PartitionsConfWriter.write(ControlPartitions.of(partitions)), StandardCharsets.US_ASCII);
  }

  @Test
  void everyPortHasTheKeysItHadWhateverTheFileSays() {
    int plain = 0;
    int kept = 0;
    int moved = 0;
    for (long seed = 0; seed < FILES; seed++) {
      Site site = new Site(seed);
      List<SiteImport.Imported> imported =
          SiteImport.of(read(site.text.toString()), Map.of(), Map.of());
      String after = written(imported);
      Oracle now = Oracle.of(after, site.oracle.both);
      String what = "seed " + seed + "\n" + site.text + "\nbecomes\n" + after;
      assertThat(now.keys).as(what).isEqualTo(site.oracle.keys);
      assertThat(now.first).as(what).isEqualTo(site.oracle.first);
      site.oracle.flags.computeIfAbsent(0x7fff, _ -> new TreeSet<>(List.of("[]")));
      assertThat(now.flags).as(what).isEqualTo(site.oracle.flags);
      TreeSet<String> names = new TreeSet<>();
      for (SiteImport.Imported one : imported) {
        assertThat(names.add(one.spec().name())).as(what).isTrue();
        assertThat(one.spec().partition().origin()).isEqualTo(Origin.SITE);
        boolean text = !one.spec().partition().kept().isEmpty();
        assertThat(one.why().isEmpty()).as(what).isNotEqualTo(text);
        plain += text ? 0 : 1;
        kept += text ? 1 : 0;
        moved += text && !one.spec().members().isEmpty() ? 1 : 0;
      }
    }
    assertThat(List.of(plain, kept, moved)).as("cases of each kind").allMatch(n -> n > FILES / 20);
  }

  /** What is a member can be taken out and put in by hand; what is kept as text stays. */
  @Test
  void membersBehindTheLastKindCanBeChanged() {
    SiteImport.Imported one =
        SiteImport.of(
                read("storage=0x10 : 0x101=full, ALL=limited, 0x102=full, 0x103;\n"),
                Map.of(),
                Map.of())
            .getFirst();
    assertThat(one.spec().members())
        .containsExactly(new Member(0x102, true, false), new Member(0x103, false, false));
    assertThat(one.spec().partition().kept()).contains("0x0000000000000101=full, ALL=limited");
    assertThat(one.why()).containsExactly("it names ALL");
    Partition changed =
        new Partition(
            "storage",
            one.spec().partition().withKey(0x11).withServiceLevel(3),
            List.of(new Member(0x104, true, false)));
    assertThat(text(List.of(changed)))
        .contains("=0x0011, sl=3")
        .contains("ALL=limited,\n  0x0000000000000104=full")
        .doesNotContain("0x0000000000000102");
  }

  /** A site without a file: everybody talks to everybody, and has a broadcast group. */
  @Test
  void withoutAFileEverybodyStaysAFullMemberOfTheDefaultPartition() {
    String text = written(SiteImport.of(SiteImport.withoutFile(), Map.of(), Map.of()));
    assertThat(text).startsWith("Default=0x7fff, ipoib").contains("ALL=full, SELF=full");
  }

  /**
   * Keys that ports have by no file: of a partition that there is, and of one that there is not.
   */
  @Test
  void keysInForceByNoFileBecomeMembers() {
    Map<Integer, Map<Long, Boolean>> inForce = new HashMap<>();
    inForce.put(0x10, Map.of(0x102L, true));
    inForce.put(0x33, Map.of(0x103L, false));
    List<SiteImport.Imported> all =
        SiteImport.of(read("red=0x10 : 0x101=full, 0x102=limited;\n"), inForce, Map.of());
    Oracle now = Oracle.of(written(all), false);
    assertThat(now.keys.get(0x102L)).containsEntry(0x10, 2);
    assertThat(now.keys.get(0x103L)).containsEntry(0x33, 1);
    assertThat(all.get(1).spec().name()).isEqualTo("pkey-0033");
    assertThat(all.get(1).inForce()).isEqualTo(1);
  }

  /** The second time a partition keeps the name that its tenant has. */
  @Test
  void aTenantThatIsThereKeepsItsName() {
    assertThat(
            SiteImport.of(
                    read("red=0x10 : 0x101;\nblue=0x11 : 0x102;\n"), Map.of(), Map.of(0x10, "blue"))
                .stream()
                .map(i -> i.spec().name()))
        .containsExactly("blue", "pkey-0011", "management");
  }
}
