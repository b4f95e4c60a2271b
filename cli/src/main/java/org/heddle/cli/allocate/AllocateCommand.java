package org.heddle.cli.allocate;

import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle allocate}: the group of commands that admit tenants and let them go. */
@Command(
    name = "allocate",
    description = {
      "Give tenants hosts and links that nobody else has, one tenant at a time.",
      "What every tenant holds is kept in a state file; FABRIC and --state come before the command."
    },
    footer = {
      "",
      "Examples:",
      "  heddle allocate big.net --state tenants.json add physics --hosts 100",
      "  heddle allocate big.net --state tenants.json list",
      "  heddle allocate big.net --state tenants.json export files"
    },
    subcommands = {
      AddCommand.class,
      RemoveCommand.class,
      ListCommand.class,
      ShowCommand.class,
      CheckCommand.class,
      RepairCommand.class,
      ExportCommand.class
    })
public final class AllocateCommand extends ShellCommand {
  @Mixin private MachinesOption machines;

  @Parameters(paramLabel = "FABRIC", arity = "0..1", description = "Fabric file.")
  private String fabricFile;

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description = "State file; 'add' makes it if there is none.")
  private String stateFile;

  public AllocateCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    return whichCommand();
  }

  String fabricFile() {
    if (fabricFile == null) {
      throw Failure.badInput("which fabric?", "heddle allocate FABRIC --state FILE add NAME ...");
    }
    return fabricFile;
  }

  String stateFile() {
    if (stateFile == null) {
      throw Failure.badInput(
          "which state file? give --state FILE before the command",
          "heddle allocate FABRIC --state FILE add NAME ...");
    }
    if (stateFile.equals("-")) {
      throw Failure.badInput("the state is a file that is replaced; it cannot be -");
    }
    return stateFile;
  }

  /** Fabric and state, to look at. */
  AllocationState look() {
    return AllocationState.open(session, fabricFile(), stateFile(), false, null);
  }

  /** Fabric and state, to change: no other run can until this one ends. */
  AllocationState change() {
    return change(null);
  }

  /**
   * The same with base tables of another engine.
   *
   * @param engine null for that of the state
   */
  AllocationState change(String engine) {
    session.lock(stateFile());
    return AllocationState.open(session, fabricFile(), stateFile(), true, engine);
  }
}
