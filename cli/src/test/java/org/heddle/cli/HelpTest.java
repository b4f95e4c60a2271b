package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * The help texts are as reviewed in {@code src/test/resources/golden}. After a wanted change: run
 * with {@code -Dheddle.golden.update=true} and read the diff.
 */
class HelpTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden");

  static List<String> commands() {
    List<String> names = new ArrayList<>();
    collect(Main.commandLine(), names);
    return names;
  }

  private static void collect(CommandLine command, List<String> names) {
    names.add(command.getCommandSpec().qualifiedName());
    command.getSubcommands().values().forEach(sub -> collect(sub, names));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void theHelpIsAsReviewed(String command) throws IOException {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.removeFirst();
    words.add("--help");
    Cli.Result result = Cli.run(words.toArray(new String[0]));
    assertThat(result.code()).isZero();
    assertThat(result.err()).isEmpty();
    Path file = GOLDEN.resolve(command.replace(' ', '-') + ".txt");
    if (Boolean.getBoolean("heddle.golden.update")) {
      Files.createDirectories(GOLDEN);
      Files.writeString(file, result.out());
    }
    assertThat(result.out()).isEqualTo(Files.readString(file));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void helpCommandAndHelpOptionSayTheSame(String command) {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.set(0, "help");
    Cli.Result asCommand = Cli.run(words.toArray(new String[0]));
    words.removeFirst();
    words.add("--help");
    assertThat(asCommand.out()).isEqualTo(Cli.run(words.toArray(new String[0])).out());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void noHelpLineIsWiderThanTheTerminal(String command) {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.removeFirst();
    words.add("--help");
    assertThat(Cli.run(words.toArray(new String[0])).out().lines())
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(100));
  }
}
