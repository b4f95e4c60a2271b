package org.heddle.fabric;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Whether a node description names a machine.
 *
 * <p>A description that the driver never replaced is the firmware's: {@code MT4119 ConnectX5
 * Mellanox Technologies}, the same on thousands of cards. {@code localhost} and {@code (none)} are
 * what the kernel calls a machine that has no name yet, and what is left of {@code %h %d} without a
 * host is the device alone, {@code mlx5_0}. None of these tells one machine from another, so none
 * may join two adapters into one machine, or be given to a scheduler as a host. O(length).
 */
public final class NodeNames {
  private static final Pattern MODEL = Pattern.compile("MT\\d{3,6}");
  private static final Pattern DEVICE =
      Pattern.compile("HCA-\\d+|(mlx[45]|mthca|hfi1|qib)_\\d+|(ibp|rocep)\\d+s\\d+(f\\d+)?");
  private static final Set<String> NOBODY = Set.of("localhost", "(none)");
  private static final String AGGREGATION = "Aggregation Node";

  private NodeNames() {}

  /**
   * The name of the machine in an adapter's description: its first word; empty if it names none.
   */
  public static String machine(String description) {
    String text = description.strip();
    int end = 0;
    while (end < text.length() && !Character.isWhitespace(text.charAt(end))) {
      end++;
    }
    String first = text.substring(0, end);
    return isDefault(text, first) ? "" : first;
  }

  private static boolean isDefault(String text, String first) {
    if (first.isEmpty() || MODEL.matcher(first).matches() || DEVICE.matcher(first).matches()) {
      return true;
    }
    if (text.contains("Mellanox Technologies") || text.contains("NVIDIA Technologies")) {
      return true;
    }
    String word = first.toLowerCase(Locale.ROOT);
    int dot = word.indexOf('.');
    return NOBODY.contains(dot < 0 ? word : word.substring(0, dot));
  }

  /** True if it is the description of the aggregation node (SHARP) inside a switch. */
  public static boolean isAggregationNode(String description) {
    // Asked of every host in every recognition: one look at the last letter answers nearly always.
    int end = description.length();
    while (end > 0 && Character.isWhitespace(description.charAt(end - 1))) {
      end--;
    }
    return end > 0
        && description.charAt(end - 1) == 'e'
        && description.startsWith(AGGREGATION, end - AGGREGATION.length());
  }

  /**
   * True if a switch's description is the firmware's, or none: it does not tell which one it is.
   */
  public static boolean isDefaultSwitch(String description) {
    String text = description.strip();
    return text.isEmpty()
        || text.contains("Mellanox Technologies")
        || text.startsWith("Infiniscale-")
        || MODEL.matcher(text).matches();
  }
}
