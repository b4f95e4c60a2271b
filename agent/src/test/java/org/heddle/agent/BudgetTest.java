package org.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BudgetTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void soManyTimesInAnyMinute() {
    Budget budget = new Budget(3);
    int done = 0;
    for (int second = 0; second < 120; second++) {
      if (budget.allows(second * SECOND)) {
        budget.take(second * SECOND);
        done++;
      }
    }
    assertThat(done).isEqualTo(6);
    assertThat(budget.allows(120 * SECOND)).isFalse();
    assertThat(budget.allows(123 * SECOND)).isTrue();
    assertThat(budget.allows(123 * SECOND)).as("asking does not count").isTrue();
  }
}
