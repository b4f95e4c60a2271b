package org.heddle.cli.shell;

import java.io.PrintStream;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Prints records as JSON: keys in snake case, in the order of the record's components. */
public final class Json {
  private Json() {}

  /** Prints one document, indented, with a final newline. */
  public static void print(PrintStream out, Object document) {
    JsonMapper mapper =
        JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();
    out.println(mapper.writeValueAsString(document));
  }
}
