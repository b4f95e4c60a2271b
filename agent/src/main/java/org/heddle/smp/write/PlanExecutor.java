package org.heddle.smp.write;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.mad.AttributeId;
import org.heddle.mad.PortInfo;
import org.heddle.mad.Smp;
import org.heddle.mad.SwitchInfo;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOutcome;
import org.heddle.smp.client.SmpRoute;
import org.heddle.smp.discover.DiscoveredFabric;

/**
 * Carries out a plan: exactly its SMPs, in order, phase by phase, every answer checked, with a
 * journal.
 *
 * <p>Before the first SMP it reads what the plan will overwrite (Gets, which change nothing), so
 * that the way back is known. A phase whose SMPs are not all answered stops the plan; the journal
 * then says what is in force, and {@link #finish} or {@link #undo} go on from there, also after a
 * crash and after the fabric has been discovered again. Repeating a phase is harmless: SMPs set
 * whole attributes. Where the plan says so, data packets in flight get time to arrive before the
 * next phase; when undoing, before every phase.
 */
public final class PlanExecutor {
  /** What became of a plan. */
  public sealed interface Result {
    /**
     * Everything was answered.
     *
     * @param sent SMPs that set something, repetitions not counted
     */
    record Completed(long sent) implements Result {}

    /** Nothing was sent, because it could not work. */
    record Refused(String reason) implements Result {}

    /**
     * Half way. The journal can finish or undo it.
     *
     * @param phase the phase that was not answered in full
     * @param sent SMPs that set something so far
     */
    record Stopped(int phase, long sent, String reason) implements Result {}
  }

  private final SmpClient client;
  private final DiscoveredFabric discovered;
  private long sent;
  private String failure;
  private final List<Runnable> refused = new ArrayList<>(); // GUIDs that could not be set

  private PlanExecutor(SmpClient client, DiscoveredFabric discovered) {
    this.client = client;
    this.discovered = discovered;
  }

  /**
   * Carries out a plan.
   *
   * @param journal file to write; must not exist
   * @throws IOException if the journal cannot be written; what was begun is in it
   */
  public static Result apply(
      SmpClient client, DiscoveredFabric discovered, SmpPlan plan, Path journal)
      throws IOException {
    return apply(client, discovered, plan, journal, Optional.empty());
  }

  /** The same with a file that changes with the fabric; the caller writes it. */
  public static Result apply(
      SmpClient client,
      DiscoveredFabric discovered,
      SmpPlan plan,
      Path journal,
      Optional<SmpJournal.Companion> companion)
      throws IOException {
    PlanExecutor executor = new PlanExecutor(client, discovered);
    Optional<String> refusal = executor.refusal(plan);
    if (refusal.isPresent()) {
      return new Result.Refused(refusal.get());
    }
    List<byte[]> before = executor.readBefore(plan);
    if (executor.failure != null) {
      return new Result.Refused("cannot read what would be overwritten: " + executor.failure);
    }
    try (SmpJournal open = SmpJournal.create(journal, plan, before, companion)) {
      return executor.forward(open);
    }
  }

  /** Goes on with a plan that was stopped. */
  public static Result finish(SmpClient client, DiscoveredFabric discovered, SmpJournal journal)
      throws IOException {
    PlanExecutor executor = new PlanExecutor(client, discovered);
    Optional<String> refusal = executor.refusal(journal.plan());
    if (refusal.isPresent()) {
      return new Result.Refused(refusal.get());
    }
    client.letPacketsArrive(); // it may have been on its way back
    return executor.forward(journal);
  }

  /** Takes a plan back, the last phase first; also one that was completed. */
  public static Result undo(SmpClient client, DiscoveredFabric discovered, SmpJournal journal)
      throws IOException {
    PlanExecutor executor = new PlanExecutor(client, discovered);
    Optional<String> refusal = executor.refusal(journal.plan());
    return refusal.isPresent() ? new Result.Refused(refusal.get()) : executor.backward(journal);
  }

  /** Why no SMP of the plan should be sent at all. */
  private Optional<String> refusal(SmpPlan plan) {
    Fabric fabric = discovered.fabric();
    for (PlannedSmp smp : plan.smps()) {
      if (smp.isGuidBlock()) {
        if (fabric.findPort(smp.nodeGuid()) == Fabric.NONE) {
          return Optional.of("there is no port " + Guid.format(smp.nodeGuid()) + " any more");
        }
        continue;
      }
      int node = fabric.findNode(smp.nodeGuid());
      if (node == Fabric.NONE) {
        return Optional.of("there is no node " + Guid.format(smp.nodeGuid()) + " any more");
      }
      if (!smp.isForwardingBlock()) {
        continue;
      }
      if (!fabric.isSwitch(node)) {
        return Optional.of(fabric.node(node).display() + " is not a switch and has no tables");
      }
      if (smp.lastLid() - 63 >= discovered.linearFdbCap(node)) {
        return Optional.of(
            "the table of "
                + fabric.node(node).display()
                + " ends at LID "
                + (discovered.linearFdbCap(node) - 1));
      }
    }
    return Optional.empty();
  }

  /** What every SMP overwrites: the present content, or what an earlier SMP has put there. */
  private List<byte[]> readBefore(SmpPlan plan) {
    Map<String, byte[]> content = new HashMap<>();
    for (PlannedSmp smp : plan.smps()) {
      if (content.putIfAbsent(smp.toString(), new byte[0]) == null) {
        client.get(
            route(smp),
            smp.attributeId(),
            smp.modifier(),
            outcome -> {
              if (outcome instanceof SmpOutcome.Answer(Smp answer)) {
                content.put(smp.toString(), restorable(smp, answer));
              } else {
                failure = smp + ": " + outcome;
              }
            });
      }
    }
    client.drain();
    List<byte[]> before = new ArrayList<>();
    for (PlannedSmp smp : plan.smps()) {
      before.add(content.put(smp.toString(), smp.bytes()));
    }
    return before;
  }

  /** What to set to get back what was read: without the fields that are commands in a Set. */
  private static byte[] restorable(PlannedSmp smp, Smp answer) {
    byte[] data =
        Arrays.copyOfRange(
            answer.buffer(), answer.dataOffset(), answer.dataOffset() + Smp.DATA_SIZE);
    if (smp.attributeId() == AttributeId.SWITCH_INFO) {
      new SwitchInfo().wrap(data, 0).portStateChange(false);
    }
    if (smp.attributeId() == AttributeId.PORT_INFO) {
      PortInfo info = new PortInfo().wrap(data, 0);
      info.portState(0);
      info.physicalState(0);
    }
    return data;
  }

  private SmpRoute route(PlannedSmp smp) {
    if (smp.isGuidBlock()) {
      return discovered.routeToPort(discovered.fabric().findPort(smp.nodeGuid()));
    }
    return discovered.route(discovered.fabric().findNode(smp.nodeGuid()));
  }

  private Result forward(SmpJournal journal) throws IOException {
    SmpPlan plan = journal.plan();
    for (int phase = journal.progress().done(); phase < plan.phases(); phase++) {
      if (plan.drains().contains(phase)) {
        client.letPacketsArrive();
      }
      journal.begin(phase);
      for (PlannedSmp smp : plan.phase(phase)) {
        set(smp, smp.bytes());
      }
      settle();
      if (failure != null) {
        return new Result.Stopped(phase, sent, failure);
      }
      journal.end(phase);
    }
    return new Result.Completed(sent);
  }

  private Result backward(SmpJournal journal) throws IOException {
    SmpPlan plan = journal.plan();
    int from = journal.progress().done() - (journal.progress().torn() ? 0 : 1);
    for (int phase = from; phase >= 0; phase--) {
      client.letPacketsArrive(); // what was proven was proven of the way forward
      journal.undo(phase);
      for (int i = plan.smps().size() - 1; i >= 0; i--) {
        PlannedSmp smp = plan.smps().get(i);
        if (smp.phase() == phase) {
          set(smp, journal.before(i));
        }
      }
      settle();
      if (failure != null) {
        return new Result.Stopped(phase, sent, failure);
      }
      journal.undone(phase);
    }
    return new Result.Completed(sent);
  }

  /** Sends; after a failure the rest of the phase is sent nevertheless, it is under way anyway. */
  private void set(PlannedSmp smp, byte[] data) {
    sent++;
    client.set(
        route(smp),
        smp.attributeId(),
        smp.modifier(),
        data,
        outcome -> {
          if (!(outcome instanceof SmpOutcome.Answer(Smp answer))) {
            if (smp.isGuidBlock()) {
              refused.add(() -> requireThere(smp, data, smp + ": " + outcome));
            } else {
              failure = smp + ": " + outcome;
            }
          } else if (smp.isForwardingBlock() && !holds(answer, data)) {
            failure = smp + ": the switch answered with other entries than were sent";
          } else if (smp.isGuidBlock() && !holds(answer, data)) {
            failure = smp + ": the adapter answered with other GUIDs than were sent";
          }
        });
  }

  /** Waits for all answers; what a port would not let be set may be there already. */
  private void settle() {
    client.drain();
    List<Runnable> checks = List.copyOf(refused);
    refused.clear();
    checks.forEach(Runnable::run);
    client.drain();
  }

  private void requireThere(PlannedSmp smp, byte[] data, String otherwise) {
    client.get(
        route(smp),
        smp.attributeId(),
        smp.modifier(),
        outcome -> {
          if (!(outcome instanceof SmpOutcome.Answer(Smp answer)) || !holds(answer, data)) {
            failure = otherwise;
          }
        });
  }

  private static boolean holds(Smp answer, byte[] data) {
    int at = answer.dataOffset();
    return Arrays.equals(answer.buffer(), at, at + Smp.DATA_SIZE, data, 0, Smp.DATA_SIZE);
  }
}
