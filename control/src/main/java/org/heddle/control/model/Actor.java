package org.heddle.control.model;

/**
 * Who asks.
 *
 * @param name of the user or token, for the audit log
 * @param tenant the tenant whose resources a tenant's actor may see; empty for others
 */
public record Actor(String name, Role role, String tenant) {
  /** The controller itself. */
  public static final Actor SYSTEM = new Actor("system", Role.PROVIDER, "");

  /** What somebody may do. */
  public enum Role {
    /** Everything. */
    PROVIDER,
    /** See and change its own. */
    TENANT,
    /** See everything, change nothing. */
    VIEWER
  }

  /** True if this one may see what belongs to that owner. */
  public boolean sees(String owner) {
    return role != Role.TENANT || tenant.equals(owner);
  }

  /** True if this one may change what belongs to that owner. */
  public boolean changes(String owner) {
    return role == Role.PROVIDER || role == Role.TENANT && tenant.equals(owner);
  }
}
