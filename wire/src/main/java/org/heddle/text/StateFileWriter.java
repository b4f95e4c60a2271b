package org.heddle.text;

import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import org.heddle.fabric.Guid;
import org.heddle.text.StateFile.Host;
import org.heddle.text.StateFile.Link;
import org.heddle.text.StateFile.Tenant;

/**
 * Writes a state file as JSON: one host or link a line, keys in a fixed order, so that the same
 * state gives the same bytes and a difference shows what has changed. Every text is read back and
 * compared before it is returned.
 */
public final class StateFileWriter {
  private StateFileWriter() {}

  /**
   * The text of a state.
   *
   * @throws IllegalArgumentException if the content breaks a rule of the format, such as a host in
   *     two tenants
   */
  public static byte[] write(StateFile state) {
    StringBuilder out = new StringBuilder("{\n");
    out.append("  \"version\": ").append(StateFile.VERSION).append(",\n");
    state
        .fabric()
        .ifPresent(
            mark ->
                out.append("  \"fabric\": {\"fingerprint\": \"0x")
                    .append(Guid.hex16(mark.fingerprint()))
                    .append("\", \"switches\": ")
                    .append(mark.switches())
                    .append(", \"hosts\": ")
                    .append(mark.hosts())
                    .append("},\n"));
    out.append("  \"engine\": ").append(quoted(state.engine())).append(",\n");
    out.append("  \"tenants\": [");
    Iterator<Tenant> tenants = state.tenants().iterator();
    while (tenants.hasNext()) {
      tenant(tenants.next(), out);
      out.append(tenants.hasNext() ? "," : "\n  ");
    }
    out.append("]\n}\n");
    byte[] bytes = out.toString().getBytes(StandardCharsets.UTF_8);
    Parsed<StateFile> back = StateFileReader.read(new Source(state.source(), bytes));
    if (!back.ok()) {
      throw new IllegalArgumentException("no valid state: " + back.problems());
    }
    if (!back.get().canonical().equals(state.canonical())) {
      throw new IllegalStateException("a written state reads back differently");
    }
    return bytes;
  }

  private static void tenant(Tenant t, StringBuilder out) {
    out.append("\n    {\n      \"name\": ").append(quoted(t.name())).append(",\n");
    out.append("      \"requested\": ").append(t.requested()).append(",\n");
    out.append("      \"oversubscription\": ").append(t.oversubscription()).append(",\n");
    out.append("      \"allocator\": ").append(quoted(t.allocator())).append(",\n");
    out.append("      \"guaranteed\": ").append(t.guaranteed()).append(",\n");
    out.append("      \"hosts\": [");
    list(t.hosts().stream().map(StateFileWriter::host).toList(), out);
    out.append("],\n      \"links\": [");
    list(t.links().stream().map(StateFileWriter::link).toList(), out);
    out.append("]\n    }");
  }

  private static void list(List<String> lines, StringBuilder out) {
    if (!lines.isEmpty()) {
      out.append("\n        ").append(String.join(",\n        ", lines)).append("\n      ");
    }
  }

  private static String host(Host h) {
    return "{\"guid\": \"" + h.guid() + "\", \"name\": " + quoted(h.name()) + "}";
  }

  private static String link(Link l) {
    return "{\"switch\": \"%s\", \"port\": %d, \"to\": \"%s\", \"to_port\": %d}"
        .formatted(l.from(), l.port(), l.to(), l.toPort());
  }

  static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < 0x20
          || c >= 0x7f && c < 0xa0
          || c == 0x2028
          || c == 0x2029
          || c >= 0xd800 && !Character.isSurrogate(c)) {
        out.append("\\u%04x".formatted((int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
