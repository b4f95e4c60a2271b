package org.heddle.verify.isolation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.heddle.fabric.Fabric;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Lanes;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.Tenancy;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.verify.AuditFinding;
import org.heddle.verify.AuditMessages;
import org.heddle.verify.AuditReport;
import org.heddle.verify.Network;
import org.heddle.verify.Severity;

/** Turns what was found into sentences, in the order of {@link IsolationCode}. */
final class IsolationFindings {
  private final Network net;
  private final Tenancy tenancy;
  private final Lanes lanes;
  private final Memberships members;
  private final Sharing sharing;
  private final int keep;
  private final List<AuditFinding> out = new ArrayList<>();

  IsolationFindings(
      Network net, Tenancy tenancy, Lanes lanes, Memberships members, Sharing sharing, int keep) {
    this.net = net;
    this.tenancy = tenancy;
    this.lanes = lanes;
    this.members = members;
    this.sharing = sharing;
    this.keep = keep;
  }

  /** All findings. Call once. */
  List<AuditFinding> list(List<IsolationReport.Pair> pairs, List<IsolationReport.Tie> ties) {
    policy(pairs, IsolationCode.PHYSICAL_SHARED);
    policy(pairs, IsolationCode.LANE_SHARED);
    cap();
    lanesAvailable();
    unreached();
    withoutLid();
    hosts(ties);
    pending();
    standing();
    return List.copyOf(out);
  }

  private void add(IsolationCode code, long count, String message, List<String> examples) {
    if (count > 0) {
      Severity severity = code.severity(tenancy.rules().strict());
      out.add(new AuditFinding(code.key(), severity, message, count, examples));
    }
  }

  private Partition partition(int index) {
    return tenancy.partitions().get(index);
  }

  private String quoted(int index) {
    return "'" + partition(index).name() + "'";
  }

  // ---- rules

  private void policy(List<IsolationReport.Pair> pairs, IsolationCode code) {
    long count = 0;
    List<String> examples = new ArrayList<>();
    for (IsolationReport.Pair pair : pairs) {
      if (pair.violation().filter(code.key()::equals).isPresent()) {
        count++;
        if (examples.size() < keep) {
          examples.add(meeting(pair));
        }
      }
    }
    String unit =
        AuditMessages.count(count, "pair of partitions shares", "pairs of partitions share");
    String what =
        code == IsolationCode.PHYSICAL_SHARED
            ? " channels although one of the two is to be isolated physically."
            : " channels and the lane although one of the two is to have a lane of its own.";
    add(code, count, unit + what, examples);
  }

  private String meeting(IsolationReport.Pair pair) {
    int first = sharing.channelsOf(pair.a()).common(sharing.channelsOf(pair.b()))[0];
    return quoted(pair.a())
        + word(pair.a())
        + " and "
        + quoted(pair.b())
        + word(pair.b())
        + " share "
        + AuditMessages.count(pair.channels(), "channel", "channels")
        + (pair.sameLane() ? " on lane " + lanes.lane(pair.a()) : " on separate lanes")
        + ", first "
        + channel(first);
  }

  private String word(int index) {
    return " (" + partition(index).policy().word() + ")";
  }

  private String channel(int port) {
    return AuditMessages.port(net.fabric, port)
        + " -> "
        + AuditMessages.port(net.fabric, net.peer[port]);
  }

  private void cap() {
    int all = sharing.channels(AuditReport.ChannelKind.SWITCH_TO_SWITCH);
    int taken = sharing.physicalChannels();
    double most = tenancy.rules().physicalShare();
    // an integer against a product that is rounded: 0.29 * 100 must allow 29 channels
    if (taken > most * all + 1e-9 * all) {
      String message =
          String.format(
              Locale.ROOT,
              "Physically isolated partitions use %d of %s between switches, %.1f%%; the"
                  + " rules allow %.1f%%.",
              taken,
              AuditMessages.count(all, "channel", "channels"),
              100.0 * taken / all,
              100 * most);
      add(IsolationCode.PHYSICAL_CAP, taken, message, List.of());
    }
  }

  private void lanesAvailable() {
    int available = tenancy.rules().dataLanes();
    int count = 0;
    List<String> examples = new ArrayList<>();
    for (int p = 0; p < lanes.size(); p++) {
      if (lanes.lane(p) >= available) {
        count++;
        if (examples.size() < keep) {
          examples.add(quoted(p) + " is on lane " + lanes.lane(p));
        }
      }
    }
    String unit = AuditMessages.count(count, "partition is", "partitions are");
    String message = unit + " on a lane beyond the " + available + " of the fabric.";
    add(IsolationCode.LANE_UNAVAILABLE, count, message, examples);
  }

  // ---- what could not be proven

  private void unreached() {
    long count = 0;
    List<String> examples = new ArrayList<>();
    for (int p = 0; p < members.partitions(); p++) {
      long lost = sharing.unreached(p);
      count += lost;
      if (lost > 0 && examples.size() < keep) {
        examples.add(AuditMessages.count(lost, "route", "routes") + " inside " + quoted(p));
      }
    }
    String unit = AuditMessages.count(count, "route", "routes");
    String message = unit + " inside partitions do not arrive.";
    if (count == 1) {
      message = "1 route inside a partition does not arrive.";
    }
    add(IsolationCode.UNREACHED_MEMBER, count, message, examples);
  }

  private void withoutLid() {
    long count = 0;
    List<String> examples = new ArrayList<>();
    for (int p = 0; p < members.partitions(); p++) {
      count += members.withoutLid[p];
      if (members.withoutLid[p] > 0 && examples.size() < keep) {
        examples.add(members.withoutLid[p] + " of " + quoted(p));
      }
    }
    String unit = AuditMessages.count(count, "member has", "members have");
    String message = unit + " no LID; nothing is proven for routes from and to them.";
    add(IsolationCode.MEMBER_WITHOUT_LID, count, message, examples);
  }

  private void pending() {
    long count = 0;
    List<String> examples = new ArrayList<>();
    for (int p = 0; p < members.partitions(); p++) {
      int more = partition(p).pending().size();
      count += more;
      if (more > 0 && examples.size() < keep) {
        examples.add(more + " of " + quoted(p));
      }
    }
    String unit = AuditMessages.count(count, "member is", "members are");
    String message = unit + " not in the fabric yet; nothing is proven for them.";
    add(IsolationCode.PENDING_MEMBER, count, message, examples);
  }

  // ---- hosts

  private void hosts(List<IsolationReport.Tie> ties) {
    HostGroups groups = new HostGroups(net.fabric, tenancy);
    HostGroups.Found ports = new HostGroups.Found(keep);
    for (IsolationReport.Tie tie : ties) {
      for (int port : tie.ports()) {
        ports.add(AuditMessages.port(net.fabric, port), tie.partitions());
      }
    }
    HostGroups.Found adapters = groups.adapters(keep);
    HostGroups.Found named = groups.hosts(keep);
    HostGroups.Found physical = groups.physical(keep);
    String unit = AuditMessages.count(physical.count, "adapter carries", "adapters carry");
    String message =
        unit
            + " a physically isolated partition and another it may not share with: they meet in the"
            + " adapter and, on one port, on its link.";
    add(IsolationCode.PHYSICAL_HOST_SHARED, physical.count, message, physical.examples(tenancy));
    unit = AuditMessages.count(ports.count, "port is", "ports are");
    message = unit + " in several partitions: a LID has one path, which ties them together.";
    add(IsolationCode.TIED_PARTITIONS, ports.count, message, ports.examples(tenancy));
    unit = AuditMessages.count(adapters.count, "adapter has", "adapters have");
    message = unit + " ports in different partitions.";
    add(IsolationCode.SHARED_ADAPTER, adapters.count, message, adapters.examples(tenancy));
    unit = AuditMessages.count(named.count, "host name has", "host names have");
    message = unit + " adapters in different partitions.";
    add(IsolationCode.SHARED_HOST, named.count, message, named.examples(tenancy));
  }

  // ---- what tables cannot show

  private void standing() {
    boolean physical = has(IsolationPolicy.PHY);
    if (!physical && !has(IsolationPolicy.VLANE)) {
      return;
    }
    int count = members.partitions();
    int aggregation = 0;
    for (int node = net.switches; node < net.fabric.nodeCount(); node++) {
      aggregation += FabricExtras.isAggregationNode(net.fabric, node) ? 1 : 0;
    }
    String unit = AuditMessages.count(aggregation, "aggregation node", "aggregation nodes");
    String message =
        unit
            + " in the switches: in-network reduction runs over trees that are not in the tables"
            + " and may use any channel.";
    add(IsolationCode.AGGREGATION_TREES, aggregation, message, List.of());
    message =
        "Multicast, and IPoIB with it, runs over trees of the subnet manager that are not in the"
            + " tables and may use any channel.";
    add(IsolationCode.MULTICAST_TREES, count, message, List.of());
    message =
        "With adaptive routing switches leave the tables: the findings hold only for lanes on which"
            + " it is off.";
    add(IsolationCode.ADAPTIVE_ROUTING, count, message, List.of());
    message =
        "Management datagrams and the default partition use channels of every partition: it is "
            + "little traffic, but it is not zero.";
    add(IsolationCode.MANAGEMENT_TRAFFIC, physical ? count : 0, message, List.of());
  }

  private boolean has(IsolationPolicy policy) {
    return tenancy.partitions().stream().anyMatch(p -> p.policy() == policy);
  }

  /** Ports in several partitions, by set of partitions in the order of their first port. */
  static List<IsolationReport.Tie> ties(Fabric fabric, Tenancy tenancy) {
    Map<List<Integer>, List<Integer>> groups = new LinkedHashMap<>();
    List<List<Integer>> ofPort = HostGroups.partitionsByPort(fabric, tenancy);
    for (int port = 0; port < ofPort.size(); port++) {
      if (ofPort.get(port).size() > 1) {
        groups.computeIfAbsent(ofPort.get(port), _ -> new ArrayList<>()).add(port);
      }
    }
    List<IsolationReport.Tie> ties = new ArrayList<>();
    groups.forEach((set, ports) -> ties.add(new IsolationReport.Tie(set, ports)));
    return ties;
  }
}
