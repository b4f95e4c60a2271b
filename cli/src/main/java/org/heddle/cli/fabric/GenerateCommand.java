package org.heddle.cli.fabric;

import java.util.ArrayList;
import java.util.List;
import org.heddle.cli.shell.Choices;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.text.topology.FabricFormats;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.DamageSpec.Amount;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.FabricDamage.Damaged;
import org.heddle.topology.generate.FabricDamage.Removed;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.MachineWiring;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle fabric generate}: a tree from its parameters, damaged and extended on request. */
@Command(
    name = "generate",
    description = {
      "Generate the fabric of a fat-tree.",
      "Extras are attached first, then ports are shuffled, then switches, hosts and links are "
          + "removed."
    },
    footer = {
      "",
      "Examples:",
      "  heddle fabric generate 'XGFT(3;18,18,36;1,18,18)' -o big.net",
      "  heddle fabric generate 4-ary-3-tree --break-links 5%% --seed 7 -o broken.net",
      "  heddle fabric generate 4-ary-3-tree --shuffle-ports 7 -o real.net"
    })
public final class GenerateCommand extends ShellCommand {
  private static final int SHOWN_REMOVALS = 10;

  /** One removed node or cable in the JSON output. */
  record RemovedPart(String kind, String name) {}

  /** The JSON output. */
  record Document(
      String format,
      String tree,
      String file,
      long seed,
      Long shufflePorts,
      int switches,
      int hosts,
      int machines,
      int links,
      List<RemovedPart> removed) {}

  @Parameters(
      paramLabel = "TREE",
      description = "XGFT(h;m1,..,mh;w1,..,wh), PGFT(h;m..;w..;p..) or K-ary-N-tree.")
  private String tree;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      defaultValue = "-",
      description = "Where to write; - is standard output (default).")
  private String output;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      completionCandidates = Choices.FabricFormats.class,
      description = "ibnetdiscover, ibsim or subnet-lst; default: by the file name's ending.")
  private String format;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed for the choice of what is removed (default: 1).")
  private long seed;

  @Option(
      names = "--break-links",
      paramLabel = "N|N%",
      description = "Remove this many links between switches.")
  private String breakLinks;

  @Option(
      names = "--remove-switches",
      paramLabel = "N|N%",
      description = "Remove this many switches.")
  private String removeSwitches;

  @Option(names = "--remove-hosts", paramLabel = "N|N%", description = "Remove this many hosts.")
  private String removeHosts;

  @Option(
      names = "--keep-connected",
      description = "Spare links and switches whose loss would split the fabric.")
  private boolean keepConnected;

  @Option(
      names = "--shuffle-ports",
      paramLabel = "SEED",
      description = {
        "Plug the cables of every switch and host into its ports in random order, as in real",
        "fabrics, where two leaves seldom number their links alike."
      })
  private Long shufflePorts;

  @Option(names = "--sm-on-spine", description = "Attach a subnet manager node to a spine.")
  private boolean smOnSpine;

  @Option(
      names = "--storage",
      paramLabel = "N",
      defaultValue = "0",
      description = "Attach this many storage hosts to the leaves.")
  private int storage;

  @Option(
      names = "--storage-on-spines",
      description = "Attach the storage hosts to the spines instead.")
  private boolean storageOnSpines;

  @Option(names = "--aggregation-nodes", description = "Give every switch an aggregation node.")
  private boolean aggregationNodes;

  @Option(names = "--sharp", description = "Give every spine an aggregation node.")
  private boolean sharp;

  @Option(
      names = "--rails",
      paramLabel = "K",
      defaultValue = "1",
      description =
          "Machines of K adapters, rail-optimised: K leaves in a row are a unit, and adapter i of "
              + "each of its machines is on leaf i (default: 1).")
  private int rails;

  @Option(
      names = "--adapters-on-leaf",
      paramLabel = "N",
      defaultValue = "1",
      description = "Adapters that a machine has on one leaf (default: 1).")
  private int adaptersOnLeaf;

  @Option(
      names = "--management-leaves",
      paramLabel = "N",
      defaultValue = "0",
      description = "Add so many leaves with two hosts each that have one cable to one spine.")
  private int managementLeaves;

  @Option(
      names = "--slow-hosts",
      paramLabel = "N%",
      description = "Half the speed on that share of the cables of hosts.")
  private String slowHosts;

  @Option(
      names = "--slow-links",
      paramLabel = "N%",
      description = "Half the speed or half the width on that share of the cables of switches.")
  private String slowLinks;

  public GenerateCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    FabricFormats as = FabricFiles.choose(format, output);
    session.outputs().check(output);
    forbidJsonIntoOutput(output);
    try (Progress _ = session.terminal().progress("generating " + tree)) {
      TreeSpec spec = TreeSpec.parse(tree);
      Damaged damaged = FabricDamage.apply(shuffled(slower(withExtras(machines(spec)))), damage());
      FabricFiles.write(session, damaged.fabric(), output, as);
      report(spec, damaged);
    } catch (IllegalArgumentException e) {
      throw Failure.badInput(e.getMessage());
    }
    return ExitCode.OK;
  }

  private Fabric machines(TreeSpec spec) {
    boolean one = rails == 1 && adaptersOnLeaf == 1;
    return one ? TreeGenerator.generate(spec) : MachineWiring.generate(spec, rails, adaptersOnLeaf);
  }

  private Fabric slower(Fabric fabric) {
    Fabric out =
        slowHosts == null
            ? fabric
            : FabricExtras.withSlowHosts(fabric, share("--slow-hosts", slowHosts), seed);
    return slowLinks == null
        ? out
        : FabricExtras.withSlowLinks(out, share("--slow-links", slowLinks), seed);
  }

  private static double share(String option, String text) {
    if (!text.matches("\\d{1,3}%") || Integer.parseInt(text.replace("%", "")) > 100) {
      throw Failure.badInput(option + " is a share of the cables, as in 5%");
    }
    return Integer.parseInt(text.replace("%", "")) / 100.0;
  }

  private Fabric withExtras(Fabric fabric) {
    if (storage < 0) {
      throw Failure.badInput("--storage must not be negative");
    }
    Fabric extended = fabric;
    if (smOnSpine) {
      extended = FabricExtras.withSmNode(extended);
    }
    if (storage > 0) {
      FabricExtras.Place place =
          storageOnSpines ? FabricExtras.Place.SPINES : FabricExtras.Place.LEAVES;
      extended = FabricExtras.withStorageHosts(extended, storage, place);
    }
    if (managementLeaves < 0) {
      throw Failure.badInput("--management-leaves must not be negative");
    }
    extended =
        managementLeaves > 0
            ? FabricExtras.withManagementLeaves(extended, managementLeaves)
            : extended;
    extended = sharp ? FabricExtras.withAggregationNodesOnSpines(extended) : extended;
    return aggregationNodes ? FabricExtras.withAggregationNodes(extended) : extended;
  }

  private Fabric shuffled(Fabric fabric) {
    return shufflePorts == null ? fabric : FabricShuffle.ports(fabric, shufflePorts);
  }

  private DamageSpec damage() {
    DamageSpec damage =
        DamageSpec.none(seed)
            .withLinks(amount("--break-links", breakLinks))
            .withSwitches(amount("--remove-switches", removeSwitches))
            .withHosts(amount("--remove-hosts", removeHosts));
    return keepConnected ? damage.keepingConnected() : damage;
  }

  private static Amount amount(String option, String text) {
    if (text == null) {
      return Amount.NONE;
    }
    try {
      return Amount.parse(text);
    } catch (IllegalArgumentException e) {
      throw Failure.badInput(option + ": " + e.getMessage());
    }
  }

  private void report(TreeSpec spec, Damaged damaged) {
    Fabric fabric = damaged.fabric();
    int links = FabricFiles.linkCount(fabric);
    if (json()) {
      List<RemovedPart> removed = new ArrayList<>();
      for (Removed part : damaged.removed()) {
        removed.add(new RemovedPart(part.kind().name().toLowerCase(), part.text()));
      }
      Json.print(
          session,
          new Document(
              "heddle.fabric-generate/1",
              spec.toString(),
              output,
              seed,
              shufflePorts,
              fabric.switchCount(),
              fabric.caCount(),
              fabric.machines().count(),
              links,
              removed));
      return;
    }
    if (output.equals("-")) {
      return; // standard output is the fabric itself
    }
    session
        .out()
        .printf(
            "%s: %s, %s, %s%n",
            output,
            Counted.of(fabric.switchCount(), "switch", "switches"),
            Counted.machines(fabric),
            Counted.of(links, "link", "links"));
    List<Removed> removed = damaged.removed();
    if (!removed.isEmpty()) {
      session.out().printf("removed with seed %d:%n", seed);
      removed.stream()
          .limit(SHOWN_REMOVALS)
          .forEach(
              r -> session.out().println("  " + r.kind().name().toLowerCase() + " " + r.text()));
      if (removed.size() > SHOWN_REMOVALS) {
        session.out().printf("  ... and %,d more%n", removed.size() - SHOWN_REMOVALS);
      }
    }
  }
}
