package org.heddle.quality;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Links of the documents lead to files and headings that exist; those of documents that packages
 * hold lead to what packages hold.
 */
class LinksTest {
  private static final Path ROOT = Path.of(System.getProperty("heddle.root", ".."));

  /** What dev/package copies, in the same arrangement. */
  private static final List<String> PACKAGED =
      List.of("docs", "examples", "clients", "README.md", "CONTRIBUTING.md", "CHANGELOG.md");

  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\n]*`");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*)$");

  private final Map<Path, Set<String>> headings = new HashMap<>();

  @Test
  void linksLeadToWhatIsThere() throws IOException {
    List<String> broken = new ArrayList<>();
    List<Path> pages = pages();
    for (Path page : pages) {
      String text = CODE.matcher(Files.readString(page)).replaceAll("");
      for (String link : LINK.matcher(text).results().map((MatchResult m) -> m.group(1)).toList()) {
        if (!link.contains("://") && !link.startsWith("mailto:")) {
          wrong(page, link).ifPresent(why -> broken.add(ROOT.relativize(page) + ": " + link + why));
        }
      }
    }
    assertThat(pages.size()).isGreaterThan(30);
    assertThat(broken).isEmpty();
  }

  private Optional<String> wrong(Path page, String link) throws IOException {
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    Path to = file.isEmpty() ? page : page.resolveSibling(file).normalize();
    if (!Files.exists(to)) {
      return Optional.of(" is not there");
    }
    if (packaged(page) && !packaged(to)) {
      return Optional.of(" is not in packages");
    }
    if (hash >= 0 && !headings(to).contains(link.substring(hash + 1))) {
      return Optional.of(": no such heading");
    }
    return Optional.empty();
  }

  private static boolean packaged(Path path) {
    String first = ROOT.normalize().relativize(path.normalize()).getName(0).toString();
    return PACKAGED.contains(first);
  }

  /** Anchors as GitHub makes them. */
  private Set<String> headings(Path page) throws IOException {
    Set<String> known = headings.get(page);
    if (known != null) {
      return known;
    }
    Set<String> out = new HashSet<>();
    for (MatchResult m : HEADING.matcher(Files.readString(page)).results().toList()) {
      String plain = m.group(1).replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1");
      out.add(
          plain
              .strip()
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .replace(' ', '-'));
    }
    headings.put(page, out);
    return out;
  }

  private static List<Path> pages() throws IOException {
    List<Path> out = new ArrayList<>();
    for (String place : List.of("docs", "examples", "packaging", "bench")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(place))) {
        files
            .filter(f -> f.toString().endsWith(".md") && !f.toString().contains("/target/"))
            .map(Path::normalize)
            .sorted()
            .forEach(out::add);
      }
    }
    try (Stream<Path> files = Files.list(ROOT)) {
      files
          .filter(f -> f.toString().endsWith(".md"))
          .map(Path::normalize)
          .sorted()
          .forEach(out::add);
    }
    return out;
  }
}
