package org.heddle.text.opensm;

import java.util.List;
import org.heddle.fabric.Fabric;

/**
 * Contents of OpenSM's {@code partitions.conf}: the definitions in file order, with every value as
 * OpenSM understands it. What they mean on a fabric is {@link #members}.
 *
 * @param definitions in file order; several may have one P_Key, OpenSM merges them
 */
public record PartitionsConf(List<Definition> definitions) {
  /** P_Key of the default partition, without membership bit. */
  public static final int DEFAULT_PKEY = 0x7fff;

  public PartitionsConf {
    definitions = List.copyOf(definitions);
  }

  /** Membership of a port in a partition. */
  public enum Membership {
    LIMITED,
    FULL,
    /** Full, and limited too if OpenSM runs with {@code allow_both_pkeys}. */
    BOTH
  }

  /** What a member entry stands for. */
  public enum MemberKind {
    GUID,
    ALL,
    ALL_CAS,
    ALL_SWITCHES,
    ALL_ROUTERS,
    /** The port the subnet manager runs at. */
    SELF
  }

  /**
   * One entry of a port list.
   *
   * @param guid port GUID; 0 unless the kind is {@link MemberKind#GUID}
   */
  public record Member(MemberKind kind, long guid, Membership membership) {
    public Member {
      if ((kind == MemberKind.GUID) != (guid != 0)) {
        throw new IllegalArgumentException("a GUID, and only a GUID, has a number other than 0");
      }
    }

    /** A port by GUID. */
    public static Member of(long guid, Membership membership) {
      return new Member(MemberKind.GUID, guid, membership);
    }

    /** All ports of a kind. */
    public static Member of(MemberKind kind, Membership membership) {
      return new Member(kind, 0, membership);
    }
  }

  /**
   * Parameters of multicast groups, as InfiniBand codes them.
   *
   * @param mtu MTU code, 4 is 2048 bytes
   * @param rate rate code, 3 is 10 Gbit/s
   * @param sl service level, 0..15; OpenSM uses 0 unless QoS is on
   * @param scopes one bit a scope; 0 stands for link local
   * @param qKey Q_Key, 0 for OpenSM's choice
   * @param trafficClass TClass, 0..255
   * @param flowLabel 20 bits
   */
  public record GroupFlags(
      int mtu, int rate, int sl, int scopes, int qKey, int trafficClass, int flowLabel) {
    /** What OpenSM takes where the file says nothing. */
    public static final GroupFlags DEFAULT = new GroupFlags(4, 3, 0, 0, 0, 0, 0);
  }

  /**
   * A multicast group made in advance.
   *
   * @param mgid eight groups of hexadecimal digits, as written; in IP groups OpenSM puts the P_Key
   *     in place
   */
  public record MulticastGroup(String mgid, GroupFlags flags) {}

  /**
   * One definition, from its name to the semicolon.
   *
   * @param line where it starts, 0 if it comes from no file
   * @param name for people and logs, possibly empty
   * @param pkey P_Key without membership bit, 1..0x7fff; for {@code autoKey} the one OpenSM
   *     generates
   * @param autoKey the file leaves the key to OpenSM
   * @param indexZero the key goes to index 0 of its members' tables
   * @param ipoib a broadcast group for IP over InfiniBand is made
   * @param defaultMembership of entries that do not say; entries in {@code members} all say
   */
  public record Definition(
      int line,
      String name,
      int pkey,
      boolean autoKey,
      boolean indexZero,
      boolean ipoib,
      GroupFlags flags,
      Membership defaultMembership,
      List<Member> members,
      List<MulticastGroup> groups) {
    public Definition {
      if (pkey < 1 || pkey > DEFAULT_PKEY) {
        throw new IllegalArgumentException("P_Key " + pkey + " is not 1..0x7fff");
      }
      members = List.copyOf(members);
      groups = List.copyOf(groups);
    }

    /** A plain partition that comes from no file. */
    public static Definition of(String name, int pkey, boolean ipoib, List<Member> members) {
      return new Definition(
          0,
          name,
          pkey,
          false,
          false,
          ipoib,
          GroupFlags.DEFAULT,
          Membership.LIMITED,
          members,
          List.of());
    }
  }

  /**
   * What OpenSM is told besides the file.
   *
   * @param smPortGuid port GUID of the subnet manager; 0 if unknown, then SELF is nobody
   * @param allowBoth OpenSM's {@code allow_both_pkeys}
   */
  public record Options(long smPortGuid, boolean allowBoth) {
    /** An unknown subnet manager and one key a port and partition. */
    public static final Options DEFAULT = new Options(0, false);
  }

  /** The members of every partition on a fabric, as OpenSM programs them. */
  public EffectivePartitions members(Fabric fabric, Options options) {
    return EffectivePartitions.of(this, fabric, options);
  }

  /** {@link #members(Fabric, Options)} with {@link Options#DEFAULT}. */
  public EffectivePartitions members(Fabric fabric) {
    return members(fabric, Options.DEFAULT);
  }
}
