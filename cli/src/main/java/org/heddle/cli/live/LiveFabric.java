package org.heddle.cli.live;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.discover.DiscoveredFabric;
import org.heddle.smp.discover.FabricDiscovery;
import org.heddle.smp.discover.FabricMatch;
import org.heddle.smp.discover.TableAccess;

/** The live fabric, which has to be the one of a file before anything is sent. */
public final class LiveFabric {
  /** File name of journals. */
  public static final String JOURNAL = "smp-journal";

  private static final int SHOWN_DIFFERENCES = 10;

  private LiveFabric() {}

  /**
   * Discovers it.
   *
   * @throws Failure exit code 1 with the differences, if it is another one
   */
  public static DiscoveredFabric discover(
      Session session, SmpClient client, String via, Fabric fabric, String fabricFile)
      throws IOException {
    DiscoveredFabric discovered;
    try (Progress _ = session.terminal().progress("discovering via " + via)) {
      discovered = FabricDiscovery.run(client);
    }
    refuseDoubles(discovered);
    List<String> differences = FabricMatch.differences(fabric, discovered.fabric());
    if (differences.isEmpty()) {
      return discovered;
    }
    List<String> hints =
        new ArrayList<>(differences.subList(0, Math.min(SHOWN_DIFFERENCES, differences.size())));
    if (differences.size() > hints.size()) {
      hints.add("... and " + (differences.size() - hints.size()) + " more");
    }
    hints.addAll(discovered.warnings());
    hints.add("discover it again and route it: heddle fabric discover -o NEW");
    throw Failure.refused(
        "the live fabric is not the one in " + fabricFile + ", nothing is sent", hints);
  }

  /**
   * Refuses a fabric in which nodes or ports cannot be told apart, as a file of it is refused.
   *
   * @throws Failure exit code 2, with a sentence about each
   */
  public static void refuseDoubles(DiscoveredFabric discovered) {
    if (!discovered.doubles().isEmpty()) {
      throw Failure.badInput(
          "the live fabric has nodes or ports that cannot be told apart",
          discovered.doubles().toArray(String[]::new));
    }
  }

  /**
   * Its present tables.
   *
   * @param upTo read at least to this LID
   * @throws Failure exit code 1 if some cannot be read
   */
  public static ForwardingTables tables(
      Session session, SmpClient client, DiscoveredFabric discovered, int upTo) {
    TableAccess.LiveTables now;
    try (Progress _ = session.terminal().progress("reading the tables")) {
      now = TableAccess.read(client, discovered, upTo);
    }
    if (!now.warnings().isEmpty()) {
      throw Failure.refused("the present tables cannot be read", now.warnings());
    }
    return now.tables();
  }

  /**
   * True if the switches hold these tables. The fabric is discovered again: how far switches look
   * up their tables may have changed.
   */
  public static boolean holds(Session session, SmpClient client, ForwardingTables tables) {
    try (Progress _ = session.terminal().progress("reading the tables back")) {
      DiscoveredFabric after = FabricDiscovery.run(client);
      TableAccess.LiveTables live = TableAccess.read(client, after);
      return live.warnings().isEmpty() && differing(live.tables(), tables) == 0;
    }
  }

  /** Number of switches whose rows differ; all of them if their number does. */
  public static int differing(ForwardingTables a, ForwardingTables b) {
    if (a.switchCount() != b.switchCount()) {
      return Math.max(a.switchCount(), b.switchCount());
    }
    int count = 0;
    for (int sw = 0; sw < a.switchCount(); sw++) {
      count += a.differingBlocks(sw, b) > 0 ? 1 : 0;
    }
    return count;
  }
}
