package org.heddle.smp.discover;

import java.util.List;
import org.heddle.fabric.LinkSpeed;
import org.heddle.mad.AttributeId;
import org.heddle.mad.MlnxExtPortInfo;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOutcome;

/** Asks Mellanox devices which of their QDR links run at FDR10; a refusal means none. */
final class Fdr10Check {
  private static final int MELLANOX = 0x0002c9;

  private final SmpClient client;
  private final List<DiscoveredNode> nodes;

  Fdr10Check(SmpClient client, List<DiscoveredNode> nodes) {
    this.client = client;
    this.nodes = nodes;
  }

  void run() {
    MlnxExtPortInfo info = new MlnxExtPortInfo();
    for (DiscoveredNode node : nodes) {
      for (int number = 1; number <= node.portCount; number++) {
        int port = number;
        if (node.vendorId == MELLANOX && node.linkUp(port) && node.speed(port) == LinkSpeed.QDR) {
          client.get(
              node.route,
              AttributeId.MLNX_EXT_PORT_INFO,
              port,
              outcome ->
                  node.fdr10[port] =
                      outcome instanceof SmpOutcome.Answer answer
                          && info.wrap(answer.smp()).linkSpeedActive() == MlnxExtPortInfo.FDR10);
        }
      }
    }
    client.drain();
  }
}
