package org.heddle.emulator;

import org.heddle.fabric.Fabric;
import org.heddle.mad.AttributeId;
import org.heddle.mad.ClassPortInfo;
import org.heddle.mad.MadMethod;
import org.heddle.mad.MadStatus;
import org.heddle.mad.PerformanceMad;
import org.heddle.mad.PortCounter;
import org.heddle.mad.PortCounters;
import org.heddle.mad.PortCountersExtended;

/** The performance management agents of all nodes (section 16.1): counters are read and reset. */
final class PerformanceAgent {
  private static final int RESPONSE_TIME = 18;

  /** Where PortCountersExtended has its counters; the emulator counts unicast packets only. */
  private static final PortCounter[] EXTENDED = {
    PortCounter.TRANSMIT_DATA,
    PortCounter.RECEIVE_DATA,
    PortCounter.TRANSMIT_PACKETS,
    PortCounter.RECEIVE_PACKETS,
    PortCounter.TRANSMIT_PACKETS,
    PortCounter.RECEIVE_PACKETS
  };

  private static final int UNICAST = 4;

  private final Fabric fabric;
  private final Counters counters;

  PerformanceAgent(Fabric fabric, Counters counters) {
    this.fabric = fabric;
    this.counters = counters;
  }

  /** Carries out a request and writes the attribute into it; returns the status of the answer. */
  int answer(PerformanceMad mad, int at) {
    if (mad.method() != MadMethod.GET && mad.method() != MadMethod.SET) {
      return MadStatus.UNSUPPORTED_METHOD;
    }
    boolean set = mad.method() == MadMethod.SET;
    return switch (mad.attributeId()) {
      case AttributeId.CLASS_PORT_INFO ->
          set ? MadStatus.UNSUPPORTED_ATTRIBUTE : classPortInfo(mad);
      case AttributeId.PORT_COUNTERS -> counters(new PortCounters().wrap(mad), at, set);
      case AttributeId.PORT_COUNTERS_EXTENDED ->
          extended(new PortCountersExtended().wrap(mad), at, set);
      default -> MadStatus.UNSUPPORTED_ATTRIBUTE;
    };
  }

  private static int classPortInfo(PerformanceMad mad) {
    ClassPortInfo info = new ClassPortInfo().wrap(mad);
    info.clear();
    info.versions(1, 1);
    info.capabilityMask(
        ClassPortInfo.ALL_PORT_SELECT | ClassPortInfo.EXTENDED_WIDTH | ClassPortInfo.TRANSMIT_WAIT);
    info.respTimeValue(RESPONSE_TIME);
    return MadStatus.OK;
  }

  /** First and last port that are meant, or null. */
  private int[] range(int select, int at) {
    int node = fabric.nodeOf(at);
    int last = fabric.portCount(node);
    if (select == PerformanceMad.ALL_PORTS) {
      return new int[] {fabric.port(node, 0), fabric.port(node, last)};
    }
    boolean known = fabric.isSwitch(node) ? select <= last : select >= 1 && select <= last;
    int port = known ? fabric.port(node, select) : Fabric.NONE;
    return known ? new int[] {port, port} : null;
  }

  private int counters(PortCounters block, int at, boolean set) {
    int[] range = range(block.portSelect(), at);
    if (range == null) {
      return MadStatus.INVALID_VALUE;
    }
    for (PortCounter counter : PortCounter.values()) {
      if (set && block.selects(counter)) {
        reset(range, counter, block.value(counter));
      }
      block.value(counter, sum(range, counter));
    }
    return MadStatus.OK;
  }

  private int extended(PortCountersExtended block, int at, boolean set) {
    int[] range = range(block.portSelect(), at);
    if (range == null) {
      return MadStatus.INVALID_VALUE;
    }
    for (int i = 0; i < UNICAST; i++) {
      if (set && (block.counterSelect() >> i & 1) == 1) {
        reset(range, EXTENDED[i], block.value(i));
      }
    }
    for (int i = 0; i < PortCountersExtended.COUNTERS; i++) {
      block.value(i, i < EXTENDED.length ? sum(range, EXTENDED[i]) : 0);
    }
    return MadStatus.OK;
  }

  private void reset(int[] range, PortCounter counter, long value) {
    for (int port = range[0]; port <= range[1]; port++) {
      counters.set(port, counter, value);
    }
  }

  private long sum(int[] range, PortCounter counter) {
    long sum = 0;
    for (int port = range[0]; port <= range[1]; port++) {
      long more = sum + counters.get(port, counter);
      sum = more < 0 ? Long.MAX_VALUE : more;
    }
    return sum;
  }
}
