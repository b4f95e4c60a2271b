package org.heddle.bench;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.routing.ForwardingTables;
import org.heddle.topology.FatTree;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.AuditReport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * All checks of {@link Audit} on XGFT(3;a,a,b;1,a,a): b = 36 and a = 18 are 11,664 hosts, 1,620
 * switches, 21.5 million table entries. Hosts are routed by D-mod-K, switches by shortest paths, as
 * subnet managers do. Builds its own fabric and tables so that it measures nothing but the audit.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgs = "-Xmx2g")
public class AuditBenchmark {
  /** Children of a node of level 1 and 2. */
  @Param({"18"})
  public int radix;

  /** Children of a root. */
  @Param({"36"})
  public int top;

  @Param({"1", "2"})
  public int threads;

  private Fabric fabric;
  private FatTree tree;
  private ForwardingTables tables;

  private int[] m; // children, m[1..3]
  private int[] w; // parents of the level below, w[1..3]
  private int[] start; // first handle of a level; hosts come last
  private int[] level; // by switch handle

  /** Builds fabric, levels and tables. */
  @Setup
  public void setUp() {
    m = new int[] {0, radix, radix, top};
    w = new int[] {0, 1, radix, radix};
    buildFabric();
    int n = fabric.switchCount();
    int[] levels = Arrays.copyOf(level, n); // GUIDs rise with handles: ids are handles
    int leafCount = m[2] * m[3];
    int[] leaves = new int[leafCount];
    Arrays.setAll(leaves, i -> i);
    tree = new FatTree(3, levels, leaves);
    byte[][] rows = new byte[n][fabric.topLid() + 1];
    for (byte[] row : rows) {
      Arrays.fill(row, (byte) ForwardingTables.NO_PORT);
    }
    for (int s = 0; s < n; s++) {
      routeHosts(s, rows[s]);
      routeToSwitch(s, rows);
    }
    tables = ForwardingTables.ofRows(rows, fabric.topLid());
  }

  /** Everything with levels given. */
  @Benchmark
  public AuditReport audit() {
    return Audit.run(fabric, tables, AuditOptions.defaults().withTree(tree).withThreads(threads));
  }

  private static int product(int[] factors, int from, int to) {
    int p = 1;
    for (int i = from; i <= to; i++) {
      p *= factors[i];
    }
    return p;
  }

  /** Node (A, B) of level l has index A * W_l + B; parent (A / m, B + W_l * y) for up port y. */
  private void buildFabric() {
    FabricBuilder builder = new FabricBuilder();
    start = new int[] {0, 0, 0, 0};
    level = new int[product(m, 2, 3) + m[3] * w[2] + w[2] * w[3]];
    for (int l = 1; l <= 3; l++) {
      start[l] = builder.size();
      int count = product(m, l + 1, 3) * product(w, 1, l);
      for (int i = 0; i < count; i++) {
        int ports = m[l] + (l < 3 ? w[l + 1] : 0);
        int handle = builder.addSwitch(0x1000 + builder.size(), ports, "S" + l + "_" + i);
        level[handle] = l;
        builder.setLid(handle, 0, handle + 1, 0);
      }
    }
    start[0] = builder.size();
    for (int d = 0; d < product(m, 1, 3); d++) {
      int handle = builder.addCa(0x100000 + 2L * d, 1, "H" + d);
      builder.setPortGuid(handle, 1, 0x100001 + 2L * d);
      builder.setLid(handle, 1, handle + 1, 0);
      builder.connect(handle, 1, start[1] + d / m[1], d % m[1] + 1);
    }
    for (int l = 1; l < 3; l++) {
      int below = product(w, 1, l);
      for (int i = 0; i < start[l + 1] - start[l]; i++) {
        for (int y = 0; y < w[l + 1]; y++) {
          int a = i / below;
          int parent = a / m[l + 1] * below * w[l + 1] + i % below + below * y;
          builder.connect(start[l] + i, m[l] + y + 1, start[l + 1] + parent, a % m[l + 1] + 1);
        }
      }
    }
    fabric = builder.build();
  }

  /** D-mod-K: down where the host lies below, else up through floor(d / W_l) mod w. */
  private void routeHosts(int s, byte[] row) {
    int l = level[s];
    int a = (s - start[l]) / product(w, 1, l);
    int below = product(m, 1, l);
    for (int d = 0; d < product(m, 1, 3); d++) {
      int down = d / (below / m[l]) % m[l] + 1;
      int up = l < 3 ? m[l] + d / product(w, 1, l) % w[l + 1] + 1 : 0;
      row[start[0] + d + 1] = (byte) (d / below == a ? down : up);
    }
  }

  /** Breadth first from a switch; the first port found leads there. */
  private void routeToSwitch(int target, byte[][] rows) {
    int lid = target + 1;
    int[] queue = new int[rows.length];
    int tail = 0;
    queue[tail++] = target;
    rows[target][lid] = 0;
    for (int head = 0; head < tail; head++) {
      int s = queue[head];
      for (int number = 1; number <= fabric.portCount(s); number++) {
        int other = fabric.peer(fabric.port(s, number));
        int t = fabric.nodeOf(other);
        if (fabric.isSwitch(t) && rows[t][lid] == (byte) ForwardingTables.NO_PORT) {
          rows[t][lid] = (byte) fabric.numberOf(other);
          queue[tail++] = t;
        }
      }
    }
  }
}
