package org.heddle.verify.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.heddle.verify.Severity;
import org.junit.jupiter.api.Test;

class IsolationCodeTest {
  @Test
  void theDocumentListsEveryCodeWithItsSeverityInReportOrder() throws IOException {
    List<String> documented = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("..", "docs", "isolation.md"))) {
      if (line.startsWith("| `")) {
        String[] cells = line.split("\\|");
        documented.add(cells[1].strip() + " " + cells[2].strip());
      }
    }
    List<String> codes = new ArrayList<>();
    for (IsolationCode code : IsolationCode.values()) {
      String severity = code.violation() ? "rule" : word(code.severity(true));
      codes.add("`" + code.key() + "` " + severity);
      assertThat(code.severity(false)).isGreaterThanOrEqualTo(code.severity(true));
    }
    assertThat(documented).isEqualTo(codes);
  }

  private static String word(Severity severity) {
    return severity.name().toLowerCase(Locale.ROOT);
  }
}
