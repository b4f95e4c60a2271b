package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a reader warns of is in the JSON document of every command that reads such a file, and makes
 * the exit code 1 in place of 0, with and without --json. Commands that read a fabric are found by
 * the parser, so that those to come are tested as well.
 */
class ReaderWarningsTest {
  private static final String TENANTS =
      """
      version: 1
      tenants:
        - name: blue
          members: [H_0_0, H_1_0]
        - name: green
          members: [H_0_1, H_1_1]
      """;

  /** Command lines that succeed; {@code {x}} is the file x, {@code {out}} a new name. */
  private static final List<String> COMMANDS =
      List.of(
          "fabric check {net} --roots {roots}",
          "fabric convert {net} --names {map} -o {out}.lst",
          "fabric convert {net} --lfts {lfts} -o {out}.hlft",
          "fabric export {net} --to slurm-yaml -o {out}.yaml",
          "fabric draw {net} --lfts {lfts} --tenants {tenants} --roots {roots} -o {out}.svg",
          "route {net} -e ftree --roots {roots} --order {order} -o {out}.lfts",
          "route {net} -e pftree-ext --tenants {tenants}",
          "route {net} -e vswitch-ftree --vms {vms}",
          "reroute {net} {lfts} --minimal --roots {roots} --dry-run",
          "reroute {net} {lfts} --subtree-of H_0_0,H_1_0 --order {order} --dry-run",
          "reroute {net} {lfts} --subtree-of H_0_0,H_1_0 --counters {counters} --dry-run",
          "audit {net} {lfts} --roots {roots} --tenants {tenants} --partitions {parts}",
          "trace {net} {lfts} H_0_0 H_3_3",
          "plan {net} {tenants} --current {lfts} --roots {roots} -o {out}",
          "plan {net} {tenants} -e pftree-wt --counters {counters} -o {out}",
          "apply {net} {lfts} --to opensm-files --partitions {parts} {out}",
          "tenants validate {tenants} {net}",
          "tenants explain {tenants} {net}",
          "tenants init {net} -o {out}.yaml",
          "tenants init {net} --from {parts} -o {out}.yaml",
          "allocate {net} --state {state} list",
          "allocate {net} --state {state} show a",
          "allocate {net} --state {state} check",
          "allocate {net} --state {state} repair --dry-run",
          "allocate {net} --state {state} add b -n 2 --dry-run",
          "allocate {net} --state {state} remove a --dry-run",
          "allocate {net} --state {state} export {out}",
          "simulate congestion {net} {lfts} -n 3 --hosts {order}",
          "simulate congestion {net} {lfts} -n 3 --tenants {tenants} --tenant blue",
          "simulate interference {net} {lfts} {tenants} --plan {lfts} -n 3",
          "simulate path-cache {net} {lfts} -n 3",
          "vm list {net} --state {vms}",
          "vm capacity {net}",
          "vm start {net} --state {out}.json w --on H_2_0",
          "vm stop {net} --state {vms2} v",
          "migrate costs {net} --vms {vms}",
          "migrate plan {net} {vlfts} --vms {vms} --vm v --to H_3_0");

  /** Needs a fabric that answers; reads by the same classes as {@code migrate plan}. */
  private static final Set<String> ON_A_NETWORK = Set.of("migrate apply");

  @TempDir Path dir;

  private final Map<String, String> files = new LinkedHashMap<>();
  private final Map<String, List<UnaryOperator<String>>> doubtful = new LinkedHashMap<>();
  private int fresh;

  @BeforeEach
  void files() throws IOException {
    String g = dir.resolve("g.net").toString();
    ok("fabric generate XGFT(2;4,4;1,2) -o " + g);
    String lst = dir.resolve("g.lst").toString();
    ok("fabric convert " + g + " -o " + lst);
    file("net", Files.readString(Path.of(g)));
    ok("route " + g + " -e ftree -o " + path("lfts"));
    files.put("lfts", Files.readString(Path.of(path("lfts"))));
    file("tenants", TENANTS);
    file("parts", "Default=0x7fff,ipoib : ALL=limited, SELF=full ;\nx=0x0101 : 0x100001=full ;\n");
    ok("allocate " + g + " --state " + path("state") + " add a -n 6");
    ok("vm start " + g + " --state " + path("vms") + " v --on H_0_0");
    ok("vm start " + g + " --state " + path("vms2") + " v --on H_0_0");
    ok("route " + g + " --vms " + path("vms") + " -e vswitch-ftree -o " + path("vlfts"));
    files.put("vlfts", Files.readString(Path.of(path("vlfts"))));
    file("roots", guids("S2_0") + guids("S2_1"));
    file("order", guids("H_0_0") + guids("H_1_0"));
    file("map", guids("S2_0").strip() + " \"root\"\n");
    file("counters", "host,port,bytes\nH_0_0,1,1000\nH_1_0,1,2000\n");

    doubtful.put(
        "net",
        List.of(
            String::stripTrailing,
            text -> text.replaceFirst("(?m)^\\[1].*\"S.*H_3_3.*\\R|^\\[1]\\(100.*\\R", "")));
    doubtful.put("lfts", List.of(text -> text + "0xzz nonsense\n"));
    doubtful.put("vlfts", List.of(text -> text + "0xzz nonsense\n"));
    doubtful.put(
        "tenants",
        List.of(
            text ->
                text + "  - name: red\n    membership: limited\n    members: [H_2_0, H_2_1]\n"));
    doubtful.put("parts", List.of(text -> text + "y=0x0102, nonsense : 0x100003=full ;\n"));
    doubtful.put("roots", List.of(text -> text + text, text -> text.replaceFirst("0x", "")));
    doubtful.put("order", List.of(text -> text + text));
    doubtful.put("map", List.of(text -> text + "placeholder\n"));
  }

  /** A line with the node GUID that the fabric file gives a name. */
  private String guids(String name) {
    return files
            .get("net")
            .lines()
            .filter(l -> l.contains("\"" + name + "\"") && !l.startsWith("["))
            .map(l -> l.replaceAll("^\\S+\\s+\\d+\\s+\"[SH]-([0-9a-f]+)\".*", "0x$1"))
            .findFirst()
            .orElseThrow()
        + "\n";
  }

  private String path(String name) {
    return dir.resolve(name + (name.endsWith("lfts") ? ".lfts" : ".in")).toString();
  }

  private void file(String name, String text) throws IOException {
    Files.writeString(Path.of(path(name)), text);
    files.put(name, text);
  }

  private static void ok(String line) {
    Cli.Result result = Cli.run(line.split(" "));
    assertThat(result.code()).as(line + ": " + result).isZero();
  }

  private Cli.Result run(String command, String changed, boolean json) {
    List<String> words = new ArrayList<>();
    for (String word : command.split(" ")) {
      String out = word;
      for (String name : files.keySet()) {
        out = out.replace("{" + name + "}", name.equals(changed) ? path("doubtful") : path(name));
      }
      out = out.replace("{vms}", path("vms")).replace("{vms2}", path("vms2"));
      out = out.replace("{state}", path("state"));
      words.add(out.replace("{out}", dir.resolve("out" + fresh++).toString()));
    }
    if (json) {
      words.add("--json");
    }
    return Cli.run(words.toArray(String[]::new));
  }

  @Test
  void aWarningIsInTheJsonOfEveryCommandAndDecidesItsExitCode() throws IOException {
    List<String> wrong = new ArrayList<>();
    int tried = 0;
    byte[] vms = Files.readAllBytes(Path.of(path("vms2")));
    for (String command : COMMANDS) {
      Cli.Result clean = run(command, "", true);
      Files.write(Path.of(path("vms2")), vms); // 'stop' changes it
      if (clean.code() != 0 || warnings(clean.out()) != 0) {
        wrong.add(command + " without a warning: " + clean);
        continue;
      }
      for (Map.Entry<String, List<UnaryOperator<String>>> of : doubtful.entrySet()) {
        if (!command.contains("{" + of.getKey() + "}")) {
          continue;
        }
        for (UnaryOperator<String> change : of.getValue()) {
          String text = change.apply(files.get(of.getKey()));
          assertThat(text).isNotEqualTo(files.get(of.getKey()));
          Files.writeString(Path.of(path("doubtful")), text);
          for (boolean json : new boolean[] {true, false}) {
            Cli.Result result = run(command, of.getKey(), json);
            Files.write(Path.of(path("vms2")), vms);
            tried++;
            String said = json ? result.out() : result.err() + result.out();
            boolean told =
                json
                    ? warnings(said) > 0
                    : said.contains("doubtful.in") && said.contains("warning:");
            if (result.code() != 1 || !told) {
              wrong.add(
                  "%s%s, doubtful %s: exit code %d, %s: %s"
                      .formatted(
                          command,
                          json ? " --json" : "",
                          of.getKey(),
                          result.code(),
                          told ? "told" : "not told",
                          result.err().lines().findFirst().orElse("")));
            }
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(tried).isGreaterThan(200);
  }

  private static int warnings(String document) {
    int n = 0;
    for (JsonNode p : JsonMapper.shared().readTree(document).path("problems")) {
      n += p.path("severity").asString("").equals("warning") ? 1 : 0;
    }
    return n;
  }

  @Test
  void everyCommandThatReadsAFabricIsTried() {
    Set<String> untried = new TreeSet<>();
    visit(Main.commandLine(), false, untried);
    untried.removeIf(c -> COMMANDS.stream().anyMatch(line -> isOf(line, c)));
    assertThat(untried).isEqualTo(ON_A_NETWORK);
  }

  private static boolean isOf(String line, String command) {
    List<String> words = new ArrayList<>(Arrays.asList(line.split(" ")));
    if (words.getFirst().equals("allocate")) {
      words.subList(1, 4).clear();
    }
    return String.join(" ", words).startsWith(command + " ")
        || String.join(" ", words).equals(command);
  }

  private static void visit(CommandLine command, boolean above, Set<String> out) {
    boolean reads =
        above
            || command.getCommandSpec().positionalParameters().stream()
                .anyMatch(p -> p.paramLabel().replaceAll("[\\[\\].]", "").equals("FABRIC"));
    if (command.getSubcommands().isEmpty() && reads) {
      out.add(command.getCommandSpec().qualifiedName().replaceFirst("^\\S+ ", ""));
    }
    command.getSubcommands().values().forEach(sub -> visit(sub, reads, out));
  }
}
