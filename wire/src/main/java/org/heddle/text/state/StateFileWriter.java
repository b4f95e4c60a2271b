package org.heddle.text.state;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import org.heddle.allocation.Rails;
import org.heddle.fabric.Guid;
import org.heddle.fabric.MachineList;
import org.heddle.text.state.StateFile.Host;
import org.heddle.text.state.StateFile.Link;
import org.heddle.text.state.StateFile.Tenant;

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
    StringBuilder out = StateText.begin(StateFile.VERSION, state.fabric());
    out.append("  \"engine\": ").append(StateText.quoted(state.engine())).append(",\n");
    if (!state.machines().isEmpty()) {
      out.append("  \"machines\": {");
      StateText.list(machines(state.machines()), "  ", out);
      out.append("},\n");
    }
    out.append("  \"tenants\": [");
    Iterator<Tenant> tenants = state.tenants().iterator();
    while (tenants.hasNext()) {
      tenant(tenants.next(), out);
      out.append(tenants.hasNext() ? "," : "\n  ");
    }
    out.append("]\n}\n");
    return StateText.proven(
        out, state.source(), state, StateFileReader::read, StateFile::canonical);
  }

  /** Adapters of each machine, by node GUID. */
  private static List<String> machines(MachineList list) {
    List<String> out = new ArrayList<>();
    list.adapters()
        .forEach(
            (name, adapters) ->
                out.add(
                    adapters.stream()
                        .map(guid -> "\"" + Guid.format(guid) + "\"")
                        .collect(Collectors.joining(", ", StateText.quoted(name) + ": [", "]"))));
    return out;
  }

  private static void tenant(Tenant t, StringBuilder out) {
    out.append("\n    {\n      \"name\": ").append(StateText.quoted(t.name())).append(",\n");
    out.append("      \"pkey\": \"0x%04x\",\n".formatted(t.pkey()));
    out.append("      \"requested\": ").append(t.requested()).append(",\n");
    out.append("      \"oversubscription\": ").append(t.oversubscription()).append(",\n");
    out.append("      \"allocator\": ").append(StateText.quoted(t.allocator())).append(",\n");
    out.append("      \"guaranteed\": ").append(t.guaranteed()).append(",\n");
    if (t.rails() != Rails.SEPARATE) {
      out.append("      \"rails\": ").append(StateText.quoted(t.rails().word())).append(",\n");
    }
    out.append("      \"hosts\": [");
    StateText.list(t.hosts().stream().map(StateFileWriter::host).toList(), "      ", out);
    out.append("],\n      \"links\": [");
    StateText.list(t.links().stream().map(StateFileWriter::link).toList(), "      ", out);
    out.append("]\n    }");
  }

  private static String host(Host h) {
    String adapters =
        h.adapters().isEmpty()
            ? ""
            : h.adapters().stream()
                .map(guid -> "\"" + guid + "\"")
                .collect(Collectors.joining(", ", ", \"adapters\": [", "]"));
    return "{\"guid\": \"%s\", \"name\": %s%s}"
        .formatted(h.guid(), StateText.quoted(h.name()), adapters);
  }

  private static String link(Link l) {
    return "{\"switch\": \"%s\", \"port\": %d, \"to\": \"%s\", \"to_port\": %d}"
        .formatted(l.from(), l.port(), l.to(), l.toPort());
  }
}
