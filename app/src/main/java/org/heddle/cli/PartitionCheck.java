package org.heddle.cli;

import java.util.ArrayList;
import java.util.List;
import org.heddle.cli.shell.Session;
import org.heddle.fabric.Guid;
import org.heddle.text.EffectivePartitions;
import org.heddle.text.EffectivePartitions.Partition;
import org.heddle.text.PartitionsConf;
import org.heddle.text.PartitionsConfReader;

/** What a partitions.conf comes to on a fabric. */
final class PartitionCheck {
  private PartitionCheck() {}

  /** One partition; the P_Key is shown without membership bit. */
  record Row(String pkey, String name, int full, int limited) {}

  /** Something to look at. */
  record Finding(String code, String message) {}

  /** The outcome. */
  record Report(String file, List<Row> partitions, List<Finding> findings) {}

  /** Reads a file; its problems end the command as those of any input do. */
  static PartitionsConf read(Session session, String file) {
    return session.accept(
        file,
        PartitionsConfReader.read(session.read(file)),
        "OpenSM would drop every key of this file and put all ports into 0x7fff");
  }

  static Report check(String file, EffectivePartitions members) {
    List<Row> rows = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    for (Partition partition : members.partitions()) {
      int full = partition.fullMembers().length;
      int limited = partition.limitedMembers().length;
      String key = key(partition.pkey());
      rows.add(new Row(key, partition.name(), full, limited));
      if (full == 0 && partition.pkey() != PartitionsConf.DEFAULT_PKEY) {
        findings.add(
            new Finding(
                "no-full-member",
                key + " has limited members only: none of them can talk to another"));
      }
    }
    for (int pkey : members.emptyKeys()) {
      findings.add(
          new Finding(
              "empty-partition", key(pkey) + " has no member in this fabric: it will not exist"));
    }
    for (long guid : members.unknownGuids()) {
      findings.add(new Finding("unknown-member", Guid.format(guid) + " is no port of this fabric"));
    }
    return new Report(file, rows, findings);
  }

  private static String key(int pkey) {
    return String.format("0x%04x", pkey);
  }
}
