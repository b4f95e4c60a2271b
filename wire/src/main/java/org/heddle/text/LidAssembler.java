package org.heddle.text;

import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.Lid;
import org.heddle.fabric.NodeType;

/**
 * Gives the ports of a half-built fabric the LIDs that a file names for them.
 *
 * <p>A port's own record counts; where it has none, what the neighbour's line says. LIDs that are
 * not unicast (65535 is what an unconfigured port shows) count as none. Of two ports that claim one
 * LID the first in the file keeps it. A base LID that is not a multiple of 2^LMC keeps the LID and
 * loses the LMC. All of it with a warning. O(nodes + port lines).
 */
final class LidAssembler {
  private final TopologyDraft draft;
  private final FabricBuilder builder;
  private final ProblemGroup unusable;
  private final ProblemGroup twice;
  private final ProblemGroup differing;
  private final Problems problems;
  private int given;
  private final int[] lineOfLid = new int[Lid.MAX_UNICAST + 1];

  LidAssembler(TopologyDraft draft, FabricBuilder builder, Problems problems) {
    this.draft = draft;
    this.builder = builder;
    this.problems = problems;
    this.unusable = new ProblemGroup(problems, "unusable LIDs");
    this.twice = new ProblemGroup(problems, "LIDs used twice");
    this.differing = new ProblemGroup(problems, "lines that give a neighbour another LID");
  }

  void run() {
    for (TopologyDraft.Node node : draft.nodes) {
      if (node.type == NodeType.SWITCH) {
        give(node, 0, node.lid, node.lmc, node.line);
        continue;
      }
      for (TopologyDraft.Port port : node.ports) {
        if (port != null && port.lid >= 0) {
          give(node, port.number, port.lid, port.lmc, port.line);
        }
      }
    }
    for (TopologyDraft.Node node : draft.nodes) {
      for (TopologyDraft.Port port : node.ports) {
        if (port != null && port.linked && port.peer != null && port.peerLid >= 0) {
          learnFromNeighbour(port);
        }
      }
    }
    unusable.close();
    twice.close();
    if (twice.count() > ProblemGroup.SHOWN && twice.count() > given / 4) {
      problems.warn(
          0,
          "so many LIDs used twice are those of two subnets in one file: read each from a file of"
              + " its own");
    }
    differing.close();
  }

  private void learnFromNeighbour(TopologyDraft.Port port) {
    TopologyDraft.Node peer = port.peer;
    boolean isSwitch = peer.type == NodeType.SWITCH;
    TopologyDraft.Port back = peer.port(port.peerPort);
    int own = isSwitch ? peer.lid : back == null ? -1 : back.lid;
    if (own > 0 || !isSwitch && own == 0) {
      if (own != port.peerLid) {
        differing.warn(
            port.line,
            "LID "
                + port.peerLid
                + " here, "
                + own
                + " in the record of "
                + peer.display()
                + "; kept "
                + own);
      }
      return;
    }
    int number = isSwitch ? 0 : port.peerPort;
    if (port.peerLid > 0 && builder.lid(peer.handle, number) == Lid.NONE) {
      give(peer, number, port.peerLid, 0, port.line);
    }
    if (isSwitch) {
      peer.lid = port.peerLid; // later lines are compared with it
    }
  }

  private void give(TopologyDraft.Node node, int number, int lid, int lmc, int line) {
    if (lid == Lid.NONE) {
      // Not addressed yet; the LMC says how many LIDs the port will want.
      builder.setLid(node.handle, number, Lid.NONE, lmc < 0 || lmc > Lid.MAX_LMC ? 0 : lmc);
      return;
    }
    if (!Lid.isUnicast(lid)) {
      unusable.warn(line, "LID " + lid + " is not a unicast LID (1..49151); taken as none");
      return;
    }
    int mask = lmc;
    if (lmc < 0 || lmc > Lid.MAX_LMC || lid + (1 << lmc) - 1 > Lid.MAX_UNICAST) {
      unusable.warn(line, "LMC " + lmc + " does not fit LID " + lid + "; taken as 0");
      mask = 0;
    } else if ((lid & (1 << lmc) - 1) != 0) {
      unusable.warn(line, "LID " + lid + " is not a multiple of 2^" + lmc + "; LMC taken as 0");
      mask = 0;
    }
    for (int l = lid; l < lid + (1 << mask); l++) {
      if (lineOfLid[l] != 0) {
        twice.warn(
            line,
            "LID " + l + " belongs to the port of line " + lineOfLid[l] + "; not given twice");
        return;
      }
    }
    for (int l = lid; l < lid + (1 << mask); l++) {
      lineOfLid[l] = line;
    }
    given++;
    builder.setLid(node.handle, number, lid, mask);
  }
}
