package org.heddle.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.heddle.plan.model.Origin;
import org.junit.jupiter.api.Test;

class StoredTenantTest {
  private static Origin origin(String policy, int hosts, String stored) {
    StoredTenant.Partition partition =
        new StoredTenant.Partition(
            new StoredKey(0x12), true, false, 0, 0, 0, true, stored, null, null);
    StoredTenant.Spec spec =
        new StoredTenant.Spec(
            "p", "", policy, hosts, List.of(), 1, null, "exact", partition, List.of());
    return spec.value().partition().origin();
  }

  /** A job that runs while the controller is upgraded has to be able to leave its partition. */
  @Test
  void whoMadeAPartitionBeforeThatWasKeptIsUnknownUnlessItIsATenants() {
    assertThat(origin("def", 0, null)).isEqualTo(Origin.UNKNOWN);
    assertThat(origin("def", 2, null)).isEqualTo(Origin.OPERATOR);
    assertThat(origin("links", 0, null)).isEqualTo(Origin.OPERATOR);
    assertThat(origin("def", 0, "client")).isEqualTo(Origin.CLIENT);
  }
}
