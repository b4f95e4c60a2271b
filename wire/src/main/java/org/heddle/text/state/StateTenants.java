package org.heddle.text.state;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.heddle.fabric.Guid;
import org.heddle.plan.model.HostRef;
import org.heddle.plan.model.LinkRef;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;

/** The tenants of a state file as those of a desired state, and back. */
public final class StateTenants {
  private StateTenants() {}

  /**
   * A tenant of a file.
   *
   * @param epoch of its admission: later ones have larger ones
   */
  public static Tenant of(StateFile.Tenant t, long epoch) {
    TenantSpec spec =
        new TenantSpec(
            t.name(),
            "",
            t.guaranteed() ? Policy.LINKS : Policy.DEF,
            t.requested(),
            List.of(),
            t.oversubscription(),
            t.rails(),
            t.allocator(),
            PartitionOptions.ofKey(t.pkey()),
            List.of());
    return new Tenant(
        spec,
        t.hosts().stream().map(StateTenants::host).toList(),
        t.links().stream()
            .map(l -> new LinkRef(l.from().value(), l.port(), l.to().value(), l.toPort()))
            .toList(),
        epoch,
        epoch,
        Instant.EPOCH,
        List.of());
  }

  /** A host of a file. */
  public static HostRef host(StateFile.Host h) {
    return new HostRef(h.guid().value(), h.name(), h.adapters().stream().map(Guid::value).toList());
  }

  /** A tenant as a file has it; one with links of its own is {@code guaranteed}. */
  public static StateFile.Tenant of(Tenant t) {
    TenantSpec spec = t.spec();
    return new StateFile.Tenant(
        0,
        t.name(),
        t.pkey(),
        spec.named().isEmpty() ? spec.hosts() : t.hosts().size(),
        spec.oversubscription(),
        spec.allocator(),
        spec.policy() == Policy.LINKS,
        spec.rails(),
        t.hosts().stream()
            .map(
                h ->
                    new StateFile.Host(
                        0,
                        new Guid(h.guid()),
                        text(h.name()),
                        h.adapters().stream().map(Guid::new).toList()))
            .toList(),
        t.links().stream()
            .map(
                l ->
                    new StateFile.Link(
                        0, new Guid(l.from()), l.port(), new Guid(l.to()), l.toPort()))
            .toList());
  }

  /** The text as it comes back from a file. */
  private static String text(String name) {
    return new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
