package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.heddle.cli.shell.Version;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MainTest {
  @Test
  void theVersionIsThatOfTheBuild() throws IOException {
    assertThat(Files.readString(Path.of("pom.xml")))
        .contains("<version>" + Version.NUMBER + "</version>");
    assertThat(Cli.run("--version").out()).isEqualTo("heddle " + Version.NUMBER + "\n");
  }

  @Test
  void withoutACommandTheHelpIsShownAsAnError() {
    Cli.Result result = Cli.run();
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("Usage: heddle");
  }

  @Test
  void aMistypedCommandIsAnsweredWithTheNearestOne() {
    Cli.Result result = Cli.run("audti");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err())
        .isEqualTo(
            """
            heddle: error: there is no command 'audti'
              did you mean audit?
              see 'heddle --help'
            """);
  }

  @Test
  void aMistypedSubcommandIsAnsweredWithTheNearestOne() {
    assertThat(Cli.run("fabric", "chekc").err())
        .isEqualTo(
            """
            heddle: error: there is no command 'fabric chekc'
              did you mean check?
              see 'heddle fabric --help'
            """);
  }

  @Test
  void aMistypedOptionIsAnsweredWithTheNearestOne() {
    Cli.Result result = Cli.run("fabric", "generate", "XGFT(1;2;1)", "--sed", "7");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err())
        .isEqualTo(
            """
            heddle: error: unknown option '--sed'
              did you mean --seed?
              see 'heddle fabric generate --help'
            """);
  }

  @Test
  void aMissingArgumentIsNamed() {
    Cli.Result result = Cli.run("audit", "a.net");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err())
        .isEqualTo(
            """
            heddle: error: missing required parameter: 'TABLES'
              see 'heddle audit --help'
            """);
  }

  @Test
  void helpForAnUnknownCommandSuggestsOne() {
    assertThat(Cli.run("help", "fabric", "drow").err())
        .contains("there is no command 'heddle fabric drow'")
        .contains("did you mean draw?");
  }

  @Test
  void errorsComeAsJsonToo() {
    Cli.Result result = Cli.run("fabric", "check", "/nowhere/at/all.net", "--json");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.out())
        .contains("\"format\" : \"heddle.error/1\"")
        .contains("\"message\" : \"no such file: /nowhere/at/all.net\"");
  }

  /** Groups of commands to come are tested as well. */
  @Test
  void aGroupWithoutACommandAnswersInJsonToo() {
    List<CommandLine> groups = new ArrayList<>();
    groups(Main.commandLine(), groups);
    assertThat(groups).hasSizeGreaterThan(9);
    for (CommandLine group : groups) {
      String name = group.getCommandSpec().qualifiedName();
      List<String> words = new ArrayList<>(List.of(name.split(" ")));
      words.set(0, "--json");
      Cli.Result result = Cli.run(words.toArray(String[]::new));
      assertThat(result.code()).as(name).isEqualTo(2);
      assertThat(result.out())
          .contains("\"format\" : \"heddle.error/1\"")
          .contains("\"message\" : \"which command of '" + name + "'?\"");
      assertThat(result.err()).startsWith("heddle: error: which command");
      words.removeFirst();
      Cli.Result text = Cli.run(words.toArray(String[]::new));
      assertThat(text.code()).as(name).isEqualTo(2);
      assertThat(text.out()).isEmpty();
      assertThat(text.err()).contains("Usage: " + name);
    }
  }

  private static void groups(CommandLine command, List<CommandLine> out) {
    if (!command.getSubcommands().isEmpty()) {
      if (!command.getCommandName().equals("serve")) { // runs without one of its commands
        out.add(command);
      }
      command.getSubcommands().values().forEach(sub -> groups(sub, out));
    }
  }

  @Test
  void commonOptionsMayStandBeforeTheCommand() {
    assertThat(Cli.run("--json", "engines").out()).isEqualTo(Cli.run("engines", "--json").out());
    assertThat(Cli.run("--color=always", "engines").out()).contains("\u001b[");
  }

  @Test
  void aMissingEngineIsAnsweredWithWhereToFindOne() {
    assertThat(Cli.run("route", "a.net").err()).contains("'heddle engines' lists the engines");
  }

  @Test
  void numbersAreAskedForInWordsOfUsers() {
    assertThat(Cli.run("fabric", "generate", "4-ary-2-tree", "--seed", "x").err())
        .contains("'x' is not a whole number");
  }

  @Test
  void completionOffersTheValuesAsTheyAreDocumented() {
    assertThat(Cli.run("completion", "bash").out())
        .contains("\"error\" \"warning\" \"info\"")
        .contains("\"opensm-lfts\" \"hlft\" \"fdbs\"")
        .contains("\"ftree\"")
        .doesNotContain("WARNING");
  }

  @Test
  void coloursAreForTerminalsOnly() {
    assertThat(Cli.run("engines").out()).doesNotContain("\u001b");
    assertThat(Cli.run(Map.of("HEDDLE_TTY_OUT", "1"), "", "engines").out()).contains("\u001b[1m");
    assertThat(Cli.run(Map.of("HEDDLE_TTY_OUT", "1", "NO_COLOR", "1"), "", "engines").out())
        .doesNotContain("\u001b");
    assertThat(Cli.run("engines", "--color", "always").out()).contains("\u001b[1m");
    assertThat(Cli.run(Map.of("HEDDLE_TTY_OUT", "1"), "", "engines", "--color=never").out())
        .doesNotContain("\u001b");
  }

  @Test
  void completionKnowsTheCommandsAndTheirOptions() {
    String script = Cli.run("completion", "bash").out();
    assertThat(script).contains("function _complete_heddle").contains("--break-links");
    assertThat(Cli.run("completion", "zsh").out()).startsWith("#compdef heddle\n");
  }

  @Test
  void enginesAreListedByName() {
    assertThat(Cli.run("engines").out().lines().skip(1).map(line -> line.split(" ")[0]))
        .isSorted()
        .contains("dmodk", "ftree", "minhop", "noftree", "updn");
    assertThat(Cli.run("engines", "--json").out()).contains("\"name\" : \"ftree\"");
  }
}
