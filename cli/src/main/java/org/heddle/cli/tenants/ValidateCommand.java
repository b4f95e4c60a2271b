package org.heddle.cli.tenants;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.text.Parsed;
import org.heddle.text.Problem;
import org.heddle.text.tenants.ResolvedTenants;
import org.heddle.text.tenants.TenantsFile;
import org.heddle.text.tenants.TenantsFileReader;
import org.heddle.text.tenants.TenantsResolver;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code heddle tenants validate}: is a tenants file right, in itself and on a fabric. */
@Command(
    name = "validate",
    description = {
      "Check a tenants file; with a fabric also that its hosts exist and its keys fit.",
      "Prints file and line, what is wrong, and what was expected. Exit code 1 if there is an "
          + "error or a warning."
    },
    footer = {"", "Example:", "  heddle tenants validate tenants.yaml big.net"})
public final class ValidateCommand extends ShellCommand {
  /**
   * The JSON output.
   *
   * @param hosts hosts in at least one tenant; 0 without a fabric
   */
  record Document(
      String format,
      String file,
      String fabric,
      boolean valid,
      int errors,
      int warnings,
      int tenants,
      int hosts,
      int pending) {}

  @Mixin private MachinesOption machines;

  @Parameters(index = "0", paramLabel = "FILE", description = "Tenants file, - for standard input.")
  private String tenantsFile;

  @Parameters(index = "1", paramLabel = "FABRIC", arity = "0..1", description = "Fabric file.")
  private String fabricFile;

  public ValidateCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    Parsed<TenantsFile> file = TenantsFileReader.read(session.read(tenantsFile));
    List<Problem> problems = new ArrayList<>(file.problems());
    boolean valid = file.ok();
    ResolvedTenants resolved = null;
    if (fabricFile != null) {
      Fabric fabric = FabricFiles.read(session, fabricFile);
      if (valid) {
        Parsed<ResolvedTenants> parsed = TenantsResolver.resolve(file.get(), fabric);
        problems.addAll(parsed.problems());
        valid = parsed.ok();
        resolved = valid ? parsed.get() : null;
      }
    }
    session.keep(problems); // into the document, and warnings into the exit code
    Document document =
        document(problems, valid, valid ? file.get().tenants().size() : 0, resolved);
    if (json()) {
      Json.print(session, document);
    } else {
      print(document, problems);
    }
    return valid ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private Document document(
      List<Problem> problems, boolean valid, int tenants, ResolvedTenants resolved) {
    Set<String> hosts = new HashSet<>();
    int pending = 0;
    if (resolved != null) {
      for (ResolvedTenants.Details details : resolved.tenants()) {
        hosts.addAll(details.hosts());
        pending += details.pending().size();
      }
    }
    int errors = count(problems, Problem.Severity.ERROR);
    int warnings = count(problems, Problem.Severity.WARNING);
    return new Document(
        "heddle.tenants-validate/1",
        tenantsFile,
        fabricFile,
        valid,
        errors,
        warnings,
        tenants,
        hosts.size(),
        pending);
  }

  private static int count(List<Problem> problems, Problem.Severity severity) {
    return (int) problems.stream().filter(p -> p.severity() == severity).count();
  }

  private void print(Document d, List<Problem> problems) {
    for (Problem p : problems) {
      String label =
          switch (p.severity()) {
            case ERROR -> session.terminal().bad("error:");
            case WARNING -> session.terminal().odd("warning:");
            case NOTE -> session.terminal().odd("note:");
          };
      String line = p.line() > 0 ? ":" + p.line() : "";
      session.out().println(p.file() + line + ": " + label + " " + p.message());
    }
    if (!d.valid()) {
      session
          .out()
          .println(
              session
                  .terminal()
                  .bad(
                      tenantsFile + " is not valid: " + Counted.of(d.errors(), "error", "errors")));
      return;
    }
    String hosts =
        fabricFile == null
            ? ""
            : ", " + Counted.of(d.hosts(), "host", "hosts") + ", " + d.pending() + " pending";
    session
        .out()
        .println(
            session.terminal().good(tenantsFile + " is valid")
                + ": "
                + Counted.of(d.tenants(), "tenant", "tenants")
                + hosts
                + (d.warnings() == 0
                    ? ""
                    : ", " + Counted.of(d.warnings(), "warning", "warnings")));
    if (fabricFile == null) {
      session.out().println("hosts and P_Key tables are not checked without a fabric");
    }
  }
}
