package org.heddle.text.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.fabric.Fabric;
import org.heddle.text.Source;
import org.heddle.text.TableSamples;
import org.heddle.text.opensm.EffectivePartitions.Partition;
import org.heddle.text.opensm.PartitionsConf.Options;
import org.junit.jupiter.api.Test;

class EffectivePartitionsTest {
  private static final long SM = TableSamples.HOST + 1;

  private final Fabric fabric = TableSamples.addressed();
  private final int h0 = fabric.findPort(TableSamples.HOST + 1);
  private final int h1 = fabric.findPort(TableSamples.HOST + 3);
  private final int h2 = fabric.findPort(TableSamples.HOST + 5);
  private final int left = fabric.port(0, 0);
  private final int right = fabric.port(1, 0);

  private EffectivePartitions of(String text, boolean both) {
    return PartitionsConfReader.read(Source.of("p", text))
        .get()
        .members(fabric, new Options(SM, both));
  }

  private EffectivePartitions of(String text) {
    return of(text, false);
  }

  @Test
  void withoutARuleAllButTheSubnetManagerAreLimitedInTheDefaultPartition() {
    EffectivePartitions p = of("T=1:0x100003=full,0x100005;");
    Partition all = p.find(0xffff);
    assertThat(all.name()).isEqualTo("Default");
    assertThat(all.fullMembers()).containsExactly(h0);
    assertThat(all.limitedMembers()).containsExactly(left, right, h1, h2);
    assertThat(p.keysOf(h1)).containsExactly(0x8001, 0x7fff);
    assertThat(p.keysOf(h2)).containsExactly(0x0001, 0x7fff);
    assertThat(p.keysOf(h0)).containsExactly(0xffff);
  }

  @Test
  void laterEntriesReplaceEarlierOnes() {
    EffectivePartitions p =
        of("Default=0x7fff:ALL=full,ALL_SWITCHES=limited;T=1:0x100003=full,0x100003;X=1:SELF=f;");
    assertThat(p.find(0x7fff).fullMembers()).containsExactly(h0, h1, h2);
    assertThat(p.find(0x7fff).limitedMembers()).containsExactly(left, right);
    assertThat(p.find(1).name()).isEqualTo("T");
    assertThat(p.find(1).fullMembers()).containsExactly(h0);
    assertThat(p.find(1).limitedMembers()).containsExactly(h1);
  }

  @Test
  void membersTalkIfOneOfThemIsFull() {
    Partition t = of("T=1:0x100001=full,0x100003,0x100005;").find(1);
    assertThat(t.connects(h0, h1)).isTrue();
    assertThat(t.connects(h1, h0)).isTrue();
    assertThat(t.connects(h1, h2)).isFalse();
    assertThat(t.connects(h0, left)).isFalse();
    assertThat(t.size()).isEqualTo(3);
  }

  @Test
  void bothMeansFullUnlessOpensmAllowsBoth() {
    Partition one = of("T=1:0x100003=both;").find(1);
    assertThat(one.isFull(h1)).isTrue();
    assertThat(one.isLimited(h1)).isFalse();
    EffectivePartitions p = of("T=1:0x100003=both,0x100005=full,0x100005;", true);
    assertThat(p.keysOf(h1)).containsExactly(0x0001, 0x8001, 0x7fff);
    assertThat(p.find(1).size()).isEqualTo(2);
    assertThat(p.find(1).isFull(h2) && p.find(1).isLimited(h2)).isTrue();
  }

  @Test
  void partitionsWithoutMembersDoNotExistAndUnknownPortsArePassedOver() {
    EffectivePartitions p = of("T=1:0x999,0x100000;U=2:ALL_ROUTERS;V=3:ALL_CAS=full;");
    assertThat(p.emptyKeys()).containsExactly(1, 2);
    assertThat(p.find(1)).isNull();
    assertThat(p.find(3).fullMembers()).containsExactly(h0, h1, h2);
    assertThat(p.unknownGuids()).as("a node GUID is no port").containsExactly(0x999, 0x100000);
    assertThat(p.partitions()).extracting(Partition::pkey).containsExactly(3, 0x7fff);
  }

  @Test
  void indexZeroIsTheLastThatAsksForIt() {
    EffectivePartitions p =
        of("T=1,indx0:0x100003=full;U=2:0x100005;V=3,indx0:ALL_CAS;W=4,indx0:SELF=full;");
    assertThat(p.indexZeroKey(h1)).isEqualTo(3);
    assertThat(p.indexZeroKey(h0)).isEqualTo(0x8004);
    assertThat(p.indexZeroKey(left)).isEqualTo(-1);
  }

  @Test
  void withoutAUsableFileEverybodyIsFull() {
    EffectivePartitions p = EffectivePartitions.withoutFile(fabric);
    assertThat(p.find(0x7fff).fullMembers()).containsExactly(left, right, h0, h1, h2);
    assertThat(p.keysOf(h1)).containsExactly(0xffff);
  }

  @Test
  void anUnknownSubnetManagerIsNobody() {
    EffectivePartitions p =
        PartitionsConfReader.read(Source.of("p", "T=1:SELF=full,0x100003;")).get().members(fabric);
    assertThat(p.find(0x7fff).fullMembers()).isEmpty();
    assertThat(p.find(1).fullMembers()).isEmpty();
    assertThat(p.find(1).limitedMembers()).containsExactly(h1);
  }
}
