package org.heddle.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Contrast of the console's colours, dark and light, as WCAG 2 has it. */
class ConsoleStyleTest {
  private static final Pattern COLOUR = Pattern.compile("(--[a-z0-9-]+): (#[0-9a-f]{3,6})\\b");

  /** Text and what it stands on. */
  private static final List<List<String>> TEXTS =
      List.of(
          List.of("ink", "card", "paper", "free", "good-back", "bad-back"),
          List.of("soft", "card", "paper", "free"),
          List.of("good", "card", "good-back"),
          List.of("bad", "card", "bad-back"),
          List.of("main", "card"),
          List.of("on-main", "main"),
          List.of("card", "bad"));

  private static String style() throws IOException {
    try (InputStream in = ConsoleStyleTest.class.getResourceAsStream("console.css")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** The colours of the first rule, and with those of the dark one in their place. */
  private static List<Map<String, String>> themes() throws IOException {
    String all = style();
    int dark = all.indexOf("prefers-color-scheme: dark");
    assertThat(dark).isPositive();
    Map<String, String> light = colours(all.substring(0, dark));
    Map<String, String> other = new HashMap<>(light);
    other.putAll(colours(all.substring(dark)));
    return List.of(light, other);
  }

  private static Map<String, String> colours(String text) {
    Map<String, String> out = new HashMap<>();
    Matcher m = COLOUR.matcher(text);
    while (m.find()) {
      out.put(m.group(1).substring(2), m.group(2));
    }
    return out;
  }

  private static double luminance(String hex) {
    String h = hex.substring(1);
    String six = h.length() == 6 ? h : h.replaceAll("(.)", "$1$1");
    double[] weights = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int k = 0; k < 3; k++) {
      double c = Integer.parseInt(six.substring(2 * k, 2 * k + 2), 16) / 255.0;
      sum += weights[k] * (c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4));
    }
    return sum;
  }

  private static double contrast(String one, String other) {
    double a = luminance(one);
    double b = luminance(other);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }

  @Test
  void textsHaveAContrastOfFourAndAHalf() throws IOException {
    for (Map<String, String> theme : themes()) {
      for (List<String> text : TEXTS) {
        for (String on : text.subList(1, text.size())) {
          assertThat(contrast(theme.get(text.getFirst()), theme.get(on)))
              .as("%s on %s of %s", text.getFirst(), on, theme.get("card"))
              .isGreaterThanOrEqualTo(4.5);
        }
      }
    }
  }

  @Test
  void whatIsDrawnHasAContrastOfThree() throws IOException {
    for (Map<String, String> theme : themes()) {
      int drawn = 0;
      for (Map.Entry<String, String> e : theme.entrySet()) {
        boolean numbered = e.getKey().matches("(tenant|load|shared)-\\d");
        if (numbered
            || List.of("switch", "mark", "ring", "free-edge", "focus").contains(e.getKey())) {
          drawn++;
          assertThat(contrast(e.getValue(), theme.get("card")))
              .as("%s on %s", e.getKey(), theme.get("card"))
              .isGreaterThanOrEqualTo(3);
        }
      }
      assertThat(drawn).isEqualTo(7 + 5 + 3 + 5);
    }
  }
}
