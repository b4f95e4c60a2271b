package org.heddle.plan.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;

/** A request to change the desired state. */
public sealed interface Change {
  /** The kind for journal and events. */
  EventKind kind();

  /** What it is about: a tenant's name, or the fabric. */
  String subject();

  /**
   * Admits a tenant. Refused if the name is taken by another request.
   *
   * @param links for hosts that are named, exactly these as its own; empty to look for them
   * @param wishes where to look
   */
  record Create(TenantSpec spec, List<LinkRef> links, Wishes wishes) implements Change {
    public Create {
      links = List.copyOf(links);
    }

    /** With these links, or with links that are looked for anywhere. */
    public Create(TenantSpec spec, List<LinkRef> links) {
      this(spec, links, Wishes.NONE);
    }

    /** With links that are looked for. */
    public Create(TenantSpec spec) {
      this(spec, List.of());
    }

    @Override
    public EventKind kind() {
      return EventKind.TENANT_CREATED;
    }

    @Override
    public String subject() {
      return spec.name();
    }
  }

  /**
   * Puts another request in a tenant's place; hosts and links are looked for anew only if what they
   * depend on differs.
   *
   * @param version the version that must be current, if it matters
   * @param links for hosts that are named, exactly these as its own; empty to look for them
   */
  record Replace(TenantSpec spec, OptionalLong version, List<LinkRef> links) implements Change {
    public Replace {
      links = List.copyOf(links);
    }

    /** With links that are looked for, if they are. */
    public Replace(TenantSpec spec, OptionalLong version) {
      this(spec, version, List.of());
    }

    @Override
    public EventKind kind() {
      return EventKind.TENANT_CHANGED;
    }

    @Override
    public String subject() {
      return spec.name();
    }
  }

  /** Lets a tenant go. */
  record Delete(String name, OptionalLong version) implements Change {
    @Override
    public EventKind kind() {
      return EventKind.TENANT_DELETED;
    }

    @Override
    public String subject() {
      return name;
    }
  }

  /** What adding members does to those that are there. */
  enum Adding {
    /** They stay; who is there already gets the membership said now. */
    ADD,
    /** All other explicit members go. */
    REPLACE
  }

  /**
   * Adds members to the tenant with a key; makes it if there is none.
   *
   * @param fresh what a new tenant is like; the key is taken from it
   */
  record AddMembers(TenantSpec fresh, List<Member> members, Adding adding) implements Change {
    public AddMembers {
      members = List.copyOf(members);
    }

    @Override
    public EventKind kind() {
      return EventKind.MEMBERS_ADDED;
    }

    @Override
    public String subject() {
      return fresh.name();
    }
  }

  /**
   * Takes members out of the tenant with a key; an ephemeral one goes with its last. GUIDs that are
   * no members are passed over; ports of the tenant's hosts are refused.
   *
   * @param by jobs take nobody out of what they did not make
   */
  record RemoveMembers(int pkey, List<Long> guids, Origin by) implements Change {
    public RemoveMembers {
      guids = List.copyOf(guids);
    }

    /** By a client. */
    public RemoveMembers(int pkey, List<Long> guids) {
      this(pkey, guids, Origin.CLIENT);
    }

    @Override
    public EventKind kind() {
      return EventKind.MEMBERS_REMOVED;
    }

    @Override
    public String subject() {
      return "0x" + Integer.toHexString(pkey);
    }
  }

  /** Lets the tenant with a key go. */
  record DeleteKey(int pkey) implements Change {
    @Override
    public EventKind kind() {
      return EventKind.TENANT_DELETED;
    }

    @Override
    public String subject() {
      return "0x" + Integer.toHexString(pkey);
    }
  }

  /**
   * Sets the quality of service of the tenant with a key; values as in {@link PartitionOptions}.
   */
  record SetQuality(int pkey, int mtu, double rate, int serviceLevel) implements Change {
    @Override
    public EventKind kind() {
      return EventKind.QUALITY_SET;
    }

    @Override
    public String subject() {
      return "0x" + Integer.toHexString(pkey);
    }
  }

  /**
   * Several changes as one epoch, all or none.
   *
   * @param subject what calls them together, as a plan
   * @param base the epoch that must be current, if it matters
   */
  record Batch(String subject, List<Change> changes, OptionalLong base) implements Change {
    public Batch {
      changes = List.copyOf(changes);
    }

    @Override
    public EventKind kind() {
      return EventKind.PLAN_APPLIED;
    }
  }

  /** The fabric is another: links or nodes came or went. */
  record FabricChanged(Fabric fabric, String what) implements Change {
    @Override
    public EventKind kind() {
      return EventKind.FABRIC_CHANGED;
    }

    @Override
    public String subject() {
      return what;
    }
  }

  /** Starts a virtual machine. Refused if the name is taken by another request. */
  record StartVm(VmSpec spec) implements Change {
    @Override
    public EventKind kind() {
      return EventKind.VM_STARTED;
    }

    @Override
    public String subject() {
      return spec.name();
    }
  }

  /**
   * Stops a virtual machine; its addresses are free again, but for its vGUID.
   *
   * @param version the version that must be current, if it matters
   */
  record StopVm(String name, OptionalLong version) implements Change {
    @Override
    public EventKind kind() {
      return EventKind.VM_STOPPED;
    }

    @Override
    public String subject() {
      return name;
    }
  }

  /** A machine and the node GUID of the host that it is to go to. */
  record VmMove(String name, long host) {}

  /**
   * Moves virtual machines, each after those named before it, as one epoch.
   *
   * @param minimal true to change as few switches as possible ({@code ftree-minrc}), false to give
   *     every machine the routes of its new host ({@code itrc})
   */
  record MoveVms(List<VmMove> moves, boolean minimal) implements Change {
    public MoveVms {
      moves = List.copyOf(moves);
    }

    @Override
    public EventKind kind() {
      return EventKind.VM_MOVED;
    }

    @Override
    public String subject() {
      return moves.size() == 1 ? moves.getFirst().name() : moves.size() + " VMs";
    }
  }

  /**
   * Takes links and switches out of service although they are there, or puts them back.
   *
   * @param out false to put them back
   * @param force true to flag tenants that lose what they were promised; else it is refused then
   */
  record Drain(Drained what, boolean out, boolean force) implements Change {
    @Override
    public EventKind kind() {
      return what.switches().isEmpty()
          ? out ? EventKind.LINK_DRAINED : EventKind.LINK_RETURNED
          : out ? EventKind.NODE_DRAINED : EventKind.NODE_RETURNED;
    }

    @Override
    public String subject() {
      List<String> names = new ArrayList<>();
      what.switches().forEach(g -> names.add(Guid.format(g)));
      what.links().forEach(l -> names.add(l.id()));
      int more = names.size() - 1;
      return names.isEmpty()
          ? "nothing"
          : names.getFirst() + (more > 0 ? " and " + more + " more" : "");
    }
  }

  /**
   * What the fabric lacks does not come back: promises are decided on what is there from now on,
   * and no longer also on the fabric that lacked nothing.
   */
  record WriteOff() implements Change {
    @Override
    public EventKind kind() {
      return EventKind.FABRIC_WRITTEN_OFF;
    }

    @Override
    public String subject() {
      return "what the fabric lacks";
    }
  }

  /**
   * Makes tenants and machines what they were; a machine is routed as its host then.
   *
   * @param epoch the state to return to
   * @param base the epoch that must be current: what came later is not among the tenants
   * @param tenants every tenant that differs, as it was then; empty for one that was not there
   * @param machines the same of machines
   * @param drained what was out of service then; of one tenant, what is out of service now
   * @param only the tenant that it is about, with its machines; empty for all
   */
  record Rollback(
      long epoch,
      long base,
      Map<String, Optional<Tenant>> tenants,
      Map<String, Optional<Vm>> machines,
      Drained drained,
      Optional<String> only)
      implements Change {
    /**
     * The part of it that is about one tenant: the tenant, and machines that are its now, or were.
     *
     * @param out what is out of service, and stays so
     * @param vms machines as they are
     */
    public Rollback of(String tenant, Drained out, Map<String, Vm> vms) {
      Map<String, Optional<Tenant>> its = new LinkedHashMap<>();
      if (tenants.containsKey(tenant)) {
        its.put(tenant, tenants.get(tenant));
      }
      Map<String, Optional<Vm>> mine = new LinkedHashMap<>();
      machines.forEach(
          (name, then) -> {
            Optional<Vm> is = Optional.ofNullable(vms.get(name));
            boolean was = then.filter(m -> m.tenant().equals(tenant)).isPresent();
            if (was || is.filter(m -> m.tenant().equals(tenant)).isPresent()) {
              mine.put(name, then.filter(m -> m.tenant().equals(tenant)));
            }
          });
      return new Rollback(epoch, base, its, mine, out, Optional.of(tenant));
    }

    @Override
    public EventKind kind() {
      return EventKind.ROLLED_BACK;
    }

    @Override
    public String subject() {
      return only.map(name -> name + " to ").orElse("") + "epoch " + epoch;
    }
  }
}
