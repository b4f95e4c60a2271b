package org.heddle.smp.transport;

import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * The transport of datagrams, as users write it.
 *
 * <ul>
 *   <li>{@code umad}: the first InfiniBand port that is up; {@code umad:mlx5_0} or {@code
 *       umad:mlx5_0:2}: that one.
 *   <li>{@code ibsim:HOST:PORT} or {@code ibsim:HOST:PORT:NODE}: a simulator, at an adapter of its
 *       netlist.
 * </ul>
 */
public sealed interface TransportSpec {
  /** What to write. */
  String SYNTAX = "umad, umad:ADAPTER:PORT, or ibsim:HOST:PORT[:NODE]";

  /** libibumad. */
  record Umad(String adapter, int port) implements TransportSpec {
    @Override
    public SmpTransport open(boolean manager) throws IOException {
      return UmadTransport.open(adapter, port, manager);
    }
  }

  /** ibsim's UDP protocol. */
  record Ibsim(String host, int port, String node) implements TransportSpec {
    @Override
    public SmpTransport open(boolean manager) throws IOException {
      return IbsimTransport.open(new InetSocketAddress(host, port), node, manager);
    }
  }

  /**
   * Opens it.
   *
   * @param manager true to get traps, as the port's subnet manager
   * @throws IOException with the reason
   */
  SmpTransport open(boolean manager) throws IOException;

  /**
   * Reads what a user wrote.
   *
   * @throws IllegalArgumentException with the reason
   */
  static TransportSpec parse(String text) {
    String[] words = text.split(":", -1);
    return switch (words[0]) {
      case "umad" -> umad(text, words);
      case "ibsim" -> ibsim(text, words);
      default ->
          throw new IllegalArgumentException(
              "'" + text + "' is not a transport for datagrams: " + SYNTAX);
    };
  }

  private static TransportSpec umad(String text, String[] words) {
    if (words.length > 3 || words.length > 1 && words[1].isEmpty()) {
      throw new IllegalArgumentException("'" + text + "' is not umad or umad:ADAPTER:PORT");
    }
    String adapter = words.length > 1 ? words[1] : "";
    return new Umad(adapter, words.length > 2 ? number(text, words[2], 254) : 0);
  }

  private static TransportSpec ibsim(String text, String[] words) {
    if (words.length < 3 || words.length > 4 || words[1].isEmpty()) {
      throw new IllegalArgumentException("'" + text + "' is not ibsim:HOST:PORT[:NODE]");
    }
    String node = words.length == 4 ? words[3] : "";
    return new Ibsim(words[1], number(text, words[2], 65_525), node);
  }

  private static int number(String text, String digits, int largest) {
    try {
      int number = Integer.parseInt(digits);
      if (number >= 1 && number <= largest) {
        return number;
      }
    } catch (NumberFormatException e) {
      // the same answer as to a number out of range
    }
    throw new IllegalArgumentException("in '" + text + "', " + digits + " is not a port number");
  }
}
