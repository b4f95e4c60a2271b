package org.heddle.control.ufm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class UfmPartitionsTest {
  private static final UfmMember FULL = new UfmMember(UfmMember.Kind.FULL, true);
  private static final UfmMember LIMITED = new UfmMember(UfmMember.Kind.LIMITED, false);

  private static SortedMap<Long, UfmMember> members(UfmMember as, long... guids) {
    TreeMap<Long, UfmMember> map = new TreeMap<>();
    for (long guid : guids) {
      map.put(guid, as);
    }
    return map;
  }

  private static UfmPartitions done(UfmPartitions.Outcome outcome) {
    return ((UfmPartitions.Done) outcome).next();
  }

  private static int status(UfmPartitions.Outcome outcome) {
    return ((UfmPartitions.Refused) outcome).status();
  }

  @Test
  void addingMakesThePartitionAndTheLastMemberTakesItAway() {
    UfmPartitions one =
        done(UfmPartitions.initial().add(5, true, UfmQos.DEFAULT, members(FULL, 1, 2)));
    assertThat(one.find(5).orElseThrow().name()).isEqualTo("api_pkey_0x5");
    UfmPartitions less = done(one.remove(5, List.of(1L, 99L)));
    assertThat(less.find(5).orElseThrow().members()).containsOnlyKeys(2L);
    assertThat(done(less.remove(5, List.of(2L))).find(5)).isEmpty();
  }

  @Test
  void addingNeverTakesMembersAwayAndReplacingDoes() {
    UfmPartitions one =
        done(UfmPartitions.initial().add(5, true, UfmQos.DEFAULT, members(FULL, 1)));
    UfmPartitions two = done(one.add(5, false, UfmQos.DEFAULT, members(LIMITED, 2)));
    assertThat(two.find(5).orElseThrow().members())
        .containsEntry(1L, FULL)
        .containsEntry(2L, LIMITED);
    assertThat(two.find(5).orElseThrow().ipOverIb()).isTrue();
    UfmPartitions three = done(two.replace(5, false, members(FULL, 3)));
    assertThat(three.find(5).orElseThrow().members()).containsOnlyKeys(3L);
    assertThat(three.find(5).orElseThrow().ipOverIb()).isFalse();
  }

  @Test
  void repeatingACallReturnsTheSameState() {
    UfmPartitions one =
        done(UfmPartitions.initial().add(5, true, UfmQos.DEFAULT, members(FULL, 1)));
    assertThat(done(one.add(5, true, UfmQos.DEFAULT, members(FULL, 1)))).isSameAs(one);
    assertThat(done(one.remove(5, List.of(7L)))).isSameAs(one);
    assertThat(done(one.remove(6, List.of(7L)))).isSameAs(one);
  }

  @Test
  void aPartitionMadeOnPurposeStaysEmptyUntilItIsDeleted() {
    UfmPartitions made = done(UfmPartitions.initial().make(0x12, "blue", false, UfmQos.DEFAULT));
    UfmPartitions filled = done(made.add(0x12, true, UfmQos.DEFAULT, members(FULL, 1)));
    UfmPartitions emptied = done(filled.remove(0x12, List.of(1L)));
    assertThat(emptied.find(0x12)).isPresent();
    assertThat(status(emptied.make(0x12, "red", false, UfmQos.DEFAULT))).isEqualTo(409);
    assertThat(status(emptied.make(0x13, "blue", false, UfmQos.DEFAULT))).isEqualTo(409);
    UfmPartitions gone = done(emptied.delete(0x12));
    assertThat(gone.find(0x12)).isEmpty();
    assertThat(status(gone.delete(0x12))).isEqualTo(404);
  }

  @Test
  void addingNobodyMakesAPartitionOnPurpose() {
    UfmPartitions.Outcome outcome =
        UfmPartitions.initial().add(5, false, new UfmQos(4, 0, 300), members(FULL));
    assertThat(done(outcome).find(5).orElseThrow().qos()).isEqualTo(new UfmQos(4, 0, 300));
    UfmPartitions filled = done(done(outcome).add(5, true, UfmQos.DEFAULT, members(FULL, 1)));
    assertThat(filled.find(5).orElseThrow().qos().mtuLimit()).isEqualTo(4);
    assertThat(done(filled.remove(5, List.of(1L))).find(5)).isPresent();
    assertThat(status(filled.add(6, true, new UfmQos(1, 0, 300), members(FULL, 1)))).isEqualTo(400);
  }

  @Test
  void theManagementPartitionNeverGoes() {
    UfmPartitions start = UfmPartitions.initial();
    assertThat(start.find(0x7fff).orElseThrow().name()).isEqualTo("management");
    assertThat(status(start.delete(0x7fff))).isEqualTo(400);
    UfmPartitions filled = done(start.add(0x7fff, true, UfmQos.DEFAULT, members(LIMITED, 1)));
    assertThat(done(filled.remove(0x7fff, List.of(1L))).find(0x7fff)).isPresent();
  }

  @Test
  void qualityOfServiceIsCheckedAndKept() {
    UfmPartitions one =
        done(UfmPartitions.initial().add(5, true, UfmQos.DEFAULT, members(FULL, 1)));
    UfmPartitions set = done(one.qos(5, new UfmQos(4, 3, 200)));
    assertThat(set.find(5).orElseThrow().qos()).isEqualTo(new UfmQos(4, 3, 200));
    assertThat(status(one.qos(6, UfmQos.DEFAULT))).isEqualTo(404);
    assertThat(status(one.qos(5, new UfmQos(3, 0, 200)))).isEqualTo(400);
    assertThat(status(one.qos(5, new UfmQos(4, 16, 200)))).isEqualTo(400);
    assertThat(status(one.qos(5, new UfmQos(4, 0, 7)))).isEqualTo(400);
  }

  @Test
  void keysAndGuidsAreReadAsClientsWriteThem() {
    assertThat(UfmText.key("0x0A1B")).hasValue(0xa1b);
    assertThat(UfmText.key("0x8012")).hasValue(0x12);
    assertThat(UfmText.key("103")).hasValue(103);
    assertThat(UfmText.key("0x7fff")).hasValue(0x7fff);
    for (String wrong : List.of("", "0x", "0x0", "0x8000", "0x10000", "-1", "+5", "12a", "0x+5")) {
      assertThat(UfmText.key(wrong)).as(wrong).isEmpty();
    }
    assertThat(UfmText.key(5)).isEqualTo("0x5");
    assertThat(UfmText.guid("946DAE03005975C8")).hasValue(0x946dae03005975c8L);
    assertThat(UfmText.guid("0x946dae03005975c8")).hasValue(0x946dae03005975c8L);
    assertThat(UfmText.guid("946d:ae03:0059:75c8")).hasValue(0x946dae03005975c8L);
    for (String wrong :
        List.of("", "12", "946dae03005975cg", "946dae03005975c8aa", "0000000000000000")) {
      assertThat(UfmText.guid(wrong)).as(wrong).isEmpty();
    }
  }
}
