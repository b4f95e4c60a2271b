package org.heddle.cli.serve;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What {@code heddle serve import} says, as JSON.
 *
 * @param written false for a dry run
 * @param settings lines for the controller's configuration
 */
record ImportDocument(
    String format,
    boolean written,
    String data,
    Site site,
    List<Partition> partitions,
    Engine engine,
    Lanes lanes,
    Ports ports,
    List<String> settings,
    List<String> notes) {

  /**
   * The site's files.
   *
   * @param set its options that Heddle sets otherwise
   */
  record Site(
      String opensmConf, String partitionsFile, boolean live, int options, List<String> set) {}

  /**
   * A partition.
   *
   * @param action create, replace, unchanged, leave or drop
   * @param ports of the fabric that are in it now, switches' own included
   * @param full of them that are full members
   * @param kept why its definitions are kept as they are; none if it is a tenant like others
   * @param inForce ports that had the key by no file
   */
  record Partition(
      String pkey,
      String name,
      String tenant,
      String action,
      int ports,
      int full,
      boolean ipoib,
      int serviceLevel,
      List<String> kept,
      int inForce) {}

  /**
   * Engines.
   *
   * @param roots of the site's file
   * @param otherRoots of them that are not at the top of the tree, or top switches that the file
   *     lacks
   */
  record Engine(List<String> site, String engine, String why, int roots, List<String> otherRoots) {}

  /** Whose lanes there are from then on: {@code site}, {@code heddle} or {@code off}. */
  record Lanes(boolean siteQos, String whose) {}

  /** Ports, and how many of them keep what they have. */
  record Ports(int same, int lose, int gain, int otherLanes, List<Port> ports) {}

  /** One port; lanes by service level. */
  record Port(
      String node,
      String nodeGuid,
      int port,
      String portGuid,
      List<String> kept,
      List<String> lost,
      List<String> gained,
      Map<Integer, Integer> lanesBefore,
      Map<Integer, Integer> lanesAfter) {
    /** True if it loses a key of another partition, and does not gain full membership of it. */
    boolean loses(Set<Integer> dropped) {
      return lost.stream()
          .map(Integer::decode)
          .anyMatch(
              k ->
                  !dropped.contains(k & 0x7fff)
                      && !gained.contains("0x%04x".formatted(k | 0x8000)));
    }

    boolean sameKeys() {
      return lost.isEmpty() && gained.isEmpty();
    }

    boolean sameLanes() {
      return lanesBefore.equals(lanesAfter);
    }
  }
}
