package org.heddle.plan.model;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One epoch: what was changed, by whom, and how to undo it.
 *
 * @param epoch ascending from 1 without gaps
 * @param kind see {@link Change#kind}
 * @param effects tenants before and after
 * @param machines machines before and after, without their columns
 */
public record JournalEntry(
    long epoch,
    Instant at,
    String actor,
    EventKind kind,
    String subject,
    List<Effect> effects,
    List<Machine> machines) {
  public JournalEntry {
    effects = List.copyOf(effects);
    machines = List.copyOf(machines);
  }

  /** A tenant before and after; empty where it is not there. */
  public record Effect(String name, Optional<Tenant> before, Optional<Tenant> after) {}

  /** A machine before and after; empty where it is not there. */
  public record Machine(String name, Optional<Vm> before, Optional<Vm> after) {
    /** With what the journal keeps of them. */
    public Machine {
      before = before.map(Vm::bare);
      after = after.map(Vm::bare);
    }
  }
}
