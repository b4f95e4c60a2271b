package org.heddle.cli.allocate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.allocation.Allocation;
import org.heddle.cli.shell.Counted;
import org.heddle.cli.shell.Engines;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.Lid;
import org.heddle.routing.EngineNames;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.routing.links.LinkRouting;
import org.heddle.routing.links.Region;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.tenants.TenantsFile;
import org.heddle.topology.FatTree;
import org.heddle.topology.Recognition;
import org.heddle.verify.links.LinkConfinement;

/** Allocations as routing, partitions and proofs need them. */
public final class LinkTables {
  private static final String ANY_FABRIC = EngineNames.UPDN;

  /** What is wrong with a tenant whose hosts cannot reach each other. */
  static final String NOT_JOINED = "no cables join all of its hosts";

  private LinkTables() {}

  /** Tables in which tenants keep to their links, or why there are none. */
  public sealed interface Outcome {
    /**
     * The tables.
     *
     * @param changed entries that differ from the base tables
     * @param notes what the user should know, one sentence each
     */
    record Routed(BoundTables bound, long changed, List<String> notes) implements Outcome {}

    /** None. */
    record Refused(String reason, List<String> details) implements Outcome {}
  }

  /**
   * A tenant and what it holds.
   *
   * @param pkey 0 for an automatic one
   */
  public record Tenant(String name, int pkey, Allocation allocation) {}

  /** The ports of {@link Allocation#hostPorts} that have a LID. */
  public static int[] hostPorts(Fabric fabric, Allocation allocation) {
    return Arrays.stream(allocation.hostPorts()).filter(p -> fabric.lid(p) != Lid.NONE).toArray();
  }

  /**
   * Base tables of an engine, with the tenants' entries over them. Where it refuses (leaves have
   * lost their last common ancestor, say) the base is that of {@value #ANY_FABRIC}, which takes
   * every connected fabric, and a note says so.
   */
  public static Outcome route(
      RoutingEngine engine, Fabric fabric, Recognition.Found tree, List<Tenant> tenants) {
    RoutingResult result = engine.route(RoutingRequest.of(fabric, tree));
    List<String> notes = new ArrayList<>();
    if (result instanceof RoutingResult.Unsupported no && !engine.name().equals(ANY_FABRIC)) {
      notes.add(
          engine.name()
              + " refuses: "
              + no.reason()
              + "; the tables below are "
              + ANY_FABRIC
              + "'s");
      result = Engines.named(ANY_FABRIC).route(RoutingRequest.of(fabric, tree));
    }
    return switch (result) {
      case RoutingResult.Unsupported no ->
          new Outcome.Refused(engine.name() + " refuses: " + no.reason(), no.details());
      case RoutingResult.Routed yes -> {
        notes.addAll(yes.notes());
        yield over(fabric, tree.tree(), yes.tables(), notes, tenants);
      }
    };
  }

  /** Tenants' entries over base tables. Tenants without a promise of links stay on the base. */
  public static Outcome over(
      Fabric fabric,
      FatTree tree,
      ForwardingTables base,
      List<String> baseNotes,
      List<Tenant> tenants) {
    List<Region> regions = new ArrayList<>();
    for (Tenant tenant : tenants) {
      Allocation a = tenant.allocation();
      if (a.guaranteed()) {
        regions.add(new Region(tenant.name(), hostPorts(fabric, a), a.links()));
      }
    }
    return switch (LinkRouting.route(fabric, tree, base, regions)) {
      case LinkRouting.Refused no ->
          new Outcome.Refused(
              "tenant " + no.region() + " cannot be routed inside its links: " + no.reason(),
              List.of("the fabric has changed since it was placed; remove it and add it again"));
      case LinkRouting.Routed yes -> {
        List<String> notes = new ArrayList<>(baseNotes);
        for (Tenant tenant : tenants) {
          int others = tenant.allocation().otherHostPorts();
          if (others > 0) {
            notes.add(
                tenant.name()
                    + ": "
                    + Counted.of(others, "port of its hosts is", "ports of its hosts are")
                    + " on other leaves, off its links, and not in its partition");
          }
        }
        if (yes.sharedEntries() > 0) {
          notes.add(
              "hosts without links of their own cross tenants' links where no free one leads: "
                  + "%,d entries for %,d LIDs".formatted(yes.sharedEntries(), yes.sharedHosts()));
        }
        yield new Outcome.Routed(
            new BoundTables(fabric, yes.tables()), yes.changedEntries(), notes);
      }
    };
  }

  /** Tenants whose routes leave their links, or do not arrive: one sentence each. */
  public static List<String> strays(BoundTables bound, List<Tenant> tenants) {
    List<String> out = new ArrayList<>();
    for (Tenant tenant : tenants) {
      Allocation a = tenant.allocation();
      int[] ports = hostPorts(bound.fabric(), a);
      LinkConfinement.Result r =
          LinkConfinement.check(bound.fabric(), bound.tables(), ports, a.links());
      if (a.guaranteed() && !r.confined()) {
        out.add(
            "%s: %d of %d routes leave its links, %d do not arrive: %s"
                .formatted(
                    tenant.name(), r.strays(), r.routes(), r.lost(), r.example().orElse("")));
      } else if (!a.guaranteed() && r.lost() > 0) {
        out.add("%s: %d of %d routes do not arrive".formatted(tenant.name(), r.lost(), r.routes()));
      }
      if (!a.joined()) {
        out.add(tenant.name() + ": " + NOT_JOINED);
      }
    }
    return out;
  }

  /** The tenants as a tenants file: {@code phy} where links were promised. */
  public static TenantsFile tenantsFile(String source, Fabric fabric, List<Tenant> tenants) {
    List<TenantsFile.Tenant> out = new ArrayList<>();
    for (Tenant tenant : tenants) {
      List<TenantsFile.Member> members = new ArrayList<>();
      for (int port : hostPorts(fabric, tenant.allocation())) {
        Guid guid = new Guid(fabric.portGuid(port));
        members.add(TenantsFile.Member.of(new TenantsFile.ByGuid(guid)));
      }
      IsolationPolicy policy =
          tenant.allocation().guaranteed() ? IsolationPolicy.PHY : IsolationPolicy.DEF;
      out.add(TenantsFile.Tenant.of(tenant.name(), tenant.pkey(), policy, members));
    }
    return new TenantsFile(source, TenantsFile.Rules.DEFAULT, List.of(), out);
  }
}
