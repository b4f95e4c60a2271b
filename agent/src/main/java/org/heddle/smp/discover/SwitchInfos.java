package org.heddle.smp.discover;

import java.util.function.ObjIntConsumer;
import org.heddle.fabric.Fabric;
import org.heddle.mad.AttributeId;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOutcome;

/** The SwitchInfo of all switches: the least that tells whether something has changed. */
public final class SwitchInfos {
  private SwitchInfos() {}

  /** Asks all switches and waits. Answers and silences come in any order, with the switch. */
  public static void ask(
      SmpClient client, DiscoveredFabric discovered, ObjIntConsumer<SmpOutcome> outcomes) {
    Fabric fabric = discovered.fabric();
    for (int node = 0; node < fabric.switchCount(); node++) {
      int sw = node;
      client.get(
          discovered.route(sw),
          AttributeId.SWITCH_INFO,
          0,
          outcome -> outcomes.accept(outcome, sw));
    }
    client.drain();
  }
}
