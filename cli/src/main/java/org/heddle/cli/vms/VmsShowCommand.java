package org.heddle.cli.vms;

import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.remote.Words;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code heddle vms show}: a virtual machine of a controller. */
@Command(
    name = "show",
    description = {
      "Show a virtual machine of a controller: host, function and addresses.",
      "Exit code 1 if it cannot be reached."
    })
public final class VmsShowCommand extends ShellCommand {
  @Mixin private ServerOptions options;

  @Parameters(paramLabel = "NAME", description = "The virtual machine.")
  private String name;

  public VmsShowCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    String path = MachineAnswers.path(name);
    try (ServerClient client = options.open(session)) {
      JsonNode vm = client.get(path);
      String stranded = Words.text(vm, "stranded");
      if (json()) {
        ObjectNode document = client.document("heddle.vms-show/2");
        document.set("vm", vm);
        Json.print(session, document);
      } else {
        String state = stranded.isEmpty() ? "" : session.terminal().bad("stranded: " + stranded);
        session.out().println(session.terminal().bold(name) + " of " + Words.text(vm, "tenant"));
        print("host", Words.text(vm, "host") + " (" + Words.text(vm, "host_guid") + ")");
        print("function", Words.text(vm, "function"));
        print(
            "LID", Words.text(vm, "lid") + (vm.path("own_lid").asBoolean(true) ? "" : ", shared"));
        print("vGUID", Words.text(vm, "vguid"));
        print("version", Words.text(vm, "version"));
        if (!state.isEmpty()) {
          session.out().println("  " + state);
        }
      }
      return stranded.isEmpty() ? ExitCode.OK : ExitCode.FINDINGS;
    }
  }

  private void print(String what, String value) {
    session.out().println("  " + what + " " + value);
  }
}
