package org.heddle.cli.simulate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.cli.shell.Choices;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.Suggestions;
import org.heddle.cli.shell.TenantsFiles;
import org.heddle.congestion.Group;
import org.heddle.congestion.Routes;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.scheduler.FlowCsvReader;
import org.heddle.text.scheduler.FlowCsvReader.FlowRows;
import org.heddle.traffic.AllToAll;
import org.heddle.traffic.FlowList;
import org.heddle.traffic.TrafficPattern;
import picocli.CommandLine.Option;

/** The options that say which hosts communicate, and how. */
final class HostChoice {
  private static final int FARTHEST_SUGGESTION = 3;

  @Option(
      names = {"-p", "--pattern"},
      paramLabel = "NAME",
      defaultValue = "bisect",
      completionCandidates = Choices.TrafficPatterns.class,
      description = "Who sends to whom, see below (default: bisect).")
  private String pattern;

  @Option(
      names = "--flows",
      paramLabel = "FILE",
      description = "Instead of a pattern: a CSV file of from,to,level.")
  private String flows;

  @Option(
      names = "--hosts",
      paramLabel = "FILE",
      description = "Only these hosts, one GUID per line, in rank order.")
  private String hostsFile;

  @Option(
      names = "--ranks",
      paramLabel = "N",
      defaultValue = "0",
      description = "Only this many hosts, drawn in every trial (default: all).")
  private int ranks;

  @Option(
      names = "--tenants",
      paramLabel = "FILE",
      description = "Tenants file, for --tenant and --interferer.")
  private String tenantsFile;

  @Option(names = "--tenant", paramLabel = "NAME", description = "Only hosts of this tenant.")
  private String tenant;

  @Option(
      names = "--interferer",
      paramLabel = "NAME",
      description = "A tenant that communicates at the same time and is not measured.")
  private String interferer;

  @Option(
      names = "--interferer-pattern",
      paramLabel = "NAME",
      defaultValue = "all-to-all",
      completionCandidates = Choices.TrafficPatterns.class,
      description = "Pattern of the interferer (default: all-to-all).")
  private String interfererPattern;

  /**
   * Who takes part.
   *
   * @param ports of all hosts that do, ascending; groups number them in this order
   * @param groups the measured one first
   */
  record Chosen(int[] ports, List<Group> groups) {

    /** True if all messages are those of an exchange of every host with every other. */
    boolean allToAll() {
      Group first = groups.getFirst();
      return groups.size() == 1
          && first.pattern() instanceof AllToAll
          && first.ranks() == ports.length;
    }
  }

  /** True if a list of flows is given. */
  boolean listed() {
    return flows != null;
  }

  /**
   * The same choice as words of a command line, for another process on this file system.
   *
   * @throws Failure exit code 2 if a file is standard input
   */
  List<String> words() {
    List<String> out = new ArrayList<>(List.of("--pattern", pattern));
    addFile(out, "--flows", flows);
    addFile(out, "--hosts", hostsFile);
    addFile(out, "--tenants", tenantsFile);
    if (ranks != 0) {
      out.addAll(List.of("--ranks", String.valueOf(ranks)));
    }
    if (tenant != null) {
      out.addAll(List.of("--tenant", tenant));
    }
    if (interferer != null) {
      out.addAll(List.of("--interferer", interferer, "--interferer-pattern", interfererPattern));
    }
    return out;
  }

  private static void addFile(List<String> out, String option, String file) {
    if (file != null) {
      out.addAll(List.of(option, elsewhere(file)));
    }
  }

  /**
   * A file as another process names it.
   *
   * @throws Failure exit code 2 for standard input
   */
  static String elsewhere(String file) {
    if (file.equals("-")) {
      throw Failure.badInput("jobs of --slurm cannot read standard input; name a file");
    }
    return Path.of(file).toAbsolutePath().toString();
  }

  Chosen choose(Session session, BoundTables bound) {
    Fabric fabric = bound.fabric();
    if (flows != null) {
      return list(session, bound);
    }
    if (tenant != null && hostsFile != null) {
      throw Failure.badInput("--tenant and --hosts both say which hosts take part");
    }
    if ((tenant == null) != (tenantsFile == null) || interferer != null && tenant == null) {
      throw Failure.badInput("--tenant needs --tenants, --interferer needs --tenant");
    }
    TrafficPattern own = PatternArgument.parse("--pattern", pattern);
    int[] measured;
    int[] others = {};
    if (tenant != null) {
      Tenancy tenancy = TenantsFiles.read(session, tenantsFile, fabric);
      measured = ports(fabric, named(tenancy, tenant));
      others = interferer == null ? others : ports(fabric, named(tenancy, interferer));
    } else {
      measured = hostsFile == null ? Routes.hosts(fabric) : read(session, fabric);
    }
    int taking = ranks == 0 ? measured.length : ranks;
    if (taking < 0 || taking > measured.length) {
      throw Failure.badInput(
          "--ranks " + ranks + ": of " + Counted.of(measured.length, "host", "hosts"));
    }
    int[] all = union(measured, others);
    String name = tenant == null ? "all" : tenant;
    List<Group> groups = new ArrayList<>();
    groups.add(PatternArgument.group(name, own, indices(all, measured), taking));
    if (interferer != null) {
      TrafficPattern second = PatternArgument.parse("--interferer-pattern", interfererPattern);
      int[] at = indices(all, others);
      groups.add(PatternArgument.group(interferer, second, at, at.length));
    }
    return new Chosen(all, groups);
  }

  private Chosen list(Session session, BoundTables bound) {
    if (tenant != null || hostsFile != null || ranks != 0 || interferer != null) {
      throw Failure.badInput("--flows names its hosts itself");
    }
    FlowRows rows = session.accept(flows, FlowCsvReader.read(session.read(flows), bound.fabric()));
    int[] all = union(rows.from(), rows.to());
    TrafficPattern list =
        new FlowList(
            flows, all.length, rows.level(), indices(all, rows.from()), indices(all, rows.to()));
    int[] everyone = indices(all, all);
    return new Chosen(all, List.of(Group.of("all", list, everyone)));
  }

  private int[] read(Session session, Fabric fabric) {
    List<Guid> guids = FabricFiles.guids(session, hostsFile, fabric);
    int[] out = new int[guids.size()];
    int n = 0;
    for (Guid guid : guids) {
      int port = fabric.findPort(guid.value());
      int node = fabric.findNode(guid.value());
      for (int k = 1; port == Fabric.NONE && node >= 0 && k <= fabric.portCount(node); k++) {
        port = Routes.usable(fabric, fabric.port(node, k)) ? fabric.port(node, k) : Fabric.NONE;
      }
      if (port != Fabric.NONE && Routes.usable(fabric, port)) {
        out[n++] = port;
      }
    }
    out = Arrays.copyOf(out, n);
    if (n == 0 || Arrays.stream(out).distinct().count() < n) {
      throw Failure.badInput(
          hostsFile + ": " + (n == 0 ? "no host of this fabric" : "a host is named twice"));
    }
    return out;
  }

  private Partition named(Tenancy tenancy, String name) {
    List<String> names = tenancy.partitions().stream().map(Partition::name).toList();
    for (Partition p : tenancy.partitions()) {
      if (p.name().equals(name)) {
        return p;
      }
    }
    String near = Suggestions.closest(name, names, FARTHEST_SUGGESTION);
    throw near == null
        ? Failure.badInput(tenantsFile + " has no tenant '" + name + "'")
        : Failure.badInput(
            tenantsFile + " has no tenant '" + name + "'", "did you mean " + near + "?");
  }

  /** Members that can send and receive, ascending by port id. */
  static int[] ports(Fabric fabric, Partition partition) {
    return partition.members().stream()
        .mapToInt(PartitionMember::port)
        .filter(p -> Routes.usable(fabric, p))
        .toArray();
  }

  /** Both, ascending, none twice. */
  static int[] union(int[] a, int[] b) {
    int[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return Arrays.stream(both).sorted().distinct().toArray();
  }

  /** Places of ports in an ascending list. */
  static int[] indices(int[] all, int[] ports) {
    int[] out = new int[ports.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = Arrays.binarySearch(all, ports[i]);
    }
    return out;
  }

  /** Traces all routes between the ports. */
  static Routes routes(Session session, BoundTables bound, int[] ports) {
    try (Progress _ = session.terminal().progress("tracing routes")) {
      return Routes.trace(bound.fabric(), bound.tables(), ports);
    } catch (IllegalArgumentException e) {
      throw Failure.badInput(e.getMessage());
    }
  }
}
