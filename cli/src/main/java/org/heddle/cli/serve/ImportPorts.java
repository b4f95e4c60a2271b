package org.heddle.cli.serve;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.opensm.KeyChanges;
import org.heddle.opensm.LaneChanges;
import org.heddle.opensm.QosOptions;
import org.heddle.opensm.SiteOptions;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.text.opensm.EffectivePartitions;
import org.heddle.text.opensm.PartitionsConf;

/** What every port keeps, loses and gains. */
final class ImportPorts {
  private static final int LEVELS = 16;

  private ImportPorts() {}

  /**
   * Compares.
   *
   * @param written what Heddle would write
   * @param siteLanes true if the lanes of the site's options stay
   */
  static ImportDocument.Ports of(ImportSite site, PartitionsConf written, boolean siteLanes) {
    Fabric fabric = site.fabric();
    PartitionsConf conf = site.files().partitions();
    EffectivePartitions before = site.partitions();
    EffectivePartitions then = written.members(fabric, site.rules());
    List<KeyChanges.Port> keys = KeyChanges.of(fabric, before, site.keys(), then);
    boolean qos = SiteOptions.qos(site.files().options());
    boolean levels = written.definitions().stream().anyMatch(d -> d.flags().sl() > 0);
    boolean qosThen = siteLanes ? qos : levels;
    int[] map = SiteOptions.lanes(site.files().options());
    List<ImportDocument.Port> out = new ArrayList<>();
    int same = 0;
    int lose = 0;
    int gain = 0;
    int otherLanes = 0;
    for (KeyChanges.Port p : keys) {
      int[] now = site.lanes().getOrDefault(p.id(), map);
      int[] next = siteLanes || !qosThen ? qosThen ? LaneChanges.written(now, map) : now : own();
      boolean counts = LaneChanges.counts(fabric, p.id());
      Map<Integer, Integer> had =
          counts ? LaneChanges.of(LaneChanges.levels(conf, before, p.id(), qos), now) : Map.of();
      Map<Integer, Integer> gets =
          counts
              ? LaneChanges.of(LaneChanges.levels(written, then, p.id(), qosThen), next)
              : Map.of();
      int node = fabric.nodeOf(p.id());
      ImportDocument.Port port =
          new ImportDocument.Port(
              fabric.node(node).display(),
              Guid.format(fabric.nodeGuid(node)),
              fabric.numberOf(p.id()),
              Guid.format(fabric.portGuid(p.id())),
              hex(p.kept()),
              hex(p.lost()),
              hex(p.gained()),
              had,
              gets);
      same += p.same() ? 1 : 0;
      lose += p.lost().isEmpty() ? 0 : 1;
      gain += p.gained().isEmpty() ? 0 : 1;
      otherLanes += port.sameLanes() ? 0 : 1;
      out.add(port);
    }
    return new ImportDocument.Ports(same, lose, gain, otherLanes, out);
  }

  /** The lanes of Heddle's options. */
  private static int[] own() {
    QosOptions options = new QosOptions(PartitionOptions.LANES);
    int[] out = new int[LEVELS];
    for (int level = 0; level < LEVELS; level++) {
      out[level] = options.lane(level);
    }
    return out;
  }

  private static List<String> hex(List<Integer> keys) {
    return keys.stream().map("0x%04x"::formatted).toList();
  }
}
