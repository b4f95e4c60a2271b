package org.heddle.traffic;

import java.util.ArrayList;
import java.util.List;

/** The patterns by name. */
public final class Patterns {
  private static final List<String> NAMES =
      List.of(
          "bisect",
          "bisect-fb-sym",
          "gather",
          "scatter",
          "all-to-all",
          "null",
          "neighbor",
          "bruck",
          "recdbl",
          "ring",
          "permutation",
          "shift",
          "stencil2d",
          "stencil3d",
          "tree",
          "tree-reduce");

  private Patterns() {}

  /** All names, without arguments. */
  public static List<String> names() {
    return NAMES;
  }

  /**
   * The pattern of a name such as {@code bisect}, {@code neighbor:4}, {@code shift:3}, {@code
   * stencil2d:16x18}; underscores are read as hyphens, as ORCS writes them.
   *
   * @throws IllegalArgumentException with a message for people, if there is none
   */
  public static TrafficPattern parse(String text) {
    String[] parts = text.replace('_', '-').split(":", 2);
    String argument = parts.length > 1 ? parts[1] : "";
    TrafficPattern plain = plain(parts[0]);
    if (plain != null) {
      if (parts.length > 1) {
        throw new IllegalArgumentException("the pattern " + parts[0] + " takes no argument");
      }
      return plain;
    }
    return switch (parts[0]) {
      case "neighbor", "neighbour" -> new Neighbours(parts.length == 1 ? 2 : number(argument));
      case "shift" -> new Shift(parts.length == 1 ? 0 : positive(argument));
      case "stencil2d" -> stencil(2, parts.length == 1, argument);
      case "stencil3d" -> stencil(3, parts.length == 1, argument);
      default -> throw new IllegalArgumentException("there is no pattern '" + text + "'");
    };
  }

  private static TrafficPattern plain(String name) {
    return switch (name) {
      case "bisect" -> new Bisect();
      case "bisect-fb-sym" -> new BisectBothWays();
      case "gather" -> new Gather();
      case "scatter" -> new Scatter();
      case "all-to-all", "alltoall" -> new AllToAll();
      case "null" -> new Silence();
      case "bruck" -> new Bruck();
      case "recdbl", "recursive-doubling" -> new RecursiveDoubling();
      case "ring" -> new Ring();
      case "permutation", "rand" -> new RandomPermutation();
      case "tree", "tree-broadcast" -> new TreeBroadcast();
      case "tree-reduce" -> new TreeReduce();
      default -> null;
    };
  }

  private static TrafficPattern stencil(int dimensions, boolean fitted, String argument) {
    if (fitted) {
      return Stencil.fitted(dimensions);
    }
    List<Integer> lengths = new ArrayList<>();
    for (String part : argument.split("x", -1)) {
      lengths.add(positive(part));
    }
    if (lengths.size() != dimensions) {
      throw new IllegalArgumentException(
          "stencil" + dimensions + "d takes " + dimensions + " lengths, not '" + argument + "'");
    }
    int nz = dimensions == 3 ? lengths.get(2) : 1;
    return new Stencil(lengths.get(0), lengths.get(1), nz, dimensions);
  }

  private static int positive(String text) {
    int value = number(text);
    if (value < 1) {
      throw new IllegalArgumentException("'" + text + "' is not 1 or more");
    }
    return value;
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is not a whole number");
    }
  }
}
