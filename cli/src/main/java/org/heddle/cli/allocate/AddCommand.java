package org.heddle.cli.allocate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationRequest.Preference;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.HostChoice;
import org.heddle.allocation.Placing;
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
import org.heddle.fabric.Fabric;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.PKeys;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.text.state.BoundState;
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
        description = "How many hosts.")
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
    Allocator allocator = Allocators.named(allocatorName);
    AllocationState site = parent.change();
    Optional<BoundState.Held> there = site.bound().find(name);
    if (there.isPresent()) {
      return alreadyThere(site, there.get());
    }
    for (StateFile.Tenant other : site.tenants()) {
      if (key != 0 && other.pkey() == key) {
        throw Failure.refused("key 0x%x is taken".formatted(key), List.of("by " + other.name()));
      }
    }
    AllocationRequest request = request(site.fabric());
    Placing.Outcome outcome;
    try (Progress _ = session.terminal().progress("looking for a place")) {
      outcome = Placing.place(allocator, request, site.bound().occupancy(), site.holders());
    }
    return switch (outcome) {
      case Placing.Outcome.Placed placed -> placed(site, allocator, placed.allocation());
      case Placing.Outcome.Refused no when no.givenUp() ->
          refused(site, "aborted", no.refusal().reason(), longer(no.refusal()));
      case Placing.Outcome.Refused no ->
          refused(site, "rejected", no.refusal().reason(), no.refusal());
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

  private AllocationRequest request(Fabric fabric) {
    AllocationRequest request =
        AllocationRequest.of(hosts)
            .withOversubscription(search.oversubscription())
            .withPreference(spread ? Preference.SPREAD : Preference.PACK)
            .withBudget(search.budget());
    request = noLinks ? request.withoutLinks() : request;
    HostChoice choice = on == null ? HostChoice.ANY : HostChoice.only(named("--on", on, fabric));
    if (prefer != null || avoid != null) {
      choice = choice.withCost(costs(fabric));
    }
    return request.withChoice(choice);
  }

  /** By node: 0 for hosts preferred, 2 for those to be avoided, 1 for the others. */
  private int[] costs(Fabric fabric) {
    int[] cost = new int[fabric.nodeCount()];
    Arrays.fill(cost, 1);
    if (prefer != null) {
      named("--prefer", prefer, fabric).stream().forEach(node -> cost[node] = 0);
    }
    if (avoid != null) {
      named("--avoid", avoid, fabric).stream().forEach(node -> cost[node] = 2);
    }
    return cost;
  }

  /** The hosts of an option, found as those of a tenants file. */
  private BitSet named(String option, List<String> hosts, Fabric fabric) {
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
                    List.of(TenantsFile.Member.of(new TenantsFile.Hosts(hosts))))));
    ResolvedTenants found = session.accept(option, TenantsResolver.resolve(file, fabric));
    BitSet nodes = new BitSet();
    for (PartitionMember member : found.tenancy().partitions().getFirst().members()) {
      nodes.set(fabric.nodeOf(member.port()));
    }
    if (nodes.isEmpty()) {
      throw Failure.badInput(
          option + " " + String.join(",", hosts) + " names no host of the fabric",
          "names, hostlists such as node[01-16], or wildcards such as 'gpu*'");
    }
    return nodes;
  }

  private int alreadyThere(AllocationState site, BoundState.Held held) {
    Allocation a = held.allocation();
    boolean same =
        a.requested() == hosts
            && a.oversubscription() == search.oversubscription()
            && a.guaranteed() == !noLinks
            && (key == 0 || key == held.tenant().pkey())
            && (on == null || isWithin(a, named("--on", on, site.fabric())));
    if (!same) {
      throw Failure.refused(
          "there is a tenant '" + name + "' that asked for something else",
          List.of(
              name + " holds " + TenantView.of(held).summary(),
              "remove it first, or take another name"));
    }
    report(site, "already-there", "", Optional.of(TenantView.of(held)), List.of());
    return ExitCode.OK;
  }

  private static boolean isWithin(Allocation allocation, BitSet nodes) {
    for (int host : allocation.hosts()) {
      if (!nodes.get(host)) {
        return false;
      }
    }
    return true;
  }

  private int placed(AllocationState site, Allocator allocator, Allocation allocation) {
    List<StateFile.Tenant> tenants = site.tenants();
    tenants.add(StateFile.Tenant.of(name, key, allocator.name(), allocation));
    StateFile.Tenant tenant =
        site.bound().state().with(site.fabric(), tenants).tenants().getLast(); // with its key
    BoundState.Held held = new BoundState.Held(tenant, allocation, List.of());
    String base = engine == null ? site.bound().state().engine() : engine;
    List<String> files = List.of();
    List<BoundState.Held> all = new ArrayList<>(site.bound().held());
    all.add(held);
    prove(site, all, base);
    if (!change.dryRun()) {
      if (change.directory() != null) {
        files = new ExportFiles(session, site, all, change.directory()).withEngine(base).write();
      }
      site.write(session, tenants, base);
    }
    report(site, "placed", "", Optional.of(TenantView.of(held)), files);
    return ExitCode.OK;
  }

  /**
   * What is admitted can be routed and exported: else nobody could export anything any more. If
   * that is so already, somebody's links are lost, which keeps nobody out.
   */
  private void prove(AllocationState site, List<BoundState.Held> all, String base) {
    List<String> trouble = trouble(site, all, base);
    if (trouble.isEmpty()) {
      return;
    }
    List<BoundState.Held> before = all.subList(0, all.size() - 1);
    if (trouble(site, before, base).isEmpty()) {
      throw Failure.refused(
          "a place for " + name + " was found, but there are no tables that keep its promise",
          trouble);
    }
    session.note("not proven: what is there cannot be routed as promised; 'check' says why");
  }

  private List<String> trouble(AllocationState site, List<BoundState.Held> held, String base) {
    try {
      Proof proof = Proof.of(session, site, held, base);
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

  private int refused(AllocationState site, String outcome, String reason, Refusal advice) {
    String message = "no place for " + name + " (" + hosts + " hosts): " + reason;
    if (!json()) {
      throw Failure.refused(message, advice.lines());
    }
    Json.print(
        session,
        new Document(
            "heddle.allocate-add/1",
            site.fabricFile(),
            site.stateFile(),
            outcome,
            reason,
            Optional.empty(),
            Optional.of(advice),
            change.dryRun(),
            List.of()));
    return ExitCode.FINDINGS;
  }

  private void report(
      AllocationState site,
      String outcome,
      String reason,
      Optional<TenantView> view,
      List<String> files) {
    if (json()) {
      Json.print(
          session,
          new Document(
              "heddle.allocate-add/1",
              site.fabricFile(),
              site.stateFile(),
              outcome,
              reason,
              view,
              Optional.empty(),
              change.dryRun(),
              files));
      return;
    }
    String what = change.dryRun() ? "would be placed" : outcome.replace('-', ' ');
    session.out().println(what + ":");
    view.orElseThrow().print(session.out(), session.terminal());
    ExportCommand.print(session, change.directory(), files);
  }
}
