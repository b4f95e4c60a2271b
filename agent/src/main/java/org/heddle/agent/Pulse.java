package org.heddle.agent;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.mad.SwitchInfo;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOutcome;
import org.heddle.smp.discover.DiscoveredFabric;
import org.heddle.smp.discover.SwitchInfos;

/**
 * Asks what costs little, often: each switch whether a port of its has changed its state, and the
 * subnet manager whether it is still the same and how many datagrams it has sent. OpenSM resets
 * what the switches say as soon as it has seen it, but then it sends as many datagrams as only a
 * heavy sweep takes: that is noticed whether a cable, a signal or somebody's trap made it do so.
 * Nothing of this says what has happened; a look does. Not thread-safe.
 */
final class Pulse {
  /** Beats over which datagrams are added up: a sweep takes longer than one in large fabrics. */
  private static final int BEATS = 14;

  /** What a light sweep sends: less than this for each switch. */
  private static final int LIGHT = 3;

  private static final int SLACK = 100;

  private BitSet changed = new BitSet();
  private BitSet silent = new BitSet();
  private long fingerprint;
  private SubnetManager manager;
  private final ArrayDeque<Long> sent = new ArrayDeque<>();

  /**
   * One beat: an SMP a switch and two more.
   *
   * @return what is new since the last one, if that makes a look worth its while
   */
  Optional<String> beat(SmpClient client, DiscoveredFabric discovered) {
    Fabric fabric = discovered.fabric();
    if (fabric.fingerprint() != fingerprint) {
      // Numbers mean other switches. What they say may be older than the look that saw this fabric,
      // or newer: one look too many finds out.
      changed.clear();
      silent.clear();
    }
    BitSet nowChanged = new BitSet();
    BitSet nowSilent = new BitSet();
    SwitchInfo info = new SwitchInfo();
    SwitchInfos.ask(
        client,
        discovered,
        (outcome, sw) -> {
          nowSilent.set(sw, outcome instanceof SmpOutcome.Silence);
          if (outcome instanceof SmpOutcome.Answer answer) {
            nowChanged.set(sw, info.wrap(answer.smp()).portStateChange());
          }
        });
    Optional<String> why =
        fresh(fabric, nowSilent, silent, " does not answer")
            .or(() -> fresh(fabric, nowChanged, changed, " says that a port has changed"));
    SubnetManager now = SubnetManager.read(client, discovered);
    boolean other = manager != null && !same(now, manager);
    boolean sweeps = sweeps(now.answers() ? now.activity() : -1, fabric.switchCount());
    manager = now;
    fingerprint = fabric.fingerprint();
    changed = nowChanged;
    silent = nowSilent;
    return why.or(
        () ->
            other
                ? Optional.of("there is another subnet manager, or none")
                : sweeps ? Optional.of("the subnet manager sweeps") : Optional.empty());
  }

  private static boolean same(SubnetManager now, SubnetManager before) {
    return now.lid() == before.lid()
        && now.guid() == before.guid()
        && now.state() == before.state()
        && now.activity() >= before.activity();
  }

  private static Optional<String> fresh(Fabric fabric, BitSet now, BitSet before, String what) {
    BitSet out = (BitSet) now.clone();
    out.andNot(before);
    int sw = out.nextSetBit(0);
    return sw < 0 ? Optional.empty() : Optional.of(fabric.node(sw).display() + what);
  }

  /** Whether it has sent more than a light sweep takes; after that it is counted anew. */
  private boolean sweeps(long count, int switches) {
    if (count < 0 || !sent.isEmpty() && count < sent.peekLast()) {
      sent.clear(); // it does not answer, or was started again
    }
    if (count < 0) {
      return false;
    }
    sent.addLast(count);
    if (sent.size() > BEATS) {
      sent.removeFirst();
    }
    if (count - sent.peekFirst() <= (long) LIGHT * switches + SLACK) {
      return false;
    }
    sent.clear();
    sent.addLast(count);
    return true;
  }
}
