package org.heddle.control.model;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One epoch: what was changed, by whom, and how to undo it.
 *
 * @param epoch ascending from 1 without gaps
 * @param kind see {@link Change#kind}
 * @param effects tenants before and after
 */
public record JournalEntry(
    long epoch, Instant at, String actor, String kind, String subject, List<Effect> effects) {
  public JournalEntry {
    effects = List.copyOf(effects);
  }

  /** A tenant before and after; empty where it is not there. */
  public record Effect(String name, Optional<Tenant> before, Optional<Tenant> after) {}
}
