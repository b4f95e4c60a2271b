package org.heddle.quality;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every Java source of the repository is formatted by google-java-format (default style).
 *
 * <p>{@code dev/format} runs this test with {@code heddle.format.fix=true}: it then rewrites the
 * files instead of complaining. The formatter runs here, in a test JVM chosen by the toolchain,
 * because formatter plugins run inside Maven's own JVM, which may be too old for Java 25 sources.
 */
class FormatTest {
  @Test
  void everySourceIsFormatted() throws IOException {
    Path root = Path.of(System.getProperty("heddle.root", ".."));
    boolean fix = Boolean.getBoolean("heddle.format.fix");
    Formatter formatter = new Formatter(JavaFormatterOptions.defaultOptions());
    List<Path> sources = sources(root);
    assertThat(sources).as("sources found under %s", root).isNotEmpty();
    List<String> complaints =
        sources.parallelStream()
            .map(file -> complaint(formatter, root, file, fix))
            .filter(complaint -> !complaint.isEmpty())
            .toList();
    assertThat(complaints).as("not formatted; run dev/format").isEmpty();
  }

  /** What is wrong with a file, which is mended if that was asked for; empty for nothing. */
  private static String complaint(Formatter formatter, Path root, Path file, boolean fix) {
    String name = root.relativize(file).toString();
    try {
      String text = Files.readString(file);
      String wanted = formatter.formatSource(text);
      wanted = RemoveUnusedImports.removeUnusedImports(wanted);
      wanted = ImportOrderer.reorderImports(wanted, JavaFormatterOptions.Style.GOOGLE);
      if (wanted.equals(text)) {
        return "";
      }
      if (!fix) {
        return name;
      }
      Files.writeString(file, wanted);
      return "";
    } catch (FormatterException e) {
      return name + ": " + e.getMessage();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> sources(Path root) throws IOException {
    try (Stream<Path> walk = Files.walk(root)) {
      return walk.filter(p -> p.toString().endsWith(".java"))
          .filter(p -> !p.toString().contains("/target/"))
          .sorted()
          .toList();
    }
  }
}
