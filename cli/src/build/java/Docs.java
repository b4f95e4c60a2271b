import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.heddle.cli.Main;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Build step: writes shell completion and one manual page a command from the command line's own
 * description, so that they cannot differ from it. Plain man(7) macros, no date: the same input
 * gives the same bytes.
 *
 * <p>Argument: the dist directory; {@code completion/} and {@code man/man1/} are made in it.
 */
final class Docs {
  private Docs() {}

  public static void main(String[] args) throws IOException {
    Path dist = Path.of(args[0]);
    CommandLine heddle = Main.commandLine();
    Path completion = Files.createDirectories(dist.resolve("completion"));
    String bash = AutoComplete.bash("heddle", heddle);
    Files.writeString(completion.resolve("heddle.bash"), bash, UTF_8);
    String zsh = "#compdef heddle\nautoload -U +X bashcompinit && bashcompinit\n" + bash;
    Files.writeString(completion.resolve("_heddle"), zsh, UTF_8);
    page(heddle.getCommandSpec(), Files.createDirectories(dist.resolve("man/man1")));
  }

  private static void page(CommandSpec command, Path directory) throws IOException {
    if (command.usageMessage().hidden()) {
      return;
    }
    String name = command.qualifiedName("-");
    Files.writeString(directory.resolve(name + ".1"), text(command), UTF_8);
    for (CommandLine sub : command.subcommands().values()) {
      page(sub.getCommandSpec(), directory);
    }
  }

  private static String text(CommandSpec command) {
    StringBuilder out = new StringBuilder();
    String name = command.qualifiedName("-");
    UsageMessageSpec usage = command.usageMessage();
    List<String> description = lines(usage.description());
    List<String> summary =
        usage.header().length > 0 ? lines(usage.header()) : description.subList(0, 1);
    out.append(".TH \"").append(name.toUpperCase()).append("\" 1 \"\" \"");
    out.append(Main.versionLine()).append("\" \"Heddle\"\n.SH NAME\n");
    out.append(escape(name)).append(" \\- ").append(escape(String.join(" ", summary))).append('\n');
    out.append(".SH SYNOPSIS\n.nf\n");
    out.append(escape(synopsis(command))).append(".fi\n.SH DESCRIPTION\n");
    description.forEach(line -> out.append(".PP\n").append(escape(line)).append('\n'));
    arguments(command, out);
    options(command, out);
    commands(command, out);
    footer(command, out);
    out.append(".SH EXIT STATUS\n");
    item(out, "0", "fine");
    item(out, "1", "findings, or a reasoned refusal");
    item(out, "2", "bad input or usage; no file is written");
    return out.toString();
  }

  private static String synopsis(CommandSpec command) {
    CommandLine.Help help =
        new CommandLine.Help(command, CommandLine.Help.defaultColorScheme(Ansi.OFF));
    return help.synopsis(0);
  }

  private static void arguments(CommandSpec command, StringBuilder out) {
    List<PositionalParamSpec> parameters = command.positionalParameters();
    if (!parameters.isEmpty()) {
      out.append(".SH ARGUMENTS\n");
    }
    for (PositionalParamSpec parameter : parameters) {
      item(out, parameter.paramLabel(), description(parameter));
    }
  }

  private static void options(CommandSpec command, StringBuilder out) {
    out.append(".SH OPTIONS\n");
    for (OptionSpec option : command.options()) {
      if (option.hidden()) {
        continue;
      }
      List<String> names = new ArrayList<>();
      for (String name : option.names()) {
        names.add(option.arity().max() == 0 ? name : name + " " + option.paramLabel());
      }
      item(out, String.join(", ", names), description(option));
    }
  }

  private static String description(ArgSpec arg) {
    return String.join(" ", lines(arg.description()));
  }

  private static void commands(CommandSpec command, StringBuilder out) {
    if (command.subcommands().isEmpty()) {
      return;
    }
    out.append(".SH COMMANDS\n");
    for (CommandLine sub : command.subcommands().values()) {
      CommandSpec spec = sub.getCommandSpec();
      if (!spec.usageMessage().hidden()) {
        String what = String.join(" ", lines(spec.usageMessage().description()));
        item(out, spec.qualifiedName("-") + "(1)", what);
      }
    }
  }

  private static void footer(CommandSpec command, StringBuilder out) {
    List<String> lines = lines(command.usageMessage().footer());
    if (command.parent() == null || lines.isEmpty()) {
      return;
    }
    out.append(".SH EXAMPLES\n.nf\n");
    lines.stream()
        .filter(line -> !line.matches("Examples?:")) // the heading says so
        .forEach(line -> out.append(escape(line)).append('\n'));
    out.append(".fi\n");
  }

  private static void item(StringBuilder out, String term, String text) {
    out.append(".TP\n.B ").append(escape(term)).append('\n').append(escape(text)).append('\n');
  }

  private static List<String> lines(String[] raw) {
    List<String> lines = new ArrayList<>();
    for (String line : raw) {
      lines.add(line.replace("%n", "").replace("%%", "%"));
    }
    return lines;
  }

  private static String escape(String text) {
    String escaped = text.replace("\\", "\\e").replace("-", "\\-");
    StringBuilder out = new StringBuilder();
    for (String line : escaped.split("\n", -1)) {
      boolean request = line.startsWith(".") || line.startsWith("'");
      out.append(out.isEmpty() ? "" : "\n").append(request ? "\\&" + line : line);
    }
    return out.toString();
  }
}
