package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

/** A fabric whose adapters have no names, with a list of its machines, is what it is with names. */
class MachinesOptionTest {
  private static final String NAMELESS = "MT4119 ConnectX5   Mellanox Technologies";

  @TempDir Path dir;

  private String named;
  private String bare;
  private String list;

  @BeforeEach
  void write() throws IOException {
    named = path("named.net");
    ok(
        "fabric",
        "generate",
        "XGFT(2;4,8;1,4)",
        "--rails",
        "4",
        "--shuffle-ports",
        "2",
        "-o",
        named);
    String text = Files.readString(Path.of(named));
    Map<String, List<String>> machines = new TreeMap<>();
    Pattern adapter = Pattern.compile("Ca\\s+\\d+ \"H-([0-9a-f]+)\"\\s+# \"(\\S+) mlx5_\\d+\"");
    for (MatchResult m : (Iterable<MatchResult>) adapter.matcher(text).results()::iterator) {
      machines.computeIfAbsent(m.group(2), _ -> new ArrayList<>()).add("0x" + m.group(1));
    }
    assertThat(machines).hasSize(8);
    StringBuilder out = new StringBuilder("version: 1\nmachines:\n");
    machines.forEach((name, guids) -> out.append("  " + name + ": " + guids + "\n"));
    bare = file("bare.net", text.replaceAll("gpu\\d+ mlx5_\\d+", NAMELESS));
    bare = file("bare.net", Files.readString(Path.of(bare)).replaceAll("(?m)^(caguid=.*)$", "$1"));
    list = file("machines.yaml", out + "...\n");
  }

  private String path(String name) {
    return dir.resolve(name).toString();
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(dir.resolve(name), text).toString();
  }

  private static Cli.Result ok(String... words) {
    Cli.Result r = Cli.run(words);
    assertThat(r.code()).as("%s: %s", String.join(" ", words), r.err()).isLessThan(2);
    return r;
  }

  /** What a command prints of the fabric with names, and of that without them and the list. */
  private void same(String... words) {
    String expected = ok(words).out();
    List<String> other = new ArrayList<>(List.of(words));
    other.replaceAll(w -> w.equals(named) ? bare : w);
    other.add(other.indexOf(bare) + 1, "--machines");
    other.add(other.indexOf(bare) + 2, list);
    String got = ok(other.toArray(String[]::new)).out();
    String seconds = "\\d+\\.\\d{3} s";
    assertThat(got.replace(bare, named).replaceAll(seconds, "s"))
        .as(String.join(" ", words))
        .isEqualTo(expected.replaceAll(seconds, "s"));
  }

  @Test
  void everyCommandCountsAndNamesTheSame() throws IOException {
    assertThat(ok("fabric", "check", bare).out()).doesNotContain("8 machines with 32 adapters");
    same("fabric", "check", named);
    assertThat(ok("fabric", "check", bare, "--machines", list).out())
        .contains("8 machines with 32 adapters");
    same("route", named, "-e", "ftree", "-o", path("t.hlft"));
    String tenants =
        file(
            "t.yaml",
            "version: 1\ntenants:\n  - {name: a, members: [\"gpu0001\"]}\n"
                + "  - {name: b, links: exclusive, members: [{count: 3}]}\n");
    same("tenants", "validate", tenants, named);
    same("plan", named, tenants, "-o", path("plan"));
    same("tenants", "explain", tenants, named);
    String state = path("s.json");
    same("allocate", named, "--state", state, "add", "a", "-n", "5", "--dry-run");
    ok("allocate", named, "--state", state, "add", "a", "-n", "5");
    same("allocate", named, "--state", state, "list");
    same("allocate", named, "--state", state, "check");
    same("allocate", named, "--state", state, "show", "a");
    ok("allocate", named, "--state", state, "export", path("x"));
    ok("allocate", bare, "--machines", list, "--state", state, "export", path("y"));
    for (String name : List.of("slurm/topology.conf")) {
      assertThat(Files.readString(dir.resolve("y/" + name)))
          .isEqualTo(Files.readString(dir.resolve("x/" + name)));
    }
    ok("fabric", "draw", bare, "--machines", list, "-o", path("a.svg"));
    assertThat(Files.readString(dir.resolve("a.svg"))).contains("8 machines with 32 adapters");
  }

  /**
   * Who forgets the list on one of the commands gives nobody the adapters of another's machines.
   */
  @Test
  void aStateKeepsTheList() throws IOException {
    String with = path("with.json");
    String once = path("once.json");
    for (String[] words :
        new String[][] {
          {"add", "a", "-n", "3"},
          {"add", "b", "-n", "2"},
          {"remove", "a"},
          {"add", "c", "-n", "4"},
          {"add", "d", "-n", "9"},
          {"list"},
          {"show", "c"},
          {"check"}
        }) {
      List<String> always = new ArrayList<>(List.of("allocate", bare, "--machines", list));
      always.addAll(List.of("--state", with));
      always.addAll(List.of(words));
      boolean first = words[1 % words.length].equals("a") && words[0].equals("add");
      List<String> other = new ArrayList<>(List.of("allocate", bare));
      other.addAll(first ? List.of("--machines", list) : List.of());
      other.addAll(List.of("--state", once));
      other.addAll(List.of(words));
      Cli.Result expected = Cli.run(always.toArray(String[]::new));
      Cli.Result got = Cli.run(other.toArray(String[]::new));
      assertThat(got.out()).as(String.join(" ", words)).isEqualTo(expected.out());
      assertThat(got.err().replace(once, with)).isEqualTo(expected.err());
      assertThat(got.code()).isEqualTo(expected.code());
      assertThat(Files.readString(Path.of(once))).isEqualTo(Files.readString(Path.of(with)));
    }
    String other = file("other.yaml", swapped(Files.readString(Path.of(list))));
    assertThat(
            ok("allocate", bare, "--machines", other, "--state", once, "list").err()
                + Cli.run("allocate", bare, "--machines", other, "--state", once, "check").err())
        .contains("machines are those of " + other);
  }

  /** The first adapters of the first two machines have changed places. */
  private static String swapped(String list) {
    Matcher m = Pattern.compile("\\[(0x\\w+)").matcher(list);
    assertThat(m.find()).isTrue();
    String one = m.group(1);
    assertThat(m.find()).isTrue();
    String two = m.group(1);
    return list.replace(one, "?").replace(two, one).replace("?", two);
  }

  /** What is said of adapters without a name is not said of those that are listed. */
  @Test
  void whatTheListExplainsIsNotComplainedOf() {
    assertThat(ok("fabric", "check", bare).out()).contains("unnamed-adapters");
    assertThat(ok("fabric", "check", bare, "--machines", list).out())
        .doesNotContain("unnamed-adapters");
  }

  @Test
  void aWrongListIsRefusedByWhoeverReadsAFabric() throws IOException {
    String wrong = file("w.yaml", "version: 1\nmachines:\n  a: [0x77]\n...\n");
    ok("allocate", named, "--state", path("s.json"), "add", "a", "-n", "1");
    for (String[] words :
        new String[][] {
          {"fabric", "check", bare},
          {"route", bare, "-e", "ftree", "-o", path("t.hlft")},
          {"fabric", "draw", bare, "-o", path("a.svg")},
          {"allocate", bare, "--state", path("s.json"), "list"},
          {"serve", "--data", path("data"), "--fabric", bare, "--listen", "127.0.0.1:0"}
        }) {
      List<String> all = new ArrayList<>(List.of(words));
      int at = words[0].equals("allocate") ? 2 : all.size();
      all.addAll(at, List.of("--machines", wrong));
      Cli.Result r = Cli.run(all.toArray(String[]::new));
      assertThat(r.code()).as(r.err()).isEqualTo(2);
      assertThat(r.err()).contains("w.yaml:3: ").contains("0x77");
    }
  }

  /** Commands to come are tested as well. */
  @Test
  void whoeverReadsAFabricTakesAList() {
    List<String> without = new ArrayList<>();
    int[] with = new int[1];
    visit(Main.commandLine(), without, with);
    assertThat(without).isEmpty();
    assertThat(with[0]).isGreaterThan(24);
  }

  private static void visit(CommandLine command, List<String> without, int[] with) {
    command.getSubcommands().values().forEach(sub -> visit(sub, without, with));
    Stream<ArgSpec> all =
        Stream.concat(
            command.getCommandSpec().options().stream(),
            command.getCommandSpec().positionalParameters().stream());
    boolean reads =
        all.anyMatch(a -> Set.of("FABRIC", "TREE|FILE").contains(String.valueOf(a.paramLabel())));
    boolean takes =
        command.getCommandSpec().options().stream()
            .anyMatch(o -> Arrays.asList(o.names()).contains("--machines"));
    with[0] += takes ? 1 : 0;
    if (reads && !takes) {
      without.add(command.getCommandSpec().qualifiedName());
    }
  }
}
