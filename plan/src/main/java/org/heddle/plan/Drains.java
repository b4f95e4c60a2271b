package org.heddle.plan;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.plan.model.Breach;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Drained;
import org.heddle.plan.model.Event;
import org.heddle.plan.model.EventKind;
import org.heddle.plan.model.JournalEntry.Effect;
import org.heddle.plan.model.LinkRef;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.Tenant;

/** Takes links and switches out of service and puts them back: what that does to tenants. */
public final class Drains {
  private static final int SHOWN = 20;

  private Drains() {}

  static ChangePlanner.Decision apply(DraftState w, Change.Drain c, long epoch) {
    Drained now = w.site.drained();
    Drained next = c.out() ? now.with(c.what()) : now.without(c.what());
    if (next.equals(now)) {
      return new ChangePlanner.Decision.Settled(new Outcome.Unchanged(epoch - 1, Optional.empty()));
    }
    PhysicalFabric before = w.site;
    ChangePlanner.Decision d = FabricChange.apply(w, before.fabric(), next, epoch);
    if (c.out() && w.site.out().leavesNoLinks()) {
      return new ChangePlanner.Decision.Settled(
          new Outcome.Refused(
              Outcome.Code.NO_PLACE,
              "no link between switches would be left in service",
              List.of("put something else back into service first: it may still be unplugged")));
    }
    if (!(d instanceof ChangePlanner.Decision.Changed changed) || !c.out() || c.force()) {
      return d;
    }
    Map<String, String> losers = losers(changed.effects());
    members(w, before, losers);
    if (losers.isEmpty()) {
      return d;
    }
    List<String> hints = new ArrayList<>();
    losers.forEach((name, what) -> hints.add(name + ": " + what));
    int more = hints.size() - SHOWN;
    List<String> shown = new ArrayList<>(hints.subList(0, Math.min(SHOWN, hints.size())));
    if (more > 0) {
      shown.add("and " + more + " more");
    }
    return new ChangePlanner.Decision.Settled(
        new Outcome.Refused(
            Outcome.Code.CONFLICT,
            "tenants would lose what they were promised: "
                + String.join(", ", losers.keySet().stream().limit(SHOWN).toList()),
            shown));
  }

  /** What of tenants' promises does not hold any more, by name. */
  private static Map<String, String> losers(List<Effect> effects) {
    Map<String, String> out = new TreeMap<>();
    for (Effect e : effects) {
      List<Breach> broken = new ArrayList<>(e.after().map(Tenant::broken).orElse(List.of()));
      broken.removeAll(e.before().map(Tenant::broken).orElse(List.of()));
      if (!broken.isEmpty()) {
        out.put(e.name(), String.join("; ", Breach.sentences(broken)));
      }
    }
    return out;
  }

  /** Ports that tenants named themselves, by which they talk to others. */
  private static void members(DraftState w, PhysicalFabric before, Map<String, String> losers) {
    Fabric f = before.fabric();
    for (Tenant t : w.tenants.values()) {
      for (Member m : t.spec().members()) {
        int port = f.findPort(m.guid());
        if (port != Fabric.NONE
            && before.used().attachedSwitch(port) != Fabric.NONE
            && w.site.used().attachedSwitch(port) == Fabric.NONE) {
          losers.putIfAbsent(t.name(), "its port " + Guid.format(m.guid()) + " is behind it");
        }
      }
    }
  }

  /** One event for everything that went out of service or came back. */
  public static List<Event> events(
      Fabric fabric, Drained before, Drained after, long epoch, Instant now) {
    List<Event> out = new ArrayList<>();
    if (before.equals(after)) {
      return out;
    }
    add(out, fabric, after.without(before), true, epoch, now);
    add(out, fabric, before.without(after), false, epoch, now);
    return out;
  }

  private static void add(
      List<Event> to, Fabric f, Drained what, boolean out, long epoch, Instant now) {
    for (LinkRef l : what.links()) {
      String text =
          "%s port %d to %s port %d"
              .formatted(name(f, l.from()), l.port(), name(f, l.to()), l.toPort());
      EventKind kind = out ? EventKind.LINK_DRAINED : EventKind.LINK_RETURNED;
      to.add(new Event(0, now, kind, l.id(), "", text, epoch));
    }
    for (long guid : what.switches()) {
      EventKind kind = out ? EventKind.NODE_DRAINED : EventKind.NODE_RETURNED;
      to.add(new Event(0, now, kind, Guid.format(guid), "", name(f, guid), epoch));
    }
  }

  private static String name(Fabric f, long guid) {
    int node = f.findNode(guid);
    return node == Fabric.NONE ? Guid.format(guid) : f.node(node).display();
  }
}
