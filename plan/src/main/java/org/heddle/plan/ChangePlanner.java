package org.heddle.plan;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationRequest.Preference;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.HostChoice;
import org.heddle.allocation.Placing;
import org.heddle.allocation.Plant;
import org.heddle.allocation.Refusal;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.plan.model.Breach;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.HostRef;
import org.heddle.plan.model.JournalEntry;
import org.heddle.plan.model.JournalEntry.Effect;
import org.heddle.plan.model.KeyRanges;
import org.heddle.plan.model.LinkRef;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Migration;
import org.heddle.plan.model.Origin;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.Outcome.Code;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import org.heddle.plan.model.Vm;
import org.heddle.plan.model.Wishes;
import org.heddle.tenancy.PKeys;
import org.heddle.verify.links.AllocationAudit;
import org.heddle.verify.links.AllocationFinding;

/**
 * Works out what a change does to a {@link DraftState} copy, or why it cannot be. No routing, no
 * proof, nothing durable.
 */
public final class ChangePlanner {
  private final DraftState w;
  private final long epoch;
  private final Instant now;
  private final Progress progress;

  private final VmPlanner vms;

  public ChangePlanner(DraftState working, long epoch, Instant now, String noOwnLids) {
    this(working, epoch, now, noOwnLids, Progress.NONE);
  }

  /**
   * @param noOwnLids why machines cannot have LIDs of their own here; empty if they can
   */
  ChangePlanner(DraftState working, long epoch, Instant now, String noOwnLids, Progress progress) {
    this.w = working;
    this.epoch = epoch;
    this.now = now;
    this.progress = progress;
    this.vms = new VmPlanner(working, epoch, now, noOwnLids);
  }

  /** For a state of a file, which has no epochs: changes count as one after another. */
  public static ChangePlanner of(DraftState working) {
    long last = working.tenants.values().stream().mapToLong(Tenant::changed).max().orElse(0);
    return new ChangePlanner(working, last + 1, Instant.EPOCH, "");
  }

  /** What was decided. */
  public sealed interface Decision {
    /** The copy has been changed. */
    record Changed(
        List<Effect> effects,
        Optional<Tenant> tenant,
        List<JournalEntry.Machine> machines,
        Optional<Vm> vm,
        Optional<Migration> migration)
        implements Decision {
      static Changed of(List<Effect> effects) {
        return of(effects, Optional.empty());
      }

      static Changed of(List<Effect> effects, Optional<Tenant> tenant) {
        return new Changed(effects, tenant, List.of(), Optional.empty(), Optional.empty());
      }

      Changed with(List<JournalEntry.Machine> others) {
        return new Changed(effects, tenant, others, vm, migration);
      }

      Changed with(Optional<Vm> started) {
        return new Changed(effects, tenant, machines, started, migration);
      }

      Changed with(Migration moved) {
        return new Changed(effects, tenant, machines, vm, Optional.of(moved));
      }
    }

    /**
     * The copy is as it was.
     *
     * @param place why none was found, if one was looked for
     */
    record Settled(Outcome outcome, Optional<Placing.Outcome.Refused> place) implements Decision {
      Settled(Outcome outcome) {
        this(outcome, Optional.empty());
      }
    }
  }

  /** A change that asks for something must not be more than its owner's quota. */
  public Decision decide(Change change) {
    if (w.quotas.areNone() || !wants(change)) {
      return keeping(change);
    }
    Map<String, Usage> before = Usage.of(w);
    Decision out = keeping(change);
    return out instanceof Decision.Changed
        ? Usage.excess(before, Usage.of(w), w.quotas)
            .map(why -> refuse(Code.QUOTA, why))
            .orElse(out)
        : out;
  }

  /** True if it is asked for by somebody; what there was before, and what is lost, is not. */
  private static boolean wants(Change change) {
    return switch (change) {
      case Change.Create _, Change.Replace _, Change.AddMembers _, Change.StartVm _ -> true;
      case Change.Batch c -> c.changes().stream().anyMatch(ChangePlanner::wants);
      default -> false;
    };
  }

  /** Nor cost others their promise for good. */
  private Decision keeping(Change change) {
    Decision out = step(change);
    if (!asks(change) || !(out instanceof Decision.Changed c) || c.effects().isEmpty()) {
      return out;
    }
    Set<String> losers = Isolation.lostForGood(w);
    return losers.isEmpty()
        ? out
        : refuse(
            Code.NO_PLACE,
            "it fits the fabric as it is now, but once what the fabric lacks is there again, these"
                + " could not be kept apart from others: "
                + String.join(", ", losers),
            List.of(
                "ask for fewer hosts or a weaker policy",
                "or write off what the fabric lacks: then promises are decided on what is there"));
  }

  /** True if somebody may get what others could need: hosts, links, members, a lane. */
  private static boolean asks(Change change) {
    return switch (change) {
      case Change.Create _, Change.Replace _, Change.AddMembers _, Change.SetQuality _ -> true;
      case Change.Rollback _ -> true;
      case Change.Batch c -> c.changes().stream().anyMatch(ChangePlanner::asks);
      default -> false;
    };
  }

  /** A change of tenants must leave machines where they may be. */
  private Decision step(Change change) {
    Decision out = decided(change);
    boolean asked = change instanceof Change.Create || change instanceof Change.Replace;
    if (asked && out instanceof Decision.Changed c) {
      Optional<Outcome.Refused> no = GroupRate.refusal(w.site.fabric(), c.effects());
      if (no.isPresent()) {
        return new Decision.Settled(no.get());
      }
    }
    boolean tenants = out instanceof Decision.Changed c && !c.effects().isEmpty();
    return tenants && !(change instanceof Change.FabricChanged)
        ? VmPlanner.homeless(w).<Decision>map(Decision.Settled::new).orElse(out)
        : out;
  }

  private Decision decided(Change change) {
    return switch (change) {
      case Change.Create c -> create(c);
      case Change.Replace c -> replace(c);
      case Change.Delete c -> delete(c.name(), c.version());
      case Change.AddMembers c -> addMembers(c);
      case Change.RemoveMembers c -> removeMembers(c);
      case Change.DeleteKey c -> {
        Tenant there = ofKey(c.pkey());
        yield there == null
            ? notFound(c.subject())
            : notByKey(there, Origin.CLIENT)
                .orElseGet(() -> delete(there.name(), OptionalLong.empty()));
      }
      case Change.SetQuality c -> setQuality(c);
      case Change.Batch c -> together(c);
      case Change.Drain c -> Drains.apply(w, c, epoch);
      case Change.FabricChanged c -> FabricChange.apply(w, c.fabric(), epoch);
      case Change.StartVm c -> vms.start(c.spec());
      case Change.StopVm c -> vms.stop(c);
      case Change.MoveVms c -> vms.move(c);
      case Change.Rollback c -> rollback(c);
      case Change.WriteOff _ -> writeOff();
    };
  }

  /** One after another; a tenant that several change has one effect. */
  private Decision together(Change.Batch c) {
    if (c.base().isPresent() && c.base().getAsLong() != epoch - 1) {
      return refuse(
          Code.CONFLICT,
          "it was planned on epoch %d, and now is %d".formatted(c.base().getAsLong(), epoch - 1));
    }
    Map<String, Effect> all = new LinkedHashMap<>();
    int tried = 0;
    Map<String, JournalEntry.Machine> machines = new LinkedHashMap<>();
    Optional<Migration> migration = Optional.empty();
    for (Change change : c.changes()) {
      progress.at("changes", tried++, c.changes().size());
      switch (step(change)) {
        case Decision.Settled s -> {
          if (s.outcome() instanceof Outcome.Refused no) {
            return new Decision.Settled(no.of(change.subject()));
          }
        }
        case Decision.Changed changed -> {
          changed.effects().forEach(e -> merge(all, e));
          merge(machines, changed.machines());
          if (migration.isPresent() && changed.migration().isPresent()) {
            return refuse(Code.INVALID, "VMs are moved together, by one of the changes");
          }
          migration = migration.or(changed::migration);
        }
      }
    }
    machines.values().removeIf(m -> m.before().equals(m.after())); // started and stopped
    List<Effect> effects = new ArrayList<>(all.values());
    effects.removeIf(e -> e.before().equals(e.after()));
    boolean fabric =
        c.changes().stream()
            .anyMatch(x -> x instanceof Change.FabricChanged || x instanceof Change.Drain);
    return effects.isEmpty() && machines.isEmpty() && !fabric
        ? unchanged(Optional.empty())
        : new Decision.Changed(
            effects, Optional.empty(), List.copyOf(machines.values()), Optional.empty(), migration);
  }

  private static void merge(
      Map<String, JournalEntry.Machine> all, List<JournalEntry.Machine> more) {
    for (JournalEntry.Machine m : more) {
      JournalEntry.Machine there = all.getOrDefault(m.name(), m);
      all.put(m.name(), new JournalEntry.Machine(m.name(), there.before(), m.after()));
    }
  }

  private static void merge(Map<String, Effect> all, Effect e) {
    Effect there = all.get(e.name());
    all.put(e.name(), there == null ? e : new Effect(e.name(), there.before(), e.after()));
  }

  /** Effects and one that comes after them. */
  public static List<Effect> merged(List<Effect> effects, Effect last) {
    Map<String, Effect> all = new LinkedHashMap<>();
    effects.forEach(e -> all.put(e.name(), e));
    merge(all, last);
    return List.copyOf(all.values());
  }

  /**
   * True if there are no tables because of one tenant's promise, which is given up for a change
   * that the fabric dictates: it cannot be refused for that.
   */
  public static boolean mayGiveUp(Change change, Tables tables) {
    boolean dictated =
        change instanceof Change.FabricChanged
            || change instanceof Change.Drain d && (d.force() || !d.out());
    return dictated && !tables.ok() && tables.culprit() != null;
  }

  private Decision create(Change.Create c) {
    Tenant there = w.tenants.get(c.spec().name());
    if (there == null) {
      return admit(c.spec(), Optional.empty(), c.links(), c.wishes());
    }
    Set<Long> among = c.wishes().among();
    boolean same =
        sameRequest(there.spec(), c.spec())
            && (among.isEmpty() || there.hosts().stream().allMatch(h -> among.contains(h.guid())));
    return same
        ? unchanged(Optional.of(there))
        : refuse(Code.CONFLICT, "there is a tenant '" + there.name() + "' already");
  }

  private static boolean sameRequest(TenantSpec there, TenantSpec asked) {
    PartitionOptions options = asked.partition().ofBefore(there.partition());
    options = options.pkey() == 0 ? options.withKey(there.partition().pkey()) : options;
    if (asked.policy() == Policy.VLANE && options.serviceLevel() == 0) {
      options = options.withServiceLevel(there.partition().serviceLevel());
    }
    return there.equals(asked.withPartition(options));
  }

  /** Checks, key, place. */
  private Decision admit(
      TenantSpec asked, Optional<Tenant> before, List<LinkRef> links, Wishes wishes) {
    Optional<Outcome.Refused> bad = TenantValidator.problem(asked);
    if (bad.isPresent()) {
      return new Decision.Settled(bad.get());
    }
    Origin origin =
        before.map(b -> b.spec().partition().origin()).orElse(asked.partition().origin());
    int key = asked.partition().pkey();
    if (key == 0) {
      key =
          before
              .map(Tenant::pkey)
              .orElseGet(
                  () ->
                      PKeys.of(
                          asked.name(),
                          k -> w.keys.containsKey(k) || !w.keyRanges.allow(origin, k)));
    }
    String holder = w.keys.get(key);
    if (key == 0) {
      return refuse(Code.CONFLICT, "no partition key is free");
    }
    if (before.filter(b -> b.pkey() == asked.partition().pkey()).isEmpty()
        && !w.keyRanges.allow(origin, key)) {
      return outside(origin, key);
    }
    if (holder != null && before.filter(b -> b.name().equals(holder)).isEmpty()) {
      return taken(key, holder);
    }
    PartitionOptions options = level(asked, before).withKey(key).withOrigin(origin);
    TenantSpec spec =
        asked.withPartition(
            before.map(b -> options.ofBefore(b.spec().partition())).orElse(options));
    if (spec.hosts() == 0 && spec.named().isEmpty()) {
      return settle(spec, null, before);
    }
    AllocationRequest request =
        AllocationRequest.of(Math.max(1, spec.hosts()))
            .withOversubscription(spec.oversubscription())
            .withRails(spec.rails());
    request = spec.policy() == Policy.LINKS ? request : request.withoutLinks();
    request =
        request
            .withBudget(wishes.budget())
            .withPreference(wishes.spread() ? Preference.SPREAD : Preference.PACK);
    BitSet lost =
        spec.policy() == Policy.LINKS ? LostPorts.machines(w, before.orElse(null)) : new BitSet();
    if (!spec.named().isEmpty()) {
      BitSet nodes = new BitSet();
      for (long guid : spec.named()) {
        int node = w.site.fabric().findNode(guid);
        if (node == Fabric.NONE || w.site.plant().leafOfHost(node) == Fabric.NONE) {
          return noHost(guid, node);
        }
        if (lost.get(node)) {
          return refuse(
              Code.NO_PLACE,
              w.site.plant().name(node)
                  + " cannot be given with links: an adapter of it has no link, as it had before",
              List.of("ask for a weaker policy, or see 'heddle fabric status'"));
        }
        nodes.set(node);
      }
      if (!links.isEmpty()) {
        return onLinks(spec, links, before);
      }
      // An adapter stands for its machine.
      request =
          request
              .withHosts(w.site.plant().machines(nodes).cardinality())
              .withChoice(HostChoice.only(nodes));
    } else {
      request = request.withChoice(choice(spec, wishes).without(lost, w.site.fabric().nodeCount()));
    }
    return place(spec, request, before);
  }

  /** Why no machine stands for a GUID: it is not there, or is not allocated. */
  private Decision noHost(long guid, int node) {
    if (node == Fabric.NONE || w.site.fabric().isSwitch(node)) {
      return refuse(Code.INVALID, Guid.format(guid) + " is no host of this fabric");
    }
    if (!w.site.out().isEmpty()) {
      return refuse(Code.NO_PLACE, Guid.format(guid) + " is out of service or has no link");
    }
    Plant plant = w.site.plant();
    return refuse(
        Code.NO_PLACE,
        plant.name(node) + " cannot be given: it " + plant.whyLeftOut(node).orElse("has no link"));
  }

  /** Hosts without others' machines, as wished. */
  private HostChoice choice(TenantSpec spec, Wishes wishes) {
    HostChoice out = VmPlanner.withoutMachines(w, spec.name());
    if (!wishes.among().isEmpty()) {
      BitSet nodes = nodes(wishes.among());
      nodes.stream().filter(n -> !out.accepts(n)).forEach(nodes::clear);
      return costed(HostChoice.only(nodes), wishes);
    }
    return costed(out, wishes);
  }

  /** Costs by node: 0 for hosts preferred, 2 for those to be avoided, 1 for the others. */
  private HostChoice costed(HostChoice choice, Wishes wishes) {
    if (wishes.preferred().isEmpty() && wishes.avoided().isEmpty()) {
      return choice;
    }
    int[] cost = new int[w.site.fabric().nodeCount()];
    Arrays.fill(cost, 1);
    nodes(wishes.preferred()).stream().forEach(node -> cost[node] = 0);
    nodes(wishes.avoided()).stream().forEach(node -> cost[node] = 2);
    return choice.withCost(cost);
  }

  private BitSet nodes(Set<Long> guids) {
    BitSet out = new BitSet();
    for (long guid : guids) {
      int node = w.site.fabric().findNode(guid);
      if (node != Fabric.NONE) {
        out.set(node);
      }
    }
    return out;
  }

  private Decision place(TenantSpec spec, AllocationRequest request, Optional<Tenant> before) {
    Allocator allocator = Catalog.allocator(spec.allocator()).orElseThrow();
    if (before.isPresent()) {
      w.remove(spec.name());
    }
    return switch (Placing.place(allocator, request, w.holdings.free(), w.holders())) {
      case Placing.Outcome.Placed placed -> settle(spec, placed.allocation(), before);
      case Placing.Outcome.Refused no -> {
        Refusal why = no.refusal();
        yield new Decision.Settled(
            new Outcome.Refused(
                Code.NO_PLACE, why.reason(), why.linesOfItself(), why.linesOfOthers()),
            Optional.of(no));
      }
    };
  }

  /** Hosts and links are given; they only have to be there and free. */
  private Decision onLinks(TenantSpec spec, List<LinkRef> links, Optional<Tenant> before) {
    BitSet nodes = w.site.plant().machines(nodes(Set.copyOf(spec.named())));
    List<HostRef> hosts = nodes.stream().mapToObj(w.site::host).toList();
    Tenant then = new Tenant(spec, hosts, links, epoch, epoch, now, List.of());
    PhysicalFabric.Remains r = w.site.remains(then, Holdings.none(w.site));
    for (LinkRef link : links) {
      if (w.site.binder().port(link.link()) == Fabric.NONE) {
        return refuse(Code.NO_PLACE, "there is no link " + link.id() + " that a tenant can have");
      }
    }
    Allocation a = r.held().charged();
    List<AllocationFinding> wrong =
        new AllocationAudit(w.site.used(), w.site.usedTree(), null, 0).audit(List.of(a));
    if (!wrong.isEmpty()) {
      return refuse(Code.NO_PLACE, "not with these links: " + wrong.getFirst());
    }
    if (before.isPresent()) {
      w.remove(spec.name());
    }
    return w.holdings.free().fits(a)
        ? settle(spec, a, before)
        : refuse(Code.NO_PLACE, "these hosts and links are not free");
  }

  private Decision settle(TenantSpec spec, Allocation a, Optional<Tenant> before) {
    if (before.isPresent()) {
      w.remove(spec.name());
    }
    Tenant tenant =
        new Tenant(
            spec,
            a == null ? List.of() : w.site.hosts(a),
            a == null ? List.of() : w.site.links(a),
            before.map(Tenant::created).orElse(epoch),
            epoch,
            before.map(Tenant::since).orElse(now),
            List.of());
    w.add(tenant, a);
    if (spec.policy() == Policy.VLANE && spec.partition().serviceLevel() == 0) {
      OptionalInt lane = Isolation.freeLane(w, tenant);
      if (lane.isEmpty()) {
        return refuse(Code.NO_PLACE, "no virtual lane is left that nobody it meets has");
      }
      PartitionOptions options = spec.partition().withServiceLevel(lane.getAsInt());
      tenant = tenant.with(spec.withPartition(options), epoch);
      w.update(tenant);
    }
    return changed(before, Optional.of(tenant));
  }

  /** A service level that was chosen for a lane goes with the policy. */
  private static PartitionOptions level(TenantSpec asked, Optional<Tenant> before) {
    boolean had = before.filter(b -> b.spec().policy() == Policy.VLANE).isPresent();
    return had && asked.policy() != Policy.VLANE
        ? asked.partition().withServiceLevel(0)
        : asked.partition();
  }

  private Decision replace(Change.Replace c) {
    TenantSpec spec = c.spec();
    OptionalLong version = c.version();
    Tenant there = w.tenants.get(spec.name());
    if (there == null) {
      return version.isPresent()
          ? notFound(spec.name())
          : admit(spec, Optional.empty(), c.links(), Wishes.NONE);
    }
    if (version.isPresent() && version.getAsLong() != there.changed()) {
      return stale(there);
    }
    boolean sameLinks =
        c.links().isEmpty() || Set.copyOf(c.links()).equals(Set.copyOf(there.links()));
    if (sameLinks && sameRequest(there.spec(), spec)) {
      return unchanged(Optional.of(there));
    }
    if (!sameLinks || !samePlace(there.spec(), spec)) {
      return admit(spec, Optional.of(there), c.links(), Wishes.NONE);
    }
    Optional<Outcome.Refused> bad = TenantValidator.problem(spec);
    if (bad.isPresent()) {
      return new Decision.Settled(bad.get());
    }
    int key = spec.partition().pkey() == 0 ? there.pkey() : spec.partition().pkey();
    String holder = w.keys.get(key);
    if (holder != null && !holder.equals(spec.name())) {
      return taken(key, holder);
    }
    Origin origin = there.spec().partition().origin();
    if (key != there.pkey() && !w.keyRanges.allow(origin, key)) {
      return outside(origin, key);
    }
    PartitionOptions options = spec.partition().withKey(key).ofBefore(there.spec().partition());
    if (spec.policy() == Policy.VLANE && options.serviceLevel() == 0) {
      options = options.withServiceLevel(there.spec().partition().serviceLevel());
    }
    Tenant next = there.with(spec.withPartition(options), epoch);
    w.update(next);
    return changed(Optional.of(there), Optional.of(next));
  }

  private static boolean samePlace(TenantSpec a, TenantSpec b) {
    return a.policy() == b.policy()
        && a.hosts() == b.hosts()
        && a.named().equals(b.named())
        && a.oversubscription() == b.oversubscription()
        && a.rails() == b.rails()
        && a.allocator().equals(b.allocator());
  }

  private Decision delete(String name, OptionalLong version) {
    Tenant there = w.tenants.get(name);
    if (there == null) {
      return notFound(name);
    }
    if (version.isPresent() && version.getAsLong() != there.changed()) {
      return stale(there);
    }
    Map<String, Tenant> before = new LinkedHashMap<>(w.tenants);
    w.remove(name);
    List<Effect> effects = new ArrayList<>();
    effects.add(new Effect(name, Optional.of(there), Optional.<Tenant>empty()));
    if (Isolation.someGaveWay(w)) {
      Isolation.settle(w, epoch); // there may be room for their promise again
      before.remove(name);
      effects.addAll(FabricChange.effects(w, before));
    }
    return Decision.Changed.of(effects);
  }

  private Tenant ofKey(int key) {
    return Optional.ofNullable(w.keys.get(key)).map(w.tenants::get).orElse(null);
  }

  private Decision addMembers(Change.AddMembers c) {
    TenantSpec fresh = c.fresh().withMembers(c.members());
    Origin by = fresh.partition().origin();
    Tenant there = ofKey(fresh.partition().pkey());
    if (!w.keyRanges.allow(by, fresh.partition().pkey())) {
      return outside(by, fresh.partition().pkey());
    }
    if (there == null) {
      if (c.members().isEmpty() && fresh.partition().ephemeral()) {
        return unchanged(Optional.empty());
      }
      if (w.tenants.containsKey(fresh.name())) {
        return refuse(Code.CONFLICT, "there is a tenant '" + fresh.name() + "' already");
      }
      Decision made = admit(fresh, Optional.empty(), List.of(), Wishes.NONE);
      return by.isJob() && made instanceof Decision.Changed changed
          ? numbered(changed, fresh.name())
          : made;
    }
    List<Member> before = there.spec().members();
    PartitionOptions options = there.spec().partition();
    Map<Long, Member> all = new LinkedHashMap<>();
    c.members().forEach(m -> all.put(m.guid(), m));
    Set<Long> members =
        PartitionMembers.of(w.site.fabric(), there).stream()
            .map(Member::guid)
            .collect(Collectors.toSet());
    if (!joins(by, there, members, all.keySet())) {
      return options.origin().isJob() && by.isJob() && there.hosts().isEmpty()
          ? refuse(
              Code.CONFLICT,
              ("key 0x%x belongs to other hosts, probably to a job whose number has the same"
                      + " remainder; they would talk to each other. To share it on purpose, make"
                      + " it first without members")
                  .formatted(options.pkey()))
          : othersPartition(there);
    }
    if (by.isJob() && options.origin() == Origin.CLIENT) {
      options = options.withOrigin(Origin.SHARED);
    }
    if (c.adding() == Change.Adding.REPLACE) {
      return members(there, List.copyOf(all.values()), options.withIpOverIb(ipOverIb(c)));
    }
    Map<Long, Member> joined = new LinkedHashMap<>();
    before.forEach(m -> joined.put(m.guid(), m));
    joined.putAll(all);
    return members(there, List.copyOf(joined.values()), options);
  }

  /**
   * Nobody joins what another door made, but for the default partition, in which everybody is, and
   * a partition that a client made to stay: the first job that finds it empty makes it the jobs'.
   *
   * @param members GUIDs of those that are there, with the ports of hosts
   * @param asked GUIDs of those that come
   */
  private static boolean joins(Origin by, Tenant there, Set<Long> members, Set<Long> asked) {
    if (there.pkey() == PartitionOptions.MANAGEMENT) {
      return true;
    }
    PartitionOptions options = there.spec().partition();
    if (!by.isJob()) {
      return options.origin() == Origin.CLIENT || options.origin() == Origin.UNKNOWN;
    }
    if (!there.hosts().isEmpty()) {
      return false; // whoever made it, it is a tenant's now
    }
    return switch (options.origin()) {
      case OPERATOR, SITE -> false;
      case CLIENT -> members.isEmpty() && !options.ephemeral() && !options.isNetwork();
      case JOBS, SHARED -> true;
      case JOB, UNKNOWN -> members.equals(asked);
    };
  }

  /** Jobs that come under different keys have them by their numbers: no other may join one. */
  private Decision numbered(Decision.Changed made, String fresh) {
    List<Effect> effects = new ArrayList<>(made.effects());
    for (Tenant t : List.copyOf(w.tenants.values())) {
      PartitionOptions options = t.spec().partition();
      if (options.origin() == Origin.JOBS && !t.name().equals(fresh)) {
        Tenant then = t.with(t.spec().withPartition(options.withOrigin(Origin.JOB)), t.changed());
        w.update(then);
        effects.add(new Effect(t.name(), Optional.of(t), Optional.of(then)));
      }
    }
    return Decision.Changed.of(effects, made.tenant());
  }

  /** What the operator made is not changed by its key, and what a client made not by a job. */
  private static Optional<Decision> notByKey(Tenant there, Origin by) {
    Origin made = there.spec().partition().origin();
    boolean others =
        made == Origin.OPERATOR || made == Origin.SITE || made == Origin.CLIENT && by.isJob();
    return others && there.pkey() != PartitionOptions.MANAGEMENT
        ? Optional.of(othersPartition(there))
        : Optional.empty();
  }

  private static Decision othersPartition(Tenant there) {
    String by =
        switch (there.spec().partition().origin()) {
          case OPERATOR -> "the operator's";
          case SITE -> "one that the site had before";
          case CLIENT, UNKNOWN -> "a UFM client's";
          case JOBS, JOB -> "a job's";
          case SHARED -> "for jobs";
        };
    return new Decision.Settled(
        new Outcome.Refused(
            Code.CONFLICT,
            "key 0x%x is that of '%s', which is %s, and is not changed from here"
                .formatted(there.pkey(), there.name(), by),
            List.of("choose another key; PUT /v1/tenants/NAME changes any tenant"),
            List.of()));
  }

  private static Decision outside(Origin origin, int key) {
    return refuse(
        Code.CONFLICT,
        "key 0x%x is not for this origin: its partitions have keys in the range that %s gives"
            .formatted(key, KeyRanges.key(origin)));
  }

  private static boolean ipOverIb(Change.AddMembers c) {
    return c.fresh().partition().ipOverIb();
  }

  private Decision removeMembers(Change.RemoveMembers c) {
    Tenant there = ofKey(c.pkey());
    if (there == null) {
      return notFound(c.subject());
    }
    Optional<Decision> others = notByKey(there, c.by());
    if (others.isPresent()) {
      return others.get();
    }
    for (Member m : PartitionMembers.ofHosts(w.site.fabric(), there)) {
      if (c.guids().contains(m.guid())) {
        return refuse(
            Code.CONFLICT,
            Guid.format(m.guid()) + " is a port of a host of '" + there.name() + "'");
      }
    }
    List<Member> left =
        there.spec().members().stream().filter(m -> !c.guids().contains(m.guid())).toList();
    return members(there, left, there.spec().partition());
  }

  private Decision members(Tenant there, List<Member> members, PartitionOptions options) {
    if (members.isEmpty() && options.ephemeral() && there.hosts().isEmpty()) {
      return delete(there.name(), OptionalLong.empty());
    }
    return respecified(there, there.spec().withMembers(members).withPartition(options));
  }

  private Decision setQuality(Change.SetQuality c) {
    Tenant there = ofKey(c.pkey());
    if (there == null) {
      return notFound(c.subject());
    }
    Optional<Decision> others = notByKey(there, Origin.CLIENT);
    if (others.isPresent()) {
      return others.get();
    }
    PartitionOptions options =
        there.spec().partition().withQuality(c.mtu(), c.rate(), c.serviceLevel());
    return respecified(there, there.spec().withPartition(options));
  }

  /** The same place under the same key, something else about it. */
  private Decision respecified(Tenant there, TenantSpec spec) {
    if (spec.equals(there.spec())) {
      return unchanged(Optional.of(there));
    }
    Tenant next = there.with(spec, epoch);
    w.update(next);
    return changed(Optional.of(there), Optional.of(next));
  }

  private Decision rollback(Change.Rollback c) {
    if (c.base() != epoch - 1) {
      return refuse(
          Code.CONFLICT,
          "it was prepared on epoch %d, and now is %d".formatted(c.base(), epoch - 1));
    }
    Optional<Outcome.Refused> taken = machinesOfOthers(c);
    if (taken.isPresent()) {
      return new Decision.Settled(taken.get());
    }
    Map<String, Tenant> before = new LinkedHashMap<>();
    c.tenants().keySet().forEach(name -> before.put(name, w.tenants.get(name)));
    before.values().removeIf(Objects::isNull);
    w.tenants.forEach(before::putIfAbsent);
    c.tenants().keySet().forEach(w::remove);
    boolean drains = !c.drained().equals(w.site.drained());
    Map<String, JournalEntry.Machine> moved = new LinkedHashMap<>();
    Map<String, List<Breach>> lost = new LinkedHashMap<>();
    if (drains) {
      List<JournalEntry.Machine> machines = new ArrayList<>();
      Optional<Outcome.Refused> no =
          FabricChange.onto(w, w.site.fabric(), c.drained(), epoch, machines);
      if (no.isPresent()) {
        return new Decision.Settled(no.get());
      }
      merge(moved, machines);
      lost.putAll(FabricChange.take(w, w.tenants.values()));
      FabricChange.flag(w, lost, epoch);
    }
    Optional<Outcome.Refused> gone = restore(c);
    if (gone.isPresent()) {
      return new Decision.Settled(gone.get());
    }
    if (drains) {
      FabricChange.repair(w, false, epoch);
    }
    if (drains || Isolation.someGaveWay(w)) {
      Isolation.settle(w, epoch);
    }
    List<Effect> effects = new ArrayList<>(FabricChange.effects(w, before));
    List<JournalEntry.Machine> machines = new ArrayList<>();
    Optional<String> stuck = VmPlanner.restore(w, c.machines(), epoch, machines);
    if (stuck.isPresent()) {
      return refuse(
          Code.NO_PLACE,
          "what VM '" + stuck.get() + "' had at epoch " + c.epoch() + " is not free");
    }
    merge(moved, machines);
    return effects.isEmpty() && moved.isEmpty() && !drains
        ? unchanged(c.only().map(w.tenants::get))
        : Decision.Changed.of(effects, c.only().map(w.tenants::get))
            .with(List.copyOf(moved.values()));
  }

  /** Of one tenant: a machine that is another tenant's by now is not taken from that. */
  private Optional<Outcome.Refused> machinesOfOthers(Change.Rollback c) {
    for (String name : c.only().isEmpty() ? Set.<String>of() : c.machines().keySet()) {
      Vm now = w.machines.all().get(name);
      if (now != null && !now.tenant().equals(c.only().get())) {
        return Optional.of(
            Outcome.Refused.of(
                Code.CONFLICT, "VM '" + name + "' belongs to tenant '" + now.tenant() + "' now"));
      }
    }
    return Optional.empty();
  }

  /**
   * Puts tenants back as they were, after those who are there have taken what they list.
   *
   * @return why somebody would not have what it had then; empty if everybody has
   */
  private Optional<Outcome.Refused> restore(Change.Rollback c) {
    List<Tenant> back = new ArrayList<>();
    c.tenants().values().forEach(t -> t.ifPresent(back::add));
    back.sort(DraftState.ADMISSION);
    Map<String, List<Breach>> lost = FabricChange.take(w, back);
    for (Tenant then : back) {
      List<Breach> now = lost.getOrDefault(then.name(), List.of());
      String holder = w.keys.get(then.pkey());
      List<String> why = new ArrayList<>();
      now.stream().filter(b -> !then.broken().contains(b)).map(Breach::sentence).forEach(why::add);
      if (holder != null) {
        why.add("key 0x%x is that of tenant '%s'".formatted(then.pkey(), holder));
      }
      if (!why.isEmpty()) {
        return Optional.of(
            new Outcome.Refused(
                Code.NO_PLACE,
                "what '%s' held at epoch %d is not free: %s"
                    .formatted(then.name(), c.epoch(), String.join("; ", why)),
                List.of()));
      }
      List<Breach> broken = new ArrayList<>(now);
      then.broken().stream().filter(Breach.GaveWay.class::isInstance).forEach(broken::add);
      w.add(then.holding(then.hosts(), then.links(), broken, epoch), null);
    }
    return Optional.empty();
  }

  /** What the fabric lacks is not waited for any more. */
  private Decision writeOff() {
    if (w.reference == w.site) {
      return unchanged(Optional.empty());
    }
    w.reference = w.site;
    return Decision.Changed.of(List.of());
  }

  private static Decision changed(Optional<Tenant> before, Optional<Tenant> after) {
    String name = after.or(() -> before).orElseThrow().name();
    return Decision.Changed.of(List.of(new Effect(name, before, after)), after);
  }

  private Decision unchanged(Optional<Tenant> tenant) {
    return new Decision.Settled(
        new Outcome.Unchanged(tenant.map(Tenant::changed).orElse(epoch - 1), tenant));
  }

  private static Decision taken(int key, String holder) {
    return new Decision.Settled(
        new Outcome.Refused(
            Code.CONFLICT, "key 0x%x is taken".formatted(key), List.of(), List.of("by " + holder)));
  }

  private static Decision notFound(String name) {
    return refuse(Code.NOT_FOUND, "there is no tenant '" + name + "'");
  }

  private static Decision stale(Tenant there) {
    return refuse(Code.STALE, "the tenant is at version " + there.changed() + " meanwhile");
  }

  private static Decision refuse(Code code, String reason) {
    return refuse(code, reason, List.of());
  }

  private static Decision refuse(Code code, String reason, List<String> hints) {
    return new Decision.Settled(new Outcome.Refused(code, reason, hints));
  }
}
