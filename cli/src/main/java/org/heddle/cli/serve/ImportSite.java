package org.heddle.cli.serve;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.fabric.Fabric;
import org.heddle.opensm.SiteOptions;
import org.heddle.text.opensm.EffectivePartitions;
import org.heddle.text.opensm.PartitionsConf;

/**
 * A site as it is: what its OpenSM reads, and what its fabric has.
 *
 * @param live true if keys and lanes were read from the ports
 * @param manager port GUID of the subnet manager, 0 if unknown
 * @param keys tables of ports by port id; none if they were not read
 * @param lanes by service level, by port id; none if they were not read
 */
record ImportSite(
    SiteFiles files,
    Fabric fabric,
    boolean live,
    long manager,
    Map<Integer, int[]> keys,
    Map<Integer, int[]> lanes) {
  private static final int FULL = 0x8000;

  /** A site of which only files are known. */
  static ImportSite ofFiles(SiteFiles files, Fabric fabric) {
    return new ImportSite(files, fabric, false, files.manager(), Map.of(), Map.of());
  }

  /** The same without what its ports have: what files alone come to. */
  ImportSite filesOnly() {
    return new ImportSite(files, fabric, false, manager, Map.of(), Map.of());
  }

  /** What makes partitions of its file. */
  PartitionsConf.Options rules() {
    return SiteOptions.partitions(files.options(), manager);
  }

  /** What its file comes to. */
  EffectivePartitions partitions() {
    return files.partitions().members(fabric, rules());
  }

  /** Port GUIDs that have a key and no file gives it to them, by key; true for full members. */
  Map<Integer, Map<Long, Boolean>> inForce(EffectivePartitions before) {
    Map<Integer, Map<Long, Boolean>> out = new TreeMap<>();
    keys.forEach(
        (port, table) -> {
          for (int value : table) {
            int key = value & PartitionsConf.DEFAULT_PKEY;
            boolean full = (value & FULL) != 0;
            EffectivePartitions.Partition p = key == 0 ? null : before.find(key);
            boolean known = p != null && (p.isFull(port) || !full && p.isLimited(port));
            if (key != 0 && !known) {
              out.computeIfAbsent(key, _ -> new LinkedHashMap<>())
                  .merge(fabric.portGuid(port), full, Boolean::logicalOr);
            }
          }
        });
    return out;
  }
}
