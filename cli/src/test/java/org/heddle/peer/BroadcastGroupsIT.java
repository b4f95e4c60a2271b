package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.PathRate;
import org.heddle.opensm.ControlPartitions;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Partition;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.text.opensm.PartitionsConf.GroupFlags;
import org.heddle.text.opensm.PartitionsConfWriter;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The broadcast groups that OpenSM makes for tenants with IP over InfiniBand: one for each of them,
 * with the MTU and rate that was asked for, and none for others.
 */
class BroadcastGroupsIT {
  private static final Fabric FABRIC = TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,2;1,2)"));

  /** What comes before the number: exactly that, and nothing less or more. */
  private static final int EXACTLY = 2 << 6;

  /** The fastest that OpenSM 3.3.23 knows. */
  private static final double FASTEST = 400;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  @BeforeAll
  static void peers() {
    Peers.need();
  }

  @Test
  void everyTenantThatAsksForOneHasAGroupAsItAsks() throws IOException {
    List<Partition> partitions = partitions();
    Path file = directory.resolve("partitions.conf");
    Files.write(file, PartitionsConfWriter.write(ControlPartitions.of(partitions)));
    String host = IbsimFabric.idOf(FABRIC, FABRIC.switchCount());
    try (IbsimFabric ibsim = IbsimFabric.start(directory, FABRIC);
        OpenSm sm = OpenSm.start(ibsim, host, "-R", "minhop", "-P", file.toString())) {
      sm.awaitUp(1);
      for (Partition p : partitions) {
        PartitionOptions o = p.options();
        int key = o.pkey() | 0x8000;
        String mgid = "ff12:401b:%x::ffff:ffff".formatted(key);
        String record = ibsim.run(host, "saquery", "MCMR", "--mgid", mgid);
        if (!o.ipOverIb()) {
          assertThat(record).as(p.name()).doesNotContain("MGID");
          continue;
        }
        GroupFlags usual = GroupFlags.DEFAULT;
        int mtu = PathRate.mtuCode(o.mtu()).orElse(usual.mtu());
        int rate = PathRate.of(o.rate()).map(PathRate::code).orElse(usual.rate());
        assertThat(value(record, "pkey")).as(p.name()).isEqualTo(key);
        assertThat(value(record, "mtu")).as(p.name()).isEqualTo(EXACTLY | mtu);
        assertThat(value(record, "rate")).as(p.name()).isEqualTo(EXACTLY | rate);
      }
    }
  }

  /** Each rate with one of the MTUs, each MTU with the usual rate, and one without a group. */
  private static List<Partition> partitions() {
    List<Partition> out = new ArrayList<>();
    List<Integer> mtus = PathRate.mtus();
    for (PathRate rate : PathRate.all()) {
      if (rate.gigabits() <= FASTEST) {
        add(out, true, mtus.get(out.size() % mtus.size()), rate.gigabits());
      }
    }
    mtus.forEach(mtu -> add(out, true, mtu, 0));
    add(out, true, 0, 0);
    add(out, false, 0, 0);
    return out;
  }

  private static void add(List<Partition> to, boolean group, int mtu, double rate) {
    int number = to.size();
    PartitionOptions options =
        PartitionOptions.ofKey(0x100 + number).withIpOverIb(group).withQuality(mtu, rate, 0);
    // who asks is told of groups of its own partitions only
    long asking = FABRIC.portGuid(FABRIC.port(FABRIC.switchCount(), 1));
    long other =
        FABRIC.portGuid(FABRIC.port(FABRIC.switchCount() + 1 + number % (FABRIC.caCount() - 1), 1));
    List<Member> members = List.of(new Member(asking, true, false), new Member(other, true, false));
    to.add(new Partition("p" + number, options, members));
  }

  private static int value(String record, String name) {
    Matcher m = Pattern.compile("\\s" + name + "\\.+0x([0-9a-f]+)").matcher(record);
    assertThat(m.find()).as(name + " in " + record).isTrue();
    return Integer.parseInt(m.group(1), 16);
  }
}
