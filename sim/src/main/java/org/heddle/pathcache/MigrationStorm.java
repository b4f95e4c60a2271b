package org.heddle.pathcache;

import java.util.Arrays;
import org.heddle.addressing.AddressingOptions;
import org.heddle.addressing.AddressingScheme;
import org.heddle.addressing.VmCapacity;
import org.heddle.addressing.VmPlacement;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.schedule.SplitMix;

/**
 * Machines that move while their peers try to reach them (Tasoulas, thesis, paper I; mixed speeds
 * are its future work, section 4.2).
 *
 * <p>A vGUID, and so the GID that caches are keyed by, always moves along. A machine that owns its
 * LID keeps it. One that shares its hypervisor's LID has another afterwards: its peers' records
 * name the wrong destination, its own the wrong source. In either case the path may have become
 * worse than a record says: packets of the recorded MTU do not pass, or more is sent than it
 * carries.
 *
 * <p>Without a cache every attempt to connect is a query. While the machine is away, peers try
 * {@code attempts} times, as rejections come back. If its address is kept, both ends ask once more
 * when it is there again. If not, peers wait for the old address until the timeout and reject the
 * machine, which goes on trying, and ask when they have given it up. With a checked cache an end
 * asks once, and only if its record is wrong; wrong destinations are noticed at the timeout.
 *
 * <p>Which paths records are compared with is decided move by move in the order in which they
 * begin. O(moves * tenant size * (length of a path + queries)).
 */
public final class MigrationStorm {
  private static final double MICROS = 1e6;

  /** Queries of one run, at most. */
  private static final int MOST = 100_000_000;

  private final PathQualities paths;
  private final Storm storm;
  private final int[] hypervisors; // port ids
  private final int[] free; // functions, by hypervisor
  private final int[] at; // hypervisor, by machine
  private final double[] ready; // by machine: its last move is over, seconds
  private final boolean checks;

  // what a machine knows of another of its tenant: machine * tenant size + number in the tenant
  private final PathQuality[] known;
  private final int[] knownTo; // where the peer was
  private final int[] knownFrom; // where the machine was itself

  private final SplitMix backoff;
  private long[] queries = new long[1024];
  private int queryCount;

  private int moves;
  private long ends;
  private long peerQueries;
  private long machineQueries;
  private long peersAsking;
  private long wrongLid;
  private long wrongMtu;
  private long wrongRate;
  private long underrated;
  private long broken;
  private long tooFast;

  /** What became of a storm. */
  public sealed interface Outcome {}

  /** It is over. */
  public record Done(StormResult result) implements Outcome {}

  /** It cannot be. */
  public record Refused(String reason) implements Outcome {}

  private static final class Unreachable extends RuntimeException {
    private static final long serialVersionUID = 1;

    Unreachable(String message) {
      super(message, null, false, false);
    }
  }

  private MigrationStorm(PathQualities paths, Storm storm, int[] hypervisors, int machines) {
    this.paths = paths;
    this.storm = storm;
    this.hypervisors = hypervisors;
    free = new int[hypervisors.length];
    Arrays.fill(free, storm.functions());
    at = new int[machines];
    ready = new double[machines];
    checks = storm.cache() != CacheMode.OFF;
    int records = Math.multiplyExact(machines, storm.tenantSize());
    known = new PathQuality[checks ? records : 0];
    knownTo = new int[known.length];
    knownFrom = new int[known.length];
    backoff = SplitMix.stream(storm.seed(), 2);
  }

  /** Runs a storm. */
  public static Outcome run(PathQualities paths, Storm storm) {
    int[] hypervisors = hypervisors(paths.fabric());
    if (hypervisors.length < 2) {
      return new Refused("there are fewer than two hypervisors");
    }
    long slots = (long) hypervisors.length * storm.functions();
    long machines = (long) (slots * storm.population() / 100);
    if (machines < 2) {
      return new Refused("there are fewer than two VMs");
    }
    AddressingOptions options =
        AddressingOptions.of(storm.scheme()).withFunctions(storm.functions());
    VmCapacity capacity = VmCapacity.of(paths.fabric(), options);
    boolean fits =
        storm.scheme() == AddressingScheme.PREPOPULATED
            ? capacity.hypervisors() == hypervisors.length
            : capacity.machines() >= machines;
    if (!fits || machines * storm.tenantSize() > MOST) {
      return new Refused(
          Counted.of(machines, "VM does", "VMs do") + " not fit: " + capacity.limit());
    }
    long most =
        storm.moves()
            * (storm.tenantSize() - 1L)
            * (3L + storm.behaviour().attempts() + (long) most(storm.behaviour()));
    if (storm.cache() == CacheMode.OFF && most > MOST) {
      return new Refused("that would be up to " + most + " queries");
    }
    MigrationStorm run = new MigrationStorm(paths, storm, hypervisors, (int) machines);
    try {
      return new Done(run.run());
    } catch (Unreachable e) {
      return new Refused(e.getMessage());
    }
  }

  private static double most(Storm.Behaviour b) {
    return b.retries() * Math.max(0, b.timeout() - b.downtime());
  }

  private static int[] hypervisors(Fabric fabric) {
    int[] out = new int[fabric.portIdLimit()];
    int n = 0;
    for (int port = 0; port < out.length; port++) {
      if (VmPlacement.isHypervisor(fabric, port)) {
        out[n++] = port;
      }
    }
    return Arrays.copyOf(out, n);
  }

  private StormResult run() {
    place();
    long warmUp = 0;
    for (int m = 0; m < at.length; m++) {
      int first = first(m);
      for (int p = first; p < end(first); p++) {
        if (p != m) {
          warmUp++;
          learn(m, p);
        }
      }
    }
    SplitMix random = SplitMix.stream(storm.seed(), 1);
    for (int i = 0; i < storm.moves(); i++) {
      double now = i / storm.perSecond();
      int m = draw(random, at.length);
      int tried = 0;
      while (tried++ < at.length && ready[m] > now) {
        m = (m + 1) % at.length;
      }
      int to = draw(random, hypervisors.length);
      for (int n = 0; n < hypervisors.length && (free[to] == 0 || to == at[m]); n++) {
        to = (to + 1) % hypervisors.length;
      }
      if (ready[m] > now || free[to] == 0 || to == at[m]) {
        continue; // all under way, or no function is free elsewhere
      }
      move(m, to, now);
    }
    QueryLoad load = QueryLoad.of(queries, queryCount, storm.behaviour().saPerSecond());
    return new StormResult(
        storm,
        at.length,
        moves,
        ends,
        warmUp,
        peerQueries,
        machineQueries,
        peersAsking,
        wrongLid,
        wrongMtu,
        wrongRate,
        underrated,
        broken,
        tooFast,
        load);
  }

  /** Machines on functions drawn without putting back. */
  private void place() {
    SplitMix random = SplitMix.stream(storm.seed(), 0);
    int[] slots = new int[hypervisors.length * storm.functions()];
    Arrays.setAll(slots, i -> i / storm.functions());
    for (int m = 0; m < at.length; m++) {
      int other = m + draw(random, slots.length - m);
      at[m] = slots[other];
      slots[other] = slots[m];
      free[at[m]]--;
    }
  }

  private static int draw(SplitMix random, int limit) {
    return (int) (random.uniform() * limit);
  }

  // ---- tenants

  private int first(int machine) {
    return machine - machine % storm.tenantSize();
  }

  private int end(int first) {
    return Math.min(at.length, first + storm.tenantSize());
  }

  private boolean ownsLid(int machine) {
    return switch (storm.scheme()) {
      case PREPOPULATED, DYNAMIC, EXTENDED -> true;
      case SHARED_PORT -> false;
      case HYBRID -> machine % storm.tenantSize() * 100 < storm.own() * storm.tenantSize();
    };
  }

  // ---- records

  private int record(int machine, int peer) {
    return machine * storm.tenantSize() + peer % storm.tenantSize();
  }

  private PathQuality path(int machine, int peer) {
    int from = hypervisors[at[machine]];
    int to = hypervisors[at[peer]];
    Fabric fabric = paths.fabric();
    return paths
        .between(from, to)
        .orElseThrow(
            () ->
                new Unreachable(
                    "the tables do not lead from "
                        + fabric.node(fabric.nodeOf(from)).display()
                        + " to "
                        + fabric.node(fabric.nodeOf(to)).display()));
  }

  private void learn(int machine, int peer) {
    if (checks) {
      int r = record(machine, peer);
      known[r] = path(machine, peer);
      knownTo[r] = at[peer];
      knownFrom[r] = at[machine];
    }
  }

  private boolean hasOldDestination(int machine, int peer) {
    return !ownsLid(peer) && knownTo[record(machine, peer)] != at[peer];
  }

  private boolean hasOldSource(int machine, int peer) {
    return !ownsLid(machine) && knownFrom[record(machine, peer)] != at[machine];
  }

  // ---- moves

  private void move(int m, int to, double now) {
    free[at[m]]++;
    free[to]--;
    at[m] = to;
    moves++;
    double back = now + storm.behaviour().downtime();
    ready[m] = back;
    int first = first(m);
    for (int p = first; p < end(first); p++) {
      if (p == m) {
        continue;
      }
      ends += 2;
      long before = peerQueries;
      if (checks) {
        useRecord(p, m, true, now, back);
        useRecord(m, p, false, now, back);
      } else {
        askAlways(m, now, back);
      }
      peersAsking += peerQueries > before ? 1 : 0;
    }
  }

  /** Both ends of a connection to a machine that moves, without a cache. */
  private void askAlways(int m, double now, double back) {
    Storm.Behaviour b = storm.behaviour();
    for (int k = 0; k < b.attempts(); k++) {
      ask(true, now + (k + backoff.uniform()) / b.attempts());
    }
    double givenUp = now + b.timeout();
    if (ownsLid(m) || givenUp <= back) {
      ask(true, back + backoff.uniform());
      ask(false, back + backoff.uniform());
      return;
    }
    for (int k = 0; k < (int) ((givenUp - back) * b.retries()); k++) {
      ask(false, back + (k + backoff.uniform()) / b.retries());
    }
    ask(true, givenUp + backoff.uniform());
  }

  /** One end of a connection, with a cache. */
  private void useRecord(int machine, int peer, boolean byPeer, double now, double back) {
    PathQuality is = path(machine, peer);
    PathQuality said = known[record(machine, peer)];
    boolean destination = hasOldDestination(machine, peer);
    boolean lid = destination || hasOldSource(machine, peer);
    boolean mtu = is.isTooNarrowFor(said);
    boolean rate = is.isTooSlowFor(said);
    wrongLid += lid ? 1 : 0;
    wrongMtu += mtu ? 1 : 0;
    wrongRate += rate ? 1 : 0;
    if (!lid && !mtu && !rate) {
      underrated += is.equals(said) ? 0 : 1;
    } else if (storm.cache() == CacheMode.CHECKED) {
      double noticed = destination ? Math.max(back, now + storm.behaviour().timeout()) : back;
      ask(byPeer, noticed + backoff.uniform());
      learn(machine, peer);
    } else {
      broken += lid || mtu ? 1 : 0;
      tooFast += lid || mtu ? 0 : 1;
    }
  }

  private void ask(boolean byPeer, double seconds) {
    if (queryCount == queries.length) {
      queries = Arrays.copyOf(queries, 2 * queryCount);
    }
    queries[queryCount++] = (long) (seconds * MICROS);
    peerQueries += byPeer ? 1 : 0;
    machineQueries += byPeer ? 0 : 1;
  }
}
