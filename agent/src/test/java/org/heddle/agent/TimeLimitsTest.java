package org.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.heddle.fabric.Fabric;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;

class TimeLimitsTest {
  private static Fabric tree(String spec) {
    return TreeGenerator.generate(TreeSpec.parse(spec));
  }

  /** 5,832 hosts: 972 switches of 36 ports; ibsim answers some 30,000 SMPs a second. */
  @Test
  void limitsFollowTheSize() {
    Fabric small = tree("XGFT(2;4,4;1,4)");
    Fabric large = tree("XGFT(3;18,18,18;1,18,18)");
    Duration ten = Duration.ofSeconds(10);
    assertThat(TimeLimits.settle(small, ten)).isEqualTo(ten.plusMillis(64));
    assertThat(TimeLimits.settle(large, ten)).isBetween(ten.plusSeconds(30), ten.plusSeconds(60));
    assertThat(TimeLimits.lanes(small)).isLessThan(Duration.ofMillis(2_100));
    long tables = 648L * 36 * 36 + 324L * 18 * 18 + 5_832;
    assertThat(TimeLimits.lanes(large))
        .isEqualTo(Duration.ofNanos(2_000_000_000L + tables * 100_000));
  }
}
