package org.heddle.cli.vms;

import java.util.List;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.Words;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Paths and answers about machines. */
final class MachineAnswers {
  private MachineAnswers() {}

  /**
   * The path of a machine.
   *
   * @throws Failure exit code 2 for what cannot be a name: the path would be another one
   */
  static String path(String name) {
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,62}")) {
      throw Failure.badInput(
          "'" + name + "' is no name of a machine", "'heddle vms list' shows them");
    }
    return "/v1/vms/" + name;
  }

  /**
   * The answer to a start or a stop; if it was a job, as if it had been answered at once.
   *
   * @param path of the machine there is now; empty if it is gone
   */
  static JsonNode answer(ServerClient client, String path, JsonNode answer) {
    if (!answer.has("progress")) {
      return answer;
    }
    ObjectNode out = JsonNodeFactory.instance.objectNode().put("outcome", "in-fabric");
    out.set("epoch", answer.path("epoch"));
    if (!path.isEmpty()) {
      out.set("vm", client.get(path));
    }
    return out;
  }

  /** Prints it; {@code did} and {@code would} are what is said of the machine. */
  static void print(
      Session session,
      boolean json,
      ServerClient client,
      String format,
      String name,
      JsonNode answer,
      String did,
      String would) {
    if (json) {
      ObjectNode document = client.document(format).put("name", name);
      for (String key : List.of("outcome", "epoch", "vm", "tables")) {
        document.set(key, answer.path(key).isMissingNode() ? null : answer.path(key));
      }
      Json.print(session.out(), document);
      return;
    }
    JsonNode vm = answer.path("vm");
    String what = vm.isObject() ? ": " + line(vm) : "";
    String tables = Words.tables(answer);
    String text =
        switch (Words.text(answer, "outcome")) {
          case "would-be" -> would + what + (tables.isEmpty() ? "" : "; " + tables);
          case "unchanged" -> "was like that already" + what;
          case "in-fabric" -> did + when(answer) + ", the fabric has it" + what;
          default -> did + when(answer) + what;
        };
    session.out().println(session.terminal().bold(name) + " " + text);
  }

  private static String when(JsonNode answer) {
    return " at epoch " + answer.path("epoch").asLong(0);
  }

  /** {@code on 'H_0_0', function 1, LID 8191, vGUID 0x0600000000000001}. */
  private static String line(JsonNode vm) {
    return "on '"
        + Words.text(vm, "host")
        + "', function "
        + vm.path("function").asLong(0)
        + ", LID "
        + vm.path("lid").asLong(0)
        + (vm.path("own_lid").asBoolean(true) ? "" : " (its host's)")
        + ", vGUID "
        + Words.text(vm, "vguid");
  }
}
