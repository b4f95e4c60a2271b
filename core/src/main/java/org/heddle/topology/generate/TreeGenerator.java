package org.heddle.topology.generate;

import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;

/**
 * Makes the fabric of a {@link TreeSpec}: undamaged, without LIDs, all links 4x HDR with MTU 4096.
 *
 * <p>A node of level i is labelled by digits {@code b_1..b_i, a_(i+1)..a_h} with b_l &lt; w_l and
 * a_l &lt; m_l; its parents differ from it only in that b_(i+1) takes the place of a_(i+1) (Zahavi
 * 2011, Ohring et al. 1995). Ports are numbered from 1, downward ones first: child c over parallel
 * link k has port {@code 1 + c + m*k}, parent b over link k has port {@code 1 + downPorts + b +
 * w*k}.
 *
 * <p>Order and names: nodes of a level are sorted by plane (b_1, left out of names if there is only
 * one), then by a_h down to a_(i+1), then by b_2 up to b_i, so that the nodes of one sub-tree are
 * contiguous at every level. GUIDs ascend in that order: hosts from 0x100000 in steps of their
 * ports plus one, port n having the node's GUID plus n; switches from 0x200000, leaves first, then
 * level by level. Hosts are called {@code H_3_17} (18th host of the fourth leaf), switches {@code
 * S2_1_0} with the level first.
 *
 * <p>O(links).
 */
public final class TreeGenerator {
  /** GUID of the first host. */
  public static final long FIRST_HOST_GUID = 0x100000;

  /**
   * GUID of the first switch. Host GUIDs cannot reach it: at most 49,151 ports in as many hosts
   * take 98,302 numbers.
   */
  public static final long FIRST_SWITCH_GUID = 0x200000;

  private static final int MTU_4096 = 5;

  private TreeGenerator() {}

  /** The fabric of that tree. */
  public static Fabric generate(TreeSpec spec) {
    FabricBuilder builder = new FabricBuilder();
    int h = spec.levels();
    int[][] handles = new int[h + 1][];
    long guid = FIRST_HOST_GUID;
    int hostPorts = spec.upPorts(0);
    handles[0] = new int[spec.hosts()];
    int[] digits = new int[h];
    for (int n = 0; n < handles[0].length; n++) {
      digits(spec, 0, n, digits);
      int host = builder.addCa(guid, hostPorts, "H" + name(spec, 0, digits));
      for (int port = 1; port <= hostPorts; port++) {
        builder.setPortGuid(host, port, guid + port);
      }
      handles[0][n] = host;
      guid += hostPorts + 1;
    }
    guid = FIRST_SWITCH_GUID;
    for (int level = 1; level <= h; level++) {
      handles[level] = new int[spec.nodes(level)];
      int ports = spec.downPorts(level) + spec.upPorts(level);
      for (int n = 0; n < handles[level].length; n++) {
        digits(spec, level, n, digits);
        String name = "S" + level + name(spec, level, digits);
        handles[level][n] = builder.addSwitch(guid++, ports, name);
      }
    }
    for (int level = 0; level < h; level++) {
      connect(spec, level, handles, builder);
    }
    return builder.build();
  }

  private static void connect(TreeSpec spec, int level, int[][] handles, FabricBuilder builder) {
    int up = level + 1;
    int m = spec.m(up);
    int w = spec.w(up);
    int[] digits = new int[spec.levels()];
    for (int n = 0; n < handles[level].length; n++) {
      digits(spec, level, n, digits);
      int child = digits[level];
      for (int b = 0; b < w; b++) {
        digits[level] = b;
        int parent = handles[up][index(spec, up, digits)];
        for (int k = 0; k < spec.p(up); k++) {
          int upPort = 1 + spec.downPorts(level) + b + w * k;
          cable(builder, handles[level][n], upPort, parent, 1 + child + m * k);
        }
      }
    }
  }

  private static void cable(FabricBuilder builder, int child, int upPort, int parent, int port) {
    builder.connect(child, upPort, parent, port, LinkWidth.X4, LinkSpeed.HDR);
    builder.setMtuCode(child, upPort, MTU_4096);
    builder.setMtuCode(parent, port, MTU_4096);
  }

  /** Position l-1 holds b_l for l up to the level, a_l beyond: the n-th node of a level. */
  private static void digits(TreeSpec spec, int level, int n, int[] digits) {
    int rest = n;
    for (int l = level; l >= 2; l--) {
      digits[l - 1] = rest % spec.w(l);
      rest /= spec.w(l);
    }
    for (int l = level + 1; l <= spec.levels(); l++) {
      digits[l - 1] = rest % spec.m(l);
      rest /= spec.m(l);
    }
    if (level >= 1) {
      digits[0] = rest;
    }
  }

  /** The inverse of {@link #digits}. */
  private static int index(TreeSpec spec, int level, int[] digits) {
    int n = level >= 1 ? digits[0] : 0;
    for (int l = spec.levels(); l > level; l--) {
      n = n * spec.m(l) + digits[l - 1];
    }
    for (int l = 2; l <= level; l++) {
      n = n * spec.w(l) + digits[l - 1];
    }
    return n;
  }

  private static String name(TreeSpec spec, int level, int[] digits) {
    StringBuilder out = new StringBuilder();
    if (level >= 1 && spec.w(1) > 1) {
      out.append('_').append(digits[0]);
    }
    for (int l = spec.levels(); l > level; l--) {
      out.append('_').append(digits[l - 1]);
    }
    for (int l = 2; l <= level; l++) {
      out.append('_').append(digits[l - 1]);
    }
    return out.isEmpty() ? "_0" : out.toString();
  }
}
