package org.heddle.cli.serve;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.opensm.OpensmConf;
import org.heddle.opensm.SiteImport;
import org.heddle.opensm.SiteOptions;
import org.heddle.text.Parsed;
import org.heddle.text.Problem;
import org.heddle.text.Source;
import org.heddle.text.opensm.PartitionsConf;
import org.heddle.text.opensm.PartitionsConfReader;

/**
 * The files that a site's OpenSM reads; they are read here, and never written.
 *
 * @param optionsFile empty if there is none: OpenSM runs with its defaults
 * @param partitionsFile empty if there is none: everybody is in the default partition
 */
record SiteFiles(
    Optional<String> optionsFile,
    Map<String, String> options,
    Optional<String> partitionsFile,
    PartitionsConf partitions) {
  /** Where distributions have OpenSM's files. */
  private static final List<String> DIRECTORIES = List.of("/etc/opensm/", "/etc/rdma/");

  /**
   * Reads them.
   *
   * @param givenOptions null for the usual place
   * @param givenPartitions null for the file that the options name, or the usual place
   */
  static SiteFiles read(Session session, String givenOptions, String givenPartitions) {
    Optional<String> optionsFile =
        Optional.ofNullable(givenOptions).or(() -> usual(session, "opensm.conf"));
    Map<String, String> options = new LinkedHashMap<>();
    optionsFile.ifPresent(
        name -> {
          try {
            options.putAll(OpensmConf.site(name, text(session, name).bytes()));
          } catch (IllegalArgumentException e) {
            throw Failure.badInput(e.getMessage());
          }
          unknown(session, name, options);
        });
    Optional<String> named =
        Optional.ofNullable(givenPartitions)
            .or(() -> SiteOptions.value(options, "partition_config_file"))
            .or(() -> usual(session, "partitions.conf"));
    Optional<String> file =
        named.filter(name -> givenPartitions != null || session.inputs().exists(name));
    if (file.isEmpty()) {
      missing(session, options, "partition_config_file", "everybody is in the default partition");
    }
    PartitionsConf partitions =
        file.map(
                name -> {
                  Parsed<PartitionsConf> read = PartitionsConfReader.read(text(session, name));
                  PartitionsConf accepted =
                      session.accept(
                          name,
                          read,
                          "OpenSM drops all partitions of such a file and makes every port a full"
                              + " member of the default one: mend it first");
                  // OpenSM runs with this file as it is: what ports gain or lose counts. Of one
                  // that
                  // is cut off nobody knows what they had.
                  read.problems().stream()
                      .filter(p -> !PartitionsConfReader.isCutOff(p))
                      .forEach(session::excuse);
                  return accepted;
                })
            .orElseGet(SiteImport::withoutFile);
    return new SiteFiles(optionsFile, options, file, partitions);
  }

  /** A file as OpenSM sees it. */
  private static Source text(Session session, String name) {
    session.outputs().protect(name);
    return session.inputs().readText(name);
  }

  /**
   * Says which options OpenSM does not know.
   *
   * @throws Failure if it knows none of them: then this is another file
   */
  private static void unknown(Session session, String name, Map<String, String> options) {
    List<String> unknown =
        options.keySet().stream().filter(option -> !SiteOptions.isKnown(option)).toList();
    if (unknown.isEmpty()) {
      return;
    }
    if (unknown.size() == options.size()) {
      throw Failure.badInput(
          name + " has no option that OpenSM knows: '" + unknown.getFirst() + "' is none",
          "opensm -c FILE writes one with all of them");
    }
    Problem problem =
        new Problem(
            name,
            0,
            Problem.Severity.WARNING,
            "OpenSM 3.3.23 passes over what it does not know: " + String.join(", ", unknown));
    session.keep(List.of(problem));
    session.print(problem);
    session.excuse(problem); // OpenSM runs with the file as it is
  }

  /** A file that options name and that is not there, unless it is where it would usually be. */
  private static void missing(
      Session session, Map<String, String> options, String option, String then) {
    SiteOptions.value(options, option)
        .filter(name -> !session.inputs().exists(name))
        .filter(name -> DIRECTORIES.stream().noneMatch(name::startsWith))
        .ifPresent(
            name ->
                session.warn(
                    "OpenSM's options name "
                        + option
                        + " "
                        + name
                        + ", which is not there: "
                        + then));
  }

  private static Optional<String> usual(Session session, String name) {
    return DIRECTORIES.stream().map(d -> d + name).filter(session.inputs()::exists).findFirst();
  }

  /** The port that its {@code guid} option binds OpenSM to; 0 if it says nothing. */
  long manager() {
    String text = SiteOptions.value(options, "guid").orElse("0");
    try {
      return text.startsWith("0x")
          ? Long.parseUnsignedLong(text.substring(2), 16)
          : Long.parseUnsignedLong(text);
    } catch (NumberFormatException _) {
      return 0;
    }
  }

  /** The switches of its {@code root_guid_file}; empty if it names none. */
  List<Guid> roots(Session session, Fabric fabric) {
    missing(session, options, "root_guid_file", "OpenSM finds the roots itself");
    return SiteOptions.value(options, "root_guid_file")
        .filter(session.inputs()::exists)
        .map(name -> FabricFiles.roots(session, name, fabric))
        .orElse(List.of());
  }
}
