package org.heddle.cli.shell;

import org.heddle.fabric.Fabric;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingOption;
import org.heddle.routing.RoutingRequest;
import org.heddle.tenancy.LearnedWeights;
import org.heddle.tenancy.Tenancy;
import org.heddle.text.tenants.CounterFileReader;
import org.heddle.text.tenants.ResolvedTenants;
import org.heddle.text.tenants.TenantsFile;
import org.heddle.text.tenants.TenantsFileReader;
import org.heddle.text.tenants.TenantsResolver;

/** Reads tenants files. */
public final class TenantsFiles {
  private TenantsFiles() {}

  /**
   * The partitions of a tenants file on a fabric.
   *
   * @throws Failure exit code 2 with all problems, if the file cannot be used
   */
  public static Tenancy read(Session session, String file, Fabric fabric) {
    TenantsFile tenants = session.accept(file, TenantsFileReader.read(session.read(file)));
    return session.accept(file, TenantsResolver.resolve(tenants, fabric)).tenancy();
  }

  /**
   * Partitions to route for.
   *
   * @param isolation what the file says, or the usual value
   */
  public record Routed(Tenancy tenancy, double isolation) {}

  /**
   * The partitions of a tenants file, for an engine.
   *
   * @param file null: none
   * @throws Failure as {@link #read}
   */
  public static Routed toRoute(Session session, RoutingEngine engine, String file, Fabric fabric) {
    if (file == null) {
      return new Routed(Tenancy.NONE, RoutingRequest.DEFAULT_ISOLATION);
    }
    TenantsFile tenants = session.accept(file, TenantsFileReader.read(session.read(file)));
    Tenancy tenancy = session.accept(file, TenantsResolver.resolve(tenants, fabric)).tenancy();
    return new Routed(tenancy, isolation(session, engine, file, tenants));
  }

  /** The isolation a file asks for; warns if the engine has no use for it. */
  public static double isolation(
      Session session, RoutingEngine engine, String name, TenantsFile file) {
    boolean used = engine.uses().contains(RoutingOption.ISOLATION);
    if (file.rules().isolation().isPresent() && !used) {
      session.note(
          engine.name()
              + " does not use 'isolation' of "
              + name
              + "; engines that do: "
              + Engines.users(RoutingOption.ISOLATION));
    }
    return file.rules().isolation().orElse(RoutingRequest.DEFAULT_ISOLATION);
  }

  /**
   * The same tenants with weights learned from what their hosts received.
   *
   * @param countersFile file of counters; null: nothing is learned
   * @throws Failure exit code 2 with all problems, if the file cannot be used
   */
  public static ResolvedTenants learned(
      Session session, ResolvedTenants tenants, Fabric fabric, String countersFile) {
    if (countersFile == null) {
      return tenants;
    }
    var received =
        session.accept(countersFile, CounterFileReader.read(session.read(countersFile), fabric));
    return new ResolvedTenants(
        LearnedWeights.apply(tenants.tenancy(), fabric, received), tenants.tenants());
  }
}
