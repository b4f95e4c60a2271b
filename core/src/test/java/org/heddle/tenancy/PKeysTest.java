package org.heddle.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

class PKeysTest {
  /** These are in files that were released; they must not change. */
  @Test
  void keysOfNamesAreThoseOfReleasedFiles() {
    assertThat(PKeys.of("ml", _ -> false)).isEqualTo(0x593a);
    assertThat(PKeys.of("4", _ -> false)).isEqualTo(0x6698);
    assertThat(PKeys.of("", _ -> false)).isBetween(PKeys.FIRST, PKeys.LAST);
  }

  @Test
  void aKeyThatIsTakenGivesWayToTheNextAndTheLastToTheFirst() {
    int key = PKeys.of("ml", _ -> false);
    assertThat(PKeys.of("ml", k -> k == key)).isEqualTo(key + 1);
    assertThat(PKeys.of("ml", k -> k >= key)).isEqualTo(PKeys.FIRST);
  }

  @Test
  void everyTenantHasAKeyOfItsOwnUntilAllAreTaken() {
    BitSet taken = new BitSet();
    for (int i = 0; i < PKeys.LAST; i++) {
      int key = PKeys.of("t" + i, taken::get);
      assertThat(PKeys.isTenants(key)).isTrue();
      assertThat(taken.get(key)).isFalse();
      taken.set(key);
      if (i <= PKeys.LAST - PKeys.FIRST) {
        assertThat(key).isGreaterThanOrEqualTo(PKeys.FIRST);
      }
    }
    assertThat(taken.get(0)).isFalse();
    assertThat(taken.get(Partition.DEFAULT_PKEY)).isFalse();
    assertThat(PKeys.of("one more", taken::get)).isZero();
  }

  @Test
  void theInvalidAndTheDefaultKeyAreNoTenants() {
    assertThat(PKeys.isTenants(0)).isFalse();
    assertThat(PKeys.isTenants(0x7fff)).isFalse();
    assertThat(PKeys.isTenants(0x8001)).isFalse();
    assertThat(PKeys.isTenants(1)).isTrue();
    assertThat(PKeys.isTenants(0x7ffe)).isTrue();
  }
}
