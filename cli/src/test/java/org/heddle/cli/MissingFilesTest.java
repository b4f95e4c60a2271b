package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Every command with input files that are not there: it says which, whatever else could be said
 * about the words, and with no other exit code than 2. Commands and their files come from the
 * parser, so that those to come are tested as well.
 */
class MissingFilesTest {
  private static final String MISSING = "/nonexistent/";

  /** Labels of files that are read. */
  private static final Set<String> FILES =
      Set.of("FABRIC", "TABLES", "FILE", "STATE", "JOURNAL", "TENANTS", "LFTS", "TREE|FILE");

  /** Words for what else a command wants. */
  private static final Map<String, String> WORDS =
      Map.ofEntries(
          Map.entry("NAME", "ftree"),
          Map.entry("N", "2"),
          Map.entry("EPOCH", "1"),
          Map.entry("ID", "1"),
          Map.entry("ROLE", "viewer"),
          Map.entry("VM=HOST", "v=h"),
          Map.entry("--engine", "pftree-mix"),
          Map.entry("--to", "opensm-files"));

  /** What a command wants beside files although the parser does not know it. */
  private static final Map<String, List<String>> FURTHER =
      Map.of(
          "tenants change", List.of("-n", "2"),
          "plan", List.of("--engine", "pftree-mix"),
          "migrate plan", List.of("--vm", "1", "--to", "h"));

  /** Options with such a label that name what is written, or what a network gives. */
  private static final Set<String> WRITTEN = Set.of("-o", "--lfts", "--save", "--journal", "--out");

  @TempDir Path dir;

  /** A start of the controller that accepts what is missing would not end by itself. */
  @Test
  @Timeout(300)
  void aMissingInputFileIsNamed() {
    List<String> wrong = new ArrayList<>();
    int[] tried = new int[1];
    visit(Main.commandLine(), wrong, tried);
    assertThat(wrong).isEmpty();
    assertThat(tried[0]).isGreaterThan(60);
  }

  private void visit(CommandLine command, List<String> wrong, int[] tried) {
    if (!command.getSubcommands().isEmpty()) {
      command.getSubcommands().values().forEach(sub -> visit(sub, wrong, tried));
      if (!command.getCommandSpec().name().equals("serve")) {
        return;
      }
    }
    CommandSpec spec = command.getCommandSpec();
    List<String> words = new ArrayList<>(List.of(spec.qualifiedName().split(" ")));
    words.removeFirst();
    if (words.getFirst().equals("allocate")) {
      words.addAll(1, List.of(MISSING + "fabric", "--state", MISSING + "state"));
    }
    if (words.getFirst().equals("serve")) {
      words.addAll(List.of("--data", dir.toString()));
    }
    words.addAll(FURTHER.getOrDefault(String.join(" ", words), List.of()));
    Set<ArgSpec> required = new LinkedHashSet<>();
    for (ArgGroupSpec group : spec.argGroups()) { // of things that exclude each other: the first
      if (group.multiplicity().min() > 0) {
        required.add(group.args().iterator().next());
      }
    }
    spec.options().stream().filter(ArgSpec::required).forEach(required::add);
    spec.positionalParameters().stream().filter(p -> p.arity().min() > 0).forEach(required::add);
    required.removeIf(
        arg -> arg.group() != null && !arg.group().args().iterator().next().equals(arg));
    boolean reads = words.contains(MISSING + "state");
    for (ArgSpec arg : required) {
      reads |= isRead(arg);
      words.addAll(typed(arg));
    }
    if (reads) {
      check(words, wrong, tried);
    }
    for (OptionSpec option : spec.options()) {
      if (!option.required() && isRead(option)) {
        List<String> more = new ArrayList<>(words);
        if (option.longestName().equals("--order")) {
          more.replaceAll(word -> word.equals("pftree-mix") ? "noftree" : word);
        }
        if (words.getFirst().equals("reroute")) { // --minimal has no use for further files
          more.set(more.indexOf("--minimal"), "--subtree-of=x");
        }
        more.addAll(typed(option));
        check(more, wrong, tried);
      }
    }
  }

  private static boolean isRead(ArgSpec arg) {
    boolean written =
        arg instanceof OptionSpec o && List.of(o.names()).stream().anyMatch(WRITTEN::contains);
    return !written && FILES.contains(arg.paramLabel());
  }

  private static List<String> typed(ArgSpec arg) {
    String label = arg.paramLabel();
    String name = arg instanceof OptionSpec o ? o.longestName() : "";
    if (!name.isEmpty() && arg.arity().max() == 0) {
      return List.of(name);
    }
    String value =
        isRead(arg)
            ? MISSING + label.toLowerCase(Locale.ROOT) + name
            : arg.paramLabel().equals("LAYOUT")
                ? "random"
                : WORDS.getOrDefault(name, WORDS.getOrDefault(label, "x"));
    List<String> out = new ArrayList<>();
    for (int i = 0; i < Math.max(1, arg.arity().min()); i++) {
      if (!name.isEmpty()) {
        out.add(name);
      }
      out.add(value);
    }
    return out;
  }

  private static void check(List<String> words, List<String> wrong, int[] tried) {
    tried[0]++;
    Cli.Result result =
        Cli.run(Map.of("HEDDLE_SERVER", "http://127.0.0.1:1"), "", words.toArray(new String[0]));
    if (result.code() != 2 || !result.err().contains(MISSING)) {
      wrong.add(String.join(" ", words) + ": " + result.code() + " " + result.err().strip());
    }
  }
}
