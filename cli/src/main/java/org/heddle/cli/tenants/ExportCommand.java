package org.heddle.cli.tenants;

import java.nio.charset.StandardCharsets;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code heddle tenants export}: the tenants of a controller as a file. */
@Command(
    name = "export",
    description = {
      "Write the tenants of a controller as a file, with the hosts, links and keys that they have.",
      "Applied to the same controller, the file changes nothing; on an empty controller of the "
          + "same fabric it makes the same tenants. 'heddle plan' takes the tenants file, "
          + "'heddle allocate' the state file."
    },
    footer = {
      "",
      "Examples:",
      "  heddle tenants export -o tenants.yaml",
      "  heddle tenants export --format state -o state.json --server https://fabric1:8480"
    })
public final class ExportCommand extends ShellCommand {
  private enum Format {
    tenants,
    state
  }

  @Mixin private ServerOptions options;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "tenants",
      description =
          "tenants (a tenants file, default), or state (a state file of 'heddle allocate': only "
              + "tenants that hold hosts, and only the policies links and def).")
  private Format format;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      defaultValue = "-",
      description = "File to write (default: standard output).")
  private String output;

  public ExportCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    if (json() && output.equals("-")) {
      throw Failure.badInput("--json needs -o FILE: without it the file itself is printed");
    }
    try (ServerClient client = options.open(session)) {
      JsonNode file = client.get("/v1/export?format=" + format);
      String text = file.path("text").asString("");
      session.outputs().write(output, text.getBytes(StandardCharsets.UTF_8));
      if (json()) {
        ObjectNode document = client.document("heddle.tenants-export/1");
        document.put("fabric", file.path("fabric").asString(""));
        document.put("epoch", file.path("epoch").asLong(0));
        document.put("file", output).put("kind", format.name());
        Json.print(session, document);
      }
    }
    return ExitCode.OK;
  }
}
