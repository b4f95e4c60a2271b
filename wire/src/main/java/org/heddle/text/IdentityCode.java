package org.heddle.text;

import java.util.Optional;
import org.heddle.verify.Severity;

/**
 * What can be wrong with the identity of nodes, ports and addresses. {@link #key()} is the stable
 * name for machines; {@code docs/topology.md} explains every one.
 */
public enum IdentityCode {
  /** Two nodes have one node GUID: nobody can say which of them a table or a key is for. */
  DUPLICATE_NODE_GUID("duplicate-node-guid", Problem.Severity.ERROR, Severity.ERROR),
  /** Two ports have one port GUID: whoever may use a partition with one may with the other. */
  DUPLICATE_PORT_GUID("duplicate-port-guid", Problem.Severity.ERROR, Severity.ERROR),
  /** Two cables claim one port. */
  PORT_CABLED_TWICE("port-cabled-twice", Problem.Severity.WARNING, Severity.WARNING),
  /** Two ports have one LID. */
  DUPLICATE_LID("duplicate-lid", Problem.Severity.WARNING, Severity.WARNING),
  /** One port has several LIDs that no LMC explains. */
  SEVERAL_LIDS("several-lids", Problem.Severity.WARNING, Severity.WARNING),
  /** Two machines have one system image GUID. */
  DUPLICATE_SYSTEM_GUID("duplicate-system-guid", Problem.Severity.NOTE, Severity.WARNING),
  /** Adapters whose description names no machine. */
  UNNAMED_ADAPTERS("unnamed-adapters", Problem.Severity.NOTE, Severity.WARNING),
  /** Several adapters that are not one card have the very same description. */
  EQUAL_NAMES("equal-names", Problem.Severity.NOTE, Severity.WARNING),
  /** Switches without a name, or with the firmware's. */
  UNNAMED_SWITCHES("unnamed-switches", Problem.Severity.NOTE, Severity.INFO),
  /** Several switches have the very same name. */
  EQUAL_SWITCH_NAMES("equal-switch-names", Problem.Severity.NOTE, Severity.INFO),
  /** Tables send a LID to a port that does not have it: a virtual function, or another fabric. */
  UNKNOWN_LID("unknown-lid", Problem.Severity.NOTE, Severity.WARNING);

  private final String key;
  private final Problem.Severity whileReading;
  private final Severity whenJudged;

  IdentityCode(String key, Problem.Severity whileReading, Severity whenJudged) {
    this.key = key;
    this.whileReading = whileReading;
    this.whenJudged = whenJudged;
  }

  /** The stable name, kebab-case. */
  public String key() {
    return key;
  }

  /** What it means for a command that only reads the file. */
  public Problem.Severity whileReading() {
    return whileReading;
  }

  /** What it means for a command that judges the fabric: {@code fabric check} and {@code audit}. */
  public Severity whenJudged() {
    return whenJudged;
  }

  /** The code of that key; empty for null and unknown ones. */
  public static Optional<IdentityCode> ofKey(String key) {
    for (IdentityCode code : values()) {
      if (code.key.equals(key)) {
        return Optional.of(code);
      }
    }
    return Optional.empty();
  }
}
