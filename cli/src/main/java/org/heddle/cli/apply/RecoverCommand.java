package org.heddle.cli.apply;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.heddle.cli.live.Recovery;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Inputs;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.WritingDatagrams;
import org.heddle.fabric.Counted;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.discover.DiscoveredFabric;
import org.heddle.smp.discover.FabricDiscovery;
import org.heddle.smp.write.PlanExecutor;
import org.heddle.smp.write.SmpJournal;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle recover}: brings a change that stopped halfway to an end. */
@Command(
    name = "recover",
    description = {
      "Finish or undo, from its journal, a change of live tables that stopped halfway.",
      "A finished change can be undone as well: its journal has the same name with .done."
    },
    footer = {"", "Example:", "  heddle recover /var/lib/heddle/smp-journal --undo"})
public final class RecoverCommand extends ShellCommand {
  /** The JSON output. */
  record Document(String format, String journal, String direction, long smps) {}

  /** One of the two, not both. */
  static final class Direction {
    @Option(names = "--finish", required = true, description = "Send what has not been sent.")
    private boolean finish;

    @Option(names = "--undo", required = true, description = "Take back what has been sent.")
    private boolean undo;
  }

  @Parameters(paramLabel = "JOURNAL", description = "Journal of 'heddle apply --to umad'.")
  private String journalFile;

  @ArgGroup(multiplicity = "1")
  private Direction direction;

  @Mixin private WritingDatagrams datagrams;

  public RecoverCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    session.read(journalFile); // tells in the usual words if it is missing
    Path file = Inputs.path(journalFile);
    long smps;
    try (SmpJournal journal = SmpJournal.open(file)) { // what is no journal needs no connection
      journal.companion().ifPresent(this::requireUnchanged);
      smps = datagrams.run(client -> recover(client, journal, file));
      journal.companion().ifPresent(this::write); // before the journal is out of the way
      if (!file.getFileName().toString().endsWith(".done")) {
        SmpJournal.retire(file);
      }
    } catch (IOException e) {
      throw Failure.badInput(Inputs.reason(e));
    }
    String word = direction.undo ? "undone" : "finished";
    if (json()) {
      Json.print(session, new Document("heddle.recover/1", journalFile, word, smps));
    } else {
      session.out().println(word + " with " + Counted.of(smps, "SMP", "SMPs"));
    }
    return ExitCode.OK;
  }

  /** The file that changes with the fabric must be as one of the two ends has it. */
  private void requireUnchanged(SmpJournal.Companion companion) {
    session.lock(companion.name());
    byte[] now = session.inputs().read(companion.name()).bytes();
    if (!Arrays.equals(now, companion.before()) && !Arrays.equals(now, companion.after())) {
      throw Failure.refused(
          companion.name() + " has changed since this change was begun, nothing is sent",
          List.of("it belongs to the change and would be replaced; restore it from a copy"));
    }
  }

  private void write(SmpJournal.Companion companion) {
    byte[] bytes = direction.undo ? companion.before() : companion.after();
    session.outputs().write(companion.name(), bytes);
    session.outputs().commit();
  }

  private long recover(SmpClient client, SmpJournal journal, Path file) throws IOException {
    DiscoveredFabric discovered;
    try (Progress _ = session.terminal().progress("discovering via " + datagrams.via())) {
      discovered = FabricDiscovery.run(client);
    }
    PlanExecutor.Result result;
    try (Progress _ = session.terminal().progress("sending")) {
      result =
          direction.undo
              ? PlanExecutor.undo(client, discovered, journal)
              : PlanExecutor.finish(client, discovered, journal);
    }
    return Recovery.requireCompleted(result, file);
  }
}
