package org.heddle.cli.shell;

import picocli.CommandLine.Option;

/** Options of every command. */
public final class CommonOptions {
  @Option(names = "--json", description = "Print JSON with stable keys instead of text.")
  private boolean json;

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      defaultValue = "auto",
      completionCandidates = Choices.Colours.class,
      description = "Colours: auto (on a terminal, unless NO_COLOR is set), always or never.")
  private Terminal.Colour colour;

  @Option(
      names = "--plugins",
      paramLabel = "DIR",
      description = "Directory of plug-ins (default: $$HEDDLE_PLUGINS).")
  private String plugins;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean help;

  /** True if JSON was asked for. */
  public boolean json() {
    return json;
  }

  /** When to colour; the runner has read it before parsing, for the help texts. */
  public Terminal.Colour colour() {
    return colour;
  }

  /** Where plug-ins are; what is before the parser has looked at it, as its words depend on it. */
  public String plugins() {
    return plugins;
  }

  /** True if help was asked for. */
  public boolean help() {
    return help;
  }
}
