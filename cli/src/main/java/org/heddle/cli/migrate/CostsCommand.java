package org.heddle.cli.migrate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TextTable;
import org.heddle.cli.shell.VmFiles;
import org.heddle.fabric.Fabric;
import org.heddle.reconfig.migration.MigrationCost;
import org.heddle.reconfig.migration.MigrationCosts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle migrate costs [FABRIC]}. */
@Command(
    name = "costs",
    description = {
      "Show how many packets it takes to write all tables, and to migrate one VM at worst "
          + "and at best.",
      "Without FABRIC: the table of the papers."
    },
    footer = {
      "",
      "Examples:",
      "  heddle migrate costs",
      "  heddle migrate costs big.net --depth 16"
    })
public final class CostsCommand extends ShellCommand {
  /** The JSON output; times in microseconds. */
  record Document(String format, double k, double r, int depth, List<Row> rows) {}

  /** One fabric. */
  record Row(
      String name,
      int hosts,
      int switches,
      int lids,
      int blocks,
      long fullSmps,
      long worstSwap,
      int bestCase,
      double fullMicros,
      double worstSwapMicros,
      double bestCaseMicros) {}

  @Mixin private MachinesOption machines;

  @Parameters(paramLabel = "FABRIC", arity = "0..*", description = "Fabric files.")
  private List<String> fabricFiles = List.of();

  @Option(
      names = "--vms",
      paramLabel = "FILE",
      description = "Also count the LIDs of these virtual machines.")
  private String vmsFile;

  @Mixin private CostModel cost;

  public CostsCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    MigrationCost.Model model = cost.model();
    List<MigrationCosts> costs = new ArrayList<>();
    for (String file : fabricFiles) {
      Fabric fabric = FabricFiles.withLids(FabricFiles.read(session, file));
      costs.add(MigrationCosts.of(file, VmFiles.fabric(session, fabric, vmsFile)));
    }
    if (fabricFiles.isEmpty() && vmsFile != null) {
      throw Failure.badInput("--vms " + vmsFile + " needs the fabric of its VMs");
    }
    if (fabricFiles.isEmpty()) {
      costs.addAll(MigrationCosts.paperTable());
    }
    List<Row> rows = costs.stream().map(c -> row(c, model)).toList();
    if (json()) {
      Json.print(
          session,
          new Document("heddle.migrate-costs/1", model.k(), model.r(), model.window(), rows));
      return ExitCode.OK;
    }
    print(rows, model);
    return ExitCode.OK;
  }

  private static Row row(MigrationCosts c, MigrationCost.Model model) {
    return new Row(
        c.name(),
        c.hosts(),
        c.switches(),
        c.lids(),
        c.blocks(),
        c.fullSmps(),
        c.worstSwap(),
        c.bestCase(),
        micros(c.fullSmps(), model),
        micros(c.worstSwap(), model),
        micros(c.bestCase(), model));
  }

  private static double micros(long smps, MigrationCost.Model model) {
    return Math.ceilDiv(smps, (long) model.window()) * model.smpMicros();
  }

  private void print(List<Row> rows, MigrationCost.Model model) {
    TextTable table =
        new TextTable(
            "fabric",
            "hosts",
            "switches",
            "LIDs",
            "blocks",
            "SMPs of all tables",
            "worst swap",
            "best case",
            "all, ms",
            "worst, ms",
            "best, ms");
    for (Row r : rows) {
      table.row(
          r.name(),
          r.hosts(),
          r.switches(),
          r.lids(),
          r.blocks(),
          r.fullSmps(),
          r.worstSwap(),
          r.bestCase(),
          millis(r.fullMicros()),
          millis(r.worstSwapMicros()),
          millis(r.bestCaseMicros()));
    }
    table.print(session.out(), session.terminal(), "");
    session
        .out()
        .printf(
            Locale.ROOT,
            "times: %s us per packet, %s of them for directed routing; %d in flight at a time%n",
            number(model.smpMicros()),
            number(model.r()),
            model.window());
  }

  private static String millis(double micros) {
    return String.format(Locale.ROOT, "%.3f", micros / 1000);
  }

  private static String number(double value) {
    return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
  }
}
