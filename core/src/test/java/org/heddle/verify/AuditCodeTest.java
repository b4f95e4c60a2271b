package org.heddle.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class AuditCodeTest {
  @Test
  void theDocumentListsEveryCodeWithItsSeverityInReportOrder() throws IOException {
    List<String> documented = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("..", "docs", "audit.md"))) {
      if (line.startsWith("| `")) {
        String[] cells = line.split("\\|");
        documented.add(cells[1].strip() + " " + cells[2].strip());
      }
    }
    List<String> codes = new ArrayList<>();
    for (AuditCode code : AuditCode.values()) {
      codes.add("`" + code.key() + "` " + code.severity().name().toLowerCase(Locale.ROOT));
    }
    assertThat(documented).as("rows of docs/audit.md, in the order of AuditCode").isEqualTo(codes);
  }
}
