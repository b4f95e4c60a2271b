package org.heddle.text.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Lanes;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.text.Parsed;
import org.heddle.text.Source;
import org.junit.jupiter.api.Test;

class PartitionsTenancyTest {
  /** One switch, hosts with port GUIDs 0xa1, 0xa2, 0xa3. */
  private static Fabric fabric() {
    FabricBuilder b = new FabricBuilder();
    int sw = b.addSwitch(0x10, 4, "S");
    for (int i = 1; i <= 3; i++) {
      int ca = b.addCa(0x20 + i, 1, "H" + i);
      b.setPortGuid(ca, 1, 0xa0 + i);
      b.connect(sw, i, ca, 1);
    }
    return b.build();
  }

  private static PartitionsConf conf(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Parsed<PartitionsConf> parsed = PartitionsConfReader.read(new Source("partitions.conf", bytes));
    assertThat(parsed.ok()).isTrue();
    return parsed.get();
  }

  private static PartitionMember member(Fabric fabric, int host, boolean full) {
    return new PartitionMember(fabric.findPort(0xa0 + host), full, 1);
  }

  @Test
  void partitionsComeByKeyWithoutTheDefaultOneAndWithoutSwitches() {
    Fabric fabric = fabric();
    PartitionsTenancy read =
        PartitionsTenancy.of(
            conf(
                """
                Default=0x7fff : ALL=full ;
                late=0x0005, sl=3 : 0xa1=full, 0xa3=limited ;
                all=0x0002, sl=1 : ALL=full, ALL_SWITCHES=full ;
                none=0x0003 : 0x99 ;
                """),
            fabric);
    assertThat(read.tenancy().partitions())
        .containsExactly(
            new Partition(
                "all",
                2,
                IsolationPolicy.DEF,
                List.of(member(fabric, 1, true), member(fabric, 2, true), member(fabric, 3, true)),
                List.of()),
            new Partition(
                "late",
                5,
                IsolationPolicy.DEF,
                List.of(member(fabric, 1, true), member(fabric, 3, false)),
                List.of()));
    assertThat(read.lanes()).isEqualTo(new Lanes(new int[] {1, 3}));
  }

  @Test
  void namesThatAreMissingOrTwiceAreCompletedByTheKey() {
    PartitionsTenancy read =
        PartitionsTenancy.of(
            conf("a=0x0001 : 0xa1 ;\na=0x0002 : 0xa2 ;\n=0x0003 : 0xa3 ;\n"), fabric());
    assertThat(read.tenancy().partitions())
        .extracting(Partition::name)
        .containsExactly("a", "a (0x0002)", "0x0003");
  }

  @Test
  void theLastDefinitionOfAKeyGivesTheLaneAndServiceLevel15TheHighestDataLane() {
    Fabric fabric = fabric();
    PartitionsConf conf =
        conf("a=0x0001, sl=2 : 0xa1 ;\na=0x0001, sl=4 : 0xa2 ;\nb=0x0002, sl=15 : 0xa3 ;\n");
    Tenancy tenancy = PartitionsTenancy.of(conf, fabric).tenancy();
    assertThat(PartitionsTenancy.lanes(conf, tenancy)).isEqualTo(new Lanes(new int[] {4, 14}));
    assertThat(PartitionsTenancy.lanes(conf("c=0x0009, sl=1 : 0xa1 ;\n"), tenancy))
        .isEqualTo(new Lanes(new int[] {0, 0}));
  }
}
