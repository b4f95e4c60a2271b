package org.heddle.control;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.heddle.allocation.Plant;
import org.heddle.catalog.Catalog;
import org.heddle.control.emulator.Emulator;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Request;
import org.heddle.fabric.Fabric;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Drained;
import org.heddle.plan.model.LinkRef;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Origin;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;

/** Plays a history on an emulated fabric; {@link HistoryOracle} looks after every step. */
final class HistoryWorld implements AutoCloseable {
  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

  final Fabric whole;
  final MemoryStore store = new MemoryStore();
  final Emulator emulator;
  final List<LinkRef> cables;
  private final BitSet deadCables = new BitSet();
  private final BitSet deadNodes = new BitSet();
  private final BitSet slowCables = new BitSet();
  Controller controller;
  private Reconciler reconciler;
  private final List<String> said = new ArrayList<>();

  HistoryWorld(Fabric fabric) {
    whole = fabric.withAssignedLids();
    emulator = new Emulator(whole);
    cables = cables(whole);
    store.create("f", whole, "dmodk");
    open();
  }

  /** Cables between switches; the ends are in no order. */
  static List<LinkRef> cables(Fabric f) {
    List<LinkRef> out = new ArrayList<>();
    for (int port = 0; port < f.portIdLimit(); port++) {
      int peer = f.peer(port);
      if (peer > port && f.isSwitch(f.nodeOf(port)) && f.isSwitch(f.nodeOf(peer))) {
        out.add(
            new LinkRef(
                f.nodeGuid(f.nodeOf(port)),
                f.numberOf(port),
                f.nodeGuid(f.nodeOf(peer)),
                f.numberOf(peer)));
      }
    }
    return out;
  }

  private void open() {
    controller = Controller.open(store, CLOCK, "f");
    reconciler = new Reconciler(controller, emulator, true, Duration.ofHours(1));
  }

  /** What became of every step so far, for people. */
  List<String> said() {
    return said;
  }

  boolean isWhole() {
    return deadCables.isEmpty()
        && deadNodes.isEmpty()
        && slowCables.isEmpty()
        && controller.view().drained().isEmpty();
  }

  /** Plays a step. Throws if something happens that never should. */
  void play(HistoryStep step) {
    switch (step) {
      case HistoryStep.Create c -> ask(step, new Change.Create(spec(c)));
      case HistoryStep.Change c -> change(c);
      case HistoryStep.Join j -> join(j);
      case HistoryStep.Delete d -> ask(step, new Change.Delete(d.name(), OptionalLong.empty()));
      case HistoryStep.Swap s ->
          ask(
              step,
              new Change.Batch(
                  "plan",
                  List.of(
                      new Change.Delete(s.gone(), OptionalLong.empty()),
                      new Change.Create(spec(s.come()))),
                  OptionalLong.empty()));
      case HistoryStep.Drain d ->
          ask(
              step,
              new Change.Drain(
                  new Drained(
                      d.cables().stream().map(cables::get).toList(),
                      d.switches().stream().map(whole::nodeGuid).toList()),
                  d.out(),
                  d.force()));
      case HistoryStep.Fail f -> fail(f);
      case HistoryStep.Slow s -> slow(s);
      case HistoryStep.Heal h -> heal(h);
      case HistoryStep.Restart r -> {
        controller.close();
        open();
        say(r, "");
      }
      case HistoryStep.Rollback r -> {
        long to = Math.max(0, controller.view().epoch() - r.epochs());
        ask(step, controller.rollbackTo(to).orElseThrow());
      }
      case HistoryStep.RollbackOne r -> rollback(r);
    }
    converge();
  }

  /** It is what it was then, and nobody else is another; or nothing has changed at all. */
  private void rollback(HistoryStep.RollbackOne r) {
    long to = Math.max(0, controller.view().epoch() - r.epochs());
    Map<String, Tenant> before = Map.copyOf(controller.view().tenants());
    Change.Rollback change = controller.rollbackTo(to, r.name()).orElseThrow();
    Optional<Tenant> then =
        change.tenants().getOrDefault(r.name(), Optional.ofNullable(before.get(r.name())));
    Outcome out = controller.submit(change, Request.of(Actor.SYSTEM)).join();
    Map<String, Tenant> after = controller.view().tenants();
    if (out instanceof Outcome.Refused no) {
      say(r, "refused: " + no.reason());
      if (!after.equals(before) || no.reason().isBlank()) {
        throw new IllegalStateException("a refused rollback changes nothing: " + no);
      }
      return;
    }
    say(r, "done");
    Tenant now = after.get(r.name());
    if (then.isPresent() != (now != null)
        || now != null
            && !(now.spec().equals(then.get().spec())
                && now.hosts().equals(then.get().hosts())
                && now.links().equals(then.get().links()))) {
      throw new IllegalStateException(r + ": it was " + then + ", and is " + now);
    }
    Set<String> others = new TreeSet<>(before.keySet());
    others.addAll(after.keySet());
    others.remove(r.name());
    for (String name : others) {
      Tenant was = before.get(name);
      Tenant is = after.get(name);
      if (was == null
          || is == null
          || !was.spec().equals(is.spec())
          || !was.hosts().equals(is.hosts())
          || !was.links().equals(is.links())) {
        throw new IllegalStateException(r + ": " + name + " was " + was + ", and is " + is);
      }
    }
  }

  private void change(HistoryStep.Change c) {
    Tenant there = controller.view().tenant(c.name()).orElse(null);
    if (there == null) {
      say(c, "nobody");
      return;
    }
    TenantSpec s = there.spec();
    ask(
        c,
        new Change.Replace(
            new TenantSpec(
                s.name(),
                s.owner(),
                c.policy(),
                c.hosts(),
                List.of(),
                c.over(),
                s.allocator(),
                s.partition(),
                s.members()),
            OptionalLong.empty()));
  }

  private void join(HistoryStep.Join j) {
    Tenant there = controller.view().tenant(j.name()).orElse(null);
    if (there == null) {
      say(j, "nobody");
      return;
    }
    int node = whole.switchCount() + j.host();
    Member member = new Member(whole.portGuid(whole.port(node, 1)), true, false);
    ask(
        j,
        new Change.AddMembers(
            TenantSpec.partition(
                j.name(),
                "",
                PartitionOptions.ofKey(there.pkey()).withOrigin(Origin.CLIENT),
                List.of(member)),
            List.of(member),
            Change.Adding.ADD));
  }

  private TenantSpec spec(HistoryStep.Create c) {
    return new TenantSpec(
        c.name(),
        "",
        c.policy(),
        c.hosts(),
        c.named().stream().map(i -> whole.nodeGuid(whole.switchCount() + i)).toList(),
        c.over(),
        c.allocator(),
        PartitionOptions.AUTOMATIC.withOrigin(Origin.CLIENT), // others may join by the key
        List.of());
  }

  private void fail(HistoryStep.Fail f) {
    for (int cable : f.cables()) {
      emulator.setLink(cables.get(cable).from(), cables.get(cable).port(), f.up());
      deadCables.set(cable, !f.up());
    }
    for (int node : f.nodes()) {
      emulator.setNode(whole.nodeGuid(node), f.up());
      deadNodes.set(node, !f.up());
    }
    say(f, "");
  }

  private void slow(HistoryStep.Slow s) {
    for (int cable : s.cables()) {
      emulator.setSlow(cables.get(cable).from(), cables.get(cable).port(), s.slow());
      slowCables.set(cable, s.slow());
    }
    say(s, "");
  }

  private void heal(HistoryStep.Heal h) {
    deadCables.stream()
        .forEach(i -> emulator.setLink(cables.get(i).from(), cables.get(i).port(), true));
    deadNodes.stream().forEach(i -> emulator.setNode(whole.nodeGuid(i), true));
    slowCables.stream()
        .forEach(i -> emulator.setSlow(cables.get(i).from(), cables.get(i).port(), false));
    slowCables.clear();
    deadCables.clear();
    deadNodes.clear();
    say(h, "");
    converge();
    Drained all = controller.view().drained();
    if (!all.isEmpty()) {
      ask(h, new Change.Drain(all, false, false));
    }
  }

  private void ask(HistoryStep step, Change change) {
    Outcome out = controller.submit(change, Request.of(Actor.SYSTEM)).join();
    switch (out) {
      case Outcome.Accepted a -> say(step, "epoch " + a.epoch());
      case Outcome.Unchanged _ -> say(step, "unchanged");
      case Outcome.Refused no -> {
        say(step, "refused: " + no.reason());
        if (no.code() == Outcome.Code.UNAVAILABLE) {
          throw new IllegalStateException(no.reason());
        }
      }
    }
  }

  private void say(HistoryStep step, String what) {
    said.add(step + (what.isEmpty() ? "" : " -> " + what));
  }

  /** Until fabric and desired state agree, or the fabric is none that can be planned for. */
  private void converge() {
    for (int i = 0; i < 30; i++) {
      if (reconciler.pass().settled() && reconciler.status().inSync()) {
        return;
      }
      List<String> problems = reconciler.status().problems();
      if (!problems.isEmpty()) {
        String first = problems.getFirst();
        said.add("  " + first);
        if (!canBePlannedFor()) {
          return; // the state stays that of the fabric before
        }
        throw new IllegalStateException(first);
      }
    }
    throw new IllegalStateException("fabric and desired state never agree");
  }

  /** True if the engine has tables without errors for the fabric, were nobody there, or drained. */
  private boolean canBePlannedFor() {
    Fabric now = emulator.observe().fabric();
    Recognition tree = FatTreeRecogniser.recognise(now);
    if (!(tree instanceof Recognition.Found found)
        || !(Plant.of(now, found.tree()) instanceof Plant.Outcome.Built)) {
      return false;
    }
    RoutingResult routed =
        Catalog.engine("dmodk").orElseThrow().route(RoutingRequest.of(now, found));
    return routed instanceof RoutingResult.Routed yes
        && Audit.run(now, yes.tables(), AuditOptions.defaults().withThreads(1)).clean();
  }

  @Override
  public void close() {
    controller.close();
  }
}
