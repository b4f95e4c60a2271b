package org.heddle.cli.vms;

import java.util.ArrayList;
import java.util.List;
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
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code heddle vms list}: the virtual machines of a controller. */
@Command(
    name = "list",
    description = "List the virtual machines of a controller, by name.",
    footer = {"", "Example:", "  heddle vms list --tenant blue"})
public final class VmsListCommand extends ShellCommand {
  @Mixin private ServerOptions options;

  @Option(names = "--tenant", paramLabel = "NAME", description = "Only those of this tenant.")
  private String tenant;

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description = "Only those on this host: its name, or its GUID with 0x.")
  private String host;

  public VmsListCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    List<String> query = new ArrayList<>();
    if (tenant != null) {
      query.add("tenant=" + Words.encoded(tenant));
    }
    if (host != null) {
      query.add("host=" + Words.encoded(host));
    }
    try (ServerClient client = options.open(session)) {
      List<JsonNode> machines = client.all("/v1/vms", String.join("&", query));
      if (json()) {
        ObjectNode document = client.document("heddle.vms-list/2");
        document.putArray("vms").addAll(machines);
        Json.print(session, document);
        return ExitCode.OK;
      }
      TextTable table =
          new TextTable("VM", "tenant", "host", "function", "LID", "vGUID", "version", "state");
      for (JsonNode m : machines) {
        table.row(
            Words.text(m, "name"),
            Words.text(m, "tenant"),
            Words.text(m, "host"),
            m.path("function").asLong(0),
            m.path("lid").asLong(0),
            Words.text(m, "vguid"),
            m.path("version").asLong(0),
            Words.text(m, "stranded").isEmpty() ? "ok" : "stranded");
      }
      if (table.isEmpty()) {
        session.out().println("no VMs");
      } else {
        table.print(session.out(), session.terminal(), "");
      }
    }
    return ExitCode.OK;
  }
}
