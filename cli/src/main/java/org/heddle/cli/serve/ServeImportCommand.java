package org.heddle.cli.serve;

import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Inputs;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.control.Controller;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Request;
import org.heddle.control.port.AgentException;
import org.heddle.control.port.Leadership;
import org.heddle.control.port.Store;
import org.heddle.control.port.StoreException;
import org.heddle.fabric.Fabric;
import org.heddle.opensm.SiteOptions;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.Tenant;
import org.heddle.server.store.FreshDatabase;
import org.heddle.text.config.ServeFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code heddle serve import}: what a site's OpenSM has becomes a controller's state. */
@Command(
    name = "import",
    description = {
      "Take over what a site's OpenSM has: its partitions become tenants with the same keys, and "
          + "what a tenant cannot say is kept as it is. Shows for every port the keys and lanes that "
          + "it keeps, loses and gains.",
      "Writes into the controller's data directory only, with --yes: never to the fabric, and never "
          + "to a file of the site. The controller must not be running.",
      "Without --fabric, fabric, keys and lanes are read by datagrams from the running fabric."
    },
    footer = {
      "",
      "Examples:",
      "  heddle serve import --config /etc/heddle/serve.yaml",
      "  heddle serve import --config /etc/heddle/serve.yaml --yes",
      "  heddle serve import --fabric big.net --partitions partitions.conf --drop 0x17",
      "",
      "Exit code 1: some port loses or gains a key, or gets another lane. Warnings about the site's "
          + "partitions do not count: OpenSM runs with them as they are."
    })
public final class ServeImportCommand extends ShellCommand {
  @Mixin private ControllerOptions which;

  @Option(
      names = "--fabric",
      paramLabel = "FABRIC",
      description =
          "Fabric file, or a tree like XGFT(2;18,18;1,18), in place of the running fabric.")
  private String fabricFile;

  @Option(
      names = "--opensm-conf",
      paramLabel = "FILE",
      description =
          "OpenSM's options (default: opensm_conf of the configuration, then /etc/opensm/opensm.conf"
              + " or /etc/rdma/opensm.conf if it is there).")
  private String opensmConf;

  @Option(
      names = "--partitions",
      paramLabel = "FILE",
      description =
          "OpenSM's partitions (default: the file that its options name, then "
              + "/etc/opensm/partitions.conf or /etc/rdma/partitions.conf if it is there).")
  private String partitionsFile;

  @Option(
      names = {"-e", "--engine"},
      paramLabel = "NAME",
      description =
          "Engine of the base tables (default: the site's, if Heddle has it; else dmodk).")
  private String engine;

  @Option(
      names = "--drop",
      paramLabel = "PARTITION",
      split = ",",
      description =
          "A partition that is not taken over, by name or key; its ports lose the key. 0x7fff: the "
              + "default partition becomes Heddle's, in which hosts reach the subnet manager only.")
  private List<String> drop = List.of();

  @Option(
      names = "--compare",
      description =
          "Only compare the ports with the site's files, and list those that have other keys or"
              + " lanes. May run beside a controller.")
  private boolean compare;

  @Option(names = "--yes", description = "Write it. Without this nothing is written.")
  private boolean yes;

  @Option(
      names = "--force",
      description = "With --yes: also if ports lose keys of partitions that --drop does not name.")
  private boolean force;

  public ServeImportCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    ServeFile file = which.file(session);
    ServeSettings settings = settings(file);
    which.machines(file).ifPresent(session::read); // before the fabric: a missing one is named
    SiteFiles files =
        SiteFiles.read(
            session,
            opensmConf == null ? file.live().opensmConf().orElse(null) : opensmConf,
            partitionsFile);
    try {
      ImportSite site = read(settings, files);
      if (compare && yes) {
        throw Failure.badInput("--compare writes nothing: leave out --yes");
      }
      if (compare || !settings.keepsDatabase() && !yes) {
        return report(settings, site, List.of(), (_, _) -> {});
      }
      try (Leadership leadership = settings.leadership("")) {
        if (!leadership.take()) {
          throw running("another controller leads at " + leadership.leader());
        }
        return take(settings, site, leadership);
      }
    } catch (StoreException e) {
      throw e.getMessage().startsWith("another heddle serve")
          ? running(e.getMessage())
          : Failure.badInput(e.getMessage());
    } catch (AgentException e) {
      throw Failure.badInput(
          e.getMessage(), "--fabric FILE imports without the running fabric, from files alone");
    }
  }

  private static Failure running(String why) {
    return Failure.refused(
        why + ": nothing is imported",
        List.of(
            "stop it first (systemctl stop heddle), import, and start it again; --compare may run"
                + " beside it"));
  }

  private ServeSettings settings(ServeFile file) {
    return new ServeSettings(
        session,
        file,
        ServeSettings.LISTEN,
        which.data(file),
        file.database(),
        Optional.ofNullable(fabricFile),
        fabricFile == null ? ServeSettings.DRY_RUN : ServeSettings.EMULATOR,
        Optional.ofNullable(engine).or(file::engine).map(ServeCommand::baseEngine),
        which.machines(file),
        false,
        false);
  }

  private ImportSite read(ServeSettings settings, SiteFiles files) {
    if (fabricFile != null) {
      return ImportSite.ofFiles(files, settings.firstFabric());
    }
    return settings.look(
        (fabric, reader) ->
            new ImportSite(
                files,
                fabric,
                true,
                reader.managerGuid(),
                reader.keysOfHosts(),
                reader.lanesOfHosts()));
  }

  private int take(ServeSettings settings, ImportSite site, Leadership leadership) {
    if (!settings.keepsDatabase() && settings.database().isEmpty()) {
      Path database = ServeSettings.database(settings.data());
      return report(
          settings,
          site,
          List.of(),
          (name, changes) ->
              FreshDatabase.make(
                  database,
                  store -> {
                    store.create(ServeParts.FABRIC, site.fabric(), name);
                    commit(settings, store, changes);
                  }));
    }
    try (Store store = settings.store(leadership)) {
      Optional<Store.Saved> saved = store.load(ServeParts.FABRIC);
      List<Tenant> there = saved.map(Store.Saved::tenants).orElse(List.of());
      return report(
          settings,
          site,
          there,
          (name, changes) -> {
            if (saved.isEmpty()) {
              store.create(ServeParts.FABRIC, site.fabric(), name);
            } else if (engine != null) {
              store.engine(ServeParts.FABRIC, name);
            }
            commit(settings, store, changes);
          });
    }
  }

  /** All changes in one transaction. */
  private static void commit(ServeSettings settings, Store store, List<Change> changes) {
    if (changes.isEmpty()) {
      return;
    }
    List<Fabric> known = List.of(store.load(ServeParts.FABRIC).orElseThrow().fabric());
    try (Controller controller =
        Controller.open(
            store,
            Clock.systemUTC(),
            ServeParts.FABRIC,
            settings.keyRanges(),
            settings.machines(known),
            settings.quotas())) {
      Change all = new Change.Batch("an import", changes, OptionalLong.empty());
      Outcome outcome = controller.submit(all, Request.of(Actor.SYSTEM)).get();
      if (outcome instanceof Outcome.Refused refused) {
        throw Failure.refused("the import is refused: " + refused.reason(), refused.hints());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw Failure.refused("interrupted: nothing is imported", List.of());
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private interface Writing {
    void write(String engine, List<Change> changes);
  }

  /** Works out everything, says it, and writes it if that was asked for. */
  private int report(ServeSettings settings, ImportSite site, List<Tenant> there, Writing writing) {
    ImportPlan plan = ImportPlan.of(compare ? site.filesOnly() : site, there, drop);
    boolean siteLanes = siteLanes(settings, site);
    ImportDocument.Ports ports = ImportPorts.of(site, plan.written(), siteLanes);
    List<String> notes = new ArrayList<>(plan.notes());
    ImportDocument.Engine engines = ImportEngine.of(session, settings, site, notes);
    boolean losing = ports.ports().stream().anyMatch(p -> p.loses(plan.dropped()));
    boolean write = yes && (force || !losing);
    if (write) {
      writing.write(engines.engine(), plan.changes());
      session.done("the import is written into " + settings.database().orElse(settings.data()));
    }
    boolean levels = plan.after().stream().anyMatch(p -> p.options().serviceLevel() > 0);
    Map<String, String> options = site.files().options();
    List<String> set = options.keySet().stream().filter(o -> isSet(o, siteLanes)).sorted().toList();
    ImportDocument document =
        new ImportDocument(
            "heddle.serve-import/1",
            write,
            settings.database().orElse(settings.data()),
            new ImportDocument.Site(
                site.files().optionsFile().orElse(null),
                site.files().partitionsFile().orElse(null),
                site.live(),
                options.size() - set.size(),
                set),
            plan.partitions(),
            engines,
            new ImportDocument.Lanes(
                SiteOptions.qos(options), siteLanes ? "site" : levels ? "heddle" : "off"),
            ports,
            lines(settings, site, siteLanes),
            notes);
    if (json()) {
      Json.print(session, document);
    } else if (compare) {
      ImportPrinter.compared(session, document);
    } else {
      ImportPrinter.print(session, document);
    }
    if (yes && !write) {
      throw Failure.refused(
          "ports would lose keys of partitions that --drop does not name: nothing is written",
          List.of("--force writes it all the same"));
    }
    return ports.same() == ports.ports().size() && ports.otherLanes() == 0
        ? ExitCode.OK
        : ExitCode.FINDINGS;
  }

  /** Options of the site that Heddle's files have otherwise. */
  private static boolean isSet(String option, boolean siteLanes) {
    return List.of("routing_engine", "lfts_file", "partition_config_file").contains(option)
        || !siteLanes && option.startsWith("qos");
  }

  /** Lines that the configuration should have and has not. */
  private static List<String> lines(ServeSettings settings, ImportSite site, boolean siteLanes) {
    List<String> out = new ArrayList<>();
    if (settings.file().agent().filter(a -> !a.equals(ServeSettings.EMULATOR)).isEmpty()) {
      out.add("agent: " + ServeSettings.DRY_RUN);
    }
    site.files()
        .optionsFile()
        .filter(_ -> settings.file().live().opensmConf().isEmpty())
        .ifPresent(name -> out.add("opensm_conf: " + Inputs.path(name).toAbsolutePath()));
    if (siteLanes && !settings.file().live().siteLanes()) {
      out.add("lanes: site");
    }
    return out;
  }

  /** The site's lanes stay where it has any, unless the configuration has been told otherwise. */
  private boolean siteLanes(ServeSettings settings, ImportSite site) {
    boolean decided = settings.file().live().opensmConf().isPresent();
    return decided ? settings.file().live().siteLanes() : SiteOptions.qos(site.files().options());
  }
}
