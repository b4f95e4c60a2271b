package org.heddle.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.heddle.control.port.AgentException;
import org.heddle.control.port.FabricAgent;
import org.heddle.fabric.Fabric;
import org.heddle.plan.model.Partition;
import org.heddle.reconfig.TableChange;
import org.heddle.routing.ForwardingTables;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOptions;
import org.heddle.smp.discover.DiscoveredFabric;
import org.heddle.smp.discover.FabricDiscovery;
import org.heddle.smp.discover.FabricWatch;
import org.heddle.smp.discover.TableAccess;
import org.heddle.smp.transport.SmpTransport;
import org.heddle.smp.transport.TransportSpec;
import org.heddle.smp.write.SmpPlan;
import org.heddle.smp.write.TableWriter;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;

/**
 * Reads a live fabric by management datagrams: what is cabled, the tables in force, keys and lanes
 * of ports, who manages it; and writes blocks of tables where OpenSM would not. The connection is
 * opened when it is first needed, and reopened after it broke. Thread-safe; one reading at a time.
 */
public final class LiveReader implements AutoCloseable {
  /** SMPs for lanes at each look: less than the tables of 1,000 hosts. */
  private static final int LANE_BUDGET = 4_096;

  /** Requests of one reading that may stay without an answer: four windows of a simulator's. */
  private static final int PATIENCE = 256;

  private final Way way;
  private final LongSupplier clockNs;
  private final long mKey;
  private final AgentFigures figures = new AgentFigures();
  private final PortKeys keys = new PortKeys();
  private final LaneCheck lanes = new LaneCheck(LANE_BUDGET);
  private SmpClient client;
  private DiscoveredFabric last;

  /** One of its own, for a thread of its own: it goes on during a long reading. */
  private SmpClient pulseClient;

  private final Pulse pulse = new Pulse();
  private final Patrol patrol = new Patrol();

  /** What the last look has read; null before the first one. */
  private volatile Patrol.Known known;

  /**
   * What a beat has found.
   *
   * @param suspicion why a look is worth its while
   * @param fact what is not as the last look has read it
   */
  record Beat(Optional<String> suspicion, Optional<String> fact) {
    private static final Beat NOTHING = new Beat(Optional.empty(), Optional.empty());
  }

  private final Object beating = new Object();
  private FabricWatch watch;

  /** How datagrams get to the fabric. */
  interface Way {
    SmpTransport open() throws IOException;
  }

  /** A reader that has not opened its way yet. */
  public LiveReader(TransportSpec way) {
    this(way, 0);
  }

  /**
   * The same on a subnet with a management key.
   *
   * @param mKey goes with every datagram
   */
  public LiveReader(TransportSpec way, long mKey) {
    this(() -> way.open(false), mKey, System::nanoTime);
  }

  /**
   * The same by any transport.
   *
   * @param clockNs as {@link System#nanoTime()}
   */
  LiveReader(Way way, long mKey, LongSupplier clockNs) {
    this.way = way;
    this.mKey = mKey;
    this.clockNs = clockNs;
  }

  /** What was sent, and what agents add. */
  AgentFigures figures() {
    return figures;
  }

  private SmpClient client() throws IOException {
    if (client == null) {
      SmpTransport transport = way.open();
      client = new SmpClient(transport, SmpOptions.of(transport), clockNs);
      figures.another();
      client.mKey(mKey);
    }
    return client;
  }

  /**
   * The fabric and the tables in force. What does not answer is asked again from the start; it
   * counts as gone only if it does not answer then either. The first time ends early when much does
   * not answer, as when a rack vanishes during a look.
   *
   * @throws AgentException if nothing answers, two nodes or ports have one GUID, or tables cannot
   *     be read
   */
  public synchronized FabricAgent.Observation observe() {
    return reading(
        () -> {
          DiscoveredFabric found = FabricDiscovery.run(client());
          if (!found.warnings().isEmpty()) {
            client().patience(Long.MAX_VALUE);
            found = FabricDiscovery.run(client());
            client().patience(PATIENCE);
          }
          if (found.fabric().switchCount() == 0) {
            throw new AgentException(silence(found), null);
          }
          if (!found.doubles().isEmpty()) {
            throw new AgentException(found.doubles().getFirst(), null);
          }
          last = found;
          watch = new FabricWatch(found);
          ForwardingTables tables = tables(found);
          boolean same =
              known != null
                  && known.discovered().fabric().fingerprint() == found.fabric().fingerprint();
          known = new Patrol.Known(found, tables, same ? known.keys() : List.of());
          return new FabricAgent.Observation(found.fabric(), tables, found.warnings());
        });
  }

  private String silence(DiscoveredFabric found) {
    boolean nobody = found.fabric().nodeCount() == 0;
    String key =
        mKey == 0
            ? "the subnet has a management key and m_key_file is not set"
            : "the subnet's management key is not the one in m_key_file";
    return "no switch answers"
        + (found.warnings().isEmpty() ? "" : " (" + found.warnings().getFirst() + ")")
        + (nobody ? ", not even the own port: it has no link, or " + key : "");
  }

  private ForwardingTables tables(DiscoveredFabric found) throws IOException {
    TableAccess.LiveTables live = TableAccess.read(client(), found);
    if (!live.warnings().isEmpty()) {
      throw new AgentException("tables cannot be read: " + live.warnings().getFirst(), null);
    }
    return live.tables();
  }

  /**
   * The tables in force, of the switches of the last observation; empty if that was of another
   * fabric.
   */
  synchronized Optional<ForwardingTables> tables(Fabric fabric) {
    return reading(
        () -> {
          if (!isLast(fabric)) {
            return Optional.empty();
          }
          ForwardingTables tables = tables(last);
          known = new Patrol.Known(last, tables, known == null ? List.of() : known.keys());
          return Optional.of(tables);
        });
  }

  /**
   * What is not as it was at the last observation, if this was one of this fabric; costs an SMP a
   * switch and one for each port of switches, 4,096 of these at most.
   */
  synchronized Optional<String> changed(Fabric fabric) {
    return reading(
        () -> {
          if (!isLast(fabric)) {
            return Optional.of("another one was looked at");
          }
          Optional<String> why = watch.look(client());
          last = watch.seen();
          return why;
        });
  }

  /** Asks for some of the blocks that are not there yet. */
  synchronized void ask(Outstanding blocks) {
    reading(
        () -> {
          blocks.look(client(), seen());
          return blocks;
        });
  }

  private boolean isLast(Fabric fabric) {
    return last != null && last.fabric().fingerprint() == fabric.fingerprint();
  }

  /** Who manages the subnet, as the switches of the last observation say. */
  synchronized SubnetManager manager() {
    return reading(() -> SubnetManager.read(client(), seen()));
  }

  /**
   * Asks what costs little, while another thread may be reading; see {@link Pulse} and {@link
   * Patrol}.
   */
  Beat beat() {
    synchronized (beating) {
      Patrol.Known now = known;
      if (now == null) {
        return Beat.NOTHING;
      }
      try {
        if (pulseClient == null) {
          SmpTransport transport = way.open();
          pulseClient = new SmpClient(transport, SmpOptions.of(transport), clockNs);
          pulseClient.mKey(mKey);
        }
        pulseClient.patience(PATIENCE);
        long before = pulseClient.sent();
        Optional<String> why = pulse.beat(pulseClient, now.discovered());
        Optional<String> fact = patrol.walk(pulseClient, now);
        figures.beats(pulseClient.sent() - before);
        return new Beat(why, now == known ? fact : Optional.empty());
      } catch (IOException | UncheckedIOException _) {
        closePulse(); // the next look says so
        return Beat.NOTHING;
      }
    }
  }

  private void closePulse() {
    synchronized (beating) {
      if (pulseClient != null) {
        pulseClient.close();
        pulseClient = null;
      }
    }
  }

  /**
   * The ports of hosts of the last observation, and of the switches before them, that have other
   * keys than those of their partitions.
   */
  synchronized PortKeys.Astray astray(List<Partition> partitions, PortKeys.Rules rules) {
    PortKeys.Astray astray = reading(() -> keys.astray(client(), seen(), partitions, rules));
    known = known == null ? null : known.withKeys(keys.lastRight());
    return astray;
  }

  /**
   * The P_Key tables of all linked ports of hosts of the last observation, as they are: 16-bit keys
   * in the order of their indices, 0 for none, by port id. Ports that do not answer are left out.
   */
  public synchronized Map<Integer, int[]> keysOfHosts() {
    return reading(() -> keys.ofHosts(client(), seen()));
  }

  /**
   * The lane of each service level at all linked ports of hosts of the last observation, by port
   * id; 15 stands for none. Ports that do not answer are left out.
   */
  public synchronized Map<Integer, int[]> lanesOfHosts() {
    return reading(() -> LaneCheck.ofHosts(client(), seen()));
  }

  /** The port GUID of the master subnet manager, as the switches of the last observation say. */
  public long managerGuid() {
    return manager().guid();
  }

  /** Writes back keys that hosts had when all was right the last time; why not all. */
  synchronized Optional<String> restoreHosts() {
    return reading(() -> keys.restoreHosts(client(), seen()));
  }

  /** Gives switches the keys of the hosts before them, and has them enforce; why not all. */
  synchronized Optional<String> restoreSwitches() {
    return reading(() -> keys.restoreSwitches(client(), seen()));
  }

  /** What switches enforced does not matter any more. */
  synchronized void forgetEnforcement() {
    keys.forgetEnforcement();
  }

  /** Reads a part of the lanes; what is wrong, in one sentence that ends in the command. */
  synchronized Optional<String> lanes(List<Partition> partitions, String start) {
    return reading(
        () -> {
          lanes.look(client(), seen(), partitions);
          return lanes.trouble(start);
        });
  }

  /**
   * Writes blocks that differ, by datagrams, in the order that is safe.
   *
   * @param goOn asked before each step
   * @return why not everything is written
   */
  synchronized Optional<String> write(
      Fabric fabric, ForwardingTables wanted, BooleanSupplier goOn) {
    return reading(
        () -> {
          if (!isLast(fabric)) {
            return Optional.of("the fabric has changed");
          }
          known = null; // it will be another one
          Optional<FatTree> tree =
              FatTreeRecogniser.recognise(fabric) instanceof Recognition.Found found
                  ? Optional.of(found.tree())
                  : Optional.empty();
          ForwardingTables now = tables(last);
          TableChange change = TableChange.order(last.fabric(), tree, now, wanted);
          SmpPlan plan = SmpPlan.ordered(last, now, wanted, change);
          return TableWriter.write(client(), last, plan, goOn);
        });
  }

  private DiscoveredFabric seen() {
    if (last == null) {
      throw new AgentException("the fabric has not been looked at yet", null);
    }
    return last;
  }

  private interface Reading<T> {
    T run() throws IOException;
  }

  private <T> T reading(Reading<T> reading) {
    try {
      client().patience(PATIENCE);
      T read = reading.run();
      figures.count(client);
      return read;
    } catch (AgentException e) {
      figures.count(client);
      throw e;
    } catch (IOException | UncheckedIOException e) {
      closeReading();
      throw new AgentException("no datagrams over this transport: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    closePulse();
    closeReading();
  }

  private synchronized void closeReading() {
    if (client != null) {
      client.close();
      client = null;
    }
  }
}
