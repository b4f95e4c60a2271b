package org.heddle.opensm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.heddle.fabric.Fabric;
import org.heddle.text.opensm.EffectivePartitions;

/**
 * What becomes of the keys of ports when other partitions come into force: which of them each port
 * keeps, loses and gains. Keys are 16-bit values, with the membership bit.
 */
public final class KeyChanges {
  private KeyChanges() {}

  /**
   * One port.
   *
   * @param id of the port in the fabric
   */
  public record Port(int id, List<Integer> kept, List<Integer> lost, List<Integer> gained) {
    public Port {
      kept = List.copyOf(kept);
      lost = List.copyOf(lost);
      gained = List.copyOf(gained);
    }

    /** True if it neither loses nor gains any. */
    public boolean same() {
      return lost.isEmpty() && gained.isEmpty();
    }
  }

  /**
   * All ports with an address, by ascending id; those without a key before and after, too.
   *
   * @param before what the site's partitions come to
   * @param read keys that ports had, where these were read: they count, and not {@code before}
   * @param after what the new partitions come to
   */
  public static List<Port> of(
      Fabric fabric,
      EffectivePartitions before,
      Map<Integer, int[]> read,
      EffectivePartitions after) {
    List<Port> out = new ArrayList<>();
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      if (fabric.isEndport(port)) {
        TreeSet<Integer> had = set(read.getOrDefault(port, before.keysOf(port)));
        TreeSet<Integer> gets = set(after.keysOf(port));
        List<Integer> kept = had.stream().filter(gets::contains).toList();
        List<Integer> lost = had.stream().filter(k -> !gets.contains(k)).toList();
        List<Integer> gained = gets.stream().filter(k -> !had.contains(k)).toList();
        out.add(new Port(port, kept, lost, gained));
      }
    }
    return out;
  }

  private static TreeSet<Integer> set(int[] keys) {
    TreeSet<Integer> out = new TreeSet<>();
    for (int key : keys) {
      if (key != 0) {
        out.add(key);
      }
    }
    return out;
  }
}
