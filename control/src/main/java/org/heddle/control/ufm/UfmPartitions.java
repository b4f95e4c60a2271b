package org.heddle.control.ufm;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All partitions, and the rules by which calls of the UFM API change them. Immutable: a call
 * returns the next state or a refusal. A call that would change nothing returns the same state, so
 * that a client's repetition costs nothing.
 *
 * <p>A partition comes into being with its first member and goes with its last, unless it was made
 * empty on purpose ({@link #make}); the default partition stays for ever. Members are port GUIDs;
 * whether the fabric holds them already does not matter.
 */
public final class UfmPartitions {
  private final SortedMap<Integer, UfmPartition> byKey;

  private UfmPartitions(SortedMap<Integer, UfmPartition> byKey) {
    this.byKey = Collections.unmodifiableSortedMap(byKey);
  }

  /** The result of a call. */
  public sealed interface Outcome {}

  /**
   * The call holds.
   *
   * @param next state after it; the same object where nothing changed
   */
  public record Done(UfmPartitions next) implements Outcome {}

  /**
   * The call is refused and changes nothing.
   *
   * @param status 400 wrong values, 404 no such partition, 409 in the way of what is there
   */
  public record Refused(int status, String reason) implements Outcome {}

  /** A state of nothing but the default partition. */
  public static UfmPartitions initial() {
    return of(Map.of());
  }

  /** A state that was kept somewhere; the default partition is added if it is missing. */
  public static UfmPartitions of(Map<Integer, UfmPartition> partitions) {
    TreeMap<Integer, UfmPartition> all = new TreeMap<>(partitions);
    all.putIfAbsent(
        UfmText.MANAGEMENT,
        new UfmPartition(
            UfmText.MANAGEMENT,
            UfmPartition.autoName(UfmText.MANAGEMENT),
            true,
            true,
            UfmQos.DEFAULT,
            new TreeMap<>()));
    return new UfmPartitions(all);
  }

  /** All partitions by ascending key. */
  public Collection<UfmPartition> all() {
    return byKey.values();
  }

  /** The partition of a key. */
  public Optional<UfmPartition> find(int key) {
    return Optional.ofNullable(byKey.get(key));
  }

  /**
   * Adds members; makes the partition if it is not there. A GUID that is a member already gets the
   * kind of membership said now. With no members, a partition that is not there is made on purpose:
   * a client of Kubernetes makes its partitions so before it adds to them.
   *
   * @param ipOverIb applies to a partition made by this call
   * @param qos applies to a partition made by this call
   */
  public Outcome add(int key, boolean ipOverIb, UfmQos qos, SortedMap<Long, UfmMember> members) {
    UfmPartition there = byKey.get(key);
    if (there == null && qos.problem() != null) {
      return new Refused(400, qos.problem());
    }
    UfmPartition base =
        there != null ? there : fresh(key, ipOverIb, members.isEmpty()).withQos(qos);
    TreeMap<Long, UfmMember> all = new TreeMap<>(base.members());
    all.putAll(members);
    return put(base.withMembers(all));
  }

  /**
   * Replaces the members; makes the partition if it is not there. With no members, a partition that
   * was not made on purpose goes.
   */
  public Outcome replace(int key, boolean ipOverIb, SortedMap<Long, UfmMember> members) {
    UfmPartition there = byKey.get(key);
    UfmPartition base = there != null ? there : fresh(key, ipOverIb, false);
    return put(base.withIpOverIb(ipOverIb).withMembers(members));
  }

  /** Makes an empty partition that stays without members. */
  public Outcome make(int key, String name, boolean ipOverIb, UfmQos qos) {
    if (key == UfmText.MANAGEMENT || byKey.containsKey(key)) {
      return new Refused(409, "partition " + UfmText.key(key) + " is there already");
    }
    for (UfmPartition other : byKey.values()) {
      if (other.name().equals(name)) {
        return new Refused(
            409, "partition " + UfmText.key(other.key()) + " has the name " + name + " already");
      }
    }
    if (qos.problem() != null) {
      return new Refused(400, qos.problem());
    }
    return put(new UfmPartition(key, name, ipOverIb, true, qos, new TreeMap<>()));
  }

  /** Takes members away; GUIDs that are no members are passed over. */
  public Outcome remove(int key, Collection<Long> guids) {
    UfmPartition there = byKey.get(key);
    if (there == null) {
      return new Done(this);
    }
    TreeMap<Long, UfmMember> left = new TreeMap<>(there.members());
    left.keySet().removeAll(guids);
    return put(there.withMembers(left));
  }

  /** Takes the partition away with all its members. */
  public Outcome delete(int key) {
    if (key == UfmText.MANAGEMENT) {
      return new Refused(400, "the management partition " + UfmText.key(key) + " cannot go");
    }
    if (!byKey.containsKey(key)) {
      return new Refused(404, "no partition " + UfmText.key(key));
    }
    TreeMap<Integer, UfmPartition> next = new TreeMap<>(byKey);
    next.remove(key);
    return new Done(new UfmPartitions(next));
  }

  /** Sets the quality of service of a partition that is there. */
  public Outcome qos(int key, UfmQos qos) {
    UfmPartition there = byKey.get(key);
    if (there == null) {
      return new Refused(404, "no partition " + UfmText.key(key));
    }
    return qos.problem() != null ? new Refused(400, qos.problem()) : put(there.withQos(qos));
  }

  private static UfmPartition fresh(int key, boolean ipOverIb, boolean kept) {
    return new UfmPartition(
        key, UfmPartition.autoName(key), ipOverIb, kept, UfmQos.DEFAULT, new TreeMap<>());
  }

  private Outcome put(UfmPartition changed) {
    boolean stays = changed.kept() || !changed.members().isEmpty();
    UfmPartition before = byKey.get(changed.key());
    if (stays ? changed.equals(before) : before == null) {
      return new Done(this);
    }
    TreeMap<Integer, UfmPartition> next = new TreeMap<>(byKey);
    if (stays) {
      next.put(changed.key(), changed);
    } else {
      next.remove(changed.key());
    }
    return new Done(new UfmPartitions(next));
  }
}
