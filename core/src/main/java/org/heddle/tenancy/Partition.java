package org.heddle.tenancy;

import java.util.List;
import org.heddle.fabric.Guid;

/**
 * One partition: ports that may talk to each other.
 *
 * @param name unique in the tenancy
 * @param pkey base P_Key, 1..0x7fff, without the membership bit; 0x7fff is the default partition
 * @param members ascending by port id, no port twice
 * @param pending port GUIDs that belong to it but are not in the fabric (yet)
 */
public record Partition(
    String name,
    int pkey,
    IsolationPolicy policy,
    List<PartitionMember> members,
    List<Guid> pending) {
  /** The largest base key: that of the default partition. */
  public static final int DEFAULT_PKEY = 0x7fff;

  public Partition {
    members = List.copyOf(members);
    pending = List.copyOf(pending);
    if (pkey < 1 || pkey > DEFAULT_PKEY) {
      throw new IllegalArgumentException("P_Key " + pkey + " is not 1..0x7fff");
    }
    for (int i = 1; i < members.size(); i++) {
      if (members.get(i - 1).port() >= members.get(i).port()) {
        throw new IllegalArgumentException(name + ": members are not ascending by port");
      }
    }
  }
}
