package org.heddle.cli.serve;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.TextTable;
import org.heddle.fabric.Counted;

/** Prints what {@code heddle serve import} does for people. */
final class ImportPrinter {
  private ImportPrinter() {}

  /** Prints which ports have other keys and lanes than the site's files give them. */
  static void compared(Session session, ImportDocument d) {
    ports(session.out(), d.ports(), true);
  }

  static void print(Session session, ImportDocument d) {
    PrintStream out = session.out();
    ImportDocument.Site site = d.site();
    out.println("options: " + or(site.opensmConf(), "none: OpenSM's defaults"));
    out.println(
        "partitions: " + or(site.partitionsFile(), "none: everybody is in the default partition"));
    out.println(
        site.live()
            ? "keys and lanes before: read from the ports"
            : "keys and lanes before: what these files come to");
    out.println();
    TextTable table =
        new TextTable("key", "partition", "tenant", "ports", "full", "ipoib", "level", "what");
    for (ImportDocument.Partition p : d.partitions()) {
      table.row(
          p.pkey(),
          p.name(),
          p.tenant(),
          p.ports(),
          p.full(),
          p.ipoib() ? "yes" : "no",
          p.serviceLevel(),
          what(p));
    }
    table.print(out, session.terminal(), "  ");
    out.println();
    ImportDocument.Engine e = d.engine();
    out.println(
        "engine: "
            + String.join(",", e.site())
            + " -> "
            + e.engine()
            + (e.why().isEmpty() ? "" : " (" + e.why() + ")"));
    if (e.roots() > 0) {
      out.println(
          "roots: "
              + Counted.of(e.roots(), "switch", "switches")
              + (e.otherRoots().isEmpty()
                  ? ", the top of the tree as Heddle finds it"
                  : "; Heddle finds another top: " + String.join(", ", e.otherRoots())));
    }
    out.println(
        "lanes: "
            + switch (d.lanes().whose()) {
              case "site" -> "the site's stay (lanes: site)";
              case "heddle" -> "Heddle's, one for each service level";
              default -> "none are in use";
            });
    if (!site.set().isEmpty()) {
      out.println(
          "options: "
              + Counted.of(site.options(), "is", "are")
              + " taken over; Heddle sets "
              + String.join(", ", site.set()));
    }
    ports(out, d.ports(), false);
    d.notes().forEach(n -> out.println("note: " + n));
    out.println();
    end(out, d);
  }

  private static String or(String name, String none) {
    return name == null ? none : name;
  }

  private static String what(ImportDocument.Partition p) {
    String action =
        switch (p.action()) {
          case "create" -> "new tenant";
          case "replace" -> "tenant made anew";
          case "unchanged" -> "there already";
          case "leave" -> "stays as Heddle has it";
          default -> "dropped";
        };
    String kept = p.kept().isEmpty() ? "" : "; kept as it is: " + String.join(", ", p.kept());
    String inForce =
        p.inForce() == 0 ? "" : "; " + Counted.of(p.inForce(), "port", "ports") + " by no file";
    return action + kept + inForce;
  }

  private static void ports(PrintStream out, ImportDocument.Ports ports, boolean compared) {
    String all = Counted.of(ports.ports().size(), "port", "ports");
    out.println(
        (compared
                ? "keys: %d of %s have exactly what the site's files say, %d have others, %d lack some"
                : "keys: %d of %s keep exactly what they have, %d lose some, %d gain some")
            .formatted(ports.same(), all, ports.lose(), ports.gain()));
    for (ImportDocument.Port p : ports.ports()) {
      if (!p.sameKeys()) {
        out.println(
            "  port "
                + p.port()
                + " of "
                + p.node()
                + " ("
                + p.portGuid()
                + "):"
                + list(compared ? " has " : " loses ", p.lost())
                + list(compared ? " lacks " : " gains ", p.gained())
                + list(compared ? " has rightly " : " keeps ", p.kept()));
      }
    }
    out.println(
        ports.otherLanes() == 0
            ? "lanes of service levels: every port " + (compared ? "has" : "keeps") + " its own"
            : "lanes of service levels: "
                + Counted.of(ports.otherLanes(), "port has", "ports have")
                + " others");
    for (ImportDocument.Port p : ports.ports()) {
      if (!p.sameLanes()) {
        out.println(
            "  port "
                + p.port()
                + " of "
                + p.node()
                + ": "
                + lanes(p.lanesBefore())
                + " -> "
                + lanes(p.lanesAfter()));
      }
    }
  }

  private static String list(String word, List<String> keys) {
    return keys.isEmpty() ? "" : word + String.join(", ", keys) + ";";
  }

  private static String lanes(Map<Integer, Integer> lanes) {
    return lanes.entrySet().stream()
        .map(e -> "level " + e.getKey() + " on lane " + e.getValue())
        .collect(Collectors.joining(", "));
  }

  private static void end(PrintStream out, ImportDocument d) {
    if (!d.settings().isEmpty()) {
      out.println("for the controller's configuration, /etc/heddle/serve.yaml:");
      d.settings().forEach(line -> out.println("  " + line));
    }
    out.println(
        d.written()
            ? "written into " + d.data() + "; nothing else was"
            : "nothing is written: --yes writes it into " + d.data());
  }
}
