package org.heddle.control;

import java.time.Clock;
import java.time.Duration;
import org.heddle.control.emulator.Emulator;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Request;
import org.heddle.fabric.Fabric;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Outcome;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A controller of an emulated fabric whose store outlives it; the reconciler looks when told. Every
 * test runs on trees whose ports are numbered alike, and on the same with their ports shuffled.
 */
@ParameterizedClass
@ValueSource(longs = {EmulatedFabric.ALIGNED, 7})
abstract class EmulatedFabric {
  static final long ALIGNED = 0;

  /** Seed of the order of ports. */
  @Parameter long shuffle;

  Fabric fabric;
  MemoryStore store;
  Emulator emulator;
  Controller controller;
  Reconciler reconciler;

  @BeforeEach
  void open() {
    open("XGFT(2;4,8;1,4)");
  }

  /** Another fabric, and nothing known of it. */
  final void open(String tree) {
    open(TreeGenerator.generate(TreeSpec.parse(tree)));
  }

  final void open(Fabric generated) {
    close();
    Fabric aligned = generated.withAssignedLids();
    fabric = shuffle == ALIGNED ? aligned : FabricShuffle.ports(aligned, shuffle);
    store = new MemoryStore();
    emulator = new Emulator(fabric);
    store.create("f", fabric, "dmodk");
    reopen();
  }

  /** Another process on the same store and fabric. */
  final void reopen() {
    controller = Controller.open(store, Clock.systemUTC(), "f");
    reconciler = new Reconciler(controller, emulator, true, Duration.ofHours(1));
  }

  @AfterEach
  final void close() {
    if (controller != null) {
      controller.close();
    }
  }

  final Outcome submit(Change change) {
    return controller.submit(change, Request.of(Actor.SYSTEM)).join();
  }
}
