package org.heddle.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.verify.AuditReport.ChannelKind;
import org.heddle.verify.AuditReport.LoadBin;
import org.heddle.verify.AuditReport.LoadSummary;

/** Turns sums into statistics. O(channels log channels). */
final class Statistics {
  private Statistics() {}

  /** Summaries of the kinds of channels that exist, in enum order. */
  static List<LoadSummary> load(Network net, ChannelLoad load, boolean inPairs) {
    List<LoadSummary> out = new ArrayList<>();
    long[] values = new long[net.peer.length];
    for (ChannelKind kind : ChannelKind.values()) {
      int n = 0;
      for (int p = 0; p < net.peer.length; p++) {
        if (isOfKind(net, p, kind)) {
          values[n++] = inPairs ? load.pairs(p) : load.destinations(p);
        }
      }
      if (n > 0) {
        out.add(summary(kind, Arrays.copyOf(values, n)));
      }
    }
    return out;
  }

  private static boolean isOfKind(Network net, int port, ChannelKind kind) {
    if (port >= net.switchPorts) {
      int other = net.peer[port];
      return kind == ChannelKind.CA_TO_SWITCH && other != Fabric.NONE && other < net.switchPorts;
    }
    return switch (kind) {
      case CA_TO_SWITCH -> false;
      case SWITCH_TO_CA -> net.hop[port] == RouteTree.WRONG_HOST;
      case SWITCH_TO_SWITCH -> net.hop[port] >= 0;
      case UP -> net.direction[port] > 0;
      case DOWN -> net.direction[port] < 0;
    };
  }

  private static LoadSummary summary(ChannelKind kind, long[] values) {
    Arrays.sort(values);
    List<LoadBin> bins = new ArrayList<>();
    long sum = 0;
    int used = 0;
    for (int i = 0; i < values.length; ) {
      int from = i;
      while (i < values.length && values[i] == values[from]) {
        i++;
      }
      bins.add(new LoadBin(values[from], i - from));
      sum += values[from] * (i - from);
      used += values[from] > 0 ? i - from : 0;
    }
    long max = values[values.length - 1];
    return new LoadSummary(kind, values.length, used, max, (double) sum / values.length, bins);
  }

  static AuditReport.Hops hops(long[] histogram) {
    int max = 0;
    long routes = 0;
    long sum = 0;
    for (int i = 0; i < histogram.length; i++) {
      max = histogram[i] > 0 ? i : max;
      routes += histogram[i];
      sum += i * histogram[i];
    }
    List<Long> list = new ArrayList<>();
    for (int i = 0; i <= max && routes > 0; i++) {
      list.add(histogram[i]);
    }
    return new AuditReport.Hops(routes, max, routes == 0 ? 0 : (double) sum / routes, list);
  }
}
