package org.heddle.opensm;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.heddle.routing.EngineNames;
import org.heddle.text.opensm.PartitionsConf;

/**
 * What the options of a site's OpenSM say, with the defaults of OpenSM 3.3.23 for what they leave
 * out. Names and values are those of {@link OpensmConf#site}.
 */
public final class SiteOptions {
  private static final String NONE = "(null)";

  /** All that OpenSM 3.3.23 knows, as {@code opensm -c} writes them; one a line. */
  private static final String KNOWN = "options-3.3.23.txt";

  /** Options whose value is a file that OpenSM reads. */
  private static final List<String> FILES =
      List.of(
          "partition_config_file",
          "qos_policy_file",
          "lfts_file",
          "root_guid_file",
          "cn_guid_file",
          "io_guid_file",
          "ids_guid_file",
          "guid_routing_order_file",
          "lid_matrix_dump_file",
          "sa_db_file",
          "node_name_map_name",
          "torus_config",
          "prefix_routes_file",
          "per_module_logging_file");

  private static final String IDENTITY = "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,7";
  private static final int LEVELS = 16;
  private static final int LAST_LANE = 15;

  private SiteOptions() {}

  private static final class Known {
    private static final Set<String> NAMES = names();

    private static Set<String> names() {
      try (InputStream in = SiteOptions.class.getResourceAsStream(KNOWN)) {
        return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
            .lines()
            .collect(Collectors.toUnmodifiableSet());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** True if OpenSM 3.3.23 has such an option; it passes over others without a word. */
  public static boolean isKnown(String name) {
    return Known.NAMES.contains(name);
  }

  /** A value without quotation marks; empty for none, which OpenSM writes {@code (null)}. */
  public static Optional<String> value(Map<String, String> options, String name) {
    String text = options.getOrDefault(name, NONE).strip();
    if (text.length() > 1 && text.startsWith("\"") && text.endsWith("\"")) {
      text = text.substring(1, text.length() - 1);
    }
    return text.isEmpty() || text.equals(NONE) ? Optional.empty() : Optional.of(text);
  }

  private static boolean on(Map<String, String> options, String name) {
    return value(options, name).filter("TRUE"::equalsIgnoreCase).isPresent();
  }

  /** True if a port may have the full and the limited key of a partition. */
  public static boolean allowsBoth(Map<String, String> options) {
    return on(options, "allow_both_pkeys");
  }

  /** The same for partitions as OpenSM makes them. */
  public static PartitionsConf.Options partitions(Map<String, String> options, long manager) {
    return new PartitionsConf.Options(manager, allowsBoth(options));
  }

  /** True if service levels have lanes of their own. */
  public static boolean qos(Map<String, String> options) {
    return on(options, "qos");
  }

  /** Files that they name. */
  public static List<String> files(Map<String, String> options) {
    List<String> out = new ArrayList<>();
    FILES.forEach(name -> value(options, name).ifPresent(out::add));
    return out;
  }

  /** The engines, the preferred one first; OpenSM's own default is {@code minhop}. */
  public static List<String> engines(Map<String, String> options) {
    String text = value(options, "routing_engine").orElse(EngineNames.MINHOP);
    return List.of(text.strip().split("[\\s,]+"));
  }

  /**
   * The lane of each service level at channel adapters, before OpenSM cuts it to what a port has;
   * 15 stands for none.
   */
  public static int[] lanes(Map<String, String> options) {
    String text =
        value(options, "qos_ca_sl2vl").or(() -> value(options, "qos_sl2vl")).orElse(IDENTITY);
    String[] usual = IDENTITY.split(",");
    String[] given = text.split(",");
    int[] out = new int[LEVELS];
    for (int level = 0; level < LEVELS; level++) {
      out[level] = Integer.parseInt(usual[level]);
      if (level < given.length && given[level].strip().matches("\\d{1,2}")) {
        out[level] = Integer.parseInt(given[level].strip()) & LAST_LANE;
      }
    }
    return out;
  }
}
