package org.heddle.bench;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import org.heddle.fabric.Fabric;
import org.heddle.mad.AttributeId;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOptions;
import org.heddle.smp.client.SmpRoute;
import org.heddle.smp.discover.DiscoveredFabric;
import org.heddle.smp.discover.FabricDiscovery;
import org.heddle.smp.transport.SmpTransport;
import org.heddle.smp.transport.TransportSpec;

/**
 * Microseconds an SMP over a transport, by window size: Get(NodeInfo) of the neighbour, and Set of
 * forwarding blocks of all switches (emptied: no subnet manager may be using the fabric). Rows of a
 * table in Markdown. Argument: what {@code --via} takes.
 */
public final class SmpRate {
  private static final int[] WINDOWS = {1, 4, 16, 64};
  private static final int REQUESTS = 50_000;
  private static final int RUNS = 7;
  private static final SmpRoute NEIGHBOUR = SmpRoute.directed(1);

  private SmpRate() {}

  public static void main(String[] args) throws IOException {
    TransportSpec spec = TransportSpec.parse(args[0]);
    try (SmpTransport transport = spec.open(false)) {
      long began = System.nanoTime();
      SmpClient first = client(transport, transport.safeWindow());
      DiscoveredFabric discovered = FabricDiscovery.run(first);
      double seconds = (System.nanoTime() - began) / 1e9;
      System.err.printf(
          Locale.ROOT,
          "discovered %d nodes with %d SMPs in %.2f s (cold)%n",
          discovered.fabric().nodeCount(),
          first.sent(),
          seconds);
      for (int window : WINDOWS) {
        if (window <= transport.safeWindow()) {
          row(args[0], transport, discovered, window);
        }
      }
    }
  }

  private static SmpClient client(SmpTransport transport, int window) {
    return new SmpClient(transport, SmpOptions.of(transport).withWindow(window), System::nanoTime);
  }

  private static void row(
      String via, SmpTransport transport, DiscoveredFabric discovered, int window) {
    double[] gets = new double[RUNS];
    double[] sets = new double[RUNS];
    long resent = 0;
    for (int run = -2; run < RUNS; run++) { // two to warm up
      SmpClient client = client(transport, window);
      double get = gets(client);
      double set = sets(client, discovered);
      resent += client.resent();
      if (run >= 0) {
        gets[run] = get;
        sets[run] = set;
      }
    }
    Arrays.sort(gets);
    Arrays.sort(sets);
    System.out.printf(
        Locale.ROOT,
        "| %s | %d | %.2f | %.2f | %.2f | %.2f | %d |%n",
        via.split(":")[0],
        window,
        gets[0],
        gets[RUNS / 2],
        sets[0],
        sets[RUNS / 2],
        resent);
  }

  private static double gets(SmpClient client) {
    long began = System.nanoTime();
    for (int i = 0; i < REQUESTS; i++) {
      client.get(NEIGHBOUR, AttributeId.NODE_INFO, 0, outcome -> {});
    }
    client.drain();
    return (System.nanoTime() - began) / 1e3 / REQUESTS;
  }

  private static double sets(SmpClient client, DiscoveredFabric discovered) {
    Fabric fabric = discovered.fabric();
    byte[] data = new byte[64];
    Arrays.fill(data, (byte) 255);
    int blocks = Math.max(1, REQUESTS / fabric.switchCount());
    long count = 0;
    long began = System.nanoTime();
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      for (int block = 0; block < blocks; block++) {
        client.set(
            discovered.route(sw),
            AttributeId.LINEAR_FORWARDING_TABLE,
            block % 768,
            data,
            outcome -> {});
        count++;
      }
    }
    client.drain();
    return (System.nanoTime() - began) / 1e3 / count;
  }
}
