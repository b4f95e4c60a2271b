package org.heddle.cli.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.cli.shell.TenantsInput;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.verify.AuditFinding;
import org.heddle.verify.isolation.IsolationReport;
import org.heddle.verify.isolation.IsolationReport.Contention;
import org.heddle.verify.isolation.IsolationReport.PartitionUse;
import org.heddle.verify.isolation.PartitionChannels;

/** The JSON form of an isolation report: partitions by name, ports by node GUID and number. */
record IsolationDocument(
    boolean kept,
    boolean strict,
    boolean lanesKnown,
    boolean directed,
    int switchChannels,
    int physicalChannels,
    IsolationReport.HostChannels hostChannels,
    Contention contention,
    Optional<Contention> receiverContention,
    IsolationReport.Interference interference,
    List<IsolationReport.Load> loads,
    List<Use> partitions,
    List<Meeting> pairs,
    List<Tied> ties,
    List<AuditFinding> findings) {

  /** A partition with its channels. */
  record Use(
      String name,
      String pkey,
      IsolationPolicy policy,
      int lane,
      int members,
      int destinations,
      long routes,
      long unreached,
      int used,
      int up,
      int down,
      int shared,
      long interference,
      int fullest,
      long contention,
      List<Channel> channels) {}

  /** A channel, by the port it leaves. */
  record Channel(String guid, int port, int destinations, long routes, long weight) {}

  /** Two partitions that share channels. */
  record Meeting(
      String a,
      String b,
      int channels,
      int up,
      int down,
      boolean sameLane,
      boolean allowed,
      Optional<String> violation) {}

  /** Ports in the same several partitions. */
  record Tied(List<String> partitions, List<Port> ports) {}

  /** A port of a host. */
  record Port(String node, String guid, int port) {}

  static IsolationDocument of(Fabric fabric, IsolationReport report, TenantsInput input) {
    List<Use> uses = new ArrayList<>();
    report.partitions().forEach(use -> uses.add(use(fabric, use)));
    List<Meeting> pairs = new ArrayList<>();
    for (IsolationReport.Pair p : report.pairs()) {
      pairs.add(
          new Meeting(
              uses.get(p.a()).name(),
              uses.get(p.b()).name(),
              p.channels(),
              p.up(),
              p.down(),
              p.sameLane(),
              p.allowed(),
              p.violation()));
    }
    List<Tied> ties = new ArrayList<>();
    for (IsolationReport.Tie tie : report.ties()) {
      ties.add(
          new Tied(
              tie.partitions().stream().map(p -> uses.get(p).name()).toList(),
              tie.ports().stream().map(p -> port(fabric, p)).toList()));
    }
    return new IsolationDocument(
        report.kept(),
        input.tenancy().rules().strict(),
        input.lanesKnown(),
        report.directed(),
        report.switchChannels(),
        report.physicalChannels(),
        report.hostChannels(),
        report.contention(),
        report.receiverContention(),
        report.interference(),
        report.loads(),
        uses,
        pairs,
        ties,
        report.findings());
  }

  private static Use use(Fabric fabric, PartitionUse u) {
    PartitionChannels c = u.channels();
    List<Channel> channels = new ArrayList<>(c.size());
    for (int i = 0; i < c.size(); i++) {
      String guid = Guid.format(fabric.nodeGuid(fabric.nodeOf(c.port(i))));
      int number = fabric.numberOf(c.port(i));
      channels.add(new Channel(guid, number, c.destinations(i), c.routes(i), c.weight(i)));
    }
    return new Use(
        u.name(),
        String.format("0x%04x", u.pkey()),
        u.policy(),
        u.lane(),
        u.members(),
        u.destinations(),
        u.routes(),
        u.unreached(),
        u.used(),
        u.up(),
        u.down(),
        u.shared(),
        u.interference(),
        c.fullest(),
        c.contention(),
        channels);
  }

  private static Port port(Fabric fabric, int port) {
    int node = fabric.nodeOf(port);
    return new Port(
        fabric.description(node), Guid.format(fabric.nodeGuid(node)), fabric.numberOf(port));
  }
}
