package org.heddle.emulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.mad.PortCounter;
import org.heddle.mad.PortInfo;

/** Commands to an emulated subnet, a line each: what {@link #HELP} lists. */
public final class EmulatorCommands {
  /** The commands. */
  public static final List<String> HELP =
      List.of(
          "link off|on NODE PORT       pull a cable, plug it in again",
          "switch off|on NODE          take a switch's power, give it back",
          "host off|on NODE            take a host's power, give it back",
          "agent off|on NODE           the node's agents answer nothing, answer again",
          "loss PERCENT                of 100 datagrams, each link loses so many",
          "latency MICROSECONDS        time to pass a link",
          "count NODE PORT COUNTER N   add to a counter of a port: symbol_errors, ...",
          "describe NODE TEXT          give a node another description",
          "probe FROM TO P_KEY LEVEL   where a data packet goes, and what drops it",
          "status                      what is off, and how many ports are in which state");

  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");
  private static final int MOST_LISTED = 20;

  private final Emulator emulator;
  private final Fabric fabric;
  private final NodeFinder nodes;

  public EmulatorCommands(Emulator emulator) {
    this.emulator = emulator;
    this.fabric = emulator.fabric();
    this.nodes = new NodeFinder(fabric);
  }

  /** The words of a line; those with blanks are in quotes, and a # begins a remark. */
  public static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(line);
    while (matcher.find()) {
      if (matcher.group(2) != null && matcher.group(2).startsWith("#")) {
        break;
      }
      words.add(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
    }
    return words;
  }

  /**
   * Carries out a command.
   *
   * @return lines to print
   * @throws IllegalArgumentException with what is wrong with it
   */
  public List<String> execute(List<String> words) {
    switch (words.getFirst().toLowerCase(Locale.ROOT)) {
      case "link" -> {
        want(words, 4, "link off|on NODE PORT");
        emulator.plug(cabled(port(words.get(2), words.get(3))), on(words));
      }
      case "switch" -> {
        want(words, 3, "switch off|on NODE");
        emulator.power(node(words.get(2), true), on(words));
      }
      case "host" -> {
        want(words, 3, "host off|on NODE");
        emulator.power(node(words.get(2), false), on(words));
      }
      case "agent" -> {
        want(words, 3, "agent off|on NODE");
        emulator.silence(nodes.find(words.get(2)), !on(words));
      }
      case "loss" -> {
        want(words, 2, "loss PERCENT");
        emulator.loss(number(words.get(1)));
      }
      case "latency" -> {
        want(words, 2, "latency MICROSECONDS");
        emulator.latency(number(words.get(1)) * 1_000L);
      }
      case "count" -> {
        want(words, 5, "count NODE PORT COUNTER N");
        emulator.count(
            port(words.get(1), words.get(2)), counter(words.get(3)), number(words.get(4)));
      }
      case "describe" -> {
        want(words, 3, "describe NODE TEXT");
        emulator.describe(nodes.find(words.get(1)), words.get(2));
      }
      case "probe" -> {
        want(words, 5, "probe FROM TO P_KEY LEVEL");
        return probe(words);
      }
      case "status" -> {
        want(words, 1, "status");
        return status();
      }
      default ->
          throw new IllegalArgumentException(
              "'" + words.getFirst() + "' is not a command; 'help' lists them");
    }
    return List.of();
  }

  private static void want(List<String> words, int count, String usage) {
    if (words.size() != count) {
      throw new IllegalArgumentException("write: " + usage);
    }
  }

  private static boolean on(List<String> words) {
    return switch (words.get(1)) {
      case "on" -> true;
      case "off" -> false;
      default -> throw new IllegalArgumentException("'" + words.get(1) + "' is neither off nor on");
    };
  }

  private int node(String name, boolean isSwitch) {
    int node = nodes.find(name);
    if (fabric.isSwitch(node) != isSwitch) {
      throw new IllegalArgumentException(
          "'" + name + "' is " + (isSwitch ? "no switch" : "a switch"));
    }
    return node;
  }

  private int port(String name, String number) {
    int node = nodes.find(name);
    int n = number(number);
    if (n < 1 || n > fabric.portCount(node)) {
      throw new IllegalArgumentException(
          "'" + name + "' has the ports 1 to " + fabric.portCount(node) + ", not " + number);
    }
    return fabric.port(node, n);
  }

  private int cabled(int port) {
    if (fabric.peer(port) == Fabric.NONE) {
      throw new IllegalArgumentException(name(port) + " has no cable in this fabric");
    }
    return port;
  }

  private static int number(String text) {
    try {
      int number = Integer.decode(text);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // the same answer as to a negative one
    }
    throw new IllegalArgumentException("'" + text + "' is not a number from 0 on");
  }

  private static PortCounter counter(String text) {
    try {
      return PortCounter.valueOf(text.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      List<String> all = new ArrayList<>();
      for (PortCounter counter : PortCounter.values()) {
        all.add(counter.name().toLowerCase(Locale.ROOT));
      }
      throw new IllegalArgumentException(
          "'" + text + "' is not a counter: " + String.join(", ", all), e);
    }
  }

  private List<String> probe(List<String> words) {
    int from = nodes.port(nodes.find(words.get(1)));
    int to = nodes.port(nodes.find(words.get(2)));
    int lid = emulator.lid(to);
    PathProbe.Outcome outcome =
        emulator.probe().look(from, lid, number(words.get(3)) & 0xffff, number(words.get(4)));
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < outcome.path().size(); i += 2) {
      lines.add(
          name(outcome.path().get(i))
              + " -> "
              + name(outcome.path().get(i + 1))
              + " on lane "
              + outcome.lanes().get(i / 2));
    }
    lines.add(
        outcome.arrived()
            ? "arrives at " + name(outcome.port()) + ", LID " + lid
            : "dropped at " + name(outcome.port()) + ": " + outcome.drop().text());
    return lines;
  }

  private String name(int port) {
    int node = fabric.nodeOf(port);
    return "'" + fabric.description(node) + "' port " + fabric.numberOf(port);
  }

  private List<String> status() {
    List<String> lines = new ArrayList<>();
    int[] states = new int[PortInfo.STATE_ACTIVE + 1];
    List<String> off = new ArrayList<>();
    for (int node = 0; node < fabric.nodeCount(); node++) {
      String who = "'" + fabric.description(node) + "' " + Guid.format(fabric.nodeGuid(node));
      if (!emulator.hasPower(node)) {
        off.add(who + " has no power");
      } else if (emulator.isSilent(node)) {
        off.add(who + " does not answer");
      }
      for (int number = 1; number <= fabric.portCount(node); number++) {
        int port = fabric.port(node, number);
        if (fabric.peer(port) != Fabric.NONE) {
          states[emulator.state(port)]++;
          if (!emulator.isPlugged(port) && port < fabric.peer(port)) {
            off.add("the cable from " + name(port) + " to " + name(fabric.peer(port)) + " is out");
          }
        }
      }
    }
    lines.add(
        "ports: %d active, %d armed, %d init, %d down"
            .formatted(states[4], states[3], states[2], states[1]));
    lines.add(
        Counted.of((int) Math.min(Integer.MAX_VALUE, emulator.carried()), "datagram", "datagrams")
            + " from programs, "
            + Counted.of(emulator.unrepressed(), "trap", "traps")
            + " not repressed");
    lines.addAll(off.subList(0, Math.min(MOST_LISTED, off.size())));
    if (off.size() > MOST_LISTED) {
      lines.add("... and " + (off.size() - MOST_LISTED) + " more");
    }
    return lines;
  }
}
