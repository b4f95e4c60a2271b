package org.heddle.cli.allocate;

import java.util.ArrayList;
import java.util.List;
import org.heddle.allocation.Holder;
import org.heddle.allocation.Plant;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;
import org.heddle.fabric.Fabric;
import org.heddle.text.state.BoundState;
import org.heddle.text.state.StateBinder;
import org.heddle.text.state.StateFile;
import org.heddle.text.state.StateFileReader;
import org.heddle.text.state.StateFileWriter;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;

/**
 * A fabric, and who holds what of it.
 *
 * @param fabric with a LID for every port
 * @param tree its tree
 * @param bound the state on its plant
 */
record AllocationState(
    String fabricFile,
    String stateFile,
    Fabric fabric,
    Recognition.Found tree,
    Plant plant,
    BoundState bound) {

  /**
   * Reads both files; says which tenants have lost something.
   *
   * @param create a state file that is not there counts as one without tenants
   */
  static AllocationState open(
      Session session, String fabricFile, String stateFile, boolean create) {
    Fabric fabric = FabricFiles.withLids(FabricFiles.read(session, fabricFile));
    Recognition.Found tree = tree(fabric);
    Plant plant = plant(session, fabric, tree);
    StateFile state =
        create && !session.inputs().exists(stateFile)
            ? StateFile.empty(stateFile)
            : session.accept(stateFile, StateFileReader.read(session.read(stateFile)));
    BoundState bound = session.accept(stateFile, StateBinder.bind(state, plant));
    AllocationState site = new AllocationState(fabricFile, stateFile, fabric, tree, plant, bound);
    site.warnOfLosses(session);
    return site;
  }

  static Recognition.Found tree(Fabric fabric) {
    return switch (FatTreeRecogniser.recognise(fabric)) {
      case Recognition.Found found -> found;
      case Recognition.Refused _ ->
          throw Failure.refused(
              "links can be given on fat-trees only, and this fabric is none",
              List.of("'heddle fabric check' says why"));
    };
  }

  static Plant plant(Session session, Fabric fabric, Recognition.Found tree) {
    return switch (Plant.of(fabric, tree.tree())) {
      case Plant.Outcome.Built built -> {
        built.notes().forEach(session::note);
        yield built.plant();
      }
      case Plant.Outcome.Unsupported no -> throw Failure.refused(no.reason(), List.of());
    };
  }

  private void warnOfLosses(Session session) {
    if (bound.sameFabric()) {
      return;
    }
    int damaged = 0;
    for (BoundState.Held held : bound.held()) {
      damaged += held.whole() ? 0 : 1;
      for (String lost : held.lost()) {
        session.note(held.tenant().name() + ": " + lost);
      }
    }
    if (damaged == 0 && !bound.held().isEmpty()) {
      session.note(
          "the cabling has changed since "
              + stateFile
              + " was written; all that the "
              + "tenants hold is still there");
    }
  }

  /** Stages the state with other tenants. */
  void write(Session session, List<StateFile.Tenant> tenants, String engine) {
    session.outputs().release(stateFile);
    session
        .outputs()
        .write(
            stateFile,
            StateFileWriter.write(bound.state().withEngine(engine).with(fabric, tenants)));
  }

  /** Who holds what, in the order of admission. */
  List<Holder> holders() {
    return bound.held().stream().map(h -> new Holder(h.tenant().name(), h.allocation())).toList();
  }

  /** The tenants in the order of their admission. */
  List<StateFile.Tenant> tenants() {
    return new ArrayList<>(bound.state().tenants());
  }

  /**
   * The tenant of that name.
   *
   * @throws Failure exit code 1 if there is none
   */
  BoundState.Held held(String name) {
    return bound
        .find(name)
        .orElseThrow(
            () ->
                Failure.refused(
                    "there is no tenant '" + name + "'",
                    List.of("tenants: " + names(bound.state()))));
  }

  private static String names(StateFile state) {
    return state.tenants().isEmpty()
        ? "none"
        : String.join(", ", state.tenants().stream().map(StateFile.Tenant::name).toList());
  }
}
