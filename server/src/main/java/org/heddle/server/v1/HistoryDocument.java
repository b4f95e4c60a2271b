package org.heddle.server.v1;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;
import org.heddle.fabric.Guid;
import org.heddle.plan.model.HostRef;
import org.heddle.plan.model.JournalEntry;
import org.heddle.plan.model.LinkRef;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import org.heddle.plan.model.Vm;
import org.heddle.server.http.Documents;

/**
 * An epoch of the journal as it is shown: what was changed, by whom, and what tenants and VMs were
 * before and after. GUIDs and keys as in all documents.
 */
record HistoryDocument(
    long epoch,
    String at,
    String actor,
    String kind,
    String subject,
    List<EffectDocument> effects,
    List<VmDocument> vms) {

  /** A tenant before and after; null where it is not there. */
  record EffectDocument(String name, Optional<TenantState> before, Optional<TenantState> after) {}

  /** A virtual machine before and after; null where it is not there. */
  record VmDocument(String name, Optional<VmState> before, Optional<VmState> after) {}

  /** A tenant at an epoch. */
  record TenantState(
      SpecState spec,
      List<HostState> hosts,
      List<LinkState> links,
      long created,
      long changed,
      String since,
      List<String> broken) {}

  /** What a tenant asked for. */
  record SpecState(
      String name,
      String owner,
      String policy,
      int hosts,
      List<String> named,
      int oversubscription,
      @JsonInclude(JsonInclude.Include.NON_NULL) String rails,
      String allocator,
      PartitionState partition,
      List<MemberState> members) {}

  /** Its partition. */
  record PartitionState(
      String pkey,
      boolean ipOverIb,
      boolean index0,
      int mtu,
      double rate,
      int serviceLevel,
      boolean ephemeral,
      String label) {}

  /** A port in it. */
  record MemberState(String guid, boolean full, boolean index0, String label) {}

  /** A host. */
  record HostState(String guid, String name) {}

  /** A link, its lower end first. */
  record LinkState(String from, int port, String to, int toPort) {}

  /** A virtual machine at an epoch; {@code column} is always null. */
  record VmState(
      String name,
      String tenant,
      HostState host,
      String portGuid,
      int function,
      String vguid,
      int lid,
      boolean ownLid,
      int weight,
      long created,
      long changed,
      String stranded,
      Optional<String> column) {}

  static HistoryDocument of(JournalEntry e) {
    return new HistoryDocument(
        e.epoch(),
        e.at().toString(),
        e.actor(),
        e.kind().word(),
        e.subject(),
        e.effects().stream()
            .map(
                f ->
                    new EffectDocument(
                        f.name(),
                        f.before().map(HistoryDocument::tenant),
                        f.after().map(HistoryDocument::tenant)))
            .toList(),
        e.machines().stream()
            .map(
                m ->
                    new VmDocument(
                        m.name(),
                        m.before().map(HistoryDocument::vm),
                        m.after().map(HistoryDocument::vm)))
            .toList());
  }

  private static TenantState tenant(Tenant t) {
    return new TenantState(
        spec(t.spec()),
        t.hosts().stream().map(HistoryDocument::host).toList(),
        t.links().stream().map(HistoryDocument::link).toList(),
        t.created(),
        t.changed(),
        t.since().toString(),
        Documents.broken(t));
  }

  private static SpecState spec(TenantSpec s) {
    return new SpecState(
        s.name(),
        s.owner(),
        s.policy().word(),
        s.hosts(),
        s.named().stream().map(Guid::format).toList(),
        s.oversubscription(),
        Documents.rails(s.rails()),
        s.allocator(),
        partition(s.partition()),
        s.members().stream().map(HistoryDocument::member).toList());
  }

  private static PartitionState partition(PartitionOptions p) {
    return new PartitionState(
        Documents.key(p.pkey()),
        p.ipOverIb(),
        p.index0(),
        p.mtu(),
        p.rate(),
        p.serviceLevel(),
        p.ephemeral(),
        p.label());
  }

  private static MemberState member(Member m) {
    return new MemberState(Guid.format(m.guid()), m.full(), m.index0(), m.label());
  }

  private static HostState host(HostRef h) {
    return new HostState(Guid.format(h.guid()), h.name());
  }

  private static LinkState link(LinkRef l) {
    return new LinkState(Guid.format(l.from()), l.port(), Guid.format(l.to()), l.toPort());
  }

  private static VmState vm(Vm m) {
    return new VmState(
        m.name(),
        m.tenant(),
        host(m.host()),
        Guid.format(m.portGuid()),
        m.function(),
        Guid.format(m.vguid()),
        m.lid(),
        m.ownLid(),
        m.weight(),
        m.created(),
        m.changed(),
        m.stranded(),
        Optional.empty());
  }
}
