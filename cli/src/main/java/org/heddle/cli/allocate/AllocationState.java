package org.heddle.cli.allocate;

import java.util.List;
import java.util.Map;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.Plant;
import org.heddle.cli.shell.FabricFiles;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;
import org.heddle.fabric.Fabric;
import org.heddle.plan.DraftState;
import org.heddle.plan.FabricChange;
import org.heddle.plan.PhysicalFabric;
import org.heddle.plan.model.Breach;
import org.heddle.plan.model.Tenant;
import org.heddle.text.state.StateFile;
import org.heddle.text.state.StateFileReader;
import org.heddle.text.state.StateFileWriter;
import org.heddle.text.state.StateTenants;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;

/**
 * A fabric, and who holds what of it.
 *
 * @param file what the state file says
 * @param now the same as a desired state; its engine is that of the base tables
 * @param lost what tenants list and have not, by name; empty lists for those that are whole
 */
record AllocationState(
    String fabricFile,
    String stateFile,
    StateFile file,
    DraftState now,
    Map<String, List<Breach>> lost) {

  /**
   * Reads both files; says which tenants have lost something.
   *
   * @param create a state file that is not there counts as one without tenants
   * @param engine of the base tables; null for that of the state
   */
  static AllocationState open(
      Session session, String fabricFile, String stateFile, boolean create, String engine) {
    StateFile file =
        create && !session.inputs().exists(stateFile)
            ? StateFile.empty(stateFile)
            : session.accept(stateFile, StateFileReader.read(session.read(stateFile)));
    Fabric fabric =
        FabricFiles.withLids(FabricFiles.read(session, fabricFile, file.machines(), stateFile));
    Recognition tree = FatTreeRecogniser.recognise(fabric);
    String base = engine == null ? file.engine() : engine;
    DraftState now = new DraftState(site(session, fabric, tree, base), base);
    for (StateFile.Tenant t : file.tenants()) {
      now.add(StateTenants.of(t, now.tenants.size()), null);
    }
    Map<String, List<Breach>> lost = FabricChange.take(now, now.tenants.values());
    AllocationState site = new AllocationState(fabricFile, stateFile, file, now, lost);
    site.check();
    site.warnOfLosses(session);
    return site;
  }

  /**
   * The site of a fabric, for tenants with links of their own; says what is special about it.
   *
   * @throws Failure exit code 1 if there can be none
   */
  static PhysicalFabric site(
      Session session, Fabric fabric, Recognition recognition, String engine) {
    if (!(recognition instanceof Recognition.Found)) {
      throw Failure.refused(
          "links can be given on fat-trees only, and this fabric is none",
          List.of("'heddle fabric check' says why"));
    }
    return switch (PhysicalFabric.unrouted(fabric, recognition, engine)) {
      case PhysicalFabric.Outcome.Built built -> {
        built.site().notes().forEach(session::note);
        yield built.site();
      }
      case PhysicalFabric.Outcome.Refused no -> throw Failure.refused(no.reason(), no.details());
    };
  }

  private void check() {
    if (!now.tenants.isEmpty() && now.holdings.freeHosts() == plant().hostCount()) {
      throw Failure.badInput(
          stateFile + ": the state of another fabric: none of the hosts it names is in this one");
    }
    lost.forEach(
        (name, all) ->
            all.stream()
                .filter(Breach.MeetsTenant.class::isInstance)
                .findFirst()
                .ifPresent(
                    b -> {
                      throw Failure.badInput(
                          "%s:%d: '%s': %s"
                              .formatted(
                                  stateFile,
                                  file.find(name).orElseThrow().line(),
                                  name,
                                  b.sentence()));
                    }));
  }

  private void warnOfLosses(Session session) {
    lost.forEach((name, all) -> all.forEach(b -> session.note(name + ": " + b.sentence())));
    if (!sameFabric() && !lost.isEmpty() && lost.values().stream().allMatch(List::isEmpty)) {
      session.note(
          "the cabling has changed since "
              + stateFile
              + " was written; all that the "
              + "tenants hold is still there");
    }
  }

  Fabric fabric() {
    return now.site.fabric();
  }

  Plant plant() {
    return now.site.plant();
  }

  /** True if the cabling is that for which the file was written. */
  boolean sameFabric() {
    return file.fabric().isEmpty() || file.fabric().get().fingerprint() == fabric().fingerprint();
  }

  /** Stages a state in the place of this one. */
  void write(Session session, DraftState next) {
    List<StateFile.Tenant> tenants = next.tenants.values().stream().map(StateTenants::of).toList();
    session.outputs().release(stateFile);
    session
        .outputs()
        .write(
            stateFile, StateFileWriter.write(file.withEngine(next.engine).with(fabric(), tenants)));
  }

  /**
   * The tenant of that name.
   *
   * @throws Failure exit code 1 if there is none
   */
  Tenant tenant(String name) {
    Tenant there = now.tenants.get(name);
    if (there == null) {
      throw Failure.refused(
          "there is no tenant '" + name + "'",
          List.of(
              "tenants: "
                  + (now.tenants.isEmpty() ? "none" : String.join(", ", now.tenants.keySet()))));
    }
    return there;
  }

  /** A tenant with what it holds, as it is shown. */
  TenantView view(String name) {
    return TenantView.of(now, tenant(name), Breach.sentences(lost.get(name)));
  }

  /** What a tenant of a state holds. */
  static Allocation held(DraftState state, Tenant tenant) {
    return state.holdings.of(tenant.name()).charged();
  }
}
