package org.heddle.verify;

/**
 * All findings that an audit can report, in report order. The {@link #key()} is the stable name for
 * programs; {@code docs/audit.md} explains each.
 */
public enum AuditCode {
  /** An entry names a port number the switch does not have. */
  PORT_OUT_OF_RANGE("port-out-of-range", Severity.ERROR),
  /** An entry names a port without a cable. */
  DANGLING_PORT("dangling-port", Severity.ERROR),
  /** An entry says port 0 for a LID that is not the switch's own. */
  PORT_ZERO("port-zero", Severity.ERROR),
  /** A switch does not send its own LID to its port 0. */
  OWN_LID("own-lid", Severity.ERROR),
  /** An entry leads to a port of a channel adapter or router that does not own the LID. */
  WRONG_HOST("wrong-host", Severity.ERROR),
  /** A channel adapter or router does not reach another one. */
  UNREACHABLE_CA_CA("unreachable-ca-ca", Severity.ERROR),
  /** A switch does not reach a channel adapter or router. */
  UNREACHABLE_SWITCH_CA("unreachable-switch-ca", Severity.WARNING),
  /** A channel adapter or router does not reach a switch. */
  UNREACHABLE_CA_SWITCH("unreachable-ca-switch", Severity.WARNING),
  /** A switch does not reach another switch. */
  UNREACHABLE_SWITCH_SWITCH("unreachable-switch-switch", Severity.WARNING),
  /** Packets for a LID run in circles (forwarding loop). */
  FORWARDING_LOOP("forwarding-loop", Severity.ERROR),
  /** The routes between channel adapters wait for each other in a cycle (credit loop). */
  CREDIT_LOOP("credit-loop", Severity.ERROR),
  /** They do once switches are sources and destinations too. */
  CREDIT_LOOP_SWITCHES("credit-loop-switches", Severity.WARNING),
  /** Routes between channel adapters go down and then up again. */
  DOWN_UP_ROUTE("down-up-route", Severity.WARNING),
  /** Routes between channel adapters use a link that goes neither up nor down. */
  SAME_LEVEL_ROUTE("same-level-route", Severity.WARNING),
  /** Linked hosts exist, but none has a LID: nothing was checked that an operator cares for. */
  NOTHING_CHECKED("nothing-checked", Severity.ERROR),
  /** Linked endports have no LID; nothing could be checked for them. */
  ENDPORT_WITHOUT_LID("endport-without-lid", Severity.WARNING),
  /** Some hosts have no component in common: no table could connect them. */
  SPLIT_FABRIC("split-fabric", Severity.WARNING),
  /** Several components, but every host is in each that has hosts: planes, or spare switches. */
  SEVERAL_COMPONENTS("several-components", Severity.INFO),
  /** Entries for LIDs that no endport of the switch's component owns. */
  STALE_ENTRY("stale-entry", Severity.INFO),
  /** Links between switches that no route between channel adapters uses. */
  UNUSED_LINK("unused-link", Severity.INFO),
  /** Links between switches used in one direction only. */
  HALF_USED_LINK("half-used-link", Severity.INFO),
  /** All routes to a machine with several ports pass one switch, though cables lead round it. */
  SINGLE_POINT_OF_FAILURE("single-point-of-failure", Severity.WARNING),
  /** A machine with several ports is cabled so that one switch cuts it off. */
  MACHINE_ON_ONE_SWITCH("machine-on-one-switch", Severity.INFO);

  private final String key;
  private final Severity severity;

  AuditCode(String key, Severity severity) {
    this.key = key;
    this.severity = severity;
  }

  /** The stable name, kebab-case. */
  public String key() {
    return key;
  }

  /** How bad every finding of this code is. */
  public Severity severity() {
    return severity;
  }
}
