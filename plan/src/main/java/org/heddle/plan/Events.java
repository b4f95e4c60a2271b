package org.heddle.plan;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.heddle.plan.model.Breach;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Event;
import org.heddle.plan.model.EventKind;
import org.heddle.plan.model.JournalEntry;
import org.heddle.plan.model.JournalEntry.Effect;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.Vm;

/** The events of a change: one for the request, and one for every tenant affected. */
public final class Events {
  private Events() {}

  public static List<Event> of(Change change, List<Effect> effects, long epoch, Instant now) {
    List<Event> out = new ArrayList<>();
    boolean drain = change instanceof Change.Drain;
    boolean fabric = change instanceof Change.FabricChanged;
    boolean gone = change instanceof Change.Delete || change instanceof Change.DeleteKey;
    boolean several = change instanceof Change.Batch;
    boolean written = change instanceof Change.Rollback || change instanceof Change.WriteOff;
    if (fabric || several || written) {
      out.add(new Event(0, now, change.kind(), change.subject(), "", change.subject(), epoch));
    }
    for (Effect e : effects) {
      Tenant t = e.after().or(e::before).orElseThrow();
      EventKind kind = change.kind();
      String text = e.after().isEmpty() ? "gone" : "changed";
      if (several && (e.before().isEmpty() || e.after().isEmpty())) {
        kind = e.before().isEmpty() ? EventKind.TENANT_CREATED : EventKind.TENANT_DELETED;
      } else if (several && t.broken().equals(e.before().orElseThrow().broken())) {
        kind = EventKind.TENANT_CHANGED;
      } else if ((drain || fabric || gone || several) && e.after().isPresent()) {
        boolean whole = e.before().map(b -> b.broken().isEmpty()).orElse(true);
        kind =
            !t.broken().isEmpty()
                ? EventKind.PROMISE_BROKEN
                : whole ? EventKind.REPLANNED : EventKind.PROMISE_RESTORED;
        text = t.broken().isEmpty() ? "replanned" : String.join("; ", Breach.sentences(t.broken()));
      }
      out.add(new Event(0, now, kind, t.name(), t.spec().owner(), text, epoch));
    }
    return out;
  }

  /** One for every machine that it happened to. */
  public static List<Event> of(
      List<JournalEntry.Machine> machines, Function<Vm, String> owner, long epoch, Instant now) {
    List<Event> out = new ArrayList<>();
    for (JournalEntry.Machine m : machines) {
      Vm vm = m.after().or(m::before).orElseThrow();
      out.add(new Event(0, now, kind(m), vm.name(), owner.apply(vm), text(m), epoch));
    }
    return out;
  }

  private static EventKind kind(JournalEntry.Machine m) {
    if (m.before().isEmpty() || m.after().isEmpty()) {
      return m.before().isEmpty() ? EventKind.VM_STARTED : EventKind.VM_STOPPED;
    }
    Vm before = m.before().get();
    Vm after = m.after().get();
    if (before.portGuid() != after.portGuid()) {
      return EventKind.VM_MOVED;
    }
    return after.stranded().isEmpty() ? EventKind.VM_RESTORED : EventKind.VM_STRANDED;
  }

  private static String text(JournalEntry.Machine m) {
    if (m.after().isEmpty()) {
      return "on " + m.before().orElseThrow().host().name();
    }
    Vm after = m.after().get();
    if (!after.stranded().isEmpty()) {
      return after.stranded();
    }
    String from =
        m.before()
            .filter(b -> b.portGuid() != after.portGuid())
            .map(b -> "from " + b.host().name() + " to ")
            .orElse("on ");
    return from + after.host().name() + ", LID " + after.lid();
  }
}
