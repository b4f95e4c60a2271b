package org.heddle.verify.isolation;

import java.util.List;
import java.util.Optional;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.verify.AuditFinding;
import org.heddle.verify.AuditReport;
import org.heddle.verify.Severity;

/**
 * How well finished tables keep the partitions of a tenancy apart. Partitions are named by their
 * index in the tenancy, channels (one direction of a cable) by the id of the port they leave. All
 * counts are of channels between switches unless they say otherwise. {@code docs/isolation.md}
 * explains every number.
 *
 * @param switchChannels channels between switches that the fabric has
 * @param directed true if up and down are told apart; they are 0 everywhere otherwise
 * @param partitions one for each partition of the tenancy, in its order
 * @param pairs partitions that share at least one channel, ascending by {@code a}, then {@code b}
 * @param physicalChannels channels used by partitions with policy {@link IsolationPolicy#PHY}
 * @param hostChannels the channels between hosts and switches
 * @param contention of all destinations
 * @param receiverContention of the destinations with the greatest weight; empty if all weights are
 *     equal
 * @param interference (route, channel) combinations on channels used by several partitions
 * @param ties ports in several partitions, grouped by the set of these
 * @param findings in the order of {@link IsolationCode}
 */
public record IsolationReport(
    int switchChannels,
    boolean directed,
    List<PartitionUse> partitions,
    List<Pair> pairs,
    int physicalChannels,
    HostChannels hostChannels,
    Contention contention,
    Optional<Contention> receiverContention,
    Interference interference,
    List<Load> loads,
    List<Tie> ties,
    List<AuditFinding> findings) {
  public IsolationReport {
    partitions = List.copyOf(partitions);
    pairs = List.copyOf(pairs);
    loads = List.copyOf(loads);
    ties = List.copyOf(ties);
    findings = List.copyOf(findings);
  }

  /**
   * What one partition uses.
   *
   * @param pkey base key, without membership bit
   * @param lane virtual lane
   * @param members members of the tenancy, pending ones not counted
   * @param destinations LIDs of the members that take part
   * @param routes (source port, destination LID) inside of the partition
   * @param unreached those of them that do not arrive
   * @param used channels used
   * @param up those of them that go up
   * @param down those of them that go down
   * @param shared those of them that other partitions use too
   * @param interference (route of this partition, channel) on shared channels
   * @param channels all that are used
   */
  public record PartitionUse(
      String name,
      int pkey,
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
      PartitionChannels channels) {}

  /**
   * Two partitions that share channels.
   *
   * @param a index of one, the smaller
   * @param b index of the other
   * @param channels number of channels that both use
   * @param up those of them that go up
   * @param down those of them that go down
   * @param sameLane true if both are on one virtual lane
   * @param allowed true if the rules let the two share whatever their policies
   * @param violation key of the {@link IsolationCode} of the policy that is broken, if one is
   */
  public record Pair(
      int a,
      int b,
      int channels,
      int up,
      int down,
      boolean sameLane,
      boolean allowed,
      Optional<String> violation) {}

  /**
   * Channels between hosts and switches that routes inside of partitions take, both directions.
   *
   * @param used by at least one partition
   * @param shared by several: those of ports in several partitions
   */
  public record HostChannels(int used, int shared) {}

  /**
   * Contention as Zahid et al. define it: R destinations on one channel are worth R - 1.
   *
   * @param destinations number of destinations that count
   */
  public record Contention(int destinations, Tally all, Tally up, Tally down) {}

  /**
   * Sums over channels.
   *
   * @param contended channels with at least two destinations
   * @param total sum of R - 1 over them
   */
  public record Tally(int contended, long total) {}

  /** (route, channel) combinations where another partition uses the channel too. */
  public record Interference(long all, long up, long down) {}

  /**
   * Load in distinct destination LIDs that some member of their partition sends to over the
   * channel.
   *
   * @param kind all between switches, or those up, or those down
   * @param channels number of channels of this kind
   * @param used those with load
   * @param max the greatest load
   * @param sum of all loads
   * @param mean unused channels included
   */
  public record Load(
      AuditReport.ChannelKind kind, int channels, int used, int max, long sum, double mean) {}

  /**
   * Ports that are in the same several partitions.
   *
   * @param partitions indices, ascending
   * @param ports port ids, ascending
   */
  public record Tie(List<Integer> partitions, List<Integer> ports) {
    public Tie {
      partitions = List.copyOf(partitions);
      ports = List.copyOf(ports);
    }
  }

  /** True if no policy and no rule of the tenancy is broken, strict or not. */
  public boolean kept() {
    return violations().isEmpty();
  }

  /** The findings that say that a policy or rule of the tenancy is broken. */
  public List<AuditFinding> violations() {
    return findings.stream().filter(IsolationReport::isViolation).toList();
  }

  private static boolean isViolation(AuditFinding finding) {
    for (IsolationCode code : IsolationCode.values()) {
      if (code.key().equals(finding.code())) {
        return code.violation();
      }
    }
    return false;
  }

  /** Port ids of the channels that two partitions share, ascending. */
  public int[] sharedChannels(int a, int b) {
    return partitions.get(a).channels().common(partitions.get(b).channels());
  }

  /** The pair of two partitions, in any order, if they share a channel. */
  public Optional<Pair> pair(int a, int b) {
    int low = Math.min(a, b);
    int high = Math.max(a, b);
    return pairs.stream().filter(p -> p.a() == low && p.b() == high).findFirst();
  }

  /** Loads of a kind of channels, if there are such channels. */
  public Optional<Load> load(AuditReport.ChannelKind kind) {
    return loads.stream().filter(l -> l.kind() == kind).findFirst();
  }

  /** Number of findings of a severity. */
  public long count(Severity severity) {
    return findings.stream().filter(f -> f.severity() == severity).count();
  }
}
