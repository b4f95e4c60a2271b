package org.heddle.cli.apply;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.heddle.cli.live.LiveFabric;
import org.heddle.cli.live.Recovery;
import org.heddle.cli.shell.Datagrams;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellWords;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.reconfig.TableChange;
import org.heddle.routing.ForwardingTables;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.discover.DiscoveredFabric;
import org.heddle.smp.write.PlanExecutor;
import org.heddle.smp.write.SmpJournal;
import org.heddle.smp.write.SmpPlan;
import org.heddle.text.lft.BoundTables;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;

/**
 * {@code heddle apply --to umad}: writes tables into the switches. The live fabric has to be the
 * one the tables were made for; writes are ordered so that no state in between has a loop or a dead
 * end, and LIDs without such an order are dropped temporarily and named; at the end the tables are
 * read back.
 */
record DatagramApply(
    Session session,
    Datagrams datagrams,
    String fabricFile,
    String tablesFile,
    String directory,
    boolean json) {
  private static final int SHOWN_LIDS = 20;

  /** The JSON output. */
  record Document(
      String format,
      String target,
      String via,
      long smps,
      int dropping,
      int writing,
      int widening,
      int phases,
      int lidsDropped,
      List<Integer> droppedLids,
      List<String> notes,
      String journal,
      boolean verified) {}

  int run(BoundTables bound) {
    Path folder = session.outputs().directory(directory);
    Path journal = folder.resolve(LiveFabric.JOURNAL);
    return datagrams.run(client -> apply(client, bound, journal));
  }

  private int apply(SmpClient client, BoundTables bound, Path journal) throws IOException {
    DiscoveredFabric discovered =
        LiveFabric.discover(session, client, datagrams.via(), bound.fabric(), fabricFile);
    ForwardingTables now = LiveFabric.tables(session, client, discovered, bound.tables().topLid());
    TableChange change;
    try (Progress _ = session.terminal().progress("ordering the writes")) {
      change = TableChange.order(bound.fabric(), tree(bound.fabric()), now, bound.tables());
    }
    SmpPlan plan = SmpPlan.ordered(discovered, now, bound.tables(), change);
    if (!plan.smps().isEmpty()) {
      change.notes().forEach(session::note); // before anything is sent
      send(client, discovered, plan, journal);
    }
    boolean verified = LiveFabric.holds(session, client, bound.tables());
    report(plan, change, journal, verified);
    return verified ? ExitCode.OK : ExitCode.FINDINGS;
  }

  private static Optional<FatTree> tree(Fabric fabric) {
    return FatTreeRecogniser.recognise(fabric) instanceof Recognition.Found found
        ? Optional.of(found.tree())
        : Optional.empty();
  }

  private void send(SmpClient client, DiscoveredFabric discovered, SmpPlan plan, Path journal)
      throws IOException {
    PlanExecutor.Result result;
    try (Progress _ = session.terminal().progress("sending " + plan.smps().size() + " SMPs")) {
      result = PlanExecutor.apply(client, discovered, plan, journal);
    } catch (FileAlreadyExistsException e) {
      throw Failure.refused(
          "an earlier change was not finished: " + journal,
          List.of("heddle recover " + ShellWords.join(journal.toString()) + " --finish or --undo"));
    }
    Recovery.requireCompleted(result, journal);
    SmpJournal.retire(journal);
  }

  private static String shown(TableChange change) {
    List<Integer> lids = change.dropped();
    int shown = Math.min(SHOWN_LIDS, lids.size());
    String first = lids.subList(0, shown).toString();
    return " " + first + (shown < lids.size() ? ", all with --json" : "");
  }

  private void report(SmpPlan plan, TableChange change, Path journal, boolean verified) {
    int lidsDropped = change.dropped().size();
    int dropping = (int) change.writes().stream().filter(TableChange.Write::drop).count();
    int writing = change.writes().size() - dropping;
    int widening = plan.smps().size() - change.writes().size();
    String done = plan.smps().isEmpty() ? null : journal + ".done";
    if (json) {
      Json.print(
          session,
          new Document(
              "heddle.apply-datagrams/1",
              "umad",
              datagrams.via(),
              plan.smps().size(),
              dropping,
              writing,
              widening,
              plan.phases(),
              lidsDropped,
              change.dropped(),
              change.notes(),
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
                  + " to drop what has no safe order, "
                  + writing
                  + " to write what is new, in "
                  + Counted.of(plan.phases(), "phase", "phases")
                  + (widening == 0 ? "" : ", " + widening + " to make switches look it up"));
      session
          .out()
          .println(
              lidsDropped == 0
                  ? "no LID was dropped temporarily: no state in between had a loop or a dead end"
                  : "dropped temporarily: "
                      + Counted.of(lidsDropped, "LID", "LIDs")
                      + shown(change));
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
