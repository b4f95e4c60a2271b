package org.heddle.cli.plan;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.heddle.cli.shell.BackgroundTask;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellWords;
import org.heddle.cli.shell.TableFiles;
import org.heddle.cli.shell.TenantColours;
import org.heddle.cli.shell.Terminal;
import org.heddle.draw.DrawOptions;
import org.heddle.draw.FabricDrawing;
import org.heddle.opensm.OpensmFiles;
import org.heddle.opensm.QosOptions;
import org.heddle.opensm.TenantEnvironment;
import org.heddle.opensm.TenantFiles;
import org.heddle.tenancy.Partition;
import org.heddle.text.lft.TableFormat;

/** The directory of a plan. Every file is replaced whole; files of other names stay. */
final class PlanFiles {
  private static final String ENVIRONMENTS = "tenants";
  private static final String COMPACT = "tables.hlft";
  private static final String PICTURE = "fabric.svg";
  private static final String TEXT_REPORT = "report.txt";
  private static final String JSON_REPORT = "report.json";

  private final Session session;
  private final String directory;
  private final Plan plan;
  private final String fabricFile;
  private final boolean text;
  private final OpensmFiles opensm;

  /**
   * Makes the directory if there is none.
   *
   * @param text write the tables as OpenSM's text, too
   */
  PlanFiles(Session session, String directory, Plan plan, String fabricFile, boolean text) {
    this.session = session;
    this.directory = directory;
    this.plan = plan;
    this.fabricFile = fabricFile;
    this.text = text;
    Path path = session.outputs().directory(directory);
    session.outputs().directory(directory + "/" + ENVIRONMENTS);
    this.opensm =
        new OpensmFiles(
                path,
                plan.bound(),
                Optional.of(
                    TenantFiles.partitions(
                        plan.bound().fabric(), plan.tenants(), plan.lanes(), plan.ipoib())))
            .withQos(
                new OpensmFiles.Qos(
                    new QosOptions(plan.tenancy().rules().dataLanes()),
                    TenantFiles.policy(plan.tenants(), plan.lanes())));
  }

  /** Name of the environment file of a tenant, in the directory. */
  static String environment(Partition partition) {
    return ENVIRONMENTS + "/" + partition.name() + ".env";
  }

  /** The commands that make what is missing and start OpenSM with the files. */
  String command() {
    String convert =
        ShellWords.join(fabricFile, directory + "/" + COMPACT, directory)
            + " --to opensm-files --tables-only && ";
    return (text ? "" : "heddle apply " + convert) + opensm.command();
  }

  /** Stages all files and returns what they say as a document. */
  PlanDocument write(String tenantsFile, boolean picture) {
    try (Progress _ = session.terminal().progress("writing into " + directory)) {
      Optional<BackgroundTask<byte[]>> drawing =
          picture
              ? Optional.of(BackgroundTask.start("heddle-picture", this::draw))
              : Optional.empty();
      List<OpensmFiles.File> configuration = configuration();
      List<String> written = names(configuration, picture);
      PlanDocument document =
          PlanDocument.of(plan, fabricFile, tenantsFile, directory, written, command());
      BackgroundTask<byte[]> report = BackgroundTask.start("heddle-report", () -> json(document));
      TableFiles.write(session, plan.bound(), path(COMPACT), TableFormat.HLFT);
      for (OpensmFiles.File file : configuration) {
        session.outputs().write(path(file.name()), file.content()::writeTo, file.check()::read);
      }
      warnOfOldText();
      environments();
      session.outputs().write(path(TEXT_REPORT), summary());
      session.outputs().write(path(JSON_REPORT), report.get());
      drawing.ifPresent(image -> session.outputs().write(path(PICTURE), image.get()));
      return document;
    }
  }

  private List<OpensmFiles.File> configuration() {
    List<OpensmFiles.File> files = new ArrayList<>(opensm.files());
    files.removeIf(file -> !text && file.name().equals(OpensmFiles.TABLES));
    return files;
  }

  /** Names of all files, in the order in which people are told of them. */
  private List<String> names(List<OpensmFiles.File> configuration, boolean picture) {
    List<String> names = new ArrayList<>(List.of(COMPACT));
    configuration.forEach(file -> names.add(file.name()));
    plan.tenancy().partitions().forEach(partition -> names.add(environment(partition)));
    if (picture) {
      names.add(PICTURE);
    }
    names.add(TEXT_REPORT);
    names.add(JSON_REPORT);
    return List.copyOf(names);
  }

  /** A text of other tables beside new options: OpenSM would load it. */
  private void warnOfOldText() {
    Path folder = session.outputs().directory(directory);
    if (!text
        && session.outputs().namesIn(folder, OpensmFiles.TABLES).contains(OpensmFiles.TABLES)) {
      session.note(
          folder.resolve(OpensmFiles.TABLES)
              + " is of an earlier plan; 'heddle apply' replaces it as shown below");
    }
  }

  private byte[] draw() {
    ByteArrayOutputStream image = new ByteArrayOutputStream();
    try {
      FabricDrawing.render(plan.bound().fabric(), plan.tree(), drawing(), image);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return image.toByteArray();
  }

  private String path(String name) {
    return directory + "/" + name;
  }

  private void environments() {
    TreeSet<String> names = new TreeSet<>();
    for (int p = 0; p < plan.tenants().tenants().size(); p++) {
      Partition partition = plan.tenancy().partitions().get(p);
      boolean ipoib = plan.ipoib().of(plan.tenants().tenants().get(p), partition.policy());
      byte[] text =
          TenantEnvironment.write(partition, plan.lanes().lane(p), ipoib, plan.tiedPorts(p) == 0);
      String name = environment(partition);
      names.add(Path.of(name).getFileName().toString());
      session.outputs().write(path(name), text);
    }
    Path folder = session.outputs().directory(directory + "/" + ENVIRONMENTS);
    for (String file : session.outputs().namesIn(folder, ".env")) {
      if (!names.contains(file)) {
        session.note(
            folder.resolve(file) + " belongs to no tenant of this plan; it is left as it is");
      }
    }
  }

  private DrawOptions drawing() {
    String[] colours = TenantColours.byNode(plan.bound().fabric(), plan.tenancy());
    int tenants = colours.length == 0 ? 0 : plan.tenants().tenants().size();
    return DrawOptions.defaults()
        .withSubtitle("hosts coloured by tenant (" + tenants + "), routed with " + plan.engine())
        .withLoad(plan.audit().channels()::destinations)
        .withHostColour(node -> colours[node]);
  }

  private byte[] summary() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);
    new PlanPrinter(out, new Terminal(out, Map.of(), Terminal.Colour.NEVER)).print(plan);
    out.flush();
    return bytes.toByteArray();
  }

  private byte[] json(PlanDocument document) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);
    Json.print(session, out, document);
    out.flush();
    return bytes.toByteArray();
  }
}
