package org.heddle.cli.migrate;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.heddle.cli.live.LiveFabric;
import org.heddle.cli.live.Recovery;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Inputs;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.ShellWords;
import org.heddle.cli.shell.TableFiles;
import org.heddle.cli.shell.VmFiles;
import org.heddle.cli.shell.WritingDatagrams;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.discover.AliasGuids;
import org.heddle.smp.discover.DiscoveredFabric;
import org.heddle.smp.write.PlanExecutor;
import org.heddle.smp.write.SmpJournal;
import org.heddle.smp.write.SmpPlan;
import org.heddle.text.lft.TableFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code heddle migrate apply FABRIC LFTS}. */
@Command(
    name = "apply",
    description = {
      "Move virtual machines: send exactly the packets of the plan, read the tables back, and "
          + "replace the state file.",
      "The switches must hold the tables of LFTS. vGUIDs are written to the adapters' GUID "
          + "tables before any forwarding table. LIDs of virtual functions are printed; the "
          + "hypervisors' drivers have to set them. If it stops halfway, 'heddle recover' "
          + "finishes or undoes it, the state file included."
    },
    footer = {
      "",
      "Example:",
      "  heddle migrate apply big.net big.hlft --vms vms.json --vm web1 --to node007 \\",
      "      --journal /var/lib/heddle -o big.hlft"
    })
public final class ApplyMovesCommand extends ShellCommand {
  @Mixin private MoveInputs inputs;

  @Mixin private WritingDatagrams datagrams;

  @Option(
      names = "--journal",
      paramLabel = "DIR",
      required = true,
      description = "Directory of the journal.")
  private String directory;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "LFTS",
      description = "Write the tables as they are after the moves; may be the same file.")
  private String output;

  @Option(
      names = "--despite-credit-loops",
      description = "Move even if the tables have credit loops and nothing can be proven.")
  private boolean despite;

  @Option(
      names = "--skip-vguids",
      description =
          "Leave the adapters' GUID tables alone; the vGUIDs are then set on the hypervisors. "
              + "Without this option nothing is sent if an adapter cannot hold them.")
  private boolean skipVguids;

  public ApplyMovesCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    TableFormat as = output == null ? null : TableFiles.choose(null, output);
    VmFiles.requireFile(inputs.vmsFile);
    if (output != null) {
      forbidJsonIntoOutput(output);
    }
    session.read(inputs.vmsFile); // tells in the usual words if it is missing
    session.lock(inputs.vmsFile);
    MoveInputs.Prepared prepared = inputs.prepare(session);
    PlanMovesCommand.requireSafe(prepared.proof(), despite);
    if (!prepared.plan().dropped().isEmpty()) { // before anything is sent
      session.note(
          "dropped on purpose for the time of the move: LIDs " + prepared.plan().dropped());
    }
    requireWritable(); // before anything is sent
    Path journal = session.outputs().directory(directory).resolve(LiveFabric.JOURNAL);
    MovesDocument.Sent sent = datagrams.run(client -> send(client, prepared, journal, as));
    MovesDocument document =
        MovesDocument.of("heddle.migrate-apply/1", inputs, prepared, output, sent);
    if (json()) {
      Json.print(session, document);
    } else {
      new MovesPrinter(session).print(document);
      report(sent);
    }
    return sent.verified() ? ExitCode.OK : ExitCode.FINDINGS;
  }

  /** All inputs have been read: two of them may be replaced. */
  private void requireWritable() {
    session.outputs().release(inputs.vmsFile);
    session.outputs().check(inputs.vmsFile);
    if (output != null) {
      session.outputs().release(inputs.tablesFile);
      session.outputs().check(output);
    }
  }

  private MovesDocument.Sent send(
      SmpClient client, MoveInputs.Prepared prepared, Path journal, TableFormat as)
      throws IOException {
    DiscoveredFabric discovered =
        LiveFabric.discover(session, client, datagrams.via(), prepared.plain(), inputs.fabricFile);
    requireHeld(client, discovered, prepared.bound().tables());
    AliasGuids guids = skipVguids ? null : readGuids(client, discovered, prepared);
    SmpPlan plan = SmpPlan.moves(discovered.fabric(), prepared.plan().waves(), guids);
    SmpJournal.Companion companion = companion(prepared);
    PlanExecutor.Result result;
    long start = System.nanoTime();
    try (Progress _ = session.terminal().progress("sending " + plan.smps().size() + " SMPs")) {
      result = PlanExecutor.apply(client, discovered, plan, journal, Optional.of(companion));
    } catch (FileAlreadyExistsException e) {
      throw Failure.refused(
          "an earlier change was not finished: " + journal,
          List.of("heddle recover " + ShellWords.join(journal.toString()) + " --finish or --undo"));
    }
    double micros = (System.nanoTime() - start) / 1e3;
    long smps = Recovery.requireCompleted(result, journal);
    session.outputs().write(inputs.vmsFile, companion.after());
    if (output != null) {
      TableFiles.write(session, prepared.after(), output, as);
    }
    session.outputs().commit(); // before the journal is out of the way
    Path done = SmpJournal.retire(journal);
    boolean verified =
        LiveFabric.holds(session, client, prepared.plan().tables())
            && (skipVguids || holdGuids(client, discovered, prepared));
    return new MovesDocument.Sent(
        datagrams.via(), smps, micros, verified, skipVguids, done.toString());
  }

  private static AliasGuids readGuids(
      SmpClient client, DiscoveredFabric discovered, MoveInputs.Prepared prepared) {
    AliasGuids.Live live = AliasGuids.read(client, discovered, prepared.plan().waves());
    if (live.obstacles().isEmpty()) {
      return live.guids();
    }
    List<String> hints = new ArrayList<>(live.obstacles());
    hints.add("--skip-vguids moves LIDs only; the hypervisors must set the vGUIDs themselves");
    throw Failure.refused("vGUIDs cannot be written, nothing is sent", hints);
  }

  private static boolean holdGuids(
      SmpClient client, DiscoveredFabric discovered, MoveInputs.Prepared prepared) {
    AliasGuids.Live live = AliasGuids.read(client, discovered, prepared.plan().waves());
    return live.obstacles().isEmpty() && live.guids().holds(prepared.plan().waves());
  }

  private SmpJournal.Companion companion(MoveInputs.Prepared prepared) {
    Fabric plain = prepared.plain();
    String name = Inputs.path(inputs.vmsFile).toAbsolutePath().normalize().toString();
    return new SmpJournal.Companion(
        name,
        session.inputs().read(inputs.vmsFile).bytes(),
        VmFiles.bytes(inputs.vmsFile, plain, prepared.plan().placement()));
  }

  private void requireHeld(
      SmpClient client, DiscoveredFabric discovered, ForwardingTables expected) {
    int differing =
        LiveFabric.differing(LiveFabric.tables(session, client, discovered, 0), expected);
    if (differing > 0) {
      throw Failure.refused(
          Counted.of(differing, "switch does", "switches do")
              + " not hold the tables of "
              + inputs.tablesFile
              + ", nothing is sent",
          List.of(
              "read them: heddle fabric discover --lfts",
              "or write them: heddle apply --vms "
                  + ShellWords.join(inputs.vmsFile)
                  + " --to umad"));
    }
  }

  private void report(MovesDocument.Sent sent) {
    session
        .out()
        .printf(
            Locale.ROOT,
            "sent %s in %.0f us, journal included%n",
            Counted.of(sent.smps(), "SMP", "SMPs"),
            sent.micros());
    session
        .out()
        .println(
            sent.verified()
                ? "read back: every switch holds the predicted tables"
                    + (sent.guidsSkipped() ? "" : ", every adapter its vGUIDs")
                : "read back: switches or adapters do NOT hold what was predicted");
    if (sent.guidsSkipped()) {
      session.out().println("vGUIDs were NOT sent: the hypervisors must set them themselves");
    }
    session
        .out()
        .println(
            "take it back with: heddle recover " + ShellWords.join(sent.journal()) + " --undo");
  }
}
