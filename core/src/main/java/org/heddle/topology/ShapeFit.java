package org.heddle.topology;

import java.util.List;
import org.heddle.topology.generate.TreeSpec;

/**
 * The PGFT nearest to a recognised tree, and what the fabric lacks or has in addition.
 *
 * <p>Compares switches, the links between levels and the hosts of leaves. Hosts on upper switches,
 * aggregation nodes and links that are not tree links do not count.
 *
 * @param shape the PGFT; with w1 planes if the hosts have a port in each of w1 equal planes,
 *     otherwise the shape of the largest plane
 * @param match how well it fits
 * @param damage one entry per level, 0..h-1: links from that level to the next, and the switches of
 *     the next
 * @param notes differences that are not damage, one sentence each
 */
public record ShapeFit(TreeSpec shape, Match match, List<LevelDamage> damage, List<String> notes) {
  public ShapeFit {
    damage = List.copyOf(damage);
    notes = List.copyOf(notes);
  }

  /** How the fabric relates to the shape. */
  public enum Match {
    /** The fabric is that PGFT, cable by cable, up to the numbering of nodes and ports. */
    EXACT,
    /** Nothing is beyond the shape, but switches, links or hosts are missing. */
    DAMAGED,
    /** The fabric has more than the shape, or is wired in another way. */
    APPROXIMATE
  }

  /**
   * What is missing between a level and the next.
   *
   * @param level the lower level; 0 are the hosts
   * @param expectedSwitches of level + 1
   * @param switches of level + 1
   * @param expectedLinks between the two levels
   * @param links between the two levels
   * @param examples at most {@value ShapeFitter#MAX_EXAMPLES} findings, each about a switch
   */
  public record LevelDamage(
      int level,
      int expectedSwitches,
      int switches,
      long expectedLinks,
      long links,
      List<TreeFinding> examples) {
    public LevelDamage {
      examples = List.copyOf(examples);
    }

    /** Switches that level + 1 lacks. */
    public int missingSwitches() {
      return Math.max(0, expectedSwitches - switches);
    }

    /** Links that lack, those of missing nodes included. */
    public long missingLinks() {
      return Math.max(0, expectedLinks - links);
    }
  }
}
