package org.heddle.server.store;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.heddle.allocation.Rails;
import org.heddle.plan.model.Breach;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Origin;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;

/** A tenant in a database. */
record StoredTenant(
    Spec spec,
    List<StoredHost> hosts,
    List<StoredLink> links,
    long created,
    long changed,
    Instant since,
    List<String> broken)
    implements StoredDocument<Tenant> {
  /** What it asked for; without a word on rails before there were several, or if separate. */
  record Spec(
      String name,
      String owner,
      String policy,
      int hosts,
      List<StoredGuid> named,
      int oversubscription,
      String rails,
      String allocator,
      Partition partition,
      List<Port> members) {
    static Spec of(TenantSpec s) {
      return new Spec(
          s.name(),
          s.owner(),
          s.policy().word(),
          s.hosts(),
          s.named().stream().map(StoredGuid::new).toList(),
          s.oversubscription(),
          s.rails() == Rails.SEPARATE ? null : s.rails().word(),
          s.allocator(),
          Partition.of(s.partition()),
          s.members().stream().map(Port::of).toList());
    }

    TenantSpec value() {
      boolean plain = hosts == 0 && named.isEmpty() && policy.equalsIgnoreCase(Policy.DEF.word());
      return new TenantSpec(
          name,
          owner,
          Policy.of(policy.toLowerCase(Locale.ROOT)).orElseThrow(),
          hosts,
          named.stream().map(StoredGuid::guid).toList(),
          oversubscription,
          rails == null ? Rails.SEPARATE : Rails.of(rails).orElseThrow(),
          allocator,
          partition.value(plain ? Origin.UNKNOWN : Origin.OPERATOR),
          members.stream().map(Port::value).toList());
    }
  }

  /**
   * Its partition; without a label or an origin before these were kept: then what has hosts or a
   * policy is the operator's, and of everything else nobody knows. Without definitions of a site
   * unless it has any.
   */
  record Partition(
      StoredKey pkey,
      boolean ipOverIb,
      boolean index0,
      int mtu,
      double rate,
      int serviceLevel,
      boolean ephemeral,
      String origin,
      String label,
      String kept) {
    static Partition of(PartitionOptions p) {
      return new Partition(
          new StoredKey(p.pkey()),
          p.ipOverIb(),
          p.index0(),
          p.mtu(),
          p.rate(),
          p.serviceLevel(),
          p.ephemeral(),
          p.origin().word(),
          p.label(),
          p.kept().isEmpty() ? null : p.kept());
    }

    PartitionOptions value(Origin before) {
      String text = label == null ? "" : label;
      Origin by = origin == null ? before : Origin.of(origin).orElseThrow();
      return new PartitionOptions(
          pkey.key(),
          ipOverIb,
          index0,
          mtu,
          rate,
          serviceLevel,
          ephemeral,
          by,
          text,
          kept == null ? "" : kept);
    }
  }

  /** A port in it; without a label before there were any. */
  record Port(StoredGuid guid, boolean full, boolean index0, String label) {
    static Port of(Member m) {
      return new Port(new StoredGuid(m.guid()), m.full(), m.index0(), m.label());
    }

    Member value() {
      return new Member(guid.guid(), full, index0, label == null ? "" : label);
    }
  }

  static StoredTenant of(Tenant t) {
    return new StoredTenant(
        Spec.of(t.spec()),
        t.hosts().stream().map(StoredHost::of).toList(),
        t.links().stream().map(StoredLink::of).toList(),
        t.created(),
        t.changed(),
        t.since(),
        Breach.sentences(t.broken()));
  }

  @Override
  public Tenant value() {
    return new Tenant(
        spec.value(),
        hosts.stream().map(StoredHost::value).toList(),
        links.stream().map(StoredLink::value).toList(),
        created,
        changed,
        since,
        broken.stream().map(Breach::of).toList());
  }
}
