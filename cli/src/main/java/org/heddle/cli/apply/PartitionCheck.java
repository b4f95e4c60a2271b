package org.heddle.cli.apply;

import java.util.ArrayList;
import java.util.List;
import org.heddle.cli.shell.Acceptance;
import org.heddle.cli.shell.Session;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.PathRate;
import org.heddle.text.Place;
import org.heddle.text.opensm.EffectivePartitions;
import org.heddle.text.opensm.EffectivePartitions.Partition;
import org.heddle.text.opensm.PartitionsConf;
import org.heddle.text.opensm.PartitionsConfReader;

/** What a partitions.conf comes to on a fabric. */
public final class PartitionCheck {
  private PartitionCheck() {}

  /** One partition; the P_Key is shown without membership bit. */
  public record Row(String pkey, String name, int full, int limited) {}

  /** Something to look at. */
  public record Finding(String code, String message) {}

  /** The outcome. */
  public record Report(String file, List<Row> partitions, List<Finding> findings) {
    /** The report without the findings that are accepted whatever they are about. */
    public Report but(Acceptance acceptance) {
      List<Finding> left =
          findings.stream().filter(f -> !acceptance.acceptsAll(f.code(), f.message())).toList();
      return new Report(file, partitions, left);
    }
  }

  /** Reads a file; its problems end the command as those of any input do. */
  public static PartitionsConf read(Session session, String file) {
    return session.accept(
        file,
        PartitionsConfReader.read(session.read(file)),
        "OpenSM would drop every key in this file and put all ports into 0x7fff");
  }

  /** What a file comes to on a fabric, its groups' rates and MTUs against the members' links. */
  public static Report check(String file, PartitionsConf conf, Fabric fabric) {
    EffectivePartitions members = conf.members(fabric);
    Report report = check(file, members);
    List<Finding> findings = new ArrayList<>(report.findings());
    for (PartitionsConf.Definition definition : conf.definitions()) {
      Partition partition = members.find(definition.pkey());
      if (partition != null && definition.ipoib()) {
        group(fabric, partition, "the broadcast group", definition.flags(), findings);
      }
      for (PartitionsConf.MulticastGroup g : definition.groups()) {
        if (partition != null) {
          group(fabric, partition, "the group " + g.mgid(), g.flags(), findings);
        }
      }
    }
    return new Report(file, report.partitions(), findings);
  }

  /** A port that cannot take what a group sends may not join it (IBA 15.2.5.17). */
  private static void group(
      Fabric fabric,
      Partition partition,
      String group,
      PartitionsConf.GroupFlags flags,
      List<Finding> findings) {
    double rate = PathRate.ofCode(flags.rate()).map(PathRate::gigabits).orElse(0.0);
    List<Integer> slow = new ArrayList<>();
    List<Integer> small = new ArrayList<>();
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      boolean host = fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port));
      if (!host || !partition.isFull(port) && !partition.isLimited(port)) {
        continue;
      }
      if (PathRate.ofLink(fabric, port).orElse(rate) < rate) {
        slow.add(port);
      }
      if (fabric.mtuCode(port) > 0 && fabric.mtuCode(port) < flags.mtu()) {
        small.add(port);
      }
    }
    String what = key(partition.pkey()) + ": " + group + " has ";
    if (!slow.isEmpty()) {
      int port = slow.getFirst();
      findings.add(
          new Finding(
              "group-rate",
              what
                  + "rate %d (%s Gbit/s)".formatted(flags.rate(), PathRate.text(rate))
                  + ", more than the links of "
                  + Counted.of(slow.size(), "member", "members")
                  + " carry, which cannot join it; the first is "
                  + Place.of(fabric, port)
                  + " at "
                  + fabric.width(port).lanes()
                  + "x"
                  + fabric.speed(port)));
    }
    if (!small.isEmpty()) {
      findings.add(
          new Finding(
              "group-mtu",
              what
                  + "MTU "
                  + (128 << flags.mtu())
                  + ", more than the links of "
                  + Counted.of(small.size(), "member", "members")
                  + " take; the first is "
                  + Place.of(fabric, small.getFirst())));
    }
  }

  public static Report check(String file, EffectivePartitions members) {
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
      findings.add(
          new Finding("unknown-member", Guid.format(guid) + " is not a port of this " + "fabric"));
    }
    return new Report(file, rows, findings);
  }

  private static String key(int pkey) {
    return String.format("0x%04x", pkey);
  }
}
