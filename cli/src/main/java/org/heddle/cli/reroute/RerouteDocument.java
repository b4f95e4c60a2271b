package org.heddle.cli.reroute;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.reconfig.TableChange;
import org.heddle.reconfig.TableDiff;
import org.heddle.reconfig.reroute.MinimalReroute;
import org.heddle.text.lft.BoundTables;
import org.heddle.verify.AuditReport;

/** The JSON output of {@code heddle reroute}; {@code docs/json.md} explains the keys. */
record RerouteDocument(
    String format,
    String fabric,
    String tables,
    String method,
    String engine,
    double seconds,
    boolean changed,
    Lost lost,
    Part subtree,
    Minimal minimal,
    Changes changes,
    Writing writing,
    List<Load> balance,
    int errors,
    int warnings,
    int errorsBefore,
    List<String> notes,
    boolean dryRun,
    String output,
    String outputFormat) {

  /** What the tables speak of and the fabric does not have, by GUID. */
  record Lost(List<String> switches, List<String> ports, List<Dead> links) {
    static Lost of(Reroute r) {
      BoundTables.Lost lost = r.old().lost();
      Fabric fabric = r.now().fabric();
      List<Dead> links =
          r.dead().stream()
              .map(
                  d ->
                      new Dead(
                          Guid.format(fabric.nodeGuid(d.sw())),
                          fabric.description(d.sw()),
                          d.port(),
                          d.lids()))
              .toList();
      return new Lost(guids(lost.switches()), guids(lost.ports()), links);
    }
  }

  /** A port without a link that the old tables send to. */
  record Dead(String guid, String name, int port, int lids) {}

  /** What {@code --subtree-of} did. */
  record Part(
      int levels,
      int switches,
      int hosts,
      int lids,
      int ordered,
      long keptEntries,
      boolean fromNeighbourhood) {}

  /** What {@code --minimal} did. */
  record Minimal(
      long freshPaths,
      long freshEntries,
      long freshBlocks,
      long illegal,
      int moved,
      boolean isFresh,
      List<MinimalReroute.Balance> balance) {}

  /** What differs. */
  record Changes(
      long smps, long entries, long routes, long changedPaths, long paths, List<Switch> switches) {}

  /** What is written to a switch. */
  record Switch(String guid, String name, int blocks, int entries) {}

  /** An order of writing. */
  record Writing(List<Integer> droppedLids, List<Write> packets, List<String> notes) {}

  /** One packet. */
  record Write(String guid, int block, boolean drop) {}

  /** Destinations on the fullest channel of a kind. */
  record Load(AuditReport.ChannelKind kind, Long before, Long after) {}

  static RerouteDocument of(
      Reroute r, String fabric, String tables, boolean dryRun, String output, String format) {
    return new RerouteDocument(
        "heddle.reroute/1",
        fabric,
        tables,
        r.method(),
        r.engine(),
        r.seconds(),
        !r.diff().isEmpty(),
        Lost.of(r),
        r.part().flatMap(RerouteDocument::part).orElse(null),
        r.minimal().map(RerouteDocument::minimal).orElse(null),
        changes(r),
        writing(r.now().fabric(), r.order()),
        balance(r),
        r.after().errors(),
        r.after().warnings(),
        r.before().errors(),
        r.notes(),
        dryRun,
        output,
        format);
  }

  private static List<String> guids(List<Long> guids) {
    return guids.stream().map(Guid::format).toList();
  }

  private static Optional<Part> part(Reroute.Part part) {
    return part.subtree()
        .map(
            s ->
                new Part(
                    s.tree().levels(),
                    s.part().fabric().switchCount(),
                    s.part().fabric().caCount(),
                    part.lids(),
                    part.ordered(),
                    part.kept(),
                    s.fromNeighbourhood()));
  }

  private static Minimal minimal(MinimalReroute.Report m) {
    return new Minimal(
        m.fresh().paths(),
        m.fresh().entries(),
        m.fresh().blocks(),
        m.illegal(),
        m.moved(),
        m.isFresh(),
        m.balance());
  }

  private static Changes changes(Reroute r) {
    List<Switch> switches = new ArrayList<>();
    for (TableDiff.SwitchChange c : r.diff().switches()) {
      String name = r.now().fabric().description(c.sw());
      switches.add(new Switch(Guid.format(c.guid()), name, c.blocks(), c.entries()));
    }
    return new Changes(
        r.diff().smps(),
        r.diff().entries(),
        r.diff().routes(),
        r.paths().paths(),
        r.after().reachability(AuditReport.PairKind.CA_TO_CA).pairs(),
        switches);
  }

  private static Writing writing(Fabric fabric, TableChange order) {
    List<Write> packets = new ArrayList<>();
    for (TableChange.Write w : order.writes()) {
      packets.add(new Write(Guid.format(fabric.nodeGuid(w.sw())), w.block(), w.drop()));
    }
    return new Writing(order.dropped(), packets, order.notes());
  }

  private static List<Load> balance(Reroute r) {
    List<Load> out = new ArrayList<>();
    for (AuditReport.ChannelKind kind : AuditReport.ChannelKind.values()) {
      Optional<AuditReport.LoadSummary> after = r.after().destinationLoad(kind);
      Optional<AuditReport.LoadSummary> before = r.before().destinationLoad(kind);
      if (after.isPresent() || before.isPresent()) {
        out.add(
            new Load(
                kind,
                before.map(AuditReport.LoadSummary::max).orElse(null),
                after.map(AuditReport.LoadSummary::max).orElse(null)));
      }
    }
    return out;
  }
}
