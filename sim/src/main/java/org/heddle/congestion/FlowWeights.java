package org.heddle.congestion;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.traffic.Flows;
import org.heddle.traffic.TrafficPattern;
import org.heddle.traffic.TrialRandom;

/**
 * Weights of the flows of a pattern over tables that change from trial to trial. Nothing is traced
 * but the routes of these flows, where {@link Routes} has those of all pairs: right where tables
 * are used once. Same weights as an {@link Evaluation} of one trial without shuffling and with seed
 * 0.
 *
 * <p>O(flows x hops) a trial; allocates nothing once the largest level has been seen, and keeps the
 * routes of one level. Not thread-safe.
 */
public final class FlowWeights {
  private final Channels channels;
  private final int[] leaf; // by endport: the switch it sits on
  private final int[] lastPort; // by endport: the switch's port that leads to it
  private final int[] firstPort; // by switch
  private final int[] portLimit; // by switch: its largest number of a port
  private final int[] counts; // by channel
  private final TrialRandom random = new TrialRandom();
  private final Flows flows = new Flows(0);
  private int[] route = new int[1024]; // channels of the level's routes, one after the other
  private int[] end = new int[256]; // by flow: where its route ends; as the one before if lost

  /**
   * Numbers endports as {@link Routes#trace} does.
   *
   * @throws IllegalArgumentException if one is not {@link Routes#usable}
   */
  public FlowWeights(Fabric fabric, int[] endports) {
    channels = Channels.of(fabric, endports.clone());
    leaf = new int[endports.length];
    lastPort = new int[endports.length];
    for (int i = 0; i < endports.length; i++) {
      leaf[i] = fabric.attachedSwitch(endports[i]);
      lastPort[i] = fabric.peer(endports[i]);
    }
    firstPort = new int[fabric.switchCount()];
    portLimit = new int[fabric.switchCount()];
    for (int s = 0; s < firstPort.length; s++) {
      firstPort[s] = fabric.port(s, 0);
      portLimit[s] = fabric.portCount(s);
    }
    counts = new int[channels.portOfChannel.length];
  }

  /**
   * Adds the weights of all flows of all levels that arrive.
   *
   * @param tables of the same fabric
   * @param hosts by rank: number of the endport
   */
  public void add(ForwardingTables tables, TrafficPattern pattern, int[] hosts, Histogram out) {
    random.start(0, 0, 0);
    int levels = pattern.levels(hosts.length);
    for (int level = 0; level < levels; level++) {
      flows.clear();
      pattern.flows(hosts.length, level, random, flows);
      follow(tables, hosts);
      weigh(out);
    }
  }

  private void follow(ForwardingTables tables, int[] hosts) {
    int n = flows.count();
    int longest = firstPort.length + 2;
    Arrays.fill(counts, 0);
    if (end.length < n) {
      end = new int[n];
    }
    int at = 0;
    for (int f = 0; f < n; f++) {
      if (route.length - at < longest) {
        route = Arrays.copyOf(route, 2 * route.length + longest);
      }
      at = follow(tables, hosts[flows.from(f)], hosts[flows.to(f)], at);
      end[f] = at;
    }
  }

  /** Writes down and counts the route of a flow; returns where it ends, its start if it is lost. */
  private int follow(ForwardingTables tables, int from, int to, int start) {
    int[] r = route;
    int lid = channels.lids[to];
    int last = lastPort[to];
    int limit = start + firstPort.length;
    int sw = leaf[from];
    int at = start;
    r[at++] = from;
    r[at++] = leaf.length + to;
    while (at - 2 < limit) {
      int number = tables.port(sw, lid);
      int port = number <= portLimit[sw] ? firstPort[sw] + number : firstPort[sw];
      if (port == last) {
        for (int k = start; k < at; k++) {
          counts[r[k]]++;
        }
        return at;
      }
      long step = channels.step[port];
      if (step == Channels.NONE) {
        return start;
      }
      r[at++] = (int) (step >> 32);
      sw = (int) step;
    }
    return start; // in a circle
  }

  private void weigh(Histogram out) {
    int n = flows.count();
    int at = 0;
    for (int f = 0; f < n; f++) {
      long most = 0;
      for (; at < end[f]; at++) {
        most = Math.max(most, channels.capacity.weight(route[at], counts[route[at]]));
      }
      if (most > 0) {
        out.add((int) Math.min(Integer.MAX_VALUE, most));
      }
    }
  }
}
