package org.heddle.cli.tenants;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.remote.Words;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.fabric.Counted;
import org.heddle.text.Source;
import org.heddle.text.state.StateFileReader;
import org.heddle.text.tenants.TenantsFile;
import org.heddle.text.tenants.TenantsFileReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code heddle tenants apply}: makes a controller's tenants what a file says. */
@Command(
    name = "apply",
    description = {
      "Make the tenants of a controller what a file says: a tenants file, or a state file of "
          + "'heddle allocate'.",
      "First it shows which tenants would be admitted, changed, moved and deleted, and what that "
          + "does to others; all of it is routed and proven. Then it asks for confirmation, and "
          + "makes all changes at once or none. If the state has changed in the meantime, it "
          + "makes none.",
      "Tenants that are not in the file are deleted, unless --keep is given."
    },
    footer = {
      "",
      "Examples:",
      "  heddle tenants apply tenants.yaml --dry-run",
      "  heddle tenants apply tenants.yaml --yes --server https://fabric1:8480",
      "  heddle tenants export -o now.yaml; $EDITOR now.yaml; heddle tenants apply now.yaml"
    })
public final class ApplyCommand extends ShellCommand {
  private static final int SHOWN = 50;

  @Mixin private ServerOptions options;

  @Parameters(
      paramLabel = "FILE",
      description = "Tenants file or state file; - for standard input.")
  private String file;

  @Option(names = "--keep", description = "Keep tenants that are not in the file.")
  private boolean keep;

  @Option(names = "--dry-run", description = "Say what would happen and change nothing.")
  private boolean dryRun;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask for confirmation.")
  private boolean yes;

  public ApplyCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    if (dryRun && yes) {
      throw Failure.badInput("--dry-run and --yes exclude each other");
    }
    ObjectNode change = change(session.read(file));
    boolean asks = !dryRun && !yes;
    if (asks && (file.equals("-") || json() || !session.terminal().asks())) {
      throw Failure.badInput(
          "nobody can be asked here: --yes applies the changes, --dry-run " + "only shows them");
    }
    try (ServerClient client = options.open(session)) {
      ObjectNode body = JsonNodeFactory.instance.objectNode();
      body.putArray("changes").add(change);
      JsonNode plan =
          client.change("POST", "/v1/plans" + (dryRun ? "?dry_run=true" : ""), Optional.of(body));
      JsonNode result = plan.path("result");
      if (!result.path("proven").asBoolean(false)) {
        throw Failure.refused(
            "the controller cannot do that: " + Words.text(result, "reason"),
            Words.texts(result.path("hints")));
      }
      boolean nothing =
          result.path("tenants").isEmpty() && result.path("tables").path("blocks").asInt(0) == 0;
      if (!json()) {
        print(result, nothing);
      }
      if (nothing || dryRun) {
        report(client, plan, nothing ? "unchanged" : "would-be", plan.path("epoch").asLong(0));
        return ExitCode.OK;
      }
      if (asks && !session.confirm("apply?")) {
        session.out().println("nothing was changed");
        return ExitCode.OK;
      }
      JsonNode applied =
          client.change(
              "POST", "/v1/plans/" + plan.path("id").asLong(0) + "/apply", Optional.empty());
      report(client, plan, Words.text(applied, "outcome"), applied.path("epoch").asLong(0));
      if (!json()) {
        session.out().println("applied at epoch " + applied.path("epoch").asLong(0));
      }
    }
    return ExitCode.OK;
  }

  /** What is sent; a file with errors is not. */
  private ObjectNode change(Source source) {
    String text = new String(source.bytes(), StandardCharsets.UTF_8);
    boolean state = text.stripLeading().startsWith("{") && text.contains("\"engine\"");
    if (state) {
      session.accept(file, StateFileReader.read(source));
    } else {
      warnOfPlansOwn(session.accept(file, TenantsFileReader.read(source)));
    }
    return JsonNodeFactory.instance
        .objectNode()
        .put("op", state ? "state-file" : "tenants-file")
        .put("source", file)
        .put("text", text)
        .put("keep", keep);
  }

  /** What a file says for routing, a controller does not know. */
  private void warnOfPlansOwn(TenantsFile tenants) {
    List<String> lost = new ArrayList<>();
    boolean weights =
        !tenants.weights().isEmpty()
            || tenants.tenants().stream()
                .anyMatch(
                    t ->
                        t.weight() != 0
                            || !t.weights().isEmpty()
                            || t.members().stream().anyMatch(m -> m.weight() != 0));
    if (weights) {
      lost.add("weights");
    }
    if (!tenants.rules().sharing().isEmpty()) {
      lost.add("sharing");
    }
    if (tenants.rules().physicalShare() < 1) {
      lost.add("physical_share");
    }
    if (!lost.isEmpty()) {
      session.warn(
          file
              + ": "
              + String.join(", ", lost)
              + ": only 'heddle plan' uses these, a controller "
              + "does not");
    }
  }

  private void print(JsonNode result, boolean nothing) {
    if (nothing) {
      session.out().println("nothing to do: the controller's tenants are what the file says");
      return;
    }
    int shown = 0;
    for (JsonNode t : result.path("tenants")) {
      if (shown++ < SHOWN) {
        session.out().println(line(t));
      }
    }
    if (shown > SHOWN) {
      session.out().println("and " + (shown - SHOWN) + " more, which --json lists");
    }
    JsonNode vms = result.path("vms");
    if (vms.path("total").asInt(0) > 0) {
      List<String> counts = new ArrayList<>();
      vms.path("counts")
          .propertyStream()
          .forEach(e -> counts.add(e.getValue().asInt(0) + " " + e.getKey()));
      session.out().println("VMs: " + String.join(", ", counts));
    }
    session.out().println(Words.tables(result) + "; routed and proven");
  }

  private String line(JsonNode t) {
    String change = Words.text(t, "change");
    String name = session.terminal().bold(Words.text(t, "name"));
    JsonNode before = t.path("before");
    JsonNode after = t.path("after");
    return switch (change) {
      case "admitted" -> "+ " + name + " is admitted: " + side(after);
      case "gone" -> "- " + name + " is deleted: " + side(before);
      case "moved" -> "~ " + name + " gets other hosts or links: " + side(after);
      case "promise-broken" ->
          session.terminal().bad("!") + " " + name + " loses its promise: " + broken(after);
      case "promise-restored" -> "~ " + name + " has what it was promised again";
      default -> "~ " + name + " is changed: " + difference(before, after);
    };
  }

  private static String broken(JsonNode side) {
    return String.join("; ", Words.texts(side.path("broken")));
  }

  private static String side(JsonNode side) {
    int links = side.path("links").asInt(0);
    return "policy "
        + Words.text(side, "policy")
        + ", "
        + Counted.of(side.path("hosts").asInt(0), "host", "hosts")
        + (links == 0 ? "" : ", " + Counted.of(links, "link", "links"))
        + ", key "
        + Words.text(side, "pkey")
        + (Words.ipOverIb(side).isEmpty() ? "" : ", " + Words.ipOverIb(side));
  }

  private static String difference(JsonNode before, JsonNode after) {
    String is = side(after);
    return side(before).equals(is) ? "members, " + is : is + " (was " + side(before) + ")";
  }

  private void report(ServerClient client, JsonNode plan, String outcome, long epoch) {
    if (!json()) {
      return;
    }
    ObjectNode document = client.document("heddle.tenants-apply/2");
    document.put("file", file).put("outcome", outcome).put("epoch", epoch);
    if (plan.path("id").asLong(0) == 0) {
      document.putNull("plan");
    } else {
      document.put("plan", plan.path("id").asLong(0));
    }
    for (String key : List.of("tenants", "vms", "tables")) {
      document.set(key, plan.path("result").path(key));
    }
    Json.print(session, document);
  }
}
