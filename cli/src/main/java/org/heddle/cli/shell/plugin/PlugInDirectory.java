package org.heddle.cli.shell.plugin;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Inputs;
import org.heddle.text.Parsed;
import org.heddle.text.Source;
import org.heddle.text.config.ServeFile;
import org.heddle.text.config.ServeFileReader;

/**
 * Where the jars of plug-ins are: {@code --plugins}, else {@code plugins} in the configuration of
 * {@code serve}, else {@code heddle/plugins} in the user's directory of data ({@code
 * XDG_DATA_HOME}). The first that says something is the only one. The words are looked through
 * before they are parsed, because what the parser takes depends on the plug-ins.
 */
public final class PlugInDirectory {
  /** The option. */
  public static final String OPTION = "--plugins";

  /** The environment variable. */
  public static final String VARIABLE = "HEDDLE_PLUGINS";

  /** The system property with the installation's directory. */
  private static final String INSTALLED = "heddle.plugins";

  private static final Set<String> NEED_NONE = Set.of("-h", "--help", "-V", "--version");

  private PlugInDirectory() {}

  /**
   * The jars for a command line, by name; empty for one that has no use for plug-ins, such as
   * {@code --help}.
   *
   * @throws Failure exit code 2, if a directory that was named cannot be read
   */
  public static List<Path> jars(List<String> args, Map<String, String> env) {
    if (args.isEmpty()
        || args.getFirst().equals("help")
        || args.stream().anyMatch(NEED_NONE::contains)) {
      return List.of();
    }
    Optional<String> named = option(args, OPTION).or(() -> configured(args)).or(() -> named(env));
    if (named.isPresent()) {
      return jars(Inputs.path(named.get()));
    }
    return Stream.concat(installed().stream(), ofUser(env).stream())
        .filter(Files::isDirectory)
        .flatMap(directory -> jars(directory).stream())
        .toList();
  }

  private static List<Path> jars(Path directory) {
    if (!Files.isDirectory(directory)) {
      throw Failure.badInput(
          Files.exists(directory)
              ? directory + " is no directory of plug-ins"
              : "there is no directory of plug-ins " + directory,
          "a directory with jars; see docs/plugins.md");
    }
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(directory, "*.jar")) {
      jars.forEach(found::add);
    } catch (IOException e) {
      throw Failure.badInput("cannot read the directory of plug-ins " + directory);
    }
    found.sort(null);
    return List.copyOf(found);
  }

  /** The value of an option, wherever it stands. */
  private static Optional<String> option(List<String> args, String option) {
    for (int i = 0; i < args.size(); i++) {
      if (args.get(i).startsWith(option + "=")) {
        return Optional.of(args.get(i).substring(option.length() + 1));
      }
      if (args.get(i).equals(option) && i + 1 < args.size()) {
        return Optional.of(args.get(i + 1));
      }
    }
    return Optional.empty();
  }

  /** What a configuration says; what is wrong with one is said by the command that reads it. */
  private static Optional<String> configured(List<String> args) {
    if (!args.contains("serve")) {
      return Optional.empty();
    }
    return option(args, "--config")
        .filter(name -> Files.isRegularFile(Inputs.path(name)))
        .flatMap(
            name -> {
              try {
                Source source = new Source(name, Files.readAllBytes(Inputs.path(name)));
                Parsed<ServeFile> file = ServeFileReader.read(source);
                return file.ok() ? file.get().plugins() : Optional.empty();
              } catch (IOException _) {
                return Optional.empty();
              }
            });
  }

  private static Optional<String> named(Map<String, String> env) {
    return Optional.ofNullable(env.get(VARIABLE)).filter(value -> !value.isEmpty());
  }

  /** Of an installation: its launcher says where it is. */
  private static Optional<Path> installed() {
    return Optional.ofNullable(System.getProperty(INSTALLED)).map(Path::of);
  }

  private static Optional<Path> ofUser(Map<String, String> env) {
    String data = env.getOrDefault("XDG_DATA_HOME", "");
    String home = env.getOrDefault("HOME", "");
    try {
      if (!data.isEmpty()) {
        return Optional.of(Path.of(data, "heddle", "plugins"));
      }
      return home.isEmpty()
          ? Optional.empty()
          : Optional.of(Path.of(home, ".local", "share", "heddle", "plugins"));
    } catch (InvalidPathException _) {
      return Optional.empty();
    }
  }
}
