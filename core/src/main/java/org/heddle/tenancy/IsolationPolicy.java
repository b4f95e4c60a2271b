package org.heddle.tenancy;

/**
 * How strictly a partition is kept apart from others, strictest first (Zahid et al., table 1: the
 * policy parameters of pFTree-Ext).
 */
public enum IsolationPolicy {
  /** Physical: its traffic shares no switch-to-switch channel with any other partition's. */
  PHY,
  /** Virtual lane: where it shares a channel, the other partition's traffic is on another lane. */
  VLANE,
  /** Default: kept apart as far as balance allows, and on lanes as long as there are any left. */
  DEF;

  /** The word used in files and on the command line: {@code phy}, {@code vlane}, {@code def}. */
  public String word() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
