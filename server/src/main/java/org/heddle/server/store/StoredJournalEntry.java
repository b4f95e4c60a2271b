package org.heddle.server.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.heddle.plan.model.JournalEntry;

/** An epoch in a database; without machines before there were any. */
record StoredJournalEntry(
    long epoch,
    Instant at,
    String actor,
    String kind,
    String subject,
    List<TenantEffect> effects,
    List<VmEffect> machines)
    implements StoredDocument<JournalEntry> {
  /** A tenant before and after. */
  record TenantEffect(String name, Optional<StoredTenant> before, Optional<StoredTenant> after) {}

  /** A machine before and after. */
  record VmEffect(String name, Optional<StoredVm> before, Optional<StoredVm> after) {}

  static StoredJournalEntry of(JournalEntry e) {
    return new StoredJournalEntry(
        e.epoch(),
        e.at(),
        e.actor(),
        e.kind().word(),
        e.subject(),
        e.effects().stream()
            .map(
                f ->
                    new TenantEffect(
                        f.name(),
                        f.before().map(StoredTenant::of),
                        f.after().map(StoredTenant::of)))
            .toList(),
        e.machines().stream()
            .map(
                m ->
                    new VmEffect(
                        m.name(), m.before().map(StoredVm::of), m.after().map(StoredVm::of)))
            .toList());
  }

  @Override
  public JournalEntry value() {
    List<VmEffect> vms = machines == null ? List.of() : machines;
    return new JournalEntry(
        epoch,
        at,
        actor,
        StoredEvent.kind(kind),
        subject,
        effects.stream()
            .map(
                f ->
                    new JournalEntry.Effect(
                        f.name,
                        f.before.map(StoredTenant::value),
                        f.after.map(StoredTenant::value)))
            .toList(),
        vms.stream()
            .map(
                m ->
                    new JournalEntry.Machine(
                        m.name, m.before.map(StoredVm::value), m.after.map(StoredVm::value)))
            .toList());
  }
}
