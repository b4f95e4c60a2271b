package org.heddle.cli.shell;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.NodeType;
import org.heddle.text.AcceptedFindings;
import org.heddle.text.AcceptedFindings.Entry;
import org.heddle.text.Place;
import org.heddle.text.Problem;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.FabricExtras;
import picocli.CommandLine.Option;

/**
 * Findings that a site accepts, applied to a fabric. A subject is {@code *}, a GUID with or without
 * {@code /PORT}, a class ({@code class:aggregation-nodes}, {@code class:upper-hosts}, {@code
 * class:switches}, {@code class:roots}, {@code class:routers}), or the description of a node, whole
 * or its first word, with {@code *} and {@code ?}. Remembers which entries were of use.
 */
public final class Acceptance {
  private static final String CLASS = "class:";

  private final Fabric fabric;
  private final Recognition tree;
  private final String file;
  private final List<Entry> entries;
  private final Set<Entry> used = new LinkedHashSet<>();
  private final List<Accepted> accepted = new ArrayList<>();

  /** A finding that was expected, or the part of it that was: for the JSON documents. */
  public record Accepted(String code, String subject, String reason, String message) {}

  /** {@code --accept}. */
  public static final class Options {
    @Option(
        names = "--accept",
        paramLabel = "FILE",
        description =
            "Findings that are expected: code, subject and reason, one per line. Exit code 0 then means "
                + "that nothing else was found.")
    private String file;

    /** Name of the file, or null. */
    public String file() {
      return file;
    }
  }

  private Acceptance(Fabric fabric, Recognition tree, String file, List<Entry> entries) {
    this.fabric = fabric;
    this.tree = tree;
    this.file = file;
    this.entries = entries;
  }

  /**
   * Reads a file.
   *
   * @param name of the file, or null: then nothing is accepted
   * @throws Failure exit code 2 if it cannot be used
   */
  public static Acceptance read(Session session, String name, Fabric fabric, Recognition tree) {
    if (name == null) {
      return new Acceptance(fabric, tree, null, List.of());
    }
    AcceptedFindings findings =
        session.accept(
            name,
            AcceptedFindings.read(session.read(name)),
            "one finding per line: its code, its subject, and why it is accepted");
    for (Entry entry : findings.entries()) {
      if (entry.subject().startsWith(CLASS) && ofClass(fabric, tree, entry.subject()).isEmpty()) {
        throw Failure.badInput(
            name + ":" + entry.line() + ": there is no class '" + entry.subject() + "'",
            "classes: class:aggregation-nodes, class:upper-hosts, class:switches, class:roots, "
                + "class:routers");
      }
    }
    return new Acceptance(fabric, tree, name, findings.entries());
  }

  /**
   * True if a finding about a node, or about nothing in particular, is accepted.
   *
   * @param node node id, or {@link Fabric#NONE}
   * @param port its port number, or 0
   */
  public boolean accepts(String code, int node, int port, String message) {
    Optional<Entry> entry = entry(code, node, port);
    entry.ifPresent(e -> note(e, message));
    return entry.isPresent();
  }

  /** True if every place of a problem is accepted. */
  public boolean accepts(Problem problem) {
    List<Entry> found = new ArrayList<>();
    for (Place place : problem.places()) {
      int node = fabric.findNode(Guid.parse(place.guid()).value());
      Optional<Entry> entry = entry(problem.code(), node, place.port());
      if (entry.isEmpty()) {
        return false;
      }
      found.add(entry.get());
    }
    if (found.isEmpty()) {
      return false;
    }
    found.stream().distinct().forEach(e -> note(e, problem.message()));
    return true;
  }

  /** True if a code is accepted whatever it is about. */
  public boolean acceptsAll(String code, String message) {
    for (Entry entry : entries) {
      if (entry.code().equals(code) && entry.subject().equals("*")) {
        note(entry, message);
        return true;
      }
    }
    return false;
  }

  /** The nodes that entries of a code name; empty if none does. O(nodes * entries). */
  public Optional<IntPredicate> nodes(String code) {
    boolean[] named = new boolean[fabric.nodeCount()];
    boolean any = false;
    for (Entry entry : entries) {
      for (int node = 0; node < named.length; node++) {
        if (entry.code().equals(code) && matches(entry.subject(), node, 0)) {
          named[node] = true;
          any = true;
        }
      }
    }
    return any ? Optional.of(node -> named[node]) : Optional.empty();
  }

  /** Notes that entries of a code took away a part of a finding, or all of it. */
  public void took(String code, String message) {
    entries.stream()
        .filter(e -> e.code().equals(code) && !e.subject().equals("*"))
        .forEach(e -> note(e, message));
  }

  /** What was accepted, in the order it was asked for. */
  public List<Accepted> accepted() {
    return List.copyOf(accepted);
  }

  /** Says of each entry that was of no use that it can go. */
  public List<Problem> unused() {
    List<Problem> out = new ArrayList<>();
    for (Entry entry : entries) {
      if (!used.contains(entry)) {
        String what =
            "nothing is found that '" + entry.code() + " " + entry.subject() + "' accepts";
        out.add(new Problem(file, entry.line(), Problem.Severity.NOTE, what));
      }
    }
    return out;
  }

  private void note(Entry entry, String message) {
    used.add(entry);
    accepted.add(new Accepted(entry.code(), entry.subject(), entry.reason(), message));
  }

  private Optional<Entry> entry(String code, int node, int port) {
    return entries.stream()
        .filter(e -> e.code().equals(code))
        .filter(e -> e.subject().equals("*") || node >= 0 && matches(e.subject(), node, port))
        .findFirst();
  }

  private boolean matches(String subject, int node, int port) {
    if (subject.equals("*")) {
      return true;
    }
    if (subject.startsWith(CLASS)) {
      return ofClass(fabric, tree, subject).orElse(n -> false).test(node);
    }
    if (subject.startsWith("0x")) {
      int slash = subject.indexOf('/');
      String guid = slash < 0 ? subject : subject.substring(0, slash);
      boolean same = Guid.format(fabric.nodeGuid(node)).equals(padded(guid));
      return same && (slash < 0 || subject.substring(slash + 1).equals(String.valueOf(port)));
    }
    String description = fabric.description(node).strip();
    Pattern pattern = wildcards(subject);
    return pattern.matcher(description).matches()
        || pattern.matcher(description.split("\\s", 2)[0]).matches();
  }

  private static String padded(String guid) {
    String digits = guid.substring(2);
    return "0x" + "0".repeat(Math.max(0, 16 - digits.length())) + digits.toLowerCase();
  }

  private static Pattern wildcards(String text) {
    StringBuilder out = new StringBuilder();
    for (char c : text.toCharArray()) {
      out.append(
          switch (c) {
            case '*' -> ".*";
            case '?' -> ".";
            default -> Pattern.quote(String.valueOf(c));
          });
    }
    return Pattern.compile(out.toString());
  }

  private static Optional<IntPredicate> ofClass(Fabric fabric, Recognition tree, String subject) {
    return switch (subject.substring(CLASS.length())) {
      case "aggregation-nodes" -> Optional.of(node -> FabricExtras.isAggregationNode(fabric, node));
      case "upper-hosts" -> Optional.of(node -> isUpperHost(fabric, tree, node));
      case "switches" -> Optional.of(fabric::isSwitch);
      case "roots" -> Optional.of(node -> isRoot(fabric, tree, node));
      case "routers" -> Optional.of(node -> fabric.nodeType(node) == NodeType.ROUTER);
      default -> Optional.empty();
    };
  }

  private static boolean isRoot(Fabric fabric, Recognition tree, int node) {
    return fabric.isSwitch(node)
        && tree instanceof Recognition.Found found
        && found.tree().level(node) == found.tree().levels();
  }

  /** A host, such as the subnet manager's, whose first cable goes to a switch above the leaves. */
  private static boolean isUpperHost(Fabric fabric, Recognition tree, int node) {
    if (fabric.isSwitch(node) || !(tree instanceof Recognition.Found found)) {
      return false;
    }
    for (int number = 1; number <= fabric.portCount(node); number++) {
      int other = fabric.peerNode(fabric.port(node, number));
      if (fabric.isSwitch(other)) {
        return found.tree().level(other) > 1;
      }
    }
    return false;
  }
}
