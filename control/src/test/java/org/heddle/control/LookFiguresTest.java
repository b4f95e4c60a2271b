package org.heddle.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.heddle.control.port.FabricAgent.Figure;
import org.junit.jupiter.api.Test;

/** How old what is known of the fabric is, and how long something has been under way. */
class LookFiguresTest {
  private static final long SECOND = 1_000_000_000L;

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 3 * SECOND); // as nanoTime may
  private final LookFigures looks = new LookFigures(now::get);

  private double figure(String name) {
    return looks.figures().stream()
        .filter(f -> f.name().equals(name))
        .mapToDouble(Figure::value)
        .findFirst()
        .orElse(-1);
  }

  @Test
  void aLookThatDoesNotEndIsOlderAndOlder() {
    assertThat(looks.underWay()).isZero();
    assertThat(figure("fabric_look_age_seconds")).isEqualTo(-1);
    String done =
        looks.timed(
            () -> {
              now.addAndGet(7 * SECOND);
              assertThat(looks.underWay()).isEqualTo(Duration.ofSeconds(7));
              assertThat(figure("fabric_pass_seconds")).isEqualTo(7);
              looks.ended(SECOND, true);
              return "done";
            });
    assertThat(done).isEqualTo("done");
    assertThat(looks.underWay()).isZero();
    now.addAndGet(2 * SECOND);
    assertThat(figure("fabric_look_age_seconds")).isEqualTo(2);
  }
}
