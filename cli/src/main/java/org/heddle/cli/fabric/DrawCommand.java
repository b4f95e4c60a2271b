package org.heddle.cli.fabric;

import java.util.List;
import java.util.Locale;
import org.heddle.cli.shell.Choices;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.MachinesOption;
import org.heddle.cli.shell.Progress;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TableFiles;
import org.heddle.cli.shell.TenantsFiles;
import org.heddle.draw.DrawOptions;
import org.heddle.draw.FabricDrawing;
import org.heddle.draw.LoadView;
import org.heddle.draw.TenantColours;
import org.heddle.draw.Theme;
import org.heddle.fabric.Fabric;
import org.heddle.tenancy.Tenancy;
import org.heddle.text.lft.BoundTables;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.RecognitionOptions;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.ChannelLoad;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle fabric draw}: a picture of a fabric. */
@Command(
    name = "draw",
    description = {
      "Draw a fabric as SVG: levels, planes, damage.",
      "With --lfts the colour of a link shows its load, in distinct destinations."
    },
    footer = {"", "Example:", "  heddle fabric draw big.net --lfts big.lfts -o big.svg"})
public final class DrawCommand extends ShellCommand {
  /** The JSON output. */
  record Document(String format, String fabric, String tables, String output) {}

  @Mixin private MachinesOption machines;

  @Parameters(paramLabel = "FABRIC", description = "Fabric file, - for standard input.")
  private String fabricFile;

  @Option(
      names = "--lfts",
      paramLabel = "FILE",
      description = "Forwarding tables whose load is shown.")
  private String tablesFile;

  @Option(
      names = "--tenants",
      paramLabel = "FILE",
      description = "Tenants file: hosts get the colour of their (first) tenant.")
  private String tenantsFile;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      defaultValue = "-",
      description = "Where to write; - is standard output (default).")
  private String output;

  @Option(
      names = "--roots",
      paramLabel = "FILE",
      description = "GUIDs of the root switches, one per line.")
  private String rootsFile;

  @Option(names = "--title", paramLabel = "TEXT", description = "Heading of the picture.")
  private String title;

  @Option(names = "--subtitle", paramLabel = "TEXT", description = "Line under the heading.")
  private String subtitle;

  @Option(
      names = "--theme",
      paramLabel = "THEME",
      defaultValue = "light",
      completionCandidates = Choices.Themes.class,
      description = "light (default), dark or auto (as the viewer prefers).")
  private Theme theme;

  @Option(
      names = "--load",
      paramLabel = "DIRECTION",
      completionCandidates = Choices.Loads.class,
      description = "Load that the colour shows: both (default), up or down.")
  private LoadView view;

  public DrawCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    forbidJsonIntoOutput(output);
    refuseOtherPictures();
    if (view != null && tablesFile == null) {
      throw Failure.badInput("--load shows the load of tables: give them with --lfts");
    }
    session.outputs().protect(fabricFile);
    session.outputs().check(output);
    Fabric fabric = FabricFiles.read(session, fabricFile);
    DrawOptions options =
        DrawOptions.defaults().withTheme(theme).withLoadView(view == null ? LoadView.BOTH : view);
    if (title != null) {
      options = options.withTitle(title);
    }
    if (subtitle != null) {
      options = options.withSubtitle(subtitle);
    }
    if (tablesFile != null) {
      BoundTables bound = TableFiles.read(session, fabric, tablesFile);
      fabric = bound.fabric();
      options = options.withLoad(load(bound)::destinations);
    }
    if (tenantsFile != null) {
      Tenancy tenancy = TenantsFiles.read(session, tenantsFile, fabric);
      options = TenantColours.apply(options, fabric, tenancy);
    }
    draw(fabric, options);
    if (json()) {
      Json.print(session, new Document("heddle.fabric-draw/1", fabricFile, tablesFile, output));
    } else if (!output.equals("-")) {
      session.out().println("wrote " + output);
    }
    return ExitCode.OK;
  }

  /** A file that says it is another kind of picture would not open. */
  private void refuseOtherPictures() {
    String name = output.toLowerCase(Locale.ROOT);
    for (String other : List.of(".png", ".jpg", ".jpeg", ".gif", ".pdf", ".webp")) {
      if (name.endsWith(other)) {
        throw Failure.badInput(
            output
                + ": the picture is SVG; name it .svg (browsers and rsvg-convert make "
                + other
                + " of it)");
      }
    }
  }

  private ChannelLoad load(BoundTables bound) {
    try (Progress _ = session.terminal().progress("measuring loads")) {
      AuditOptions options = AuditOptions.defaults().withExamples(0);
      return Audit.run(bound.fabric(), bound.tables(), options).channels();
    }
  }

  private void draw(Fabric fabric, DrawOptions options) {
    Recognition recognition =
        FatTreeRecogniser.recognise(
            fabric, RecognitionOptions.ofRoots(FabricFiles.roots(session, rootsFile, fabric)));
    try (Progress _ = session.terminal().progress("drawing")) {
      session
          .outputs()
          .write(output, stream -> FabricDrawing.render(fabric, recognition, options, stream));
    }
  }
}
