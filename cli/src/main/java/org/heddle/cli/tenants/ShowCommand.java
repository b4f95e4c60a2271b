package org.heddle.cli.tenants;

import java.io.PrintStream;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.remote.Words;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code heddle tenants show}: a tenant of a controller. */
@Command(
    name = "show",
    description = {
      "Show a tenant of a controller: hosts, links, members, and what it has lost.",
      "Exit code 1 if its promise does not hold."
    })
public final class ShowCommand extends ShellCommand {
  @Mixin private ServerOptions options;

  @Parameters(paramLabel = "NAME", description = "The tenant.")
  private String name;

  public ShowCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    try (ServerClient client = options.open(session)) {
      JsonNode tenant = client.get(Words.tenantPath(name));
      if (json()) {
        ObjectNode document = client.document("heddle.tenants-show/1");
        document.set("tenant", tenant);
        Json.print(session, document);
      } else {
        print(tenant);
      }
      return tenant.path("broken").isEmpty() ? ExitCode.OK : ExitCode.FINDINGS;
    }
  }

  private void print(JsonNode t) {
    PrintStream out = session.out();
    String owner = Words.text(t, "owner");
    out.println(session.terminal().bold(Words.text(t, "name")) + ": " + Words.tenant(t));
    out.printf(
        "  policy %s%s, version %d, since %s%n",
        Words.text(t, "policy"),
        owner.isEmpty() ? "" : ", owner " + owner,
        t.path("version").asLong(0),
        Words.moment(t, "since"));
    String group = Words.ipOverIb(t);
    if (!group.isEmpty()) {
      out.println("  " + group);
    }
    TextTable hosts = new TextTable("host", "GUID", "leaf");
    t.path("hosts")
        .forEach(
            h -> hosts.row(Words.text(h, "name"), Words.text(h, "guid"), Words.text(h, "leaf")));
    TextTable links = new TextTable("link from", "port", "to", "port");
    t.path("links")
        .forEach(
            l ->
                links.row(
                    Words.text(l, "from"),
                    l.path("port").asInt(0),
                    Words.text(l, "to"),
                    l.path("to_port").asInt(0)));
    TextTable members = new TextTable("member", "membership", "state");
    t.path("members")
        .forEach(
            m ->
                members.row(
                    Words.text(m, "guid"),
                    Words.text(m, "membership"),
                    m.path("pending").asBoolean(false) ? "pending" : "there"));
    for (TextTable table : new TextTable[] {hosts, links, members}) {
      if (!table.isEmpty()) {
        table.print(out, session.terminal(), "  ");
      }
    }
    for (String line : Words.texts(t.path("broken"))) {
      out.println("  " + session.terminal().bad("broken:") + " " + line);
    }
  }
}
