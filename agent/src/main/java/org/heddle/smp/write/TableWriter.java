package org.heddle.smp.write;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.heddle.mad.Smp;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOutcome;
import org.heddle.smp.discover.DiscoveredFabric;

/**
 * Writes into forwarding tables without a journal: the next comparison finds whatever is left
 * undone. Phase by phase, with every answer checked; data packets in flight get time to arrive
 * where the plan says so.
 */
public final class TableWriter {
  private TableWriter() {}

  /**
   * Carries a plan out.
   *
   * @param goOn asked before each phase; false ends it there
   * @return why it was not carried out to its end
   */
  public static Optional<String> write(
      SmpClient client, DiscoveredFabric discovered, SmpPlan plan, BooleanSupplier goOn) {
    String[] failure = new String[1];
    for (int phase = 0; phase < plan.phases(); phase++) {
      if (plan.drains().contains(phase)) {
        client.letPacketsArrive();
      }
      if (!goOn.getAsBoolean()) {
        return Optional.of("this process must not write any more");
      }
      for (PlannedSmp smp : plan.phase(phase)) {
        set(client, discovered, smp, failure);
      }
      client.drain();
      if (failure[0] != null) {
        return Optional.of(failure[0]);
      }
    }
    return Optional.empty();
  }

  private static void set(
      SmpClient client, DiscoveredFabric discovered, PlannedSmp smp, String[] failure) {
    int node = discovered.fabric().findNode(smp.nodeGuid());
    client.set(
        discovered.route(node),
        smp.attributeId(),
        smp.modifier(),
        smp.bytes(),
        outcome -> {
          if (!(outcome instanceof SmpOutcome.Answer(Smp answer))) {
            failure[0] = smp + ": " + outcome;
          } else if (smp.isForwardingBlock() && !holds(answer, smp.bytes())) {
            failure[0] = smp + ": the switch answered with other entries than were sent";
          }
        });
  }

  private static boolean holds(Smp answer, byte[] data) {
    int at = answer.dataOffset();
    return Arrays.equals(answer.buffer(), at, at + Smp.DATA_SIZE, data, 0, Smp.DATA_SIZE);
  }
}
