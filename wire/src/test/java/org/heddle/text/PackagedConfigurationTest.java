package org.heddle.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.heddle.text.config.ServeFile;
import org.heddle.text.config.ServeFileReader;
import org.junit.jupiter.api.Test;

/** The configuration that is installed can be read, as it is and with every example in force. */
class PackagedConfigurationTest {
  private static final Path FILE = Path.of("..", "packaging", "serve.yaml");

  @Test
  void itIsRead() throws IOException {
    ServeFile file = ServeFileReader.read(Source.of("serve.yaml", Files.readString(FILE))).get();
    assertThat(file.listen()).contains("127.0.0.1:8480");
    assertThat(file.data()).contains("/var/lib/heddle");
  }

  @Test
  void everyExampleInItIsRight() throws IOException {
    String text = Files.readString(FILE).replaceAll("(?m)^#(?=[a-z])", "");
    Parsed<ServeFile> parsed = ServeFileReader.read(Source.of("serve.yaml", text));
    assertThat(parsed.problems()).isEmpty();
    assertThat(parsed.get().limits()).isEqualTo(ServeFile.Limits.DEFAULT);
    assertThat(parsed.get().settleMillis()).isEqualTo(ServeFile.SETTLE_MILLIS);
  }
}
