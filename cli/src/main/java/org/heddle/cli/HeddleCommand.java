package org.heddle.cli;

import org.heddle.cli.allocate.AllocateCommand;
import org.heddle.cli.apply.ApplyCommand;
import org.heddle.cli.apply.RecoverCommand;
import org.heddle.cli.audit.AuditCommand;
import org.heddle.cli.audit.TraceCommand;
import org.heddle.cli.emulate.EmulateCommand;
import org.heddle.cli.experiment.ExperimentCommand;
import org.heddle.cli.fabric.FabricCommand;
import org.heddle.cli.jobs.JobsCommand;
import org.heddle.cli.migrate.MigrateCommand;
import org.heddle.cli.plan.PlanCommand;
import org.heddle.cli.reroute.RerouteCommand;
import org.heddle.cli.serve.ServeCommand;
import org.heddle.cli.serve.TokenCommand;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.simulate.SimulateCommand;
import org.heddle.cli.tenants.TenantsCommand;
import org.heddle.cli.tokens.TokensCommand;
import org.heddle.cli.users.UsersCommand;
import org.heddle.cli.vm.VmCommand;
import org.heddle.cli.vms.VmsCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;

/** {@code heddle}: the root of the command tree. */
@Command(
    name = "heddle",
    versionProvider = HeddleCommand.Version.class,
    header = "Keeps the tenants of an InfiniBand fabric apart.",
    description = {
      "Reads a fabric, recognises its tree, routes it, proves the tables, and writes what OpenSM "
          + "loads."
    },
    footerHeading = "%nExit codes%n",
    footer = {
      "  0 success; 1 findings, or a refusal with its reason; 2 bad input or usage (no file is "
          + "written)",
      "",
      "Environment",
      "  HEDDLE_OPTS       options for Java, for example -Xmx8g",
      "  HEDDLE_JAVA_HOME  the JDK 25, if it is not found automatically",
      "  HEDDLE_DEBUG=1    show where an internal error came from",
      "  HEDDLE_PLUGINS    directory with jars of further engines and allocators",
      "  NO_COLOR=1        no colours",
      "  HEDDLE_SERVER, HEDDLE_TOKEN, HEDDLE_TOKEN_FILE, HEDDLE_CA_FILE",
      "                    the controller, for commands that talk to one",
      "  HEDDLE_CLIENT_KEYSTORE, HEDDLE_CLIENT_PASSWORD_FILE",
      "                    key and certificate to show to it (PKCS #12), and their password",
      "",
      "Start with: heddle demo"
    },
    subcommands = {
      FabricCommand.class,
      TenantsCommand.class,
      RouteCommand.class,
      RerouteCommand.class,
      PlanCommand.class,
      AllocateCommand.class,
      AuditCommand.class,
      TraceCommand.class,
      ApplyCommand.class,
      RecoverCommand.class,
      VmCommand.class,
      MigrateCommand.class,
      ServeCommand.class,
      EventsCommand.class,
      VmsCommand.class,
      JobsCommand.class,
      HistoryCommand.class,
      RollbackCommand.class,
      AuditLogCommand.class,
      TokenCommand.class,
      TokensCommand.class,
      UsersCommand.class,
      SimulateCommand.class,
      EmulateCommand.class,
      ExperimentCommand.class,
      EnginesCommand.class,
      AllocatorsCommand.class,
      PluginsCommand.class,
      DemoCommand.class,
      CompletionCommand.class,
      HelpCommand.class
    })
final class HeddleCommand extends ShellCommand {
  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version and exit.")
  private boolean version;

  HeddleCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    return whichCommand();
  }

  /** The version line. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {Main.versionLine()};
    }
  }
}
