package org.heddle.cli.simulate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.heddle.cli.shell.Choices;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.FigureFiles;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.Shard;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TableFiles;
import org.heddle.cli.shell.TenantsFiles;
import org.heddle.cli.shell.TextTable;
import org.heddle.congestion.Group;
import org.heddle.congestion.Routes;
import org.heddle.congestion.Statistics;
import org.heddle.congestion.Study;
import org.heddle.fabric.Fabric;
import org.heddle.plot.Figure;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.Tenancy;
import org.heddle.text.lft.BoundTables;
import org.heddle.traffic.TrafficPattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle simulate interference}: what tenants do to each other. */
@Command(
    name = "interference",
    description = {
      "Show for every tenant how much slower its messages arrive while all others communicate.",
      "Slowdown is the mean delay (dep_max_delay) with the others, divided by the delay without "
          + "them."
    },
    footer = {
      "",
      "Patterns as in 'heddle simulate congestion'. The same trials, seed for seed, are run with",
      "and without the others, and with the tables of the plan.",
      "",
      "Examples:",
      "  heddle simulate interference site.net now.lfts tenants.yaml",
      "  heddle simulate interference site.net now.lfts tenants.yaml --plan plan/tables.hlft \\",
      "    --runs physics=bruck --runs chemistry=gather -o interference"
    })
public final class InterferenceCommand extends ShellCommand {
  @Mixin private MachinesOption machines;

  @Parameters(index = "0", paramLabel = "FABRIC", description = "Fabric file.")
  private String fabricFile;

  @Parameters(index = "1", paramLabel = "TABLES", description = "Forwarding tables in use.")
  private String tablesFile;

  @Parameters(index = "2", paramLabel = "TENANTS", description = "Tenants file.")
  private String tenantsFile;

  @Option(names = "--plan", paramLabel = "TABLES", description = "Tables to compare with.")
  private String plan;

  @Option(
      names = {"-p", "--pattern"},
      paramLabel = "NAME",
      defaultValue = "bisect",
      completionCandidates = Choices.TrafficPatterns.class,
      description = "Pattern of a tenant while it is measured (default: bisect).")
  private String pattern;

  @Option(
      names = "--others",
      paramLabel = "NAME",
      defaultValue = "all-to-all",
      completionCandidates = Choices.TrafficPatterns.class,
      description = "Pattern of the others (default: all-to-all).")
  private String others;

  @Option(
      names = "--runs",
      paramLabel = "TENANT=NAME",
      description = "Pattern of this tenant, measured or not; may be given several times.")
  private Map<String, String> declared = new LinkedHashMap<>();

  @Option(
      names = {"-n", "--trials"},
      paramLabel = "N",
      defaultValue = "1000",
      description = "Number of trials (default: 1000).")
  private long trials;

  @Mixin private TrialOptions how;

  @Option(names = "--csv", description = "Print CSV, one line per tenant.")
  private boolean csv;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      description = "Write interference.csv, report.json and a figure.")
  private String output;

  public InterferenceCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    forbidCsvWithJson(csv);
    Fabric fabric = FabricFiles.read(session, fabricFile);
    BoundTables now = TableFiles.read(session, fabric, tablesFile);
    BoundTables later = plan == null ? null : TableFiles.read(session, fabric, plan);
    Tenancy tenancy = TenantsFiles.read(session, tenantsFile, now.fabric());
    List<Member> members = members(now.fabric(), tenancy);
    Path folder = output == null ? null : session.outputs().directory(output);
    List<InterferenceDocument.Effect> before = effects(now, members);
    List<InterferenceDocument.Effect> after = later == null ? null : effects(later, members);
    List<InterferenceDocument.Tenant> rows = new ArrayList<>();
    boolean lost = false;
    for (int i = 0; i < members.size(); i++) {
      Member m = members.get(i);
      InterferenceDocument.Effect planned = after == null ? null : after.get(i);
      lost |= before.get(i).lostFlows() > 0 || planned != null && planned.lostFlows() > 0;
      rows.add(
          new InterferenceDocument.Tenant(
              m.name, m.ports.length, m.measured.name(), before.get(i), planned));
    }
    report(rows, folder);
    if (lost) {
      session.note("messages inside tenants do not arrive; 'heddle audit' says why");
    }
    return lost ? ExitCode.FINDINGS : ExitCode.OK;
  }

  /** A tenant, what it runs while measured, and what it runs while others are. */
  private record Member(String name, int[] ports, TrafficPattern measured, TrafficPattern noise) {}

  private List<Member> members(Fabric fabric, Tenancy tenancy) {
    List<Member> out = new ArrayList<>();
    List<String> unknown = new ArrayList<>(declared.keySet());
    for (Partition p : tenancy.partitions()) {
      unknown.remove(p.name());
      int[] ports = HostChoice.ports(fabric, p);
      if (ports.length < 2) {
        session.note("tenant " + p.name() + " has fewer than two hosts here and is left out");
        continue;
      }
      String own = declared.get(p.name());
      String runs = "--runs " + p.name();
      TrafficPattern measured =
          PatternArgument.parse(own == null ? "--pattern" : runs, own == null ? pattern : own);
      TrafficPattern noise =
          PatternArgument.parse(own == null ? "--others" : runs, own == null ? others : own);
      out.add(new Member(p.name(), ports, measured, noise));
    }
    if (!unknown.isEmpty()) {
      throw Failure.badInput(
          "--runs " + unknown.getFirst() + ": " + tenantsFile + " has no such tenant");
    }
    if (out.isEmpty()) {
      throw Failure.badInput(tenantsFile + " has no tenant with two hosts");
    }
    return out;
  }

  // ---- evaluation

  private List<InterferenceDocument.Effect> effects(BoundTables bound, List<Member> members) {
    int[] all = {};
    for (Member m : members) {
      all = HostChoice.union(all, m.ports);
    }
    Routes routes = HostChoice.routes(session, bound, all);
    List<InterferenceDocument.Effect> out = new ArrayList<>();
    for (Member measured : members) {
      List<Group> groups = new ArrayList<>();
      groups.add(group(all, measured, measured.measured));
      Statistics quiet = run(routes, groups);
      for (Member m : members) {
        if (m != measured) {
          groups.add(group(all, m, m.noise));
        }
      }
      out.add(effect(quiet, run(routes, groups)));
    }
    return out;
  }

  private static Group group(int[] all, Member m, TrafficPattern pattern) {
    int[] hosts = HostChoice.indices(all, m.ports);
    return PatternArgument.group(m.name, pattern, hosts, hosts.length);
  }

  private Statistics run(Routes routes, List<Group> groups) {
    Study study = new Study(routes, groups, new Study.Settings(how.seed(), true, true, 0, false));
    return Trials.of(trials, null).run(session, study, Shard.threads(how.threads()));
  }

  private static InterferenceDocument.Effect effect(Statistics quiet, Statistics noisy) {
    double before = quiet.delays().mean();
    double after = noisy.delays().mean();
    return new InterferenceDocument.Effect(
        before,
        after,
        before > 0 ? after / before : null,
        noisy.delays().max(),
        number(quiet.bandwidth()),
        number(noisy.bandwidth()),
        noisy.lost());
  }

  private static Double number(double value) {
    return Double.isNaN(value) ? null : value;
  }

  // ---- results

  private void report(List<InterferenceDocument.Tenant> rows, Path folder) {
    InterferenceDocument document =
        new InterferenceDocument(
            InterferenceDocument.FORMAT,
            fabricFile,
            tablesFile,
            tenantsFile,
            plan,
            trials,
            how.seed(),
            rows);
    if (json()) {
      Json.print(session, document);
    } else if (csv) {
      session.out().print(csv(rows));
    } else {
      print(rows);
    }
    if (folder == null) {
      return;
    }
    String name = folder.resolve("report.json").toString();
    session.outputs().text(name, out -> Json.print(session, out, document));
    name = folder.resolve("interference.csv").toString();
    session.outputs().text(name, out -> out.print(csv(rows)));
    Figure figure = figure(rows);
    FigureFiles figures = new FigureFiles(session);
    figures.write(folder.resolve("interference").toString(), figure);
    figures.warn();
  }

  private void print(List<InterferenceDocument.Tenant> rows) {
    List<String> heading =
        new ArrayList<>(List.of("TENANT", "HOSTS", "PATTERN", "ALONE", "WITH OTHERS", "SLOWDOWN"));
    heading.addAll(plan == null ? List.of() : List.of("PLAN: ALONE", "WITH OTHERS", "SLOWDOWN"));
    TextTable table = new TextTable(heading.toArray(new String[0]));
    for (InterferenceDocument.Tenant t : rows) {
      List<Object> cells = new ArrayList<>(List.of(t.name(), t.hosts(), t.pattern()));
      cells.addAll(cells(t.now()));
      cells.addAll(t.planned() == null ? List.of() : cells(t.planned()));
      table.row(cells.toArray());
    }
    table.print(session.out(), session.terminal(), "");
  }

  private static List<String> cells(InterferenceDocument.Effect e) {
    return List.of(two(e.quietDelay()), two(e.noisyDelay()), two(e.slowdown()));
  }

  private static String two(Double value) {
    return value == null ? "-" : String.format(Locale.ROOT, "%,.2f", value);
  }

  private static String csv(List<InterferenceDocument.Tenant> rows) {
    StringBuilder out =
        new StringBuilder(
            "tenant,hosts,pattern,tables,quiet_delay,noisy_delay,slowdown,worst_delay,"
                + "quiet_bandwidth,noisy_bandwidth\n");
    for (InterferenceDocument.Tenant t : rows) {
      line(out, t, "now", t.now());
      if (t.planned() != null) {
        line(out, t, "plan", t.planned());
      }
    }
    return out.toString();
  }

  private static void line(
      StringBuilder out,
      InterferenceDocument.Tenant t,
      String tables,
      InterferenceDocument.Effect e) {
    out.append('"').append(t.name().replace("\"", "\"\"")).append("\",");
    out.append(t.hosts()).append(',').append(t.pattern()).append(',').append(tables);
    for (Double v : Arrays.asList(e.quietDelay(), e.noisyDelay(), e.slowdown())) {
      out.append(',').append(six(v));
    }
    out.append(',').append(e.worstDelay());
    out.append(',').append(six(e.quietBandwidth()));
    out.append(',').append(six(e.noisyBandwidth())).append('\n');
  }

  private static String six(Double value) {
    return value == null ? "" : String.format(Locale.ROOT, "%.6f", value);
  }

  /** Slowdowns, the most affected tenant first. */
  private Figure figure(List<InterferenceDocument.Tenant> rows) {
    List<InterferenceDocument.Tenant> sorted = new ArrayList<>(rows);
    sorted.sort(
        Comparator.comparingDouble((InterferenceDocument.Tenant t) -> -slowdown(t.now()))
            .thenComparing(InterferenceDocument.Tenant::name));
    int n = sorted.size();
    double[] x = new double[n];
    double[] now = new double[n];
    double[] later = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = i + 1;
      now[i] = slowdown(sorted.get(i).now());
      later[i] = plan == null ? 0 : slowdown(sorted.get(i).planned());
    }
    List<Figure.Curve> curves = new ArrayList<>();
    curves.add(new Figure.Curve("tables in use", x, now));
    if (plan != null) {
      curves.add(new Figure.Curve("plan", x, later));
    }
    return new Figure(
        "Slowdown of tenants by all others",
        "tenants, the most affected now first (" + sorted.getFirst().name() + " ...)",
        "mean delay with the others / alone",
        Figure.Style.LINE,
        false,
        0,
        Double.NaN,
        curves);
  }

  private static double slowdown(InterferenceDocument.Effect e) {
    return e.slowdown() == null ? 1 : e.slowdown();
  }
}
