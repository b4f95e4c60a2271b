import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Last step of {@code mvn verify}: says which tests were skipped, and why. Under {@code CI=true} a
 * skipped test fails the build.
 */
final class SkippedTests {
  private static int run;
  private static int skipped;

  private SkippedTests() {}

  /**
   * Arguments: the root of the repository, and when the build began (ISO 8601): reports of earlier
   * runs are left out.
   */
  public static void main(String[] args) throws Exception {
    Instant begun = Instant.parse(args[1]);
    Map<String, List<String>> byReason = new TreeMap<>();
    for (Path report : reports(Path.of(args[0]))) {
      if (!Files.getLastModifiedTime(report).toInstant().isBefore(begun)) {
        read(report, byReason);
      }
    }
    if (run == 0) {
      return;
    }
    if (skipped == 0) {
      System.out.printf("No test was skipped, of %,d.%n", run);
      return;
    }
    System.out.printf("SKIPPED: %,d of %,d tests%n", skipped, run);
    byReason.forEach(
        (reason, tests) -> {
          System.out.println("  " + reason);
          tests.forEach(test -> System.out.println("    " + test));
        });
    if ("true".equals(System.getenv("CI"))) {
      System.out.println("CI=true: nothing may be skipped");
      System.exit(1);
    }
  }

  private static List<Path> reports(Path root) throws IOException {
    try (Stream<Path> walk = Files.walk(root, 4)) {
      return walk.filter(p -> p.getFileName().toString().matches("TEST-.*\\.xml"))
          .filter(p -> p.getParent().toString().matches(".*/target/(surefire|failsafe)-reports"))
          .sorted()
          .toList();
    }
  }

  private static void read(Path report, Map<String, List<String>> byReason) throws Exception {
    Document xml;
    try (var in = Files.newInputStream(report)) {
      xml = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
    }
    NodeList cases = xml.getElementsByTagName("testcase");
    for (int i = 0; i < cases.getLength(); i++) {
      Element test = (Element) cases.item(i);
      run++;
      NodeList reasons = test.getElementsByTagName("skipped");
      if (reasons.getLength() > 0) {
        skipped++;
        String reason = reason((Element) reasons.item(0));
        String name = test.getAttribute("classname") + " " + test.getAttribute("name");
        byReason.computeIfAbsent(reason, none -> new ArrayList<>()).add(name.strip());
      }
    }
  }

  /** The message, which Surefire gives as an attribute or as the first line of a stack trace. */
  private static String reason(Element skipped) {
    String message = skipped.getAttribute("message").strip();
    if (message.isEmpty()) {
      String trace = skipped.getTextContent().strip().lines().findFirst().orElse("");
      message = trace.replaceFirst("^[\\w.$]+(Exception|Error): ", "");
    }
    return message.isEmpty() ? "no reason given" : message;
  }
}
