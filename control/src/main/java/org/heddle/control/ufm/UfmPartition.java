package org.heddle.control.ufm;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A partition of the UFM API.
 *
 * @param key base key, 1 to 0x7fff
 * @param name {@code api_pkey_0x5} unless somebody gave another
 * @param ipOverIb IP over InfiniBand is allowed
 * @param kept stays when its last member goes: made empty on purpose, or the default partition
 * @param members by port GUID, ascending as unsigned numbers
 */
public record UfmPartition(
    int key,
    String name,
    boolean ipOverIb,
    boolean kept,
    UfmQos qos,
    SortedMap<Long, UfmMember> members) {

  public UfmPartition {
    if (key < 1 || key > UfmText.MANAGEMENT) {
      throw new IllegalArgumentException("key " + key + " is not 1..0x7fff");
    }
    TreeMap<Long, UfmMember> copy = new TreeMap<>(Long::compareUnsigned);
    copy.putAll(members);
    members = Collections.unmodifiableSortedMap(copy);
  }

  /** The name a partition gets that nobody named. */
  public static String autoName(int key) {
    return key == UfmText.MANAGEMENT ? "management" : "api_pkey_" + UfmText.key(key);
  }

  UfmPartition withMembers(SortedMap<Long, UfmMember> changed) {
    return new UfmPartition(key, name, ipOverIb, kept, qos, changed);
  }

  UfmPartition withQos(UfmQos changed) {
    return new UfmPartition(key, name, ipOverIb, kept, changed, members);
  }

  UfmPartition withIpOverIb(boolean changed) {
    return new UfmPartition(key, name, changed, kept, qos, members);
  }
}
