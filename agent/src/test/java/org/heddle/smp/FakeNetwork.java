package org.heddle.smp;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.fabric.NodeType;
import org.heddle.mad.AttributeId;
import org.heddle.mad.GuidInfo;
import org.heddle.mad.MadHeader;
import org.heddle.mad.MadMethod;
import org.heddle.mad.NodeDescription;
import org.heddle.mad.NodeInfo;
import org.heddle.mad.PKeyBlock;
import org.heddle.mad.PortInfo;
import org.heddle.mad.SmInfo;
import org.heddle.mad.Smp;
import org.heddle.mad.SwitchInfo;
import org.heddle.mad.TransactionId;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOptions;
import org.heddle.smp.transport.SmpTransport;
import org.heddle.smp.write.PlannedSmp;

/**
 * A fabric of agents behind a network that loses, doubles, delays and reorders, with a clock of its
 * own that only waiting moves. What is random comes from a seed.
 */
public final class FakeNetwork implements SmpTransport {
  public static final int CAP = 49_152;
  private static final long US = 1_000;

  private record Event(long timeNs, long order, byte[] mad, boolean toNode, Arrival arrival) {}

  public final Fabric fabric;
  public final int here;
  public final byte[][] tables;
  public final int[] tops;
  final boolean[] changed;
  final boolean[] cut;

  /** GUID tables by port id, 128 GUIDs each; none until one is set. */
  final Map<Integer, byte[]> guids = new HashMap<>();

  /** Ports whose adapters know no GUIDInfo. */
  final Set<Integer> withoutGuids = new HashSet<>();

  /** Ports whose GUIDs can be read but not set, as the simulator has it. */
  final Set<Integer> readOnlyGuids = new HashSet<>();

  /** GUIDs that ports can have. */
  int guidCap = 128;

  /** Ports that answer to a new GUID but do not take it. */
  final Set<Integer> stubborn = new HashSet<>();

  /** Forwarding blocks and GUID blocks in the order in which they were set. */
  public final List<PlannedSmp> sets = new ArrayList<>();

  public int lossPercent;
  public int doublePercent;
  public int busyPercent;
  public long extraDelayNs;
  public boolean spread;

  /** Says at once that a request got lost, as the simulator does. */
  public boolean tellsLosses;

  /** The transport breaks after so many Sets. */
  public int breakAfterSets = Integer.MAX_VALUE;

  /** A node that never answers. */
  public int mute = Fabric.NONE;

  /** Others that never answer. */
  public final Set<Integer> muted = new HashSet<>();

  /** Whoever has another key gets no answer; 0 for none. */
  public long wantedKey;

  /** How often each attribute came with a key that is not the wanted one. */
  public final Map<Integer, Integer> wrongKeys = new HashMap<>();

  /** Attributes that came, by method and attribute. */
  public final Set<String> came = new java.util.TreeSet<>();

  /** Is told of every datagram that is sent. */
  public Runnable onSend = () -> {};

  /** Where the master of the subnet is; 0 for none: then SMInfo and keys are refused. */
  public int masterLid;

  /** How many datagrams the master says that it has sent. */
  public int managerSent;

  /** P_Key tables of 128 keys by port id. */
  public final Map<Integer, byte[]> pkeys = new HashMap<>();

  /** Keys that ports of switches can have; 0 for none. */
  public int switchKeys;

  /** What ports of switches enforce, by port id: bit 0 what comes in, bit 1 what goes out. */
  public final Map<Integer, Integer> enforcement = new HashMap<>();

  /** LIDs that are not as the fabric has them, by port id. */
  public final Map<Integer, Integer> lidOf = new HashMap<>();

  /** Node GUIDs that are not as the fabric has them, by node id. */
  public final Map<Integer, Long> nodeGuids = new HashMap<>();

  /** Port GUIDs that are not as the fabric has them, by node id. */
  public final Map<Integer, Long> portGuids = new HashMap<>();

  public int mostUnderWay;

  /** The management key of the last datagram sent. */
  public long mKey;

  public final List<byte[]> unanswerable = new ArrayList<>();

  private final SplittableRandom random;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          (a, b) ->
              a.timeNs != b.timeNs
                  ? Long.compare(a.timeNs, b.timeNs)
                  : Long.compare(a.order, b.order));
  private final Set<Integer> underWay = new HashSet<>();
  private long nowNs = 1_000_000;
  private long order;

  public FakeNetwork(Fabric fabric, int here, long seed) {
    this.fabric = fabric;
    this.here = here;
    this.tables = new byte[fabric.switchCount()][CAP];
    for (byte[] table : tables) {
      Arrays.fill(table, (byte) 255);
    }
    this.tops = new int[fabric.switchCount()];
    Arrays.fill(tops, fabric.topLid());
    this.changed = new boolean[fabric.switchCount()];
    this.cut = new boolean[fabric.portIdLimit()];
    this.random = new SplittableRandom(seed);
  }

  public long nowNs() {
    return nowNs;
  }

  public SmpClient client(int window) {
    return new SmpClient(this, new SmpOptions(window, 200, 8), this::nowNs);
  }

  /** Cuts a cable; both switches notice. */
  public void cut(int port) {
    for (int end : new int[] {port, fabric.peer(port)}) {
      cut[end] = true;
      if (fabric.isSwitch(fabric.nodeOf(end))) {
        changed[fabric.nodeOf(end)] = true;
      }
    }
  }

  /** What a subnet manager does when it has seen what has changed. */
  public void forgetChanges() {
    Arrays.fill(changed, false);
  }

  /** Lets a datagram arrive at the client after a while. */
  public void deliver(byte[] mad, long afterNs) {
    events.add(new Event(nowNs + afterNs, order++, mad.clone(), false, Arrival.DATAGRAM));
  }

  @Override
  public void send(byte[] mad, int lid, int timeoutMs) throws IOException {
    Smp smp = new Smp().wrap(mad.clone(), 0);
    mKey = smp.mKey();
    onSend.run();
    came.add(smp.method() + "/" + smp.attributeId());
    if (smp.method() == MadMethod.SET && breakAfterSets-- <= 0) {
      throw new IOException("the cable of this host is gone");
    }
    if (smp.method() == MadMethod.TRAP_REPRESS) {
      unanswerable.add(smp.buffer());
      return;
    }
    underWay.add((int) smp.transactionId() >>> 4);
    mostUnderWay = Math.max(mostUnderWay, underWay.size());
    int copies = random.nextInt(100) < doublePercent ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      if (random.nextInt(100) >= lossPercent) {
        events.add(new Event(nowNs + hop(), order++, smp.buffer(), true, Arrival.DATAGRAM));
      } else if (tellsLosses) {
        events.add(new Event(nowNs + hop(), order++, smp.buffer(), false, Arrival.UNDELIVERED));
      }
    }
  }

  private long hop() {
    long jitter = spread ? random.nextLong(400 * 1_000 * US) : 0; // twice the timeout at most
    return 5 * US + jitter;
  }

  @Override
  public Arrival receive(byte[] mad, long timeoutNs) {
    long end = timeoutNs > Long.MAX_VALUE - nowNs ? Long.MAX_VALUE : nowNs + timeoutNs;
    while (!events.isEmpty() && events.peek().timeNs <= end) {
      Event event = events.poll();
      nowNs = Math.max(nowNs, event.timeNs);
      if (event.toNode) {
        atNode(event.mad);
      } else {
        System.arraycopy(event.mad, 0, mad, 0, mad.length);
        underWay.remove((int) new Smp().wrap(mad, 0).transactionId() >>> 4);
        return event.arrival;
      }
    }
    if (end == Long.MAX_VALUE) {
      throw new AssertionError("waiting for ever");
    }
    nowNs = end;
    return Arrival.NOTHING;
  }

  private void atNode(byte[] mad) {
    Smp smp = new Smp().wrap(mad.clone(), 0);
    int node = here;
    int entered = 1;
    for (int hop = 1; hop <= smp.hopCount(); hop++) {
      if (hop > 1 && !fabric.isSwitch(node) || smp.pathPort(hop) > fabric.portCount(node)) {
        return;
      }
      int port = fabric.port(node, smp.pathPort(hop));
      if (cut[port] || fabric.peer(port) == Fabric.NONE) {
        return;
      }
      node = fabric.peerNode(port);
      entered = fabric.numberOf(fabric.peer(port));
    }
    if (node == mute || muted.contains(node)) {
      return;
    }
    if (wantedKey != 0 && smp.mKey() != wantedKey) {
      wrongKeys.merge(smp.attributeId(), 1, Integer::sum);
      return;
    }
    boolean busy = random.nextInt(100) < busyPercent;
    int status = busy ? 1 : answer(smp, node, entered);
    smp.method(MadMethod.GET_RESPONSE);
    smp.status(0x8000 | status);
    if (random.nextInt(100) >= lossPercent) {
      events.add(
          new Event(nowNs + hop() + extraDelayNs, order++, smp.buffer(), false, Arrival.DATAGRAM));
    }
  }

  private int answer(Smp smp, int node, int entered) {
    boolean set = smp.method() == MadMethod.SET;
    switch (smp.attributeId()) {
      case AttributeId.NODE_INFO -> nodeInfo(new NodeInfo().wrap(smp), node, entered);
      case AttributeId.NODE_DESCRIPTION ->
          new NodeDescription().wrap(smp).text(fabric.description(node));
      case AttributeId.PORT_INFO -> {
        if (smp.attributeModifier() > fabric.portCount(node)) {
          return 0x1c;
        }
        PortInfo info = new PortInfo().wrap(smp);
        if (set && fabric.isSwitch(node)) {
          enforcement.put(
              fabric.port(node, smp.attributeModifier()),
              (info.partitionEnforcementInbound() ? 1 : 0)
                  | (info.partitionEnforcementOutbound() ? 2 : 0));
        }
        portInfo(info, node, smp.attributeModifier());
      }
      case AttributeId.SWITCH_INFO -> switchInfo(new SwitchInfo().wrap(smp), node, set);
      case AttributeId.LINEAR_FORWARDING_TABLE -> {
        int at = smp.attributeModifier() * 64;
        if (set) {
          sets.add(
              PlannedSmp.block(
                  0,
                  fabric.nodeGuid(node),
                  smp.attributeModifier(),
                  Arrays.copyOfRange(smp.buffer(), Smp.DATA, Smp.DATA + 64)));
          System.arraycopy(smp.buffer(), Smp.DATA, tables[node], at, 64);
        }
        System.arraycopy(tables[node], at, smp.buffer(), Smp.DATA, 64);
      }
      case AttributeId.SM_INFO -> {
        if (masterLid == 0) {
          return 0x0c;
        }
        SmInfo sm = new SmInfo().wrap(smp);
        sm.guid(fabric.portGuid(fabric.port(node, entered)));
        sm.state(SmInfo.MASTER);
        sm.actCount(managerSent);
      }
      case AttributeId.P_KEY_TABLE -> {
        if (masterLid == 0) {
          return 0x0c;
        }
        byte[] table =
            pkeys.computeIfAbsent(
                fabric.port(node, fabric.isSwitch(node) ? smp.attributeModifier() >>> 16 : entered),
                _ -> {
                  byte[] fresh = new byte[256];
                  new PKeyBlock().wrap(fresh, 0).key(0, 0x7fff);
                  return fresh;
                });
        int at = (smp.attributeModifier() & 0xffff) * 64;
        if (set) {
          System.arraycopy(smp.buffer(), Smp.DATA, table, at, 64);
        }
        System.arraycopy(table, at, smp.buffer(), Smp.DATA, 64);
      }
      case AttributeId.GUID_INFO -> {
        return guidInfo(smp, fabric.port(node, entered), set);
      }
      default -> {
        return 0x0c;
      }
    }
    return 0;
  }

  /** The table of the port the datagram came in by; entry 0 is the port's own GUID. */
  private int guidInfo(Smp smp, int port, boolean set) {
    int block = smp.attributeModifier();
    if (withoutGuids.contains(port) || block * 8 >= guidCap) {
      return 0x0c;
    }
    if (set && readOnlyGuids.contains(port)) {
      return 0x08;
    }
    byte[] table = guids.computeIfAbsent(port, _ -> new byte[1024]);
    if (set) {
      byte[] data = Arrays.copyOfRange(smp.buffer(), Smp.DATA, Smp.DATA + 64);
      sets.add(PlannedSmp.guids(0, fabric.portGuid(port), block, data));
      if (!stubborn.contains(port)) {
        System.arraycopy(data, 0, table, block * 64, 64);
      }
    }
    new GuidInfo().wrap(table, 0).guid(0, fabric.portGuid(port));
    System.arraycopy(table, block * 64, smp.buffer(), Smp.DATA, 64);
    return 0;
  }

  private void nodeInfo(NodeInfo info, int node, int entered) {
    NodeType type = fabric.nodeType(node);
    info.baseVersion(1);
    info.classVersion(1);
    info.nodeType(type == NodeType.SWITCH ? 2 : type == NodeType.CA ? 1 : 3);
    info.numPorts(fabric.portCount(node));
    info.systemImageGuid(fabric.systemGuid(node));
    info.nodeGuid(nodeGuids.getOrDefault(node, fabric.nodeGuid(node)));
    long portGuid = fabric.portGuid(fabric.port(node, fabric.isSwitch(node) ? 0 : entered));
    info.portGuid(portGuids.getOrDefault(node, portGuid));
    info.deviceId(fabric.deviceId(node));
    info.vendorId(fabric.vendorId(node));
    info.localPortNum(entered);
    info.partitionCap(64);
  }

  private void portInfo(PortInfo info, int node, int number) {
    int port = fabric.port(node, number);
    info.clear();
    info.lid(lidOf.getOrDefault(port, fabric.lid(port)));
    info.lmc(fabric.lmc(port));
    info.masterSmLid(masterLid);
    info.capabilityMask(1 << 14);
    info.guidCap(guidCap);
    boolean up = number > 0 && fabric.peer(port) != Fabric.NONE && !cut[port];
    info.physicalState(up ? PortInfo.PHYSICAL_LINK_UP : 2);
    info.portState(up ? PortInfo.STATE_ACTIVE : PortInfo.STATE_DOWN);
    info.partitionEnforcementInbound((enforcement.getOrDefault(port, 0) & 1) != 0);
    info.partitionEnforcementOutbound((enforcement.getOrDefault(port, 0) & 2) != 0);
    info.neighborMtu(fabric.mtuCode(port));
    LinkWidth width = fabric.width(port);
    info.linkWidthActive(
        width == LinkWidth.X4 ? 2 : width == LinkWidth.X12 ? 8 : width == LinkWidth.X1 ? 1 : 0);
    LinkSpeed speed = fabric.speed(port);
    switch (speed) {
      case SDR -> info.linkSpeedActive(1);
      case DDR -> info.linkSpeedActive(2);
      case QDR, FDR10 -> info.linkSpeedActive(4);
      case FDR -> info.linkSpeedExtActive(1);
      case EDR -> info.linkSpeedExtActive(2);
      case HDR -> info.linkSpeedExtActive(4);
      case NDR -> info.linkSpeedExtActive(8);
      default -> info.linkSpeedActive(0);
    }
  }

  private void switchInfo(SwitchInfo info, int node, boolean set) {
    if (set) {
      tops[node] = info.linearFdbTop();
      changed[node] &= !info.portStateChange();
    }
    info.clear();
    info.linearFdbCap(CAP);
    info.partitionEnforcementCap(switchKeys);
    info.linearFdbTop(tops[node]);
    info.portStateChange(changed[node]);
    info.enhancedPort0(fabric.enhancedPort0(node));
  }

  @Override
  public int safeWindow() {
    return TransactionId.SLOTS;
  }

  @Override
  public String description() {
    return "a fake network";
  }

  @Override
  public void close() {
    events.clear();
  }

  /** An empty datagram to fill. */
  public static Smp datagram() {
    return new Smp().wrap(new byte[MadHeader.MAD_SIZE], 0);
  }
}
