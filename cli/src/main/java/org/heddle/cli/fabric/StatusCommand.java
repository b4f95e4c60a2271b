package org.heddle.cli.fabric;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.remote.Words;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.fabric.Counted;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code heddle fabric status}: how a controller's fabric does. */
@Command(
    name = "status",
    description = {
      "Show whether the fabric of a controller is as it should be, and whether every promise to "
          + "a tenant holds.",
      "Exit code 1 if not: drift, trouble with the fabric, or a broken promise."
    },
    footer = {"", "Example:", "  heddle fabric status --server https://fabric1:8480 || mail ..."})
public final class StatusCommand extends ShellCommand {
  @Mixin private ServerOptions options;

  public StatusCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    try (ServerClient client = options.open(session)) {
      JsonNode fabric = client.get("/v1/fabrics").path("items").path(0);
      List<JsonNode> tenants = client.all("/v1/tenants");
      List<JsonNode> broken = new ArrayList<>();
      tenants.stream().filter(t -> !t.path("broken").isEmpty()).forEach(broken::add);
      // a tenant's token learns nothing of the whole
      boolean inSync = !fabric.has("status") || fabric.path("status").path("in_sync").asBoolean();
      boolean calm = fabric.path("status").path("problems").isEmpty();
      boolean fine = inSync && calm && broken.isEmpty();
      if (json()) {
        Json.print(session, document(client, fabric, tenants.size(), broken, fine));
      } else {
        print(client.server(), fabric, tenants.size(), broken);
      }
      return fine ? ExitCode.OK : ExitCode.FINDINGS;
    }
  }

  private static ObjectNode document(
      ServerClient client, JsonNode fabric, int tenants, List<JsonNode> broken, boolean fine) {
    ObjectNode out = client.document("heddle.fabric-status/1");
    out.put("fine", fine);
    out.set("fabric", fabric);
    out.put("tenants", tenants);
    ArrayNode list = out.putArray("broken");
    for (JsonNode t : broken) {
      list.addObject().put("name", Words.text(t, "name")).set("lost", t.path("broken"));
    }
    return out;
  }

  /** As {@link Counted#machines(org.heddle.fabric.Fabric)} says it. */
  private static String machines(JsonNode fabric) {
    int adapters = fabric.path("hosts").asInt(0);
    int machines = fabric.path("machines").asInt(adapters);
    return machines == adapters
        ? Counted.of(adapters, "host", "hosts")
        : Counted.of(machines, "machine", "machines")
            + " with "
            + Counted.of(adapters, "adapter", "adapters");
  }

  private void print(String server, JsonNode fabric, int tenants, List<JsonNode> broken) {
    PrintStream out = session.out();
    out.println(session.terminal().bold(Words.text(fabric, "name")) + " at " + server);
    String free =
        fabric.has("free_hosts") ? " (" + fabric.path("free_hosts").asInt(0) + " free)" : "";
    out.printf(
        "  %s, %s%s, %s%n",
        Counted.of(fabric.path("switches").asInt(0), "switch", "switches"),
        machines(fabric),
        free,
        Counted.of(tenants, "tenant", "tenants"));
    JsonNode status = fabric.path("status");
    if (status.isObject()) {
      boolean inSync = status.path("in_sync").asBoolean(false);
      long differing = status.path("differing").asLong(0);
      out.println(
          "  epoch "
              + fabric.path("epoch").asLong(0)
              + ", "
              + (inSync
                  ? session.terminal().good("in sync")
                  : session.terminal().bad("not in sync")
                      + (differing > 0
                          ? ": " + Counted.of(differing, "block differs", "blocks differ")
                          : "")));
      Words.texts(status.path("problems"))
          .forEach(p -> out.println("  " + session.terminal().bad("trouble:") + " " + p));
    }
    JsonNode engine = fabric.path("engine");
    if (engine.isObject()) {
      String used = Words.text(engine, "used");
      String fallback = Words.text(engine, "fallback");
      out.println(
          "  tables of "
              + used
              + (used.equals(Words.text(engine, "wanted"))
                  ? ""
                  : fallback.isEmpty()
                      ? ", which keeps tenants with policy phy apart; else those of "
                          + Words.text(engine, "wanted")
                      : session.terminal().odd(", a fall-back: ") + fallback));
    }
    int links = fabric.path("drained").path("links").asInt(0);
    int switches = fabric.path("drained").path("switches").asInt(0);
    if (links + switches > 0) {
      out.println(
          "  out of service: "
              + Counted.of(links, "link", "links")
              + ", "
              + Counted.of(switches, "switch", "switches"));
    }
    Words.texts(fabric.path("notes")).forEach(n -> out.println("  note: " + n));
    for (JsonNode t : broken) {
      out.println(
          "  "
              + session.terminal().bad("broken:")
              + " "
              + Words.text(t, "name")
              + ": "
              + String.join("; ", Words.texts(t.path("broken"))));
    }
  }
}
