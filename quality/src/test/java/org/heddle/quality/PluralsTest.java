package org.heddle.quality;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Messages say "1 leaf", not "1 leaves": a number and its noun come from {@code Counted.of}. What
 * puts a plural behind a number itself is found here, in literals after a {@code +} and in formats.
 */
class PluralsTest {
  private static final String NOUNS =
      "(hosts|leaves|links|machines|switches|ports|adapters|tenants|entries|channels|partitions"
          + "|routes|pairs|LIDs|blocks|lanes|planes|cables|trials|VMs|moves|nodes|requests|jobs"
          + "|warnings|errors|notes|findings|GUIDs|members|paths|destinations|dependencies|levels"
          + "|components|queries|rails|units|tables)\\b";

  /** A literal behind something that is added to it: {@code + n + " hosts"}. */
  private static final Pattern ADDED =
      Pattern.compile("(\\S+)\\s*\\+\\s*\" (?:more |other |free |linked )?" + NOUNS);

  /** A number in a format: {@code "%,d hosts"}. */
  private static final Pattern FORMATTED =
      Pattern.compile("%,?d (?:more |other |free |linked )?" + NOUNS);

  /** Numbers that are never 1, by file and noun; a reason for each. */
  private static final Set<String> NEVER_ONE =
      Set.of(
          // the limits of what an engine or a file can have
          "AddressingOptions entries",
          "AddressingOptions functions",
          "QosOptions lanes",
          "Tenancy lanes",
          "TreeSpec levels",
          "TreeSpec ports",
          "YamlReader levels",
          "MachineWiring adapters", // 1 to 64 adapters
          // several, or nothing would be said
          "Change VMs",
          "CheckCommand planes",
          "Endports nodes",
          "FatTreeRecogniser links",
          "FatTreeRecogniser pairs",
          "Findings components",
          "Findings ports",
          "HostNames hosts",
          "Hosts hosts",
          "IdentityCheck adapters",
          "IdentityCheck machines",
          "IdentityCheck nodes",
          "IdentityCheck ports",
          "IdentityCheck switches",
          "LinkPainter cables",
          "MigrationStorm queries",
          "PlantBuilder levels",
          "ShapeFitter planes",
          "TenantView hosts", // hosts an up-link, where that is not 1
          "TreeReport hosts",
          "TenantsResolver entries",
          "TreeReport links",
          "UnknownLids LIDs",
          // in words, or behind a number with its noun
          "BaseEngines routes",
          "IsolationFindings adapters",
          "IsolationFindings ports",
          "PlantBuilder adapters",
          "OutOfServiceRoutes leaves", // a LID leaves a switch
          "OpensmLftsWriter leaves",
          "TableBinder leaves");

  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*");

  /** What ends a program with a bug in it, and what a debugger shows. */
  private static final Pattern FOR_PROGRAMMERS =
      Pattern.compile("(?s)Exception\\([^;]*$|String toString\\(\\) \\{[^}]*$");

  private static List<String> found(String file, String source) {
    String text = COMMENT.matcher(source).replaceAll(m -> "\n".repeat(lines(m.group())));
    List<String> out = new ArrayList<>();
    for (Pattern pattern : List.of(ADDED, FORMATTED)) {
      Matcher m = pattern.matcher(text);
      while (m.find()) {
        String before = text.substring(Math.max(0, m.start() - 400), m.start(m.groupCount()));
        String noun = m.group(m.groupCount());
        boolean number = pattern == FORMATTED || isNumber(m.group(1));
        if (number
            && !FOR_PROGRAMMERS.matcher(before).find()
            && !NEVER_ONE.contains(file + " " + noun)) {
          out.add(file + ":" + (1 + lines(text.substring(0, m.start()))) + ": " + m.group());
        }
      }
    }
    return out;
  }

  private static int lines(String text) {
    return (int) text.chars().filter(c -> c == '\n').count();
  }

  /** Not a text, a name, or a constant. */
  private static boolean isNumber(String expression) {
    return !expression.endsWith("\"") && !expression.matches("\\W*[A-Z][A-Z_.]*\\W*");
  }

  @Test
  void numbersHaveTheirNounsFromCounted() throws IOException {
    Path root = Path.of(System.getProperty("heddle.root", ".."));
    List<String> wrong = new ArrayList<>();
    int files = 0;
    try (Stream<Path> walk = Files.walk(root)) {
      for (Path file : walk.filter(PluralsTest::isMessageSource).sorted().toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        wrong.addAll(found(name, Files.readString(file)));
        files++;
      }
    }
    assertThat(files).isGreaterThan(500);
    assertThat(wrong).as("a plural behind a number that may be 1: use Counted.of").isEmpty();
  }

  private static boolean isMessageSource(Path file) {
    String name = file.toString();
    return name.endsWith(".java")
        && name.contains("/src/main/")
        && !name.contains("/target/")
        && !name.contains("/bench/");
  }

  @Test
  void thePatternsFindWhatTheyAreFor() {
    for (String line :
        List.of(
            "x = n + \" hosts are free\";",
            "x = leaves.size()\n    + \" more leaves\";",
            "f(\"%d of %,d channels\", a, b);",
            "x = \"on \" + (a.size() - 3) + \" ports\";")) {
      assertThat(found("A", line)).as(line).hasSize(1);
    }
    for (String line :
        List.of(
            "x = Counted.of(n, \"host\", \"hosts\");",
            "x = \"a\"\n + \" hosts\";",
            "// n + \" hosts\"",
            "throw new IllegalArgumentException(n + \" hosts\");",
            "x = MOST + \" hosts\";",
            "x = name + \" leads\";")) {
      assertThat(found("A", line)).as(line).isEmpty();
    }
  }

  @Test
  void everyExceptionIsNeeded() throws IOException {
    Path root = Path.of(System.getProperty("heddle.root", ".."));
    Set<String> unused = new HashSet<>(NEVER_ONE);
    try (Stream<Path> walk = Files.walk(root)) {
      for (Path file : walk.filter(PluralsTest::isMessageSource).toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        String text = Files.readString(file);
        unused.removeIf(e -> e.startsWith(name + " ") && text.contains(e.split(" ")[1]));
      }
    }
    assertThat(unused).isEmpty();
  }
}
