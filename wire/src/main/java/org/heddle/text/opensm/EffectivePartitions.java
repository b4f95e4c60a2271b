package org.heddle.text.opensm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.NodeType;
import org.heddle.text.opensm.PartitionsConf.Definition;
import org.heddle.text.opensm.PartitionsConf.Member;
import org.heddle.text.opensm.PartitionsConf.MemberKind;
import org.heddle.text.opensm.PartitionsConf.Membership;
import org.heddle.text.opensm.PartitionsConf.Options;

/**
 * Which endport is in which partition, as OpenSM programs it ({@code osm_prtn.c}).
 *
 * <p>OpenSM starts from the default partition, 0x7fff, with every endport as limited member and its
 * own port as full member, then applies the entries of the file in order; a later entry for a port
 * replaces an earlier one of the same key. Partitions without a member on the fabric do not exist.
 * Without a usable file everybody is a full member of the default partition: {@link #withoutFile}.
 * Immutable. O(definitions x ports) at worst.
 */
public final class EffectivePartitions {
  private static final byte LIMITED = 1;
  private static final byte FULL = 2;

  private final List<Partition> partitions;
  private final List<Integer> emptyKeys;
  private final long[] unknownGuids;
  private final Map<Integer, Integer> indexZero;

  private EffectivePartitions(
      List<Partition> partitions,
      List<Integer> emptyKeys,
      long[] unknownGuids,
      Map<Integer, Integer> indexZero) {
    this.partitions = List.copyOf(partitions);
    this.emptyKeys = List.copyOf(emptyKeys);
    this.unknownGuids = unknownGuids;
    this.indexZero = indexZero;
  }

  /** One partition with its members on a fabric. */
  public static final class Partition {
    private final int pkey;
    private final String name;
    private final boolean ipoib;
    private final int[] full;
    private final int[] limited;

    private Partition(int pkey, String name, boolean ipoib, byte[] state) {
      this.pkey = pkey;
      this.name = name;
      this.ipoib = ipoib;
      this.full = select(state, FULL);
      this.limited = select(state, LIMITED);
    }

    private static int[] select(byte[] state, byte bit) {
      int[] out = new int[state.length];
      int n = 0;
      for (int port = 0; port < state.length; port++) {
        if ((state[port] & bit) != 0) {
          out[n++] = port;
        }
      }
      return Arrays.copyOf(out, n);
    }

    /** The key without membership bit, 1..0x7fff. */
    public int pkey() {
      return pkey;
    }

    /** Name of its first definition. */
    public String name() {
      return name;
    }

    /** True if a broadcast group for IP over InfiniBand is made. */
    public boolean ipoib() {
      return ipoib;
    }

    /** Ids of the full members, ascending. */
    public int[] fullMembers() {
      return full.clone();
    }

    /** Ids of the limited members, ascending; with allow_both_pkeys a port may be in both. */
    public int[] limitedMembers() {
      return limited.clone();
    }

    /** True if the port is a full member. O(log n). */
    public boolean isFull(int port) {
      return Arrays.binarySearch(full, port) >= 0;
    }

    /** True if the port is a limited member. O(log n). */
    public boolean isLimited(int port) {
      return Arrays.binarySearch(limited, port) >= 0;
    }

    /** Number of member ports. */
    public int size() {
      int size = full.length;
      for (int port : limited) {
        size += isFull(port) ? 0 : 1;
      }
      return size;
    }

    /** True if two ports may talk by this key: both members, at least one of them full. */
    public boolean connects(int a, int b) {
      return (isFull(a) && (isFull(b) || isLimited(b))) || (isFull(b) && isLimited(a));
    }
  }

  /** What OpenSM does without a partitions file, or with one that it gives up. */
  public static EffectivePartitions withoutFile(Fabric fabric) {
    byte[] state = new byte[fabric.portIdLimit()];
    for (int port = 0; port < state.length; port++) {
      state[port] = fabric.isEndport(port) ? FULL : 0;
    }
    Partition all = new Partition(PartitionsConf.DEFAULT_PKEY, "Default", true, state);
    return new EffectivePartitions(
        all.size() == 0 ? List.of() : List.of(all), List.of(), new long[0], Map.of());
  }

  static EffectivePartitions of(PartitionsConf conf, Fabric fabric, Options options) {
    Map<Integer, List<Definition>> byKey = new TreeMap<>();
    byKey.put(PartitionsConf.DEFAULT_PKEY, new ArrayList<>());
    for (Definition d : conf.definitions()) {
      byKey.computeIfAbsent(d.pkey(), k -> new ArrayList<>()).add(d);
    }
    Applier applier = new Applier(fabric, options);
    List<Partition> partitions = new ArrayList<>();
    List<Integer> empty = new ArrayList<>();
    byKey.forEach(
        (pkey, definitions) -> {
          Partition partition = applier.partition(pkey, definitions);
          if (partition.size() > 0) {
            partitions.add(partition);
          } else {
            empty.add(pkey);
          }
        });
    Map<Integer, Integer> indexZero = new LinkedHashMap<>();
    for (Definition d : conf.definitions()) {
      if (d.indexZero()) {
        applier.indexZero(d, indexZero);
      }
    }
    long[] unknown = applier.unknown.stream().mapToLong(Long::longValue).toArray();
    return new EffectivePartitions(partitions, empty, unknown, indexZero);
  }

  /** Applies the entries of definitions to ports. */
  private static final class Applier {
    final Fabric fabric;
    final Options options;
    final int selfPort;
    final TreeSet<Long> unknown = new TreeSet<>(Long::compareUnsigned);

    Applier(Fabric fabric, Options options) {
      this.fabric = fabric;
      this.options = options;
      this.selfPort = endport(options.smPortGuid());
    }

    private int endport(long guid) {
      int port = guid == 0 ? Fabric.NONE : fabric.findPort(guid);
      return port != Fabric.NONE && fabric.isEndport(port) ? port : Fabric.NONE;
    }

    Partition partition(int pkey, List<Definition> definitions) {
      byte[] state = new byte[fabric.portIdLimit()];
      String name = definitions.isEmpty() ? "" : definitions.get(0).name();
      if (pkey == PartitionsConf.DEFAULT_PKEY) {
        name = "Default";
        apply(Member.of(MemberKind.ALL, Membership.LIMITED), state);
        apply(Member.of(MemberKind.SELF, Membership.FULL), state);
        if (selfPort != Fabric.NONE) {
          state[selfPort] = FULL;
        }
      }
      boolean ipoib = false;
      for (Definition d : definitions) {
        ipoib |= d.ipoib();
        for (Member m : d.members()) {
          apply(m, state);
        }
      }
      return new Partition(pkey, name, ipoib, state);
    }

    private void apply(Member m, byte[] state) {
      switch (m.kind()) {
        case GUID -> applyGuid(m, state);
        case SELF -> {
          if (selfPort != Fabric.NONE) {
            state[selfPort] = merged(state[selfPort], m.membership());
          }
        }
        default -> {
          for (int port = 0; port < state.length; port++) {
            if (fabric.isEndport(port) && covers(m.kind(), fabric.nodeType(fabric.nodeOf(port)))) {
              state[port] = merged(state[port], m.membership());
            }
          }
        }
      }
    }

    private void applyGuid(Member m, byte[] state) {
      int port = endport(m.guid());
      if (port == Fabric.NONE) {
        unknown.add(m.guid());
      } else {
        state[port] = merged(state[port], m.membership());
      }
    }

    private byte merged(byte old, Membership membership) {
      byte bits =
          switch (membership) {
            case LIMITED -> LIMITED;
            case FULL -> FULL;
            case BOTH -> options.allowBoth() ? (byte) (LIMITED | FULL) : FULL;
          };
      return options.allowBoth() ? (byte) (old | bits) : bits;
    }

    private static boolean covers(MemberKind kind, NodeType type) {
      return switch (kind) {
        case ALL -> true;
        case ALL_CAS -> type == NodeType.CA;
        case ALL_SWITCHES -> type == NodeType.SWITCH;
        case ALL_ROUTERS -> type == NodeType.ROUTER;
        case GUID, SELF -> false;
      };
    }

    void indexZero(Definition d, Map<Integer, Integer> out) {
      for (Member m : d.members()) {
        byte[] one = new byte[m.kind() == MemberKind.GUID ? 0 : fabric.portIdLimit()];
        int value = d.pkey() | (m.membership() == Membership.LIMITED ? 0 : 0x8000);
        if (m.kind() == MemberKind.GUID) {
          int port = endport(m.guid());
          if (port != Fabric.NONE) {
            out.put(port, value);
          }
          continue;
        }
        apply(m, one);
        for (int port = 0; port < one.length; port++) {
          if (one[port] != 0) {
            out.put(port, value);
          }
        }
      }
    }
  }

  /** The partitions that have members, by ascending key. */
  public List<Partition> partitions() {
    return partitions;
  }

  /** The partition of a key; the membership bit does not count. Null if it has no members. */
  public Partition find(int pkey) {
    for (Partition p : partitions) {
      if (p.pkey == (pkey & PartitionsConf.DEFAULT_PKEY)) {
        return p;
      }
    }
    return null;
  }

  /** Keys the file defines without a member on this fabric: OpenSM deletes them. */
  public List<Integer> emptyKeys() {
    return emptyKeys;
  }

  /** GUIDs of the file that are no endport of the fabric, ascending: OpenSM passes them over. */
  public long[] unknownGuids() {
    return unknownGuids.clone();
  }

  /** The 16-bit key that {@code indx0} puts at index 0 of a port's table, or -1 if none does. */
  public int indexZeroKey(int port) {
    return indexZero.getOrDefault(port, -1);
  }

  /** The 16-bit keys of a port, membership bit included, by ascending partition. */
  public int[] keysOf(int port) {
    int[] out = new int[2 * partitions.size()];
    int n = 0;
    for (Partition p : partitions) {
      if (p.isLimited(port)) {
        out[n++] = p.pkey;
      }
      if (p.isFull(port)) {
        out[n++] = p.pkey | 0x8000;
      }
    }
    return Arrays.copyOf(out, n);
  }
}
