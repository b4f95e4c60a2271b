package org.heddle.cli.serve;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.cli.shell.Failure;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.opensm.ControlPartitions;
import org.heddle.opensm.SiteImport;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Origin;
import org.heddle.plan.model.Partition;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import org.heddle.plan.model.Wishes;
import org.heddle.text.opensm.EffectivePartitions;
import org.heddle.text.opensm.PartitionsConf;

/**
 * Which partitions of a site become tenants, beside those that a controller has. Whatever the site
 * has is taken over unless it is to be dropped by name; tenants that were made otherwise, or that
 * were given hosts or an owner since an earlier import, stay as they are.
 *
 * @param changes to be made as one
 * @param after the partitions from then on, by ascending key
 * @param dropped keys of the partitions that are named to be dropped
 */
record ImportPlan(
    List<Change> changes,
    List<ImportDocument.Partition> partitions,
    List<Partition> after,
    Set<Integer> dropped,
    List<String> notes) {

  /**
   * Makes a plan.
   *
   * @param there the tenants of the controller
   * @param drop names or keys of partitions that are not taken over
   * @throws Failure if there is no partition of one of these names
   */
  static ImportPlan of(ImportSite site, List<Tenant> there, List<String> drop) {
    return new Draft(site, there, drop).plan();
  }

  /** What Heddle would write. */
  PartitionsConf written() {
    return ControlPartitions.of(after);
  }

  private static final class Draft {
    private final ImportSite site;
    private final Set<String> drop;
    private final Set<String> unused;
    private final Map<Integer, Tenant> byKey = new TreeMap<>();
    private final List<Change> changes = new ArrayList<>();
    private final List<ImportDocument.Partition> partitions = new ArrayList<>();
    private final List<Partition> after = new ArrayList<>();
    private final Set<Integer> dropped = new TreeSet<>();
    private final List<String> notes = new ArrayList<>();

    Draft(ImportSite site, List<Tenant> there, List<String> drop) {
      this.site = site;
      this.drop = new LinkedHashSet<>(drop);
      this.unused = new LinkedHashSet<>(drop);
      there.forEach(t -> byKey.put(t.pkey(), t));
    }

    ImportPlan plan() {
      Fabric fabric = site.fabric();
      EffectivePartitions before = site.partitions();
      Map<Integer, String> names = new HashMap<>();
      byKey.forEach((key, t) -> names.put(key, t.name()));
      List<SiteImport.Imported> all =
          SiteImport.of(site.files().partitions(), site.inForce(before), names);
      all.forEach(one -> take(one, byKey.remove(key(one))));
      if (!unused.isEmpty()) {
        throw Failure.badInput(
            "there is no partition '" + String.join("', '", unused) + "' to drop",
            "partitions: "
                + String.join(
                    ", ", all.stream().map(i -> hex(key(i)) + " " + i.spec().name()).toList()));
      }
      for (Tenant t : byKey.values()) {
        after.add(DesiredState.partition(fabric, t));
        if (t.spec().partition().origin() == Origin.SITE) {
          notes.add(
              "tenant '"
                  + t.name()
                  + "' was imported before and no file has it any more: it stays until 'heddle"
                  + " tenants delete'");
        }
      }
      absent(before.unknownGuids());
      after.sort(Comparator.comparingInt(p -> p.options().pkey()));
      return new ImportPlan(changes, partitions, after, dropped, notes);
    }

    private void absent(long[] guids) {
      long named =
          site.files().partitions().definitions().stream()
              .flatMap(d -> d.members().stream())
              .filter(m -> m.kind() == PartitionsConf.MemberKind.GUID)
              .map(PartitionsConf.Member::guid)
              .distinct()
              .count();
      if (named > 1 && guids.length == named) {
        throw Failure.badInput(
            "none of the "
                + Counted.of(guids.length, "port", "ports")
                + " that the partitions name is in the fabric",
            "are fabric and partitions of one site? The first port is " + Guid.format(guids[0]));
      }
      if (guids.length > 0) {
        notes.add(
            Counted.of(guids.length, "port is", "ports are")
                + " named that the fabric does not have now, and kept: "
                + Guid.format(guids[0])
                + (guids.length > 1 ? " ..." : ""));
      }
    }

    private void take(SiteImport.Imported one, Tenant old) {
      String action = action(one, old);
      TenantSpec spec = one.spec();
      PartitionOptions options = spec.partition();
      Partition alone = new Partition(spec.name(), options, spec.members());
      if (action.equals("replace")) {
        changes.add(new Change.Delete(old.name(), OptionalLong.of(old.changed())));
      }
      if (action.equals("replace") || action.equals("create")) {
        changes.add(new Change.Create(spec, List.of(), Wishes.NONE));
      }
      if (action.equals("leave")) {
        after.add(DesiredState.partition(site.fabric(), old));
      } else if (!action.equals("drop")) {
        after.add(alone);
      }
      EffectivePartitions.Partition now =
          ControlPartitions.of(List.of(alone))
              .members(site.fabric(), site.rules())
              .find(options.pkey());
      partitions.add(
          new ImportDocument.Partition(
              hex(options.pkey()),
              one.was(),
              spec.name(),
              action,
              now == null ? 0 : now.size(),
              now == null ? 0 : now.fullMembers().length,
              options.ipOverIb(),
              options.serviceLevel(),
              one.why(),
              one.inForce()));
    }

    private String action(SiteImport.Imported one, Tenant old) {
      int key = key(one);
      for (String name : drop) {
        if (name.isEmpty()) {
          continue; // a variable that was not set: no name of a partition that has none
        }
        if (name.equals(one.was()) || name.equals(one.spec().name()) || isKey(name, key)) {
          unused.remove(name);
          dropped.add(key);
        }
      }
      if (old == null) {
        return dropped.contains(key) ? "drop" : "create";
      }
      if (dropped.contains(key)) {
        notes.add("tenant '" + old.name() + "' is there: 'heddle tenants delete' deletes it");
        return "leave";
      }
      if (old.spec().equals(one.spec())) {
        return "unchanged";
      }
      boolean own =
          old.spec().partition().origin() != Origin.SITE
              || !old.hosts().isEmpty()
              || !old.spec().owner().isEmpty();
      return own ? "leave" : "replace";
    }
  }

  private static int key(SiteImport.Imported one) {
    return one.spec().partition().pkey();
  }

  private static String hex(int key) {
    return "0x%04x".formatted(key);
  }

  private static boolean isKey(String text, int key) {
    try {
      return (Integer.decode(text) & PartitionsConf.DEFAULT_PKEY) == key;
    } catch (NumberFormatException _) {
      return false;
    }
  }
}
