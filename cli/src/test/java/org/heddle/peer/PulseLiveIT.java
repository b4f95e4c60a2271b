package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.heddle.fabric.Fabric;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Links that go and come while the controller would not look for ten minutes: it is woken by what
 * switches and OpenSM say of themselves.
 */
class PulseLiveIT {
  private static final Fabric TREE =
      FabricExtras.withSmNode(TreeGenerator.generate(TreeSpec.parse("XGFT(2;6,6;1,6)")));

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  @BeforeAll
  static void peers() {
    Peers.need();
  }

  @Test
  void linksThatGoAndComeAreSeenBetweenLooks() throws IOException {
    int sm = TREE.nodeCount() - 1;
    while (!TREE.description(sm).equals("sm-node")) {
      sm--;
    }
    String host = IbsimFabric.idOf(TREE, sm);
    try (IbsimFabric ibsim = IbsimFabric.startUdp(directory, TREE);
        LiveController serve =
            LiveController.start(directory, ibsim, TREE, host, "interval_ms: 600000")) {
      try (OpenSm opensm = serve.startOpenSm(ibsim, host)) {
        serve.awaitFine("in sync after the start");
        Fabric whole = ibsim.discover(host);
        int cable = whole.port(0, whole.portCount(0));
        for (int round = 0; round < 3; round++) {
          long began = System.nanoTime();
          ibsim.unlink(whole, cable);
          Fabric less = ibsim.discover(host);
          serve.awaitCabling(less, "without the link");
          long gone = System.nanoTime();
          assertThat(
                  Audit.run(less, ibsim.liveTables(host, less).tables(), AuditOptions.defaults())
                      .clean())
              .isTrue();
          long again = System.nanoTime();
          ibsim.relink(whole, cable);
          serve.awaitCabling(ibsim.discover(host), "with the link");
          System.err.printf(
              "PulseLiveIT: in sync %d ms after a link was gone, %d ms after it was back%n",
              (gone - began) / 1_000_000, (System.nanoTime() - again) / 1_000_000);
        }
        assertThat(opensm.timesUp()).isPositive();
      }
    }
  }
}
