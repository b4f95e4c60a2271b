package org.heddle.verify.isolation;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.tenancy.Lanes;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.verify.AuditReport.ChannelKind;
import org.heddle.verify.Network;
import org.heddle.verify.Workers;

/**
 * Proves from finished tables which channels every partition uses, which partitions meet on them,
 * and whether the policies of the tenancy are kept (Zahid et al., the validation of pFTree-Ext, and
 * the metrics of its section 7). Takes tables of any origin and shares no code with the engines.
 * {@code docs/isolation.md} defines every number.
 *
 * <p>A route counts if source and destination are different ports of one partition and not both
 * limited members; routes between partitions never count, those that do not arrive count as far as
 * they go. Only channels between switches count; those of hosts are counted apart.
 *
 * <p>Exact: every route, in O(switches on the way) for each destination LID and partition, not for
 * each pair. The report does not depend on the number of threads.
 */
public final class IsolationAudit {
  private IsolationAudit() {}

  /**
   * Audits isolation.
   *
   * @param fabric with LIDs; members without one are reported, not guessed
   * @param tables of the switches of this fabric
   * @param tenancy of this fabric snapshot
   * @param lanes of its partitions; {@code Lanes.single(0)} puts everybody on lane 0
   * @throws IllegalArgumentException if tables or lanes are of another size, or a member is no port
   *     of the fabric
   */
  public static IsolationReport run(
      Fabric fabric,
      ForwardingTables tables,
      Tenancy tenancy,
      Lanes lanes,
      IsolationOptions options) {
    Network.requireTables(fabric, tables);
    int count = tenancy.partitions().size();
    if (lanes.size() != count && lanes.size() != 0) {
      throw new IllegalArgumentException(lanes.size() + " lanes for " + count + " partitions");
    }
    Lanes all = lanes.size() == count ? lanes : Lanes.single(count);
    Network net = new Network(fabric, options.tree());
    Memberships members = new Memberships(net, tenancy);
    int heaviest = heaviest(tenancy);
    boolean[] receiver =
        receivers(members, (_, member) -> heaviest > 1 && member.weight() == heaviest);
    PartitionSweep sweep = sweep(net, tables, members, receiver, options);
    Sharing sharing = new Sharing(net, tenancy, all, sweep.parts);
    IsolationFindings findings =
        new IsolationFindings(net, tenancy, all, members, sharing, options.examples());
    List<IsolationReport.Tie> ties = IsolationFindings.ties(fabric, tenancy);
    List<IsolationReport.Pair> pairs = sharing.pairs();
    return new IsolationReport(
        sharing.channels(ChannelKind.SWITCH_TO_SWITCH),
        net.hasTree,
        sharing.uses(members),
        pairs,
        sharing.physicalChannels(),
        sharing.hostChannels(members),
        contention(net, members, sweep.load, null),
        heaviest > 1
            ? Optional.of(contention(net, members, sweep.receivers, receiver))
            : Optional.empty(),
        sharing.interference(),
        sharing.loads(sweep.load),
        ties,
        findings.list(pairs, ties));
  }

  /**
   * Contention of chosen destinations only. A port in several partitions counts for the routes of
   * those partitions in which it is chosen.
   *
   * @throws IllegalArgumentException as {@link #run}
   */
  public static IsolationReport.Contention contention(
      Fabric fabric,
      ForwardingTables tables,
      Tenancy tenancy,
      Receivers chosen,
      IsolationOptions options) {
    Network.requireTables(fabric, tables);
    Network net = new Network(fabric, options.tree());
    Memberships members = new Memberships(net, tenancy);
    boolean[] receiver = receivers(members, chosen);
    PartitionSweep sweep = sweep(net, tables, members, receiver, options);
    return contention(net, members, sweep.receivers, receiver);
  }

  private static int heaviest(Tenancy tenancy) {
    int max = 1;
    for (Partition p : tenancy.partitions()) {
      for (PartitionMember m : p.members()) {
        max = Math.max(max, m.weight());
      }
    }
    return max;
  }

  private static boolean[] receivers(Memberships members, Receivers chosen) {
    boolean[] out = new boolean[members.size()];
    for (int m = 0; m < out.length; m++) {
      PartitionMember member =
          new PartitionMember(members.port[m], members.full[m], members.weight[m]);
      out[m] = chosen.test(members.partition[m], member);
    }
    return out;
  }

  /** Gives every worker a contiguous range of destinations of about the same cost. */
  private static PartitionSweep sweep(
      Network net,
      ForwardingTables tables,
      Memberships members,
      boolean[] receiver,
      IsolationOptions options) {
    long[] cost = new long[members.size() + 1];
    int lids = 0;
    for (int m = 0; m < members.size(); m++) {
      int p = members.partition[m];
      int own = net.lidCount(members.port[m]);
      lids += own;
      cost[m + 1] =
          cost[m] + (long) own * (1 + members.senderStart[p + 1] - members.senderStart[p]);
    }
    int workers = Math.clamp(members.size(), 1, options.threads());
    PartitionSweep[] sweeps = new PartitionSweep[workers];
    Workers.Counter counter = new Workers.Counter(lids, options.progress());
    Workers.run(
        "isolation",
        workers,
        w -> {
          sweeps[w] = new PartitionSweep(net, tables, members, receiver);
          sweeps[w].run(cut(cost, w, workers), cut(cost, w + 1, workers), counter);
        });
    for (int w = 1; w < workers; w++) {
      sweeps[0].merge(sweeps[w]);
    }
    return sweeps[0];
  }

  /** The first membership of a worker. */
  private static int cut(long[] cost, int worker, int workers) {
    long wanted = cost[cost.length - 1] * worker / workers;
    int i = Arrays.binarySearch(cost, wanted);
    return i >= 0 ? i : -i - 1;
  }

  /** R - 1 over all channels with R of at least 2; receivers null: all destinations. */
  private static IsolationReport.Contention contention(
      Network net, Memberships members, int[] load, boolean[] receivers) {
    int[] contended = new int[3]; // down, neither, up
    long[] total = new long[3];
    for (int c = 0; c < load.length; c++) {
      if (load[c] > 1) {
        contended[net.direction[c] + 1]++;
        total[net.direction[c] + 1] += load[c] - 1;
      }
    }
    return new IsolationReport.Contention(
        destinations(net, members, receivers),
        new IsolationReport.Tally(
            contended[0] + contended[1] + contended[2], total[0] + total[1] + total[2]),
        new IsolationReport.Tally(contended[2], total[2]),
        new IsolationReport.Tally(contended[0], total[0]));
  }

  private static int destinations(Network net, Memberships members, boolean[] receivers) {
    int lids = 0;
    for (int port = net.switchPorts; port < net.peer.length; port++) {
      boolean counts = false;
      for (int k = members.portStart[port]; k < members.portStart[port + 1]; k++) {
        counts |= receivers == null || receivers[members.byPort[k]];
      }
      lids += counts ? net.lidCount(port) : 0;
    }
    return lids;
  }
}
