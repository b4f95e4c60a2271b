package org.heddle.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class WordsTest {
  private static final char ESCAPE = 0x1b;

  @Test
  void whatATerminalWouldObeyIsShownAsABlank() {
    ObjectNode host =
        JsonNodeFactory.instance
            .objectNode()
            .put("name", "node7" + ESCAPE + "]0;owned\u0007\r\n\u009b2J \u202egnp.exe")
            .put("plain", "n\u00f6de-7 \u8282\u70b9");
    assertThat(Words.text(host, "name")).isEqualTo("node7 ]0;owned    2J  gnp.exe");
    assertThat(Words.text(host, "plain")).isEqualTo("n\u00f6de-7 \u8282\u70b9");
    assertThat(Words.texts(JsonNodeFactory.instance.arrayNode().add("a" + ESCAPE + "[2J")))
        .containsExactly("a [2J");
  }
}
