package org.heddle.cli.allocate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.cli.shell.Counted;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.text.state.BoundState;
import org.heddle.text.state.StateFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code heddle allocate FABRIC --state FILE repair}. */
@Command(
    name = "repair",
    description = {
      "Give tenants that have lost links or hosts what they were promised again.",
      "They get other links on the hosts they have, and with --move-hosts other hosts where that "
          + "is not enough.",
      "Nobody else is touched. Exit code 1 if a tenant could not be mended; it is said why."
    },
    footer = {
      "",
      "Examples:",
      "  heddle allocate now.net --state tenants.json repair --dry-run",
      "  heddle allocate now.net --state tenants.json repair --move-hosts -o files"
    })
public final class RepairCommand extends ShellCommand {
  /** The JSON output. */
  record Document(
      String format,
      String fabric,
      String state,
      boolean ok,
      boolean dryRun,
      List<Line> tenants,
      List<String> files) {}

  /**
   * What became of one tenant.
   *
   * @param outcome relinked, moved or broken
   * @param reason why it is broken, else empty
   * @param lost what it had lost, one sentence each
   * @param newHosts names of hosts it did not have before
   * @param leftHosts names of hosts that are there and that it does not have any more
   * @param tenant what it holds now
   */
  record Line(
      String name,
      String outcome,
      String reason,
      List<String> lost,
      List<String> newHosts,
      List<String> leftHosts,
      TenantView tenant) {}

  @ParentCommand private AllocateCommand parent;

  @Option(
      names = "--move-hosts",
      description = "Also replace hosts, as few as the allocator's order of costs allows.")
  private boolean moveHosts;

  @Mixin private ChangeOptions change;

  public RepairCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    AllocationState site = parent.change();
    List<Repair.Mended> all;
    try (Progress _ = session.terminal().progress("looking for places")) {
      all = new Repair(site.bound(), moveHosts).run();
    }
    List<BoundState.Held> after = new ArrayList<>(site.bound().held());
    List<StateFile.Tenant> tenants = site.tenants();
    boolean changed = false;
    boolean ok = true;
    for (Repair.Mended m : all) {
      ok &= m.allocation().isPresent();
      if (m.allocation().isPresent()) {
        BoundState.Held held = m.held();
        StateFile.Tenant now =
            StateFile.Tenant.of(
                held.tenant().name(),
                held.tenant().pkey(),
                held.tenant().allocator(),
                m.allocation().get());
        tenants.set(m.index(), now);
        after.set(m.index(), new BoundState.Held(now, m.allocation().get(), List.of()));
        changed = true;
      }
    }
    List<String> files = List.of();
    if (changed && !change.dryRun()) {
      if (change.directory() != null && ok) {
        files = new ExportFiles(session, site, after, change.directory()).write();
      } else if (change.directory() != null) {
        session.note("nothing is exported while tenants are broken");
      }
      site.write(session, tenants, site.bound().state().engine());
    }
    report(site, ok, all, after, files);
    return ok ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private void report(
      AllocationState site,
      boolean ok,
      List<Repair.Mended> all,
      List<BoundState.Held> after,
      List<String> files) {
    List<Line> lines = all.stream().map(m -> line(m, after.get(m.index()))).toList();
    if (json()) {
      Json.print(
          session,
          new Document(
              "heddle.allocate-repair/1",
              site.fabricFile(),
              site.stateFile(),
              ok,
              change.dryRun(),
              lines,
              files));
      return;
    }
    if (lines.isEmpty()) {
      session.out().println("nothing to mend: all that the tenants hold is there");
    }
    for (Line line : lines) {
      print(line);
    }
    ExportCommand.print(session, change.directory(), files);
  }

  private static Line line(Repair.Mended m, BoundState.Held now) {
    BoundState.Held before = m.held();
    String outcome = m.allocation().isEmpty() ? "broken" : m.sameHosts() ? "relinked" : "moved";
    TenantView old = TenantView.of(before);
    TenantView view = TenantView.of(now);
    List<String> gained = new ArrayList<>(view.hostNames());
    gained.removeAll(old.hostNames());
    List<String> left = new ArrayList<>(old.hostNames());
    left.removeAll(view.hostNames());
    return new Line(
        before.tenant().name(), outcome, m.reason(), Repair.lost(before), gained, left, view);
  }

  private void print(Line line) {
    boolean broken = line.outcome().equals("broken");
    String would = change.dryRun() && !broken ? "would be " : "";
    session
        .out()
        .println(
            line.name()
                + ": "
                + (broken ? session.terminal().bad("broken") : would + line.outcome())
                + ", "
                + what(line.lost()));
    if (broken) {
      session.out().println("  " + line.reason());
    }
    for (Optional<String> text :
        List.of(names("new hosts: ", line.newHosts()), names("left: ", line.leftHosts()))) {
      text.ifPresent(t -> session.out().println("  " + t));
    }
    if (!broken) {
      line.tenant().print(session.out(), session.terminal());
    }
  }

  private static String what(List<String> lost) {
    return lost.equals(List.of(LinkTables.NOT_JOINED))
        ? LinkTables.NOT_JOINED
        : "had lost " + Counted.of(lost.size(), "host or link", "hosts and links");
  }

  private static Optional<String> names(String what, List<String> names) {
    return names.isEmpty() ? Optional.empty() : Optional.of(what + String.join(", ", names));
  }
}
