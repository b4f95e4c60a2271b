package org.heddle.text.opensm;

import java.util.List;
import java.util.Locale;

/**
 * OpenSM's QoS policy as far as it serves partitions: which service level a path record gets.
 *
 * <p>The first rule that fits a query decides, and its level's SL goes before the partition's. A
 * rule with a key fits only queries that state a key; one with groups fits by the ports of the
 * path.
 *
 * @param groups members of partitions, found by OpenSM in its own partitions
 * @param levels one must be called {@value #DEFAULT}: it is for queries that fit no rule
 * @param rules in order of precedence
 */
public record QosPolicy(List<Group> groups, List<Level> levels, List<Rule> rules) {
  /** Name of the level without which OpenSM drops the whole policy. */
  public static final String DEFAULT = "DEFAULT";

  public QosPolicy {
    groups = List.copyOf(groups);
    levels = List.copyOf(levels);
    rules = List.copyOf(rules);
  }

  /**
   * All ports of a partition.
   *
   * @param pkey base key, 1..0x7fff
   */
  public record Group(String name, int pkey) {
    public Group {
      checkName(name);
      checkKey(pkey);
    }
  }

  /** A service level, 0..15, under a name. */
  public record Level(String name, int sl) {
    public Level {
      checkName(name);
      if (sl < 0 || sl > 15) {
        throw new IllegalArgumentException("SL " + sl + " is not 0..15");
      }
    }
  }

  /**
   * Which queries get which level: those for a key, or those between ports of a group.
   *
   * @param pkey base key; 0 for a rule by group
   * @param group both ends of the path are in it; empty for a rule by key
   * @param level name of a level
   */
  public record Rule(int pkey, String group, String level) {
    public Rule {
      if (group.isEmpty() == (pkey == 0)) {
        throw new IllegalArgumentException("a rule has a key or a group");
      }
      checkName(level);
      if (pkey == 0) {
        checkName(group);
      } else {
        checkKey(pkey);
      }
    }

    /** A rule for queries that state the key. */
    public static Rule ofKey(int pkey, String level) {
      return new Rule(pkey, "", level);
    }

    /** A rule for paths inside of a group. */
    public static Rule ofGroup(String group, String level) {
      return new Rule(0, group, level);
    }
  }

  /** What is wrong with the references inside, or null. Names count without regard to case. */
  String inconsistency() {
    List<String> groupNames = groups.stream().map(g -> lower(g.name())).toList();
    List<String> levelNames = levels.stream().map(l -> lower(l.name())).toList();
    if (!levelNames.contains(lower(DEFAULT))) {
      return "there is no level " + DEFAULT + ": OpenSM ignores such a policy";
    }
    if (groupNames.stream().distinct().count() != groupNames.size()
        || levelNames.stream().distinct().count() != levelNames.size()) {
      return "a name is used twice";
    }
    for (Rule rule : rules) {
      if (!levelNames.contains(lower(rule.level()))) {
        return "a rule names the level '" + rule.level() + "', which is not there";
      }
      if (!rule.group().isEmpty() && !groupNames.contains(lower(rule.group()))) {
        return "a rule names the group '" + rule.group() + "', which is not there";
      }
    }
    return null;
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  private static void checkName(String name) {
    if (!isName(name)) {
      throw new IllegalArgumentException("'" + name + "' is not a name for a QoS policy");
    }
  }

  /** Letters and digits only: OpenSM's scanner takes much else for syntax. */
  static boolean isName(String name) {
    boolean ok = !name.isEmpty() && name.length() <= 31;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      ok &= c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
    }
    return ok;
  }

  private static void checkKey(int pkey) {
    if (pkey < 1 || pkey > PartitionsConf.DEFAULT_PKEY) {
      throw new IllegalArgumentException("P_Key " + pkey + " is not 1..0x7fff");
    }
  }
}
