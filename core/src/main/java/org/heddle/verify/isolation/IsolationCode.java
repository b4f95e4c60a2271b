package org.heddle.verify.isolation;

import org.heddle.verify.Severity;

/**
 * All findings that an isolation audit can report, in report order. The {@link #key()} is the
 * stable name for programs; {@code docs/isolation.md} explains each.
 */
public enum IsolationCode {
  /** A physically isolated partition shares a channel with one it may not share with. */
  PHYSICAL_SHARED("physical-shared", null),
  /** A partition isolated by lane shares a channel and the lane. */
  LANE_SHARED("lane-shared", null),
  /** Physically isolated partitions take more of the channels than the rules allow. */
  PHYSICAL_CAP("physical-cap", null),
  /** A partition is on a lane the fabric does not have. */
  LANE_UNAVAILABLE("lane-unavailable", null),
  /** Routes inside partitions do not arrive. */
  UNREACHED_MEMBER("unreached-member", Severity.ERROR),
  /** Members have no LID; nothing could be proven for them. */
  MEMBER_WITHOUT_LID("member-without-lid", Severity.WARNING),
  /** A physically isolated partition meets another in a host's port or adapter. */
  PHYSICAL_HOST_SHARED("physical-host-shared", Severity.WARNING),
  /** Ports in several partitions: one LID, one path for all of them. */
  TIED_PARTITIONS("tied-partitions", Severity.INFO),
  /** Ports of one adapter are in different partitions. */
  SHARED_ADAPTER("shared-adapter", Severity.INFO),
  /** Adapters of one host name are in different partitions. */
  SHARED_HOST("shared-host", Severity.INFO),
  /** Members that the fabric does not hold yet. */
  PENDING_MEMBER("pending-member", Severity.INFO),
  /** In-network aggregation is possible; its trees are not in the tables. */
  AGGREGATION_TREES("aggregation-trees", Severity.INFO),
  /** Multicast trees are not in the tables. */
  MULTICAST_TREES("multicast-trees", Severity.INFO),
  /** What the tables say holds for packets that are routed by them. */
  ADAPTIVE_ROUTING("adaptive-routing", Severity.INFO),
  /** Management uses every channel. */
  MANAGEMENT_TRAFFIC("management-traffic", Severity.INFO);

  private final String key;
  private final Severity severity;

  IsolationCode(String key, Severity severity) {
    this.key = key;
    this.severity = severity;
  }

  /** The stable name, kebab-case. */
  public String key() {
    return key;
  }

  /** True if a rule of the tenancy is broken; its strictness decides how bad that is. */
  public boolean violation() {
    return severity == null;
  }

  /** How bad every finding of this code is under strict rules, or under others. */
  public Severity severity(boolean strict) {
    if (severity != null) {
      return severity;
    }
    return strict ? Severity.ERROR : Severity.WARNING;
  }
}
