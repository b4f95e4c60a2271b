package org.heddle.quality;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A test is skipped for one reason only, a program that is not on the machine, and one class says
 * so. What skips itself for any other reason (no file, no property, a slow machine) is no test of
 * anybody's who does not know that he has to make it run.
 */
class SkippingTest {
  /** The one place. */
  private static final String HELPER = "/peer/Program.java";

  private static final Pattern SKIPS =
      Pattern.compile(
          "\\bAssumptions\\b|\\bassum(e[A-Z]\\w*|ingThat)\\s*\\(|\\bTestAborted\\w*|@Disabled\\w*"
              + "|@Enabled\\w*|\\ballowZeroInvocations\\b|\\bExecutionCondition\\b");

  /** Inputs that are not in the repository make a test of nothing on a bare clone. */
  private static final Pattern OUTSIDE =
      Pattern.compile("HEDDLE_SAMPLES|\\.\\./\\.\\./|\"\\.\\.\", \"\\.\\.\"|/shared/");

  private static List<String> found(Pattern pattern, String line) {
    return pattern.matcher(line).results().map(java.util.regex.MatchResult::group).toList();
  }

  @Test
  void nothingButAMissingProgramSkipsATest() throws IOException {
    Path root = Path.of(System.getProperty("heddle.root", ".."));
    List<String> wrong = new ArrayList<>();
    int helpers = 0;
    int tests = 0;
    for (Path file : tests(root)) {
      String name = file.toString();
      tests++;
      if (name.endsWith(HELPER)) {
        helpers++;
        continue;
      }
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        for (Pattern pattern : List.of(SKIPS, OUTSIDE)) {
          for (String what : found(pattern, lines.get(i))) {
            wrong.add(root.relativize(file) + ":" + (i + 1) + ": " + what);
          }
        }
      }
    }
    assertThat(tests).isGreaterThan(100);
    assertThat(helpers).as("the helper, " + HELPER).isEqualTo(1);
    assertThat(wrong).as("skips or reads outside: use Program.need, or a fixture").isEmpty();
  }

  @Test
  void thePatternsFindWhatTheyAreFor() {
    for (String line :
        List.of(
            "import org.junit.jupiter.api.Assumptions;",
            "    assumeTrue(there, \"no\");",
            "    assumeFalse (there);",
            "    assumeThat(1);",
            "  @Disabled(\"later\")",
            "  @DisabledOnOs(OS.LINUX)",
            "  @EnabledIf(\"isFast\")",
            "  @EnabledIfSystemProperty(named = \"a\", matches = \"b\")",
            "    throw new TestAbortedException();",
            "  @ParameterizedTest(allowZeroInvocations = true)")) {
      assertThat(found(SKIPS, line)).as(line).isNotEmpty();
    }
    assertThat(found(SKIPS, "isEnabled(); assumed(); // assume nothing")).isEmpty();
    assertThat(found(OUTSIDE, "Path.of(\"../../shared/samples\")")).isNotEmpty();
    assertThat(found(OUTSIDE, "Path.of(\"../docs/tenants.md\")")).isEmpty();
  }

  private static List<Path> tests(Path root) throws IOException {
    try (Stream<Path> walk = Files.walk(root)) {
      return walk.filter(p -> p.toString().endsWith(".java"))
          .filter(p -> p.toString().contains("/src/test/") && !p.toString().contains("/target/"))
          .filter(p -> !p.endsWith(Path.of("org/heddle/quality/SkippingTest.java")))
          .sorted()
          .toList();
    }
  }
}
