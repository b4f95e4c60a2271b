package org.heddle.cli.vms;

import java.util.List;
import java.util.Optional;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.remote.WaitOptions;
import org.heddle.cli.remote.Words;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TextTable;
import org.heddle.fabric.Counted;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code heddle vms move}: a controller moves machines; they keep LID and vGUID. */
@Command(
    name = "move",
    description = {
      "Have a controller move virtual machines to other hosts, all or none, one after the other.",
      "They keep their LIDs and vGUIDs. Exit code 1 with the reason if the move is refused, with "
          + "--dry-run as well."
    },
    footer = {
      "",
      "Examples:",
      "  heddle vms move web=node17 --dry-run",
      "  heddle vms move web=node17 db=node18 --wait"
    })
public final class VmsMoveCommand extends ShellCommand {
  private static final List<String> METHODS = List.of("ftree-minrc", "itrc");

  @Mixin private ServerOptions options;

  @Mixin private WaitOptions waiting;

  @Option(
      names = "--method",
      paramLabel = "NAME",
      defaultValue = "ftree-minrc",
      description = "ftree-minrc (default): few switches; itrc: all switches whose entries differ.")
  private String method;

  @Option(names = "--dry-run", description = "Say what would happen and change nothing.")
  private boolean dryRun;

  @Parameters(
      paramLabel = "VM=HOST",
      arity = "1..*",
      description = "The virtual machine, and its new host by name, or by GUID with 0x.")
  private List<String> moves;

  public VmsMoveCommand(Session session) {
    super(session);
  }

  private ObjectNode body() {
    if (!METHODS.contains(method)) {
      throw Failure.badInput("'" + method + "' is not a method: " + String.join(", ", METHODS));
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("method", method);
    ArrayNode list = body.putArray("moves");
    for (String move : moves) {
      int at = move.indexOf('=');
      if (at <= 0 || at == move.length() - 1) {
        throw Failure.badInput("'" + move + "' is not a move", "expected: VM=HOST");
      }
      MachineAnswers.path(move.substring(0, at)); // a name, else it is told here
      list.addObject().put("vm", move.substring(0, at)).put("to", move.substring(at + 1));
    }
    return body;
  }

  @Override
  protected int execute() {
    Optional<ObjectNode> body = Optional.of(body());
    try (ServerClient client = options.open(session)) {
      JsonNode answer =
          waiting.change(client, session, "POST", "/v1/migrations", body, Optional.empty(), dryRun);
      boolean awaited = answer.has("progress");
      JsonNode m =
          awaited ? client.get("/v1/migrations/" + answer.path("epoch").asLong(0)) : answer;
      boolean refused = Words.text(m, "state").equals("refused");
      if (json()) {
        ObjectNode document = client.document("heddle.vms-move/1");
        document.set("migration", m);
        Json.print(session, document);
        return refused ? ExitCode.FINDINGS : ExitCode.OK;
      }
      if (refused) {
        throw Failure.refused(Words.text(m, "reason"), Words.texts(m.path("hints")));
      }
      print(m, awaited);
    }
    return ExitCode.OK;
  }

  private void print(JsonNode m, boolean awaited) {
    String count = Counted.of(m.path("moves").size(), "VM", "VMs");
    String head =
        dryRun
            ? count + " would be moved"
            : count
                + " moved at epoch "
                + m.path("epoch").asLong(0)
                + (awaited ? ", the fabric has it" : "");
    String smps = Counted.of(m.path("smps").asLong(0), "block", "blocks");
    session.out().println(session.terminal().bold(head) + ": " + smps + " of tables");
    TextTable table = new TextTable("VM", "from", "to", "LID", "switches", "2c-1", "");
    for (JsonNode x : m.path("moves")) {
      table.row(
          Words.text(x, "vm"),
          Words.text(x, "from"),
          Words.text(x, "to"),
          x.path("lid").asLong(0),
          x.path("switches").asLong(0),
          x.path("minimum").asLong(0),
          x.path("widened").asBoolean(false) ? "widened" : "");
    }
    table.print(session.out(), session.terminal(), "");
    if (!m.path("dropped_lids").isEmpty()) {
      String lids = String.join(", ", Words.texts(m.path("dropped_lids")));
      session.out().println("dropped temporarily: LID " + lids);
    }
  }
}
