package org.heddle.cli.allocate;

import java.util.ArrayList;
import java.util.List;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.fabric.Counted;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code heddle allocate FABRIC --state FILE check}. */
@Command(
    name = "check",
    description = {
      "Check that everything the tenants hold is in the fabric, route them, and prove from the "
          + "tables that no two of them meet and none leaves its links.",
      "Exit code 1 if something is lost or a promise is not kept."
    })
public final class CheckCommand extends ShellCommand {
  /** The JSON output. */
  record Document(
      String format,
      String fabric,
      String state,
      boolean ok,
      boolean sameFabric,
      String engine,
      int tenants,
      int sharedChannels,
      long changedEntries,
      List<String> lost,
      List<String> broken,
      List<String> notes) {}

  @ParentCommand private AllocateCommand parent;

  public CheckCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    AllocationState site = parent.look();
    List<String> lost = new ArrayList<>();
    site.lost().forEach((name, all) -> all.forEach(b -> lost.add(name + ": " + b.sentence())));
    Proof proof = Proof.of(session, site, site.now());
    boolean ok = lost.isEmpty() && proof.broken().isEmpty();
    Document document =
        new Document(
            "heddle.allocate-check/1",
            site.fabricFile(),
            site.stateFile(),
            ok,
            site.sameFabric(),
            site.now().engine,
            site.now().tenants.size(),
            proof.sharedChannels(),
            proof.changed(),
            lost,
            proof.broken(),
            proof.notes());
    if (json()) {
      Json.print(session, document);
    } else {
      print(document);
    }
    return ok ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private static String good(Document d) {
    return d.sharedChannels() == 0
        ? "every tenant has its links to itself"
        : "every promise is kept; shared are channels of tenants without links of their own";
  }

  private void print(Document d) {
    d.lost().forEach(l -> session.out().println(session.terminal().bad("lost:") + " " + l));
    d.broken().forEach(l -> session.out().println(session.terminal().bad("broken:") + " " + l));
    d.notes().forEach(l -> session.out().println("note: " + l));
    session
        .out()
        .printf(
            "%s, %s, %s from %s%n",
            Counted.of(d.tenants(), "tenant", "tenants"),
            Counted.of(d.sharedChannels(), "shared channel", "shared channels"),
            Counted.of(d.changedEntries(), "entry differs", "entries differ"),
            d.engine());
    session
        .out()
        .println(
            d.ok()
                ? session.terminal().good(good(d))
                : session.terminal().bad("not every promise is kept"));
  }
}
