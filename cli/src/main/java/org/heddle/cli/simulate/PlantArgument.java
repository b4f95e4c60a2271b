package org.heddle.cli.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.Plant;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.fabric.Fabric;
import org.heddle.schedule.ScheduleOptions;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.RecognitionOptions;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.DamageSpec.Amount;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;

/** What {@code --fabric} takes, damaged to every degree asked for. */
final class PlantArgument {
  private static final Pattern TREE =
      Pattern.compile("(XGFT|PGFT|KARY)\\(.*|\\d+-ary-\\d+-tree", Pattern.CASE_INSENSITIVE);

  private PlantArgument() {}

  /**
   * A plant with some links missing.
   *
   * @param percent links that are missing, of those between switches
   * @param label as the user wrote it
   */
  record Damaged(Plant plant, FatTree tree, double percent, String label) {
    ScheduleRun run(RequestsArgument.Named requests, Allocator allocator, ScheduleOptions options) {
      return new ScheduleRun(plant, tree, percent, label, requests, allocator, options, null);
    }
  }

  /**
   * The plants, one for each amount of damage.
   *
   * @throws Failure exit code 2 for what is no fabric, 1 for one without a tree
   */
  static List<Damaged> read(Session session, String text, List<String> amounts, long seed) {
    Fabric whole = fabric(session, text);
    List<Damaged> out = new ArrayList<>();
    try (Progress _ = session.terminal().progress("recognising the tree")) {
      for (String amount : amounts) {
        out.add(damaged(session, text, whole, amount, seed));
      }
    }
    return out;
  }

  /**
   * A generated tree, or a fabric that is read.
   *
   * @throws Failure exit code 2 for what is neither
   */
  static Fabric fabric(Session session, String text) {
    if (!TREE.matcher(text).matches()) {
      return FabricFiles.read(session, text);
    }
    try {
      return TreeGenerator.generate(TreeSpec.parse(text));
    } catch (IllegalArgumentException e) {
      throw Failure.badInput("--fabric " + text + ": " + e.getMessage());
    }
  }

  private static Damaged damaged(
      Session session, String text, Fabric whole, String amount, long seed) {
    Fabric fabric = whole;
    double percent = 0;
    try {
      Amount links = Amount.parse(amount);
      if (!links.equals(Amount.NONE)) {
        FabricDamage.Damaged damage =
            FabricDamage.apply(whole, DamageSpec.none(seed).withLinks(links));
        fabric = damage.fabric();
        percent = 100.0 * damage.removed().size() / switchLinks(whole);
      }
    } catch (IllegalArgumentException e) {
      throw Failure.badInput("--break-links: " + e.getMessage());
    }
    Recognition found = FatTreeRecogniser.recognise(fabric, RecognitionOptions.NONE);
    if (!(found instanceof Recognition.Found(FatTree tree, _))) {
      throw Failure.refused(
          text + " is not a fat-tree, and tenants are placed only in trees",
          List.of("'heddle fabric check' says why"));
    }
    return switch (Plant.of(fabric, tree)) {
      case Plant.Outcome.Unsupported(String reason) ->
          throw Failure.refused("no allocator can work on " + text + ": " + reason, List.of());
      case Plant.Outcome.Built(Plant plant, List<String> notes) -> {
        notes.forEach(session::note);
        yield new Damaged(plant, tree, percent, amount);
      }
    };
  }

  private static int switchLinks(Fabric fabric) {
    int n = 0;
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      boolean once = fabric.peer(port) > port;
      n +=
          once && fabric.isSwitch(fabric.nodeOf(port)) && fabric.isSwitch(fabric.peerNode(port))
              ? 1
              : 0;
    }
    return Math.max(1, n);
  }
}
