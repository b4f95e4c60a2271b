package org.heddle.emulator;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.mad.AttributeId;
import org.heddle.mad.MadHeader;
import org.heddle.mad.MadMethod;
import org.heddle.mad.MadStatus;
import org.heddle.mad.ManagementClass;
import org.heddle.mad.NodeInfo;
import org.heddle.mad.Notice;
import org.heddle.mad.PerformanceMad;
import org.heddle.mad.PortCounter;
import org.heddle.mad.PortInfo;
import org.heddle.mad.Smp;
import org.heddle.routing.ForwardingTables;

/**
 * A subnet: agents, links and tables of all nodes of a fabric, and the programs that are attached
 * to its ports. At first all nodes have power and all cabled links are in state INIT; ports have
 * the LIDs of the fabric, if it has any.
 *
 * <p>Whoever drives it calls {@link #run} when {@link #nextNs} says so: then delayed datagrams
 * arrive, traps are repeated, and whoever waits for a program that does not answer is told. Not for
 * several threads.
 *
 * <p>A datagram costs O(hops). Memory is some 300 bytes a port, besides tables that are written.
 */
public final class Emulator {
  private static final long CLIENT_BITS = 0xffff_0000_0000_0000L;
  private static final int CLIENT_SHIFT = 48;
  private static final int CLIENT_MASK = 0x7fff;
  private static final int MOST_VERSIONS = 2;

  private record Delivery(long timeNs, long order, Attachment to, Packet packet) {}

  private record Waiting(Attachment asker, Attachment asked, long id, long endNs, Packet packet) {}

  private final Fabric fabric;
  private final EmulatorOptions options;
  private final LongSupplier clockNs;
  private final Counters counters;
  private final Ports ports;
  private final NodeTables tables;
  private final Network network;
  private final Traps traps;
  private final ManagementKeys keys;
  private final SubnetAgent agent;
  private final PerformanceAgent performance;
  private final boolean[] silent; // by node

  private final List<Attachment> attachments = new ArrayList<>(); // by id, null for free
  private final BitSet used = new BitSet();
  private final PriorityQueue<Delivery> deliveries =
      new PriorityQueue<>(
          (a, b) ->
              a.timeNs != b.timeNs
                  ? Long.compare(a.timeNs, b.timeNs)
                  : Long.compare(a.order, b.order));
  private final List<Waiting> waiting = new ArrayList<>();
  private long latencyNs;
  private long order;
  private long carried;

  /**
   * A subnet over a fabric.
   *
   * @param clockNs nanoseconds since any moment, never going back
   */
  public Emulator(Fabric fabric, EmulatorOptions options, LongSupplier clockNs) {
    this.fabric = fabric;
    this.options = options;
    this.clockNs = clockNs;
    this.latencyNs = options.latencyNs();
    this.counters = new Counters(fabric.portIdLimit());
    this.ports = new Ports(fabric, counters);
    this.tables = new NodeTables(fabric);
    this.network = new Network(fabric, ports, tables, counters, options.seed());
    this.traps = new Traps(fabric, ports, clockNs);
    this.keys = new ManagementKeys(ports, fabric.portIdLimit(), traps, clockNs);
    this.agent = new SubnetAgent(fabric, ports, tables);
    this.performance = new PerformanceAgent(fabric, counters);
    this.silent = new boolean[fabric.nodeCount()];
    network.loss(options.lossPercent());
    traps.onSend(this::send);
    ports.onLinkChange(this::linkChanged);
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      tables.switchInfo(sw).portStateChange(true); // links came up when it got power
    }
  }

  /** The fabric as it was given. */
  public Fabric fabric() {
    return fabric;
  }

  /** Nanoseconds of the clock. */
  public long nowNs() {
    return clockNs.getAsLong();
  }

  /** Datagrams that programs have sent so far. */
  public long carried() {
    return carried;
  }

  /** Traps that no subnet manager has repressed. */
  public int unrepressed() {
    return traps.count();
  }

  // ---- programs

  /**
   * Attaches a program.
   *
   * @param port a port of an adapter or router, or port 0 of a switch
   * @throws IllegalArgumentException if the port is none of these
   * @throws IllegalStateException if there are too many programs
   */
  public Attachment attach(int port, Receiver receiver) {
    if (fabric.isSwitch(fabric.nodeOf(port)) != (fabric.numberOf(port) == 0)) {
      throw new IllegalArgumentException("no program can be at that port");
    }
    int id = used.nextClearBit(0);
    if (id >= Attachment.MOST) {
      throw new IllegalStateException(
          Counted.of(id, "program is", "programs are") + " attached, which is all there can be");
    }
    return attach(port, id, receiver);
  }

  /** The same with a number that is free; see {@link #isFree}. */
  public Attachment attach(int port, int id, Receiver receiver) {
    Attachment attachment = new Attachment(id, port, receiver);
    used.set(id);
    while (attachments.size() <= id) {
      attachments.add(null);
    }
    attachments.set(id, attachment);
    return attachment;
  }

  /** True if no attachment has this number. */
  public boolean isFree(int id) {
    return !used.get(id);
  }

  /** Takes a program away; what is on its way to it is dropped. */
  public void detach(Attachment attachment) {
    if (attached(attachment)) {
      manage(attachment, false);
      attachments.set(attachment.id(), null);
      used.clear(attachment.id());
      deliveries.removeIf(d -> d.to == attachment);
      waiting.removeIf(w -> w.asker == attachment);
    }
  }

  private boolean attached(Attachment attachment) {
    return used.get(attachment.id()) && attachments.get(attachment.id()) == attachment;
  }

  /** True if a port has a subnet manager. */
  public boolean hasManager(int port) {
    return manager(port) != null;
  }

  /**
   * Makes a program the subnet manager of its port, or lets it be none: the port's IsSM changes,
   * and trap 144 says so to the master that the port knows.
   */
  public void manage(Attachment attachment, boolean is) {
    attachment.manager(is);
    int home = attachment.port();
    PortInfo info = ports.info(home);
    int before = info.capabilityMask();
    boolean any = manager(home) != null;
    int after = any ? before | PortInfo.CAPABILITY_IS_SM : before & ~PortInfo.CAPABILITY_IS_SM;
    info.capabilityMask(after);
    if (after != before) {
      localChange(home, 0);
    }
  }

  private void localChange(int home, int changes) {
    int lid = ports.info(home).lid();
    int mask = ports.info(home).capabilityMask();
    traps.raise(
        home,
        Notice.LOCAL_CHANGES,
        notice -> {
          notice.subjectLid(lid);
          notice.capabilityMask(mask);
          notice.otherLocalChanges(changes != 0);
          notice.localChanges(changes);
        });
    traps.run();
  }

  private Attachment manager(int home) {
    for (Attachment a : attachments) {
      if (a != null && a.isManager() && a.port() == home) {
        return a;
      }
    }
    return null;
  }

  // ---- what nodes and links do

  /** Pulls the cable of a port, or plugs it in again. */
  public void plug(int port, boolean in) {
    ports.plug(port, in);
    traps.run();
  }

  /** Takes a node's power, or gives it back; it comes back without LIDs, tables and keys. */
  public void power(int node, boolean on) {
    ports.power(node, on);
    if (!on) {
      tables.reset(node);
      for (int number = 0; number <= fabric.portCount(node); number++) {
        traps.forget(fabric.port(node, number));
        keys.reset(fabric.port(node, number));
      }
    } else {
      for (Attachment a : attachments) {
        if (a != null && a.isManager() && fabric.nodeOf(a.port()) == node) {
          PortInfo info = ports.info(a.port());
          info.capabilityMask(info.capabilityMask() | PortInfo.CAPABILITY_IS_SM);
        }
      }
    }
    traps.run();
  }

  /** Has a node's agents answer nothing, or answer again; it goes on passing datagrams. */
  public void silence(int node, boolean dead) {
    silent[node] = dead;
  }

  /** How many of 100 datagrams each link loses from now on. */
  public void loss(int percent) {
    network.loss(options.withLoss(percent).lossPercent());
  }

  /** Nanoseconds that each link takes from now on. */
  public void latency(long nanoseconds) {
    latencyNs = options.withLatency(nanoseconds).latencyNs();
  }

  /** Gives a node another description, which trap 144 tells. */
  public void describe(int node, String text) {
    agent.describe(node, text);
    for (int number = 0; number <= fabric.portCount(node); number++) {
      int port = fabric.port(node, number);
      if (ports.home(port) == port && ports.info(port).lid() != 0) {
        localChange(port, 1);
      }
    }
  }

  /**
   * Counts errors of a link, and raises the trap of that kind: 129 for local link integrity, 130
   * for overruns; others are counted only.
   */
  public void count(int port, PortCounter counter, long more) {
    counters.add(port, counter, more);
    int number =
        switch (counter) {
          case LOCAL_LINK_INTEGRITY_ERRORS -> Notice.LINK_INTEGRITY;
          case EXCESSIVE_BUFFER_OVERRUNS -> Notice.BUFFER_OVERRUN;
          default -> 0;
        };
    if (number != 0) {
      linkTrap(port, number);
    }
  }

  /** Raises trap 131: flow control has stopped at a port. */
  public void flowControlStopped(int port) {
    linkTrap(port, Notice.FLOW_CONTROL_WATCHDOG);
  }

  private void linkTrap(int port, int number) {
    int home = ports.home(port);
    int lid = ports.info(home).lid();
    traps.raise(
        home,
        number,
        notice -> {
          notice.subjectLid(lid);
          notice.subjectPort(fabric.numberOf(port));
        });
    traps.run();
  }

  /** Raises trap 258: a port got a packet with a wrong Q_Key; the port counts it. */
  public void wrongQKey(int port, int fromLid, int qKey) {
    int home = ports.home(port);
    PortInfo info = ports.info(home);
    info.qKeyViolations(Math.min(0xffff, info.qKeyViolations() + 1));
    int lid = info.lid();
    traps.raise(
        home,
        Notice.BAD_Q_KEY,
        notice -> {
          notice.subjectLid(fromLid);
          notice.secondLid(lid);
          notice.key(qKey);
        });
    traps.run();
  }

  /** What a counter of a port has counted. */
  public long counted(int port, PortCounter counter) {
    return counters.get(port, counter);
  }

  /** True if a node has power. */
  public boolean hasPower(int node) {
    return ports.hasPower(node);
  }

  /** True if the cable of a port is plugged in at both ends, or there is none. */
  public boolean isPlugged(int port) {
    return ports.isPlugged(port);
  }

  /** True if a node's agents answer nothing. */
  public boolean isSilent(int node) {
    return silent[node];
  }

  /** State of a port, as {@link PortInfo#STATE_DOWN} and so on. */
  public int state(int port) {
    return ports.state(port);
  }

  /** LID of a port now; 0 for none. */
  public int lid(int port) {
    return ports.info(ports.home(port)).lid();
  }

  /** Output port in a switch's linear table; 255 for none. */
  public int outputPort(int sw, int lid) {
    return tables.outputPort(sw, lid);
  }

  /** Follows data packets through the tables. */
  public PathProbe probe() {
    return new PathProbe(fabric, ports, tables, network, counters, traps);
  }

  /**
   * Leaves the subnet as a subnet manager leaves it: the fabric's LIDs, these tables, all links
   * active, no change to be seen. Traps are for the manager at a LID.
   *
   * @param managerLid LID of the subnet manager; 0 for none
   */
  public void bringUp(ForwardingTables routes, int managerLid) {
    byte[] block = new byte[64];
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      int top = fabric.topLid();
      tables.switchInfo(sw).linearFdbTop(top);
      for (int b = 0; b * block.length <= top; b++) {
        for (int i = 0; i < block.length; i++) {
          int lid = b * block.length + i;
          block[i] = (byte) (lid == 0 || lid > top ? NodeTables.NO_PORT : routes.port(sw, lid));
        }
        tables.setLinear(sw, b, block, 0);
      }
      tables.switchInfo(sw).portStateChange(false);
    }
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      if (ports.home(port) == port) {
        ports.info(port).masterSmLid(managerLid);
      }
    }
    ports.activate();
  }

  private void linkChanged(int port) {
    int node = fabric.nodeOf(port);
    if (!fabric.isSwitch(node) || !ports.hasPower(node)) {
      return;
    }
    tables.switchInfo(node).portStateChange(true);
    int home = fabric.port(node, 0);
    int lid = ports.info(home).lid();
    traps.raise(home, Notice.LINK_STATE_CHANGED, notice -> notice.subjectLid(lid));
  }

  // ---- time

  /** When {@link #run} has something to do; {@link Long#MAX_VALUE} for never. */
  public long nextNs() {
    long next = traps.nextNs();
    if (!deliveries.isEmpty()) {
      next = Math.min(next, deliveries.peek().timeNs);
    }
    for (Waiting w : waiting) {
      next = Math.min(next, w.endNs);
    }
    return next;
  }

  /** Does what is due. */
  public void run() {
    long now = clockNs.getAsLong();
    while (!deliveries.isEmpty() && deliveries.peek().timeNs - now <= 0) {
      Delivery d = deliveries.poll();
      d.to.deliver(d.packet);
    }
    traps.run();
    for (int i = waiting.size() - 1; i >= 0; i--) {
      if (waiting.get(i).endNs - now <= 0) {
        Waiting w = waiting.remove(i);
        undelivered(w.asker, w.packet);
      }
    }
  }

  private void deliver(Attachment to, Packet packet, int hops) {
    if (latencyNs == 0) {
      to.deliver(packet);
    } else {
      deliveries.add(new Delivery(clockNs.getAsLong() + hops * latencyNs, order++, to, packet));
    }
  }

  private void undelivered(Attachment asker, Packet packet) {
    if (attached(asker)) {
      packet.undelivered = true;
      asker.deliver(packet);
    }
  }

  // ---- datagrams

  /**
   * Sends a datagram for a program. Its transaction id gets the program's number in the bits 48 to
   * 63, unless it answers something: so an answer finds its way.
   *
   * @param packet is the emulator's from now on
   */
  public void send(Attachment from, Packet packet) {
    carried++;
    MadHeader header = new MadHeader().wrap(packet.mad, 0);
    boolean answers = header.isResponse() || header.method() == MadMethod.TRAP_REPRESS;
    if (!answers) {
      header.transactionId(
          header.transactionId() & ~CLIENT_BITS | (long) from.id() << CLIENT_SHIFT);
    }
    from.speaks(header.managementClass());
    if (header.baseVersion() != MadHeader.BASE_VERSION
        || header.classVersion() > MOST_VERSIONS
        || !ports.hasPower(fabric.nodeOf(from.port()))
        || !carry(from, packet, header)) {
      if (expectsAnswer(header)) {
        undelivered(from, packet);
      }
    }
    traps.run();
  }

  private static boolean expectsAnswer(MadHeader header) {
    return !header.isResponse()
        && header.method() != MadMethod.TRAP_REPRESS
        && header.method() != MadMethod.TRAP
        && header.method() != MadMethod.SEND;
  }

  /** Carries a datagram to its node; false if whoever sent it gets no answer. */
  private boolean carry(Attachment from, Packet sent, MadHeader header) {
    network.start();
    int home = from.port();
    Packet packet = sent.copy();
    if (packet.slid == 0) {
      packet.slid = ports.info(home).lid();
    }
    boolean management = ManagementClass.isSubnetManagement(header.managementClass());
    boolean directed = header.managementClass() == ManagementClass.SUBNET_DIRECTED;
    int at =
        directed
            ? directed(new Smp().wrap(packet.mad, 0), packet, home)
            : network.byLid(home, packet.dlid, management);
    return at != Fabric.NONE && arrive(from, sent, packet, at);
  }

  /** A directed route may begin and end with a part by LID (section 14.2.2). */
  private int directed(Smp smp, Packet packet, int home) {
    if (smp.isResponse() != smp.isReturning()) {
      return Fabric.NONE;
    }
    int at = home;
    if (smp.isReturning()) {
      at = smp.drDlid() == Smp.PERMISSIVE ? at : network.byLid(at, packet.dlid, true);
      at = at == Fabric.NONE ? at : network.back(smp, at);
      return at == Fabric.NONE || smp.drSlid() == Smp.PERMISSIVE
          ? at
          : network.byLid(ports.home(at), smp.drSlid(), true);
    }
    if (smp.drSlid() != Smp.PERMISSIVE) {
      at = network.byLid(at, packet.dlid, true);
    }
    at = at == Fabric.NONE ? at : network.forward(smp, ports.home(at));
    return at == Fabric.NONE || smp.drDlid() == Smp.PERMISSIVE
        ? at
        : network.byLid(ports.home(at), smp.drDlid(), true);
  }

  /** A datagram is at a port. */
  private boolean arrive(Attachment from, Packet sent, Packet packet, int at) {
    MadHeader header = new MadHeader().wrap(packet.mad, 0);
    int home = ports.home(at);
    int method = header.method();
    if (header.isResponse()) {
      return answered(packet, header, home);
    }
    switch (header.managementClass()) {
      case ManagementClass.SUBNET_LID, ManagementClass.SUBNET_DIRECTED -> {
        if (method == MadMethod.TRAP_REPRESS) {
          return repressed(packet, header, home);
        }
        if (method == MadMethod.TRAP || header.attributeId() == AttributeId.SM_INFO) {
          return toManager(from, sent, packet, at);
        }
        return silent[fabric.nodeOf(at)] ? false : subnet(from, packet, at);
      }
      case ManagementClass.PERFORMANCE -> {
        if (silent[fabric.nodeOf(at)]) {
          return false;
        }
        PerformanceMad mad = new PerformanceMad().wrap(packet.mad, 0);
        int status = performance.answer(mad, at);
        mad.method(MadMethod.GET_RESPONSE);
        mad.status(status);
        packet.turn();
        int back = network.byLid(home, packet.dlid, false);
        return back == from.port() && reply(from, packet);
      }
      default -> {
        return toProgram(from, sent, packet, home);
      }
    }
  }

  private boolean reply(Attachment from, Packet packet) {
    deliver(from, packet, network.hops());
    return true;
  }

  private boolean subnet(Attachment from, Packet packet, int at) {
    int home = ports.home(at);
    Smp smp = new Smp().wrap(packet.mad, 0);
    ManagementKeys.Access access = keys.check(home, smp, packet.slid);
    if (access == ManagementKeys.Access.NONE) {
      return false;
    }
    int status =
        smp.classVersion() == 1
            ? agent.answer(smp, at, access == ManagementKeys.Access.FULL)
            : MadStatus.UNSUPPORTED_CLASS;
    smp.method(MadMethod.GET_RESPONSE);
    return back(from, packet, smp, status, at);
  }

  /** Sends an agent's answer the way that the request came. */
  private boolean back(Attachment from, Packet packet, Smp smp, int status, int at) {
    int end;
    if (smp.isDirected()) {
      smp.status(0x8000 | status);
      int turn = smp.drDlid() == Smp.PERMISSIVE ? at : Fabric.NONE;
      int first = turn == Fabric.NONE ? Fabric.NONE : network.back(smp, turn);
      end =
          first == Fabric.NONE || smp.drSlid() == Smp.PERMISSIVE
              ? first
              : network.byLid(ports.home(first), smp.drSlid(), true);
    } else {
      smp.status(status);
      end = network.byLid(ports.home(at), packet.slid, true);
    }
    packet.turn();
    return end != Fabric.NONE && ports.home(end) == from.port() && reply(from, packet);
  }

  /** An answer of a program: the transaction id says whose question it was. */
  private boolean answered(Packet packet, MadHeader header, int home) {
    Attachment asker = byTransaction(header, home);
    waiting.removeIf(w -> w.asker == asker && w.id == header.transactionId());
    if (asker != null) {
      deliver(asker, packet, network.hops());
    }
    return true;
  }

  private Attachment byTransaction(MadHeader header, int home) {
    int id = (int) (header.transactionId() >>> CLIENT_SHIFT) & CLIENT_MASK;
    Attachment asker = id < attachments.size() ? attachments.get(id) : null;
    return asker != null && asker.port() == home ? asker : null;
  }

  private boolean repressed(Packet packet, MadHeader header, int home) {
    if (!traps.repress(home, header.transactionId())) {
      Attachment sender = byTransaction(header, home);
      if (sender != null) {
        deliver(sender, packet, network.hops());
      }
    }
    return true;
  }

  private boolean toManager(Attachment from, Packet sent, Packet packet, int at) {
    Attachment to = manager(ports.home(at));
    if (to == null) {
      MadHeader header = new MadHeader().wrap(packet.mad, 0);
      if (header.method() == MadMethod.TRAP || silent[fabric.nodeOf(at)]) {
        return false;
      }
      Smp smp = new Smp().wrap(packet.mad, 0);
      smp.method(MadMethod.GET_RESPONSE);
      return back(from, packet, smp, MadStatus.UNSUPPORTED_ATTRIBUTE, at);
    }
    return pass(from, to, sent, packet);
  }

  /**
   * Programs get requests of the administrator's class if they are one, others if they speak it.
   */
  private boolean toProgram(Attachment from, Packet sent, Packet packet, int home) {
    MadHeader header = new MadHeader().wrap(packet.mad, 0);
    int managementClass = header.managementClass();
    boolean administration = managementClass == ManagementClass.SUBNET_ADMINISTRATION;
    boolean report = administration && header.method() == MadMethod.REPORT;
    if (administration && !report) {
      Attachment manager = manager(home);
      return manager != null && pass(from, manager, sent, packet);
    }
    for (Attachment a : attachments) {
      // A class that a subnet manager has not registered ends it; see docs/emulator.md.
      if (a != null
          && a.port() == home
          && a.hasSpoken(managementClass)
          && (report || !a.isManager())) {
        return pass(from, a, sent, packet);
      }
    }
    return false;
  }

  private boolean pass(Attachment from, Attachment to, Packet sent, Packet packet) {
    MadHeader header = new MadHeader().wrap(packet.mad, 0);
    if (expectsAnswer(header)) {
      long end = clockNs.getAsLong() + options.answerNs();
      waiting.add(new Waiting(from, to, header.transactionId(), end, sent));
    }
    deliver(to, packet, network.hops());
    return true;
  }

  /** Sends a trap by LID to the manager that the port knows. */
  private void send(Traps.Pending trap) {
    network.start();
    int lid = ports.info(trap.home).masterSmLid();
    int at = network.byLid(trap.home, lid, true);
    Attachment to = at == Fabric.NONE ? null : manager(ports.home(at));
    if (to != null) {
      Packet packet = new Packet(trap.smp.buffer().clone(), lid);
      packet.slid = ports.info(trap.home).lid();
      deliver(to, packet, network.hops());
    }
  }

  // ---- what programs ask of the machine they run on

  /** Copies a port's PortInfo, 64 bytes. */
  public byte[] portInfo(int port) {
    byte[] bytes = new byte[Smp.DATA_SIZE];
    keys.settle(ports.home(port));
    ports.copy(port, bytes, 0);
    return bytes;
  }

  /** Copies a port's first keys, 32 of two bytes. */
  public byte[] firstKeys(int port) {
    byte[] bytes = new byte[Smp.DATA_SIZE];
    tables.keys(port, 0, bytes, 0);
    return bytes;
  }

  /** Makes a node's NodeInfo as it is at a port, 64 bytes. */
  public byte[] nodeInfo(int port) {
    byte[] bytes = new byte[Smp.DATA_SIZE];
    agent.nodeInfo(new NodeInfo().wrap(bytes, 0), fabric.nodeOf(port), port);
    return bytes;
  }
}
