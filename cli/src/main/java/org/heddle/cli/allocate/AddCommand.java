package org.heddle.cli.allocate;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.Placing;
import org.heddle.allocation.Rails;
import org.heddle.allocation.Refusal;
import org.heddle.cli.shell.Allocators;
import org.heddle.cli.shell.Choices;
import org.heddle.cli.shell.Engines;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.SearchOptions;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.plan.ChangePlanner;
import org.heddle.plan.DraftState;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.TenantSpec;
import org.heddle.plan.model.Wishes;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.PKeys;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.text.state.StateFile;
import org.heddle.text.tenants.ResolvedTenants;
import org.heddle.text.tenants.TenantsFile;
import org.heddle.text.tenants.TenantsResolver;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code heddle allocate FABRIC --state FILE add NAME --hosts N}. */
@Command(
    name = "add",
    description = {
      "Admit a tenant: find hosts for it, and links that nobody else has, so that any traffic "
          + "between its hosts runs as on a network of its own.",
      "If there is no place, it says what would help, changes nothing, and exits with 1."
    },
    footer = {
      "",
      "Examples:",
      "  heddle allocate big.net --state tenants.json add physics --hosts 100",
      "  heddle allocate big.net --state tenants.json add ml --hosts 16 --on 'gpu[001-064]'",
      "  heddle allocate big.net --state tenants.json add web --vms 100 --vms-per-host 16 "
          + "--avoid 'gpu*'"
    })
public final class AddCommand extends ShellCommand {
  /**
   * The JSON output.
   *
   * @param outcome placed, already-there, rejected or aborted
   */
  record Document(
      String format,
      String fabric,
      String state,
      String outcome,
      String reason,
      Optional<TenantView> tenant,
      Optional<Refusal> advice,
      boolean dryRun,
      List<String> files) {}

  @ParentCommand private AllocateCommand parent;

  @Parameters(paramLabel = "NAME", description = "Name of the tenant.")
  private String name;

  /** How many: one of the two. */
  static final class Amount {
    @Option(
        names = {"-n", "--hosts"},
        paramLabel = "N",
        description = "How many machines, each with all its adapters.")
    private Integer hosts;

    @Option(
        names = "--vms",
        paramLabel = "N",
        description = "How many virtual machines, on as many hosts as they fill.")
    private Integer machines;
  }

  @ArgGroup(multiplicity = "1")
  private Amount amount;

  @Option(
      names = "--vms-per-host",
      paramLabel = "N",
      defaultValue = "1",
      description = "Virtual machines a host takes, for --vms (default: 1).")
  private int slots;

  private int hosts;

  @Option(
      names = "--pkey",
      paramLabel = "KEY",
      description = "Partition key, 0x1 to 0x7ffe (default: made from the name).")
  private String pkey;

  private int key;

  @Option(
      names = "--allocator",
      paramLabel = "NAME",
      defaultValue = Allocator.DEFAULT,
      completionCandidates = Choices.Allocators.class,
      description = "Who looks for the place (default: " + Allocator.DEFAULT + ").")
  private String allocatorName;

  @Mixin private SearchOptions search;

  @Option(
      names = "--on",
      paramLabel = "HOSTS",
      description = "Only on these hosts: names, hostlists, wildcards.")
  private List<String> on;

  @Option(
      names = "--prefer",
      paramLabel = "HOSTS",
      description = "Rather on these hosts, if that does no more harm than it must.")
  private List<String> prefer;

  @Option(
      names = "--avoid",
      paramLabel = "HOSTS",
      description = "Rather not on these: scarce or expensive ones, say with accelerators.")
  private List<String> avoid;

  @Option(names = "--spread", description = "Prefer empty switches to full ones.")
  private boolean spread;

  @Option(
      names = "--rails",
      paramLabel = "RAILS",
      defaultValue = "separate",
      completionCandidates = Choices.Rails.class,
      description =
          "Of machines with several adapters: separate, links for each rail by itself; joined, also "
              + "for traffic across rails (default: separate).")
  private String railsWord;

  private Rails rails;

  @Option(names = "--no-links", description = "Hosts only, without links of their own.")
  private boolean noLinks;

  @Option(
      names = {"-e", "--engine"},
      paramLabel = "NAME",
      completionCandidates = Choices.Engines.class,
      description =
          "Engine of the tables under the tenants' own (default: that of the state, or "
              + StateFile.DEFAULT_ENGINE
              + ").")
  private String engine;

  @Mixin private ChangeOptions change;

  public AddCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    checkOptions();
    TenantSpec spec = spec();
    AllocationState site = parent.change(engine);
    Change create = new Change.Create(spec, List.of(), wishes(site.fabric()));
    DraftState next = site.now().copy();
    ChangePlanner.Decision decision;
    try (Progress _ = session.terminal().progress("looking for a place")) {
      decision = ChangePlanner.of(next).decide(create);
    }
    return switch (decision) {
      case ChangePlanner.Decision.Changed _ -> placed(site, next);
      case ChangePlanner.Decision.Settled(Outcome.Refused no, var place) ->
          refused(site, no, place);
      case ChangePlanner.Decision.Settled _ -> {
        report(site, "already-there", Optional.of(site.view(name)), List.of());
        yield ExitCode.OK;
      }
    };
  }

  /** After a search that was given up. */
  private Refusal longer(Refusal no) {
    long budget = Math.multiplyExact(Math.min(search.budget(), 1L << 40), 10);
    return new Refusal(
        no.reason(),
        no.freeHosts(),
        0,
        Optional.empty(),
        Optional.empty(),
        List.of("search longer: --budget " + budget));
  }

  private void checkOptions() {
    if (!StateFile.isName(name)) {
      throw Failure.badInput(
          "'" + name + "' is no name for a tenant",
          "1 to 31 letters, digits, '_', '-' or '.', the first a letter or digit; not 'default'");
    }
    if (slots < 1 || amount.machines != null && amount.machines < 1) {
      throw Failure.badInput("--vms and --vms-per-host are 1 or more");
    }
    if (amount.machines == null && slots != 1) {
      throw Failure.badInput("--vms-per-host goes with --vms");
    }
    hosts = amount.hosts != null ? amount.hosts : Math.ceilDiv(amount.machines, slots);
    if (hosts < 1 || search.oversubscription() < 1 || search.budget() < 1) {
      throw Failure.badInput("--hosts, --oversubscription and --budget are 1 or more");
    }
    rails =
        Rails.of(railsWord)
            .orElseThrow(
                () -> Failure.badInput("--rails is separate or joined; got: " + railsWord));
    if (pkey != null) {
      key = key(pkey);
    }
    if (engine != null) {
      engine = Engines.named(engine).name();
    }
  }

  private static int key(String text) {
    int value = text.matches("0x[0-9a-fA-F]{1,4}") ? Integer.parseInt(text.substring(2), 16) : 0;
    if (!PKeys.isTenants(value & Partition.DEFAULT_PKEY)) {
      throw Failure.badInput("--pkey is 0x1 to 0x7ffe, as in 0x0101; got: " + text);
    }
    return value & Partition.DEFAULT_PKEY;
  }

  private TenantSpec spec() {
    Allocator allocator = Allocators.named(allocatorName);
    return new TenantSpec(
        name,
        "",
        noLinks || !allocator.givesLinks() ? Policy.DEF : Policy.LINKS,
        hosts,
        List.of(),
        search.oversubscription(),
        noLinks ? Rails.SEPARATE : rails,
        allocator.name(),
        PartitionOptions.ofKey(key),
        List.of());
  }

  private Wishes wishes(Fabric fabric) {
    return new Wishes(
        named("--on", on, fabric),
        named("--prefer", prefer, fabric),
        named("--avoid", avoid, fabric),
        spread,
        search.budget());
  }

  /** Node GUIDs of the hosts of an option, found as those of a tenants file; none without it. */
  private Set<Long> named(String option, List<String> words, Fabric fabric) {
    if (words == null) {
      return Set.of();
    }
    TenantsFile file =
        new TenantsFile(
            option,
            TenantsFile.Rules.DEFAULT,
            List.of(),
            List.of(
                TenantsFile.Tenant.of(
                    name,
                    0,
                    IsolationPolicy.DEF,
                    List.of(TenantsFile.Member.of(new TenantsFile.Hosts(words))))));
    ResolvedTenants found = session.accept(option, TenantsResolver.resolve(file, fabric));
    Set<Long> nodes = new HashSet<>();
    for (PartitionMember member : found.tenancy().partitions().getFirst().members()) {
      nodes.add(fabric.nodeGuid(fabric.nodeOf(member.port())));
    }
    if (nodes.isEmpty()) {
      throw Failure.badInput(
          option + " " + String.join(",", words) + " names no host of the fabric",
          "names, hostlists such as node[01-16], or wildcards such as 'gpu*'");
    }
    return nodes;
  }

  private int placed(AllocationState site, DraftState next) {
    List<String> files = List.of();
    prove(site, next);
    if (!change.dryRun()) {
      if (change.directory() != null) {
        files = new ExportFiles(session, site, next, change.directory()).write();
      }
      site.write(session, next);
    }
    TenantView view = TenantView.of(next, next.tenants.get(name), List.of());
    report(site, "placed", Optional.of(view), files);
    return ExitCode.OK;
  }

  /**
   * What is admitted can be routed and exported: else nobody could export anything any more. If
   * that is so already, somebody's links are lost, which keeps nobody out.
   */
  private void prove(AllocationState site, DraftState next) {
    List<String> trouble = trouble(site, next);
    if (trouble.isEmpty()) {
      return;
    }
    if (trouble(site, site.now()).isEmpty()) {
      throw Failure.refused(
          "a place for " + name + " was found, but there are no tables that keep its promise",
          trouble);
    }
    session.note("not proven: what is there cannot be routed as promised; 'check' says why");
  }

  private List<String> trouble(AllocationState site, DraftState state) {
    try {
      Proof proof = Proof.of(session, site, state);
      if (proof.broken().isEmpty() && change.directory() == null) {
        proof.crossings().forEach(session::note);
      }
      return proof.broken();
    } catch (Failure none) {
      List<String> out = new ArrayList<>(List.of(none.getMessage()));
      out.addAll(none.hints());
      return out;
    }
  }

  /** What the planner says; of a place, with the numbers for programs. */
  private int refused(
      AllocationState site, Outcome.Refused no, Optional<Placing.Outcome.Refused> place) {
    if (place.isEmpty()) {
      List<String> hints = new ArrayList<>(no.allHints());
      if (site.now().tenants.containsKey(name)) {
        hints.add("it asked for something else: " + site.view(name).summary());
        hints.add("remove it first, or take another name");
      }
      throw Failure.refused(no.reason(), hints);
    }
    boolean givenUp = place.get().givenUp();
    Refusal advice = givenUp ? longer(place.get().refusal()) : place.get().refusal();
    if (!json()) {
      throw Failure.refused(
          "no place for " + name + " (" + Counted.of(hosts, "host", "hosts") + "): " + no.reason(),
          advice.lines());
    }
    print(
        site,
        givenUp ? "aborted" : "rejected",
        no.reason(),
        Optional.empty(),
        Optional.of(advice),
        List.of());
    return ExitCode.FINDINGS;
  }

  private void print(
      AllocationState site,
      String outcome,
      String reason,
      Optional<TenantView> view,
      Optional<Refusal> advice,
      List<String> files) {
    Json.print(
        session,
        new Document(
            "heddle.allocate-add/1",
            site.fabricFile(),
            site.stateFile(),
            outcome,
            reason,
            view,
            advice,
            change.dryRun(),
            files));
  }

  private void report(
      AllocationState site, String outcome, Optional<TenantView> view, List<String> files) {
    if (json()) {
      print(site, outcome, "", view, Optional.empty(), files);
      return;
    }
    String what = change.dryRun() ? "would be placed" : outcome.replace('-', ' ');
    session.out().println(what + ":");
    view.orElseThrow().print(session.out(), session.terminal());
    ExportCommand.print(session, change.directory(), files);
  }
}
