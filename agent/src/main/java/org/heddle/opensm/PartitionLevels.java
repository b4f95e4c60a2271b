package org.heddle.opensm;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.heddle.text.opensm.QosPolicy;

/**
 * Service levels of partitions as the policy for path records. With {@code sl=} in the partitions
 * OpenSM knows the level of a path by itself, but only as long as there is no policy: the default
 * level of any policy goes before the partition's. So this one says the same for queries that state
 * a key, and by the members of the partition for queries that do not. A pair of ports in several
 * partitions gets the smallest key from OpenSM; the rules are in the same order.
 */
final class PartitionLevels {
  private PartitionLevels() {}

  /**
   * A partition.
   *
   * @param pkey its key
   * @param level its service level
   */
  record Partition(int pkey, int level) {}

  /**
   * The policy.
   *
   * @param byKey the partitions, by ascending key
   * @param levels to be defined, ascending
   */
  static QosPolicy policy(List<Partition> byKey, Collection<Integer> levels) {
    List<QosPolicy.Level> defined = new ArrayList<>();
    defined.add(new QosPolicy.Level(QosPolicy.DEFAULT, 0));
    levels.forEach(sl -> defined.add(new QosPolicy.Level("SL" + sl, sl)));
    List<QosPolicy.Group> groups = new ArrayList<>();
    List<QosPolicy.Rule> rules = new ArrayList<>();
    List<QosPolicy.Rule> byMembers = new ArrayList<>();
    for (Partition p : byKey) {
      String group = "P%04x".formatted(p.pkey());
      String level = "SL" + p.level();
      groups.add(new QosPolicy.Group(group, p.pkey()));
      rules.add(QosPolicy.Rule.ofKey(p.pkey(), level));
      byMembers.add(QosPolicy.Rule.ofGroup(group, level));
    }
    rules.addAll(byMembers);
    return new QosPolicy(groups, defined, rules);
  }
}
