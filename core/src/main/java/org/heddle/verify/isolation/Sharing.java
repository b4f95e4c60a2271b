package org.heddle.verify.isolation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Lanes;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.Tenancy;
import org.heddle.verify.AuditReport.ChannelKind;
import org.heddle.verify.Network;
import org.heddle.verify.isolation.IsolationReport.PartitionUse;

/**
 * Which partitions meet on which channel, computed from the channels of every partition. O(sum over
 * channels of the square of their partitions).
 */
final class Sharing {
  private final Network net;
  private final Tenancy tenancy;
  private final Lanes lanes;
  private final PartitionChannels[] channels;
  private final long[] routes;
  private final long[] unreached;

  /** By channel: its partitions are {@code user[userStart[c] .. userStart[c + 1] - 1]}. */
  private final int[] userStart;

  private final int[] user;

  Sharing(Network net, Tenancy tenancy, Lanes lanes, List<PartitionSweep.Part> parts) {
    this.net = net;
    this.tenancy = tenancy;
    this.lanes = lanes;
    int count = tenancy.partitions().size();
    this.channels = new PartitionChannels[count];
    Arrays.fill(channels, PartitionChannels.NONE);
    this.routes = new long[count];
    this.unreached = new long[count];
    for (PartitionSweep.Part part : parts) {
      int p = part.partition();
      channels[p] = channels[p].plus(part.channels());
      routes[p] += part.routes();
      unreached[p] += part.unreached();
    }
    this.userStart = new int[net.switchPorts + 1];
    this.user = findUsers();
  }

  private int[] findUsers() {
    for (PartitionChannels c : channels) {
      for (int i = 0; i < c.size(); i++) {
        userStart[c.port(i) + 1]++;
      }
    }
    for (int c = 0; c < net.switchPorts; c++) {
      userStart[c + 1] += userStart[c];
    }
    int[] out = new int[userStart[net.switchPorts]];
    int[] next = userStart.clone();
    for (int p = 0; p < channels.length; p++) {
      for (int i = 0; i < channels[p].size(); i++) {
        out[next[channels[p].port(i)]++] = p;
      }
    }
    return out;
  }

  private boolean shared(int channel) {
    return userStart[channel + 1] - userStart[channel] > 1;
  }

  PartitionChannels channelsOf(int partition) {
    return channels[partition];
  }

  long unreached(int partition) {
    return unreached[partition];
  }

  List<PartitionUse> uses(Memberships members) {
    List<PartitionUse> out = new ArrayList<>();
    for (int p = 0; p < channels.length; p++) {
      PartitionChannels own = channels[p];
      int[] byDirection = new int[3];
      int meets = 0;
      long interference = 0;
      for (int i = 0; i < own.size(); i++) {
        byDirection[net.direction[own.port(i)] + 1]++;
        if (shared(own.port(i))) {
          meets++;
          interference += own.routes(i);
        }
      }
      int lids = 0;
      for (int m = members.start[p]; m < members.start[p + 1]; m++) {
        lids += net.lidCount(members.port[m]);
      }
      Partition partition = tenancy.partitions().get(p);
      out.add(
          new PartitionUse(
              partition.name(),
              partition.pkey(),
              partition.policy(),
              lanes.lane(p),
              partition.members().size(),
              lids,
              routes[p],
              unreached[p],
              own.size(),
              byDirection[2],
              byDirection[0],
              meets,
              interference,
              own));
    }
    return out;
  }

  List<IsolationReport.Pair> pairs() {
    List<IsolationReport.Pair> out = new ArrayList<>();
    int[][] met = new int[3][channels.length]; // down, neither, up: channels by partition
    for (int a = 0; a < channels.length; a++) {
      for (int i = 0; i < channels[a].size(); i++) {
        int c = channels[a].port(i);
        int[] counts = met[net.direction[c] + 1];
        for (int k = userStart[c + 1] - 1; k >= userStart[c] && user[k] > a; k--) {
          counts[user[k]]++;
        }
      }
      for (int b = a + 1; b < channels.length; b++) {
        if (met[0][b] + met[1][b] + met[2][b] > 0) {
          out.add(pair(a, b, met));
          met[0][b] = 0;
          met[1][b] = 0;
          met[2][b] = 0;
        }
      }
    }
    return out;
  }

  private IsolationReport.Pair pair(int a, int b, int[][] met) {
    boolean sameLane = lanes.lane(a) == lanes.lane(b);
    boolean allowed = tenancy.mayShare(a, b);
    Optional<IsolationCode> broken = Optional.empty();
    if (!allowed && either(a, b, IsolationPolicy.PHY)) {
      broken = Optional.of(IsolationCode.PHYSICAL_SHARED);
    } else if (!allowed && sameLane && either(a, b, IsolationPolicy.VLANE)) {
      broken = Optional.of(IsolationCode.LANE_SHARED);
    }
    int all = met[0][b] + met[1][b] + met[2][b];
    return new IsolationReport.Pair(
        a, b, all, met[2][b], met[0][b], sameLane, allowed, broken.map(IsolationCode::key));
  }

  boolean either(int a, int b, IsolationPolicy policy) {
    return tenancy.partitions().get(a).policy() == policy
        || tenancy.partitions().get(b).policy() == policy;
  }

  /** Channels used by physically isolated partitions. */
  int physicalChannels() {
    int count = 0;
    for (int c = 0; c < net.switchPorts; c++) {
      boolean physical = false;
      for (int k = userStart[c]; k < userStart[c + 1]; k++) {
        physical |= tenancy.partitions().get(user[k]).policy() == IsolationPolicy.PHY;
      }
      count += physical ? 1 : 0;
    }
    return count;
  }

  IsolationReport.Interference interference() {
    long[] sums = new long[3];
    for (PartitionChannels own : channels) {
      for (int i = 0; i < own.size(); i++) {
        int c = own.port(i);
        sums[net.direction[c] + 1] += shared(c) ? own.routes(i) : 0;
      }
    }
    return new IsolationReport.Interference(sums[0] + sums[1] + sums[2], sums[2], sums[0]);
  }

  /** Number of channels of a kind. */
  int channels(ChannelKind kind) {
    int count = 0;
    for (int c = 0; c < net.switchPorts; c++) {
      count += isOfKind(c, kind) ? 1 : 0;
    }
    return count;
  }

  private boolean isOfKind(int c, ChannelKind kind) {
    return switch (kind) {
      case SWITCH_TO_SWITCH -> net.hop[c] >= 0;
      case UP -> net.direction[c] > 0;
      case DOWN -> net.direction[c] < 0;
      default -> false;
    };
  }

  /** Loads of the kinds of channels that exist. */
  List<IsolationReport.Load> loads(int[] load) {
    List<IsolationReport.Load> out = new ArrayList<>();
    for (ChannelKind kind :
        new ChannelKind[] {ChannelKind.SWITCH_TO_SWITCH, ChannelKind.UP, ChannelKind.DOWN}) {
      int count = 0;
      int used = 0;
      int max = 0;
      long sum = 0;
      for (int c = 0; c < load.length; c++) {
        if (isOfKind(c, kind)) {
          count++;
          used += load[c] > 0 ? 1 : 0;
          max = Math.max(max, load[c]);
          sum += load[c];
        }
      }
      if (count > 0) {
        out.add(new IsolationReport.Load(kind, count, used, max, sum, (double) sum / count));
      }
    }
    return out;
  }

  /**
   * Both channels of a host's link count for a partition in which the host has somebody to talk to;
   * whether packets arrive does not matter here.
   */
  IsolationReport.HostChannels hostChannels(Memberships members) {
    boolean[] active = active(members);
    int used = 0;
    int several = 0;
    for (int port = net.switchPorts; port < net.peer.length; port++) {
      int sending = 0;
      for (int k = members.portStart[port]; k < members.portStart[port + 1]; k++) {
        sending += active[members.byPort[k]] ? 1 : 0;
      }
      used += sending > 0 ? 2 : 0;
      several += sending > 1 ? 2 : 0;
    }
    return new IsolationReport.HostChannels(used, several);
  }

  /** By membership: somebody else in its partition and component may talk to it. */
  private boolean[] active(Memberships members) {
    boolean[] out = new boolean[members.size()];
    int[] all = new int[net.components()];
    int[] full = new int[net.components()];
    for (int p = 0; p < members.partitions(); p++) {
      for (int m = members.start[p]; m < members.start[p + 1]; m++) {
        all[componentOf(members.port[m])]++;
        full[componentOf(members.port[m])] += members.full[m] ? 1 : 0;
      }
      for (int m = members.start[p]; m < members.start[p + 1]; m++) {
        int c = componentOf(members.port[m]);
        out[m] = members.full[m] ? all[c] > 1 : full[c] > 0;
      }
      for (int m = members.start[p]; m < members.start[p + 1]; m++) {
        all[componentOf(members.port[m])] = 0;
        full[componentOf(members.port[m])] = 0;
      }
    }
    return out;
  }

  private int componentOf(int port) {
    return net.component[net.attachedSwitch(port)];
  }
}
