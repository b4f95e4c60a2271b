package org.heddle.cli.allocate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.fabric.Counted;
import org.heddle.plan.DraftState;
import org.heddle.plan.FabricChange;
import org.heddle.plan.model.Breach;
import org.heddle.plan.model.HostRef;
import org.heddle.plan.model.Tenant;
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
  private static final String BROKEN = "broken";

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
      TenantView tenant) {
    private boolean broken() {
      return outcome.equals(BROKEN);
    }
  }

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
    DraftState next = site.now().copy();
    try (Progress _ = session.terminal().progress("looking for places")) {
      FabricChange.flag(next, site.lost(), 0);
      FabricChange.repair(next, moveHosts, 0);
    }
    List<Line> lines = new ArrayList<>();
    site.lost().forEach((name, all) -> line(site, next, name, all).ifPresent(lines::add));
    boolean ok = lines.stream().noneMatch(Line::broken);
    List<String> files = List.of();
    if (!change.dryRun() && !lines.stream().allMatch(Line::broken)) {
      if (change.directory() != null && ok) {
        files = new ExportFiles(session, site, next, change.directory()).write();
      } else if (change.directory() != null) {
        session.note("nothing is exported while tenants are broken");
      }
      site.write(session, next);
    }
    report(site, ok, lines, files);
    return ok ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private void report(AllocationState site, boolean ok, List<Line> lines, List<String> files) {
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

  /** What became of a tenant, if it had lost something. */
  private Optional<Line> line(
      AllocationState site, DraftState next, String name, List<Breach> lost) {
    if (lost.isEmpty()) {
      return Optional.empty();
    }
    Tenant before = site.tenant(name);
    Tenant after = next.tenants.get(name);
    boolean broken = !after.broken().isEmpty();
    TenantView old = site.view(name);
    TenantView view = broken ? old : TenantView.of(next, after, List.of());
    List<String> gained = new ArrayList<>(view.hostNames());
    gained.removeAll(old.hostNames());
    List<String> left = new ArrayList<>(old.hostNames());
    left.removeAll(view.hostNames());
    boolean stayed = Set.copyOf(guids(after)).equals(Set.copyOf(guids(before)));
    return Optional.of(
        new Line(
            name,
            broken ? BROKEN : stayed ? "relinked" : "moved",
            broken ? reason(next, after) : "",
            Breach.sentences(lost),
            gained,
            left,
            view));
  }

  private static List<Long> guids(Tenant t) {
    return t.hosts().stream().map(HostRef::guid).toList();
  }

  private String reason(DraftState next, Tenant t) {
    if (moveHosts) {
      return FabricChange.whyNot(next, t);
    }
    boolean hosts = AllocationState.held(next, t).hostCount() == t.hosts().size();
    return (hosts ? "no conforming links are free on its hosts" : "hosts are gone")
        + (FabricChange.elsewhere(next, t).isPresent()
            ? "; --move-hosts would mend it"
            : ", and there is no other place");
  }

  private void print(Line line) {
    boolean broken = line.broken();
    String would = change.dryRun() && !broken ? "would be " : "";
    session
        .out()
        .println(
            line.name()
                + ": "
                + (broken ? session.terminal().bad(BROKEN) : would + line.outcome())
                + ", "
                + "had lost "
                + Counted.of(line.lost().size(), "host or link", "hosts and links"));
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

  private static Optional<String> names(String what, List<String> names) {
    return names.isEmpty() ? Optional.empty() : Optional.of(what + String.join(", ", names));
  }
}
