package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.heddle.fabric.Fabric;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Alert rules and dashboard: Prometheus' own tool accepts them and what {@code /metrics} serves,
 * and they name only metrics and labels that a controller with OpenSM serves.
 */
class MonitoringIT {
  private static final Path FILES = Path.of("..", "examples", "monitoring");
  private static final Path RULES = FILES.resolve("heddle.rules.yml");

  private static final Fabric TREE =
      FabricExtras.withSmNode(TreeGenerator.generate(TreeSpec.parse("XGFT(2;6,6;1,6)")));

  private static final Pattern METRIC =
      Pattern.compile("\\b((?:heddle|jvm|process)_[a-z0-9_]+)(?:\\{([^}]*)})?");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)\\s*(?:=~|!~|!=|=)\\s*\"");
  private static final Pattern SHOWN = Pattern.compile("\\{\\{ *(?:\\$labels\\.)?([a-z]+) *}}");

  /** Labels that Prometheus adds to what it scrapes. */
  private static final Set<String> ADDED = Set.of("job", "instance");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  @BeforeAll
  static void peers() {
    Program.need(Program.PROMTOOL);
    Peers.need();
  }

  @Test
  void rulesAreAcceptedAndDoWhatTheirTestsSay() throws IOException {
    promtool("", "check", "rules", RULES.toString());
    promtool("", "test", "rules", FILES.resolve("heddle.rules.test.yml").toString());
    // every alert is tested, and has a runbook that is there
    String tests = Files.readString(FILES.resolve("heddle.rules.test.yml"));
    String runbooks = Files.readString(Path.of("..", "docs", "operations.md"));
    List<String> alerts = matches(Pattern.compile("- alert: (\\w+)"), Files.readString(RULES));
    assertThat(alerts).hasSizeGreaterThan(15);
    for (String alert : alerts) {
      assertThat(tests).containsPattern("alertname: " + alert + "\\s+exp_alerts:\\s+- ");
      assertThat(runbooks).contains("\n### " + alert + "\n");
      assertThat(Files.readString(RULES)).contains("operations.md#" + alert.toLowerCase() + "\n");
    }
  }

  @Test
  void allThatTheyNameIsServedByAControllerWithOpensm() throws IOException {
    String host = IbsimFabric.idOf(TREE, smNode());
    try (IbsimFabric ibsim = IbsimFabric.startUdp(directory, TREE);
        LiveController serve = LiveController.start(directory, ibsim, TREE, host)) {
      serve.awaitTrouble("no subnet manager has been here yet");
      assertThat(scrape(serve))
          .contains("\nheddle_agent_subnet_manager_state{fabric=\"default\"} -2\n");
      try (OpenSm _ = serve.startOpenSm(ibsim, host)) {
        serve.awaitFine("in sync after the start");
        serve.call("POST", "/v1/tenants", "{\"name\":\"blue\",\"hosts\":6}");
        serve.awaitFine("in sync with a tenant");
        String text = scrape(serve);
        promtool(text, "check", "metrics");
        assertThat(text)
            .contains("\nheddle_agent_subnet_manager_state{fabric=\"default\"} 3\n")
            .contains("\nheddle_problems{fabric=\"default\"} 0\n")
            .contains("\nheddle_check_failed{check=\"files\"} 0\n")
            .containsPattern(
                "\nheddle_change_stage_seconds_count\\{fabric=\"default\",stage=\"apply\"} [1-9]");
        Map<String, Set<String>> served = served(text);
        assertThat(wrong(ofRules(), served)).isEmpty();
        assertThat(wrong(ofDashboard(), served)).isEmpty();
      }
      serve.awaitTrouble("does not answer");
      assertThat(scrape(serve))
          .contains("\nheddle_agent_subnet_manager_state{fabric=\"default\"} -1\n");
    }
  }

  /** The check above can fail. */
  @Test
  void whatIsNotServedIsFound() {
    Map<String, Set<String>> served = served("heddle_leads 1\nheddle_tenants{fabric=\"f\"} 2\n");
    assertThat(wrong(List.of(List.of("heddle_leads == 1", "{{instance}}")), served)).isEmpty();
    assertThat(wrong(List.of(List.of("sum(heddle_leeds)")), served)).hasSize(1);
    assertThat(wrong(List.of(List.of("heddle_leads{fabric=\"f\"}")), served)).hasSize(1);
    assertThat(wrong(List.of(List.of("heddle_tenants", "{{tenant}}")), served)).hasSize(1);
  }

  private static int smNode() {
    for (int node = TREE.switchCount(); node < TREE.nodeCount(); node++) {
      if (TREE.description(node).equals("sm-node")) {
        return node;
      }
    }
    throw new AssertionError("no sm-node");
  }

  private static String scrape(LiveController serve) {
    return serve.answer("GET", "/metrics", "").body();
  }

  /** Names that are served, and the labels of each. */
  private static Map<String, Set<String>> served(String text) {
    Map<String, Set<String>> out = new HashMap<>();
    for (String line : text.lines().filter(l -> !l.startsWith("#")).toList()) {
      MatchResult m = METRIC.matcher(line).results().findFirst().orElseThrow();
      Set<String> labels = out.computeIfAbsent(m.group(1), _ -> new HashSet<>());
      labels.addAll(matches(LABEL, m.group(2) == null ? "" : m.group(2)));
    }
    return out;
  }

  /** What an expression, or a text that quotes its labels, names and nobody serves. */
  private static Set<String> wrong(List<List<String>> uses, Map<String, Set<String>> served) {
    Set<String> out = new TreeSet<>();
    for (List<String> use : uses) {
      Set<String> labels = new HashSet<>(ADDED);
      for (MatchResult m : METRIC.matcher(use.getFirst()).results().toList()) {
        Set<String> has = served.get(m.group(1));
        if (has == null) {
          out.add("not served: " + m.group(1));
          continue;
        }
        labels.addAll(has);
        for (String label : matches(LABEL, m.group(2) == null ? "" : m.group(2))) {
          if (!has.contains(label) && !ADDED.contains(label)) {
            out.add(m.group(1) + " has no label " + label);
          }
        }
      }
      for (String text : use.subList(1, use.size())) {
        for (String label : matches(SHOWN, text)) {
          if (!labels.contains(label)) {
            out.add("no label " + label + " for: " + text);
          }
        }
      }
    }
    return out;
  }

  /** Each expression of the rules with the text that goes with it. */
  private static List<List<String>> ofRules() throws IOException {
    List<List<String>> out = new ArrayList<>();
    String[] rules = Files.readString(RULES).split("- alert: ");
    for (int i = 1; i < rules.length; i++) {
      String expression = rules[i].replaceAll("(?s).*?expr: (.*?)\n +(for|labels):.*", "$1");
      out.add(List.of(expression, rules[i].replaceAll("(?s).*summary: (.*?)\n.*", "$1")));
    }
    return out;
  }

  private static List<List<String>> ofDashboard() throws IOException {
    JsonNode dashboard =
        JsonMapper.builder()
            .build()
            .readTree(Files.readString(FILES.resolve("heddle-dashboard.json")));
    List<List<String>> out = new ArrayList<>();
    for (JsonNode panel : dashboard.get("panels")) {
      for (JsonNode target : panel.get("targets")) {
        out.add(List.of(target.get("expr").asString(), target.get("legendFormat").asString()));
      }
    }
    for (JsonNode annotation : dashboard.get("annotations").get("list")) {
      out.add(List.of(annotation.get("expr").asString()));
    }
    for (JsonNode variable : dashboard.get("templating").get("list")) {
      out.add(List.of(variable.get("query").asString()));
    }
    assertThat(out).hasSizeGreaterThan(40);
    return out;
  }

  private static List<String> matches(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(m -> m.group(1)).toList();
  }

  private void promtool(String input, String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(words));
    Path said = directory.resolve("promtool.out");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(input.getBytes(StandardCharsets.UTF_8));
    }
    try {
      assertThat(process.waitFor(PeerProcess.DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      throw new IllegalStateException(e);
    }
    assertThat(process.exitValue()).as(Files.readString(said)).isZero();
  }
}
