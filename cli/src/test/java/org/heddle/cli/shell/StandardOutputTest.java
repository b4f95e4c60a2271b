package org.heddle.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StandardOutputTest {
  private static StandardOutput failing(String reason) {
    return new StandardOutput(
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException(reason);
          }
        });
  }

  @Test
  void whatIsPrintedArrivesAsUtf8() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    StandardOutput out = new StandardOutput(bytes);
    out.print("Knöten");
    assertThat(out.loss()).isEmpty();
    assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("Knöten");
  }

  @Test
  void aFullDiskIsNotTakenForASuccess() {
    StandardOutput out = failing("No space left on device");
    out.println("tables");
    assertThat(out.loss()).contains("No space left on device");
  }

  @Test
  void aReaderThatHasSeenEnoughIsNoLoss() {
    StandardOutput out = failing("Broken pipe");
    out.println("tables");
    assertThat(out.loss()).isEmpty();
  }

  @Test
  void aSessionEndsWithBadInputWhenItsReportIsLost() {
    StandardOutput out = failing("No space left on device");
    try (Session session =
        new Session(
            InputStream.nullInputStream(),
            out,
            out,
            Map.of(),
            Terminal.Colour.NEVER,
            (_, _) -> ExitCode.OK)) {
      out.println("report");
      assertThatThrownBy(session::requireOutput)
          .isInstanceOf(Failure.class)
          .hasMessage("cannot write to standard output: No space left on device");
    }
  }
}
