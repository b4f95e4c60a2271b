package org.heddle.cli;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.heddle.cli.shell.Counted;
import org.heddle.cli.shell.Datagrams;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellWords;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.text.BoundTables;
import org.heddle.umad.DiscoveredFabric;
import org.heddle.umad.FabricDiscovery;
import org.heddle.umad.FabricMatch;
import org.heddle.umad.PlanExecutor;
import org.heddle.umad.SmpClient;
import org.heddle.umad.SmpJournal;
import org.heddle.umad.SmpPlan;
import org.heddle.umad.TableAccess;

/**
 * {@code heddle apply --to umad}: writes tables into the switches. The live fabric has to be the
 * one the tables were made for; entries that change are dropped before new ones are written, so
 * that no state in between has a loop that neither the old nor the new tables have; at the end the
 * tables are read back.
 */
record DatagramApply(
    Session session,
    Datagrams datagrams,
    String fabricFile,
    String tablesFile,
    String directory,
    boolean json) {
  private static final String JOURNAL = "smp-journal";
  private static final int SHOWN_DIFFERENCES = 10;

  /** The JSON output. */
  record Document(
      String format,
      String target,
      String via,
      long smps,
      int dropping,
      int writing,
      int widening,
      int lidsDropped,
      String journal,
      boolean verified) {}

  int run(BoundTables bound) {
    Path folder = session.outputs().directory(directory);
    Path journal = folder.resolve(JOURNAL);
    return datagrams.run(client -> apply(client, bound, journal));
  }

  private int apply(SmpClient client, BoundTables bound, Path journal) throws IOException {
    DiscoveredFabric discovered;
    try (Progress _ = session.terminal().progress("discovering via " + datagrams.via())) {
      discovered = FabricDiscovery.run(client);
    }
    requireMatch(bound.fabric(), discovered);
    TableAccess.LiveTables now;
    try (Progress _ = session.terminal().progress("reading the tables")) {
      now = TableAccess.read(client, discovered, bound.tables().topLid());
    }
    if (!now.warnings().isEmpty()) {
      throw Failure.refused("the present tables cannot be read", now.warnings());
    }
    SmpPlan plan = SmpPlan.tableChange(discovered, now.tables(), bound.tables());
    if (!plan.smps().isEmpty()) {
      send(client, discovered, plan, journal);
    }
    boolean verified = readBack(client, bound);
    report(plan, changedLids(now.tables(), bound.tables()), journal, verified);
    return verified ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private void requireMatch(Fabric fabric, DiscoveredFabric discovered) {
    List<String> differences = FabricMatch.differences(fabric, discovered.fabric());
    if (differences.isEmpty()) {
      return;
    }
    List<String> hints =
        new ArrayList<>(differences.subList(0, Math.min(SHOWN_DIFFERENCES, differences.size())));
    if (differences.size() > hints.size()) {
      hints.add("... and " + (differences.size() - hints.size()) + " more");
    }
    hints.addAll(discovered.warnings());
    hints.add("discover it again and route it: heddle fabric discover -o NEW");
    throw Failure.refused(
        "the live fabric is not the one of " + fabricFile + ", nothing is sent", hints);
  }

  private void send(SmpClient client, DiscoveredFabric discovered, SmpPlan plan, Path journal)
      throws IOException {
    PlanExecutor.Result result;
    try (Progress _ = session.terminal().progress("sending " + plan.smps().size() + " SMPs")) {
      result = PlanExecutor.apply(client, discovered, plan, journal);
    } catch (FileAlreadyExistsException e) {
      throw Failure.refused(
          "a change that was begun has not come to an end: " + journal,
          List.of("heddle recover " + ShellWords.join(journal.toString()) + " --finish or --undo"));
    }
    Recovery.requireCompleted(result, journal);
    SmpJournal.retire(journal);
  }

  /** The fabric is discovered again: how far switches look up their tables may have changed. */
  private boolean readBack(SmpClient client, BoundTables bound) {
    try (Progress _ = session.terminal().progress("reading the tables back")) {
      DiscoveredFabric after = FabricDiscovery.run(client);
      TableAccess.LiveTables live = TableAccess.read(client, after);
      if (live.tables().switchCount() != bound.tables().switchCount()) {
        return false;
      }
      for (int sw = 0; sw < bound.tables().switchCount(); sw++) {
        if (live.tables().differingBlocks(sw, bound.tables()) > 0) {
          return false;
        }
      }
      return live.warnings().isEmpty();
    }
  }

  private static int changedLids(ForwardingTables from, ForwardingTables to) {
    int top = Math.max(from.topLid(), to.topLid());
    int count = 0;
    for (int lid = 1; lid <= top; lid++) {
      boolean dropped = false;
      for (int sw = 0; sw < to.switchCount() && !dropped; sw++) {
        int before = from.port(sw, lid);
        dropped = before != to.port(sw, lid) && before != ForwardingTables.NO_PORT;
      }
      count += dropped ? 1 : 0;
    }
    return count;
  }

  private void report(SmpPlan plan, int lidsDropped, Path journal, boolean verified) {
    int dropping = plan.phase(0).size();
    int writing = plan.phase(1).size();
    int widening = plan.phase(2).size();
    String done = plan.smps().isEmpty() ? null : journal + ".done";
    if (json) {
      Json.print(
          session.out(),
          new Document(
              "heddle.apply-datagrams/1",
              "umad",
              datagrams.via(),
              plan.smps().size(),
              dropping,
              writing,
              widening,
              lidsDropped,
              done,
              verified));
      return;
    }
    if (done == null) {
      session.out().println("the switches hold " + tablesFile + " already; nothing was sent");
    } else {
      session
          .out()
          .println(
              Counted.of(plan.smps().size(), "SMP", "SMPs")
                  + ": "
                  + dropping
                  + " to drop what changes, "
                  + writing
                  + " to write what is new"
                  + (widening == 0 ? "" : ", " + widening + " to make switches look it up"));
      session
          .out()
          .println("meanwhile entries of " + Counted.of(lidsDropped, "LID", "LIDs") + " dropped");
      session
          .out()
          .println("take it back with: heddle recover " + ShellWords.join(done) + " --undo");
    }
    session
        .out()
        .println(
            verified
                ? "read back: the switches hold the tables"
                : "read back: the switches do NOT hold the tables; does a subnet manager run?");
  }
}
