package org.heddle.cli.shell;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.Lid;

/** Finds the endports a user means: by description, GUID or LID. */
public final class Endports {
  private static final int SHOWN_CANDIDATES = 12;
  private static final int FARTHEST_SUGGESTION = 3;

  private Endports() {}

  /**
   * An endport with the LID to send to.
   *
   * @param port port id
   * @param lid the LID that was named, or the base LID
   */
  public record Endport(int port, int lid) {}

  /**
   * The endports of one node.
   *
   * @param word a node description (or its first word), a node or port GUID ({@code 0x..}), a LID
   *     ({@code 17}, {@code lid:0x11}); {@code /2} behind a name or node GUID picks a port
   * @return its linked ports that have a LID, at least one
   * @throws Failure exit code 2 with candidates, if nothing or more than one node matches
   */
  public static List<Endport> find(Fabric fabric, String word) {
    List<Endport> byNumber = byNumber(fabric, word);
    if (!byNumber.isEmpty()) {
      return byNumber;
    }
    List<Integer> nodes = byDescription(fabric, word);
    int number = 0;
    int slash = word.lastIndexOf('/');
    if (nodes.isEmpty() && slash > 0) {
      number = parse(word.substring(slash + 1), 10);
      nodes = nodes(fabric, word.substring(0, slash));
    }
    if (nodes.isEmpty()) {
      throw unknown(fabric, word);
    }
    if (nodes.size() > 1) {
      throw ambiguous(fabric, word, nodes);
    }
    List<Endport> ports = ofNode(fabric, nodes.get(0), number);
    if (ports.isEmpty()) {
      throw Failure.badInput("'" + word + "' has no linked port with a LID");
    }
    return ports;
  }

  private static List<Integer> nodes(Fabric fabric, String word) {
    long guid = guid(word);
    int node = guid == 0 ? Fabric.NONE : fabric.findNode(guid);
    return node != Fabric.NONE ? List.of(node) : byDescription(fabric, word);
  }

  private static List<Endport> byNumber(Fabric fabric, String word) {
    if (!word.startsWith("lid:")) {
      long guid = guid(word);
      int node = guid == 0 ? Fabric.NONE : fabric.findNode(guid);
      if (node != Fabric.NONE) {
        return ofNode(fabric, node, 0);
      }
      int port = guid == 0 ? Fabric.NONE : fabric.findPort(guid);
      if (port != Fabric.NONE && fabric.lid(port) != Lid.NONE) {
        return List.of(new Endport(port, fabric.lid(port)));
      }
    }
    String digits = word.startsWith("lid:") ? word.substring(4) : word;
    int lid = digits.startsWith("0x") ? parse(digits.substring(2), 16) : parse(digits, 10);
    int port = lid > 0 ? fabric.portOfLid(lid) : Fabric.NONE;
    return port == Fabric.NONE ? List.of() : List.of(new Endport(port, lid));
  }

  private static long guid(String word) {
    String digits = word.startsWith("guid:") ? word.substring(5) : word;
    if (!digits.startsWith("0x") && !word.startsWith("guid:")) {
      return 0;
    }
    try {
      return Long.parseUnsignedLong(digits.startsWith("0x") ? digits.substring(2) : digits, 16);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static int parse(String digits, int radix) {
    try {
      return digits.startsWith("-") ? 0 : Integer.parseInt(digits, radix);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static List<Integer> byDescription(Fabric fabric, String word) {
    List<Integer> exact = new ArrayList<>();
    List<Integer> firstWord = new ArrayList<>();
    for (int node = 0; node < fabric.nodeCount(); node++) {
      String description = fabric.description(node);
      if (description.equals(word)) {
        exact.add(node);
      } else if (description.startsWith(word + " ")) {
        firstWord.add(node);
      }
    }
    return exact.isEmpty() ? firstWord : exact;
  }

  private static List<Endport> ofNode(Fabric fabric, int node, int number) {
    List<Endport> ports = new ArrayList<>();
    for (int k = 0; k <= fabric.portCount(node); k++) {
      int port = fabric.port(node, k);
      boolean wanted = number == 0 || number == k;
      if (wanted && fabric.isEndport(port) && fabric.lid(port) != Lid.NONE) {
        ports.add(new Endport(port, fabric.lid(port)));
      }
    }
    return ports;
  }

  private static Failure ambiguous(Fabric fabric, String word, List<Integer> nodes) {
    List<String> hints = new ArrayList<>();
    hints.add("name one of them by its GUID:");
    for (int node : nodes.subList(0, Math.min(SHOWN_CANDIDATES, nodes.size()))) {
      hints.add("  " + Guid.format(fabric.nodeGuid(node)) + "  " + fabric.description(node));
    }
    if (nodes.size() > SHOWN_CANDIDATES) {
      hints.add("  ... and " + (nodes.size() - SHOWN_CANDIDATES) + " more");
    }
    return Failure.badInput(
        "'" + word + "' is the name of " + nodes.size() + " nodes", hints.toArray(new String[0]));
  }

  private static Failure unknown(Fabric fabric, String word) {
    Set<String> names = new LinkedHashSet<>();
    for (int node = 0; node < fabric.nodeCount(); node++) {
      names.add(fabric.description(node));
    }
    String near = Suggestions.closest(word, names, FARTHEST_SUGGESTION);
    String message = "no node has the name, GUID or LID '" + word + "'";
    return near == null || near.isEmpty()
        ? Failure.badInput(message)
        : Failure.badInput(message, "did you mean '" + near + "'?");
  }
}
