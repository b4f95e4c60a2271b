package org.heddle.verify;

import java.util.List;
import java.util.Optional;

/**
 * The results of an audit, as data. "CA" stands for channel adapters and routers throughout; their
 * endports are their linked ports that have a LID.
 *
 * @param size what was checked
 * @param components connected components; endports of different ones are not expected to reach each
 *     other
 * @param entries counts over all table entries
 * @param reachability one element for each {@link PairKind}, in enum order
 * @param loopCount (LID, loop) combinations in which packets run in circles
 * @param loops the distinct circles by first LID, at most {@value Audit#MAX_LOOPS}
 * @param creditLoops channel dependencies of the routes between CAs
 * @param creditLoopsWithSwitches the same with every switch as source and destination too
 * @param upDown the up/down property; empty if no tree was given
 * @param destinationLoad load of the channels in distinct destination LIDs, by kind of channel
 * @param pairLoad load of the channels in source-destination pairs, by kind of channel
 * @param hops length of the routes between CAs
 * @param links use of the links between switches
 * @param singlePoints machines with several ports that depend on one switch, by node id
 * @param findings the findings, in {@link AuditCode} order
 * @param channels load of every single channel; for other computations, not for printing
 */
public record AuditReport(
    Size size,
    List<Component> components,
    Entries entries,
    List<Reachability> reachability,
    long loopCount,
    List<ForwardingLoop> loops,
    CreditLoops creditLoops,
    CreditLoops creditLoopsWithSwitches,
    Optional<UpDown> upDown,
    List<LoadSummary> destinationLoad,
    List<LoadSummary> pairLoad,
    Hops hops,
    LinkUse links,
    List<SinglePoint> singlePoints,
    List<AuditFinding> findings,
    ChannelLoad channels) {

  public AuditReport {
    components = List.copyOf(components);
    reachability = List.copyOf(reachability);
    loops = List.copyOf(loops);
    destinationLoad = List.copyOf(destinationLoad);
    pairLoad = List.copyOf(pairLoad);
    singlePoints = List.copyOf(singlePoints);
    findings = List.copyOf(findings);
  }

  /** Number of findings that are errors. */
  public int errors() {
    return count(Severity.ERROR);
  }

  /** The same report with other findings. */
  public AuditReport withFindings(List<AuditFinding> other) {
    return new AuditReport(
        size,
        components,
        entries,
        reachability,
        loopCount,
        loops,
        creditLoops,
        creditLoopsWithSwitches,
        upDown,
        destinationLoad,
        pairLoad,
        hops,
        links,
        singlePoints,
        other,
        channels);
  }

  /** Number of findings that are warnings. */
  public int warnings() {
    return count(Severity.WARNING);
  }

  /** True if there is no error; warnings may remain. */
  public boolean clean() {
    return errors() == 0;
  }

  private int count(Severity severity) {
    int n = 0;
    for (AuditFinding finding : findings) {
      n += finding.severity() == severity ? 1 : 0;
    }
    return n;
  }

  /** The finding of that code, or empty. */
  public Optional<AuditFinding> finding(AuditCode code) {
    for (AuditFinding finding : findings) {
      if (finding.code().equals(code.key())) {
        return Optional.of(finding);
      }
    }
    return Optional.empty();
  }

  /** The reachability of one kind. */
  public Reachability reachability(PairKind kind) {
    return reachability.get(kind.ordinal());
  }

  /** Load in distinct destination LIDs of the channels of that kind; empty if it has no channel. */
  public Optional<LoadSummary> destinationLoad(ChannelKind kind) {
    return destinationLoad.stream().filter(l -> l.kind() == kind).findFirst();
  }

  /** Load in source-destination pairs of the channels of that kind; empty if it has no channel. */
  public Optional<LoadSummary> pairLoad(ChannelKind kind) {
    return pairLoad.stream().filter(l -> l.kind() == kind).findFirst();
  }

  /**
   * A machine with several ports, all of which are reached from elsewhere over one switch.
   *
   * @param machine its first adapter
   * @param ports that have a LID and a cable to a switch
   * @param byCables true if the cables leave no other way, false if it is the routes
   */
  public record SinglePoint(String machine, int ports, String switchName, boolean byCables) {}

  /**
   * What was checked.
   *
   * @param caEndports linked ports of CAs and routers that have a LID: sources and destinations
   * @param caLids LIDs of these
   * @param switchLids LIDs of port 0 of switches
   */
  public record Size(
      int switches, int cas, int routers, int caEndports, int caLids, int switchLids) {}

  /**
   * Ports that can reach each other over cables and switches.
   *
   * @param caEndports linked ports of CAs and routers, with or without LID
   * @param name a node in it, for people
   */
  public record Component(int switches, int caEndports, String name) {}

  /**
   * Counts of entries by what is wrong with them; an entry is a (switch, LID) combination where the
   * LID belongs to an endport of the switch's component.
   *
   * @param checked all of them
   * @param missing no entry, own LIDs aside
   * @param stale entries there are for other LIDs
   */
  public record Entries(
      long checked,
      long missing,
      long portOutOfRange,
      long danglingPort,
      long portZero,
      long ownLid,
      long wrongHost,
      long stale) {}

  /** Who sends to whom. */
  public enum PairKind {
    /** Endport of a CA to LID of another endport of a CA. */
    CA_TO_CA,
    /** Switch to LID of a CA. */
    SWITCH_TO_CA,
    /** Endport of a CA to LID of a switch. */
    CA_TO_SWITCH,
    /** Switch to LID of another switch. */
    SWITCH_TO_SWITCH
  }

  /**
   * Reachability of LIDs, in (source, LID) pairs of one component.
   *
   * @param pairs all of them
   * @param unreachable those that do not arrive, the sum of the next three
   * @param missingEntry the route ends at a switch without entry
   * @param badEntry the route ends at an entry that cannot be right
   * @param loop true if the route runs in circles
   */
  public record Reachability(
      PairKind kind, long pairs, long unreachable, long missingEntry, long badEntry, long loop) {}

  /**
   * One circle.
   *
   * @param lid the smallest LID whose packets run round it
   * @param lids how many LIDs' packets do; 0 (not counted) if there are more distinct circles than
   *     the report keeps
   * @param switches length of the circle
   * @param path the circle, switch by switch, with output ports
   */
  public record ForwardingLoop(int lid, long lids, int switches, String path) {}

  /**
   * The channel dependency graph over switch-to-switch channels, one virtual lane (Dally and Seitz
   * 1987; Duato 1996): a dependency (c1, c2) exists if and only if the route of some source to some
   * LID takes c1 and then c2.
   *
   * @param channels channels between switches
   * @param dependencies edges of the graph
   * @param cyclic strongly connected components that contain a cycle: 0 means free of deadlock
   * @param largest channels in the largest of them
   * @param cycleLength channels of the printed cycle, 0 if there is none
   * @param shortest true if no shorter cycle exists; false if the search was cut short
   * @param cycle a cycle, channel by channel; empty if there is none
   */
  public record CreditLoops(
      int channels,
      long dependencies,
      int cyclic,
      int largest,
      int cycleLength,
      boolean shortest,
      String cycle) {}

  /**
   * The up/down property of routes between CAs that arrive.
   *
   * @param routes (source endport, LID) pairs that arrive over at least one switch
   * @param downUpRoutes those that go up somewhere after they went down
   * @param sameLevelRoutes those that use a link between switches that goes neither up nor down
   * @param downUpTurns distinct (switch, input port, output port) where traffic between CAs turns
   *     from down to up directly
   */
  public record UpDown(long routes, long downUpRoutes, long sameLevelRoutes, long downUpTurns) {}

  /** Kinds of channels. */
  public enum ChannelKind {
    /** From a CA into a switch. */
    CA_TO_SWITCH,
    /** From a switch to a CA. */
    SWITCH_TO_CA,
    /** Between switches, all directions. */
    SWITCH_TO_SWITCH,
    /** Between switches, to a higher level; needs a tree. */
    UP,
    /** Between switches, to a lower level; needs a tree. */
    DOWN
  }

  /**
   * Load of the channels of one kind.
   *
   * @param channels how many there are
   * @param used how many carry anything
   * @param max the largest load
   * @param mean mean over all channels, unused ones included
   * @param histogram channels by load, ascending, unused ones included
   */
  public record LoadSummary(
      ChannelKind kind, int channels, int used, long max, double mean, List<LoadBin> histogram) {
    public LoadSummary {
      histogram = List.copyOf(histogram);
    }
  }

  /** How many channels carry exactly this load. */
  public record LoadBin(long load, int channels) {}

  /**
   * Length of the routes between different endports of CAs that arrive, in switches traversed; two
   * CAs cabled to each other have 0.
   *
   * @param histogram element i: routes over i switches; no trailing zeros
   */
  public record Hops(long routes, int max, double mean, List<Long> histogram) {
    public Hops {
      histogram = List.copyOf(histogram);
    }
  }

  /**
   * Use of the links between switches by routes between CAs.
   *
   * @param unused no route in either direction
   * @param halfUsed routes in one direction only
   */
  public record LinkUse(int links, int unused, int halfUsed) {}
}
