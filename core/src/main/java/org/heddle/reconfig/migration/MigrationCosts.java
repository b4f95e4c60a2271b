package org.heddle.reconfig.migration;

import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Lid;
import org.heddle.routing.ForwardingTables;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;

/**
 * What writing tables costs in packets: everything, and one migration at worst (Tasoulas, thesis,
 * paper II, table I; paper V, table 2).
 *
 * @param name of the topology
 * @param hosts channel adapter and router ports with a LID
 * @param switches number of switches
 * @param lids LIDs in use
 * @param blocks blocks of a table that holds as many LIDs, numbered from 1 without gaps
 * @param fullSmps packets that write all tables once
 * @param worstSwap packets of a swap that changes two blocks on every switch
 * @param bestCase packets of a move within a leaf, both LIDs in one block
 */
public record MigrationCosts(
    String name,
    int hosts,
    int switches,
    int lids,
    int blocks,
    long fullSmps,
    long worstSwap,
    int bestCase) {

  /** The topologies of the papers' table, in our notation. */
  public static final List<String> PAPER =
      List.of(
          "XGFT(2;18,18;1,18)",
          "XGFT(2;18,36;1,18)",
          "XGFT(3;18,18,18;1,18,18)",
          "XGFT(3;18,18,36;1,18,18)");

  /** The costs of a fabric with LIDs, virtual ones included. O(LIDs). */
  public static MigrationCosts of(String name, Fabric fabric) {
    int lids = 0;
    int hosts = 0;
    for (int lid = Lid.MIN_UNICAST; lid <= fabric.topLid(); lid++) {
      int port = fabric.portOfLid(lid);
      lids += port != Fabric.NONE ? 1 : 0;
      boolean host = port != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(port));
      hosts += host && fabric.lid(port) == lid ? 1 : 0;
    }
    int blocks = lids / ForwardingTables.BLOCK_SIZE + 1;
    int switches = fabric.switchCount();
    return new MigrationCosts(
        name, hosts, switches, lids, blocks, (long) blocks * switches, 2L * switches, 1);
  }

  /** The table of the papers, from generated trees. */
  public static List<MigrationCosts> paperTable() {
    return PAPER.stream()
        .map(spec -> of(spec, TreeGenerator.generate(TreeSpec.parse(spec)).withAssignedLids()))
        .toList();
  }
}
