package org.heddle.cli.shell;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * Prints records as JSON: keys in snake case, in the order of the record's components; enum
 * constants in kebab case.
 */
public final class Json {
  private Json() {}

  /** Prints one document to standard output, indented, with a final newline. */
  public static void print(Session session, Object document) {
    print(session, session.out(), document);
  }

  private static JsonMapper mapper() {
    return JsonMapper.builder()
        .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
        .enable(SerializationFeature.INDENT_OUTPUT)
        .addModule(new SimpleModule().addSerializer(new Kebab()))
        .build();
  }

  /** A document for a file of its own: nothing of the run is in it. UTF-8, with a final newline. */
  public static byte[] bytes(Object document) {
    return (mapper().writeValueAsString(document) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Prints one document with a final newline. What the inputs of the run said is its last key,
   * {@code problems}, behind the problems that the document has itself.
   */
  public static void print(Session session, PrintStream out, Object document) {
    JsonMapper mapper = mapper();
    JsonNode tree = mapper.valueToTree(document);
    if (tree instanceof ObjectNode object) {
      ArrayNode problems = object.withArray("problems");
      session.problems().forEach(problem -> problems.add(mapper.valueToTree(problem)));
    }
    out.println(mapper.writeValueAsString(tree));
  }

  /**
   * Reads a document that {@link #print} wrote.
   *
   * @throws Failure exit code 2 with the line, if the file holds none
   */
  public static <T> T read(Session session, String name, Class<T> type, String expected) {
    byte[] bytes = session.read(name).bytes();
    try {
      JsonMapper mapper =
          JsonMapper.builder()
              .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
              .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
              .build();
      T value = mapper.readValue(bytes, type);
      if (value != null) {
        return value;
      }
      throw Failure.badInput(name + ": " + expected + " is expected");
    } catch (JacksonException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      throw Failure.badInput(name + ":" + Math.max(1, line) + ": " + expected + " is expected");
    }
  }

  /** {@code CA_TO_SWITCH} becomes {@code "ca-to-switch"}. */
  private static final class Kebab extends StdSerializer<Enum<?>> {
    Kebab() {
      super(Enum.class);
    }

    @Override
    public void serialize(Enum<?> value, JsonGenerator out, SerializationContext context) {
      out.writeString(value.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }
  }
}
