package org.heddle.json;

import org.heddle.control.model.Breach;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.module.SimpleModule;

/**
 * Broken promises in documents: as their sentences, which {@link Breach#of} understands, those of
 * databases of before included.
 */
public final class BreachJson {
  private BreachJson() {}

  /** For mappers of documents with tenants in them. */
  public static JacksonModule module() {
    return new SimpleModule("breaches")
        .addSerializer(Breach.class, new Writer())
        .addDeserializer(Breach.class, new Reader());
  }

  private static final class Writer extends ValueSerializer<Breach> {
    @Override
    public void serialize(Breach value, JsonGenerator to, SerializationContext context) {
      to.writeString(value.sentence());
    }
  }

  private static final class Reader extends ValueDeserializer<Breach> {
    @Override
    public Breach deserialize(JsonParser from, DeserializationContext context) {
      return Breach.of(from.getString());
    }
  }
}
