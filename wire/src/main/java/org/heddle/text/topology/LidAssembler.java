package org.heddle.text.topology;

import java.util.List;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.Lid;
import org.heddle.fabric.NodeType;
import org.heddle.text.IdentityCode;
import org.heddle.text.Place;
import org.heddle.text.ProblemGroup;
import org.heddle.text.Problems;

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
  private final ProblemGroup masks;
  private final ProblemGroup twice;
  private final ProblemGroup differing;
  private final Problems problems;
  private int given;
  private final TopologyDraft.Node[] nodeOfLid = new TopologyDraft.Node[Lid.MAX_UNICAST + 1];
  private final int[] portOfLid = new int[Lid.MAX_UNICAST + 1];

  LidAssembler(TopologyDraft draft, FabricBuilder builder, Problems problems) {
    this.draft = draft;
    this.builder = builder;
    this.problems = problems;
    this.unusable = ProblemGroup.ofNotes(problems, "unusable LIDs");
    this.masks = new ProblemGroup(problems, "unusable LMCs");
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
    masks.close();
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
        severalLids(port, own);
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

  private void severalLids(TopologyDraft.Port port, int own) {
    if (!differing.wanted()) {
      differing.skip();
      return;
    }
    TopologyDraft.Node peer = port.peer;
    boolean isSwitch = peer.type == NodeType.SWITCH;
    Place here = IdentityCheck.place(draft, peer, isSwitch ? null : peer.port(port.peerPort));
    Place told =
        new Place(
            here.node(),
            here.guid(),
            here.port(),
            here.neighbour(),
            here.neighbourGuid(),
            here.neighbourPort(),
            port.line);
    differing.identity(
        IdentityCode.SEVERAL_LIDS,
        "a port has the LID "
            + own
            + " ("
            + here
            + ") and the LID "
            + port.peerLid
            + " (line "
            + port.line
            + "); kept "
            + own,
        List.of(here, told));
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
      masks.warn(line, "LMC " + lmc + " does not fit LID " + lid + "; taken as 0");
      mask = 0;
    } else if ((lid & (1 << lmc) - 1) != 0) {
      masks.warn(line, "LID " + lid + " is not a multiple of 2^" + lmc + "; LMC taken as 0");
      mask = 0;
    }
    for (int l = lid; l < lid + (1 << mask); l++) {
      if (nodeOfLid[l] != null) {
        usedTwice(l, node, number);
        return;
      }
    }
    for (int l = lid; l < lid + (1 << mask); l++) {
      nodeOfLid[l] = node;
      portOfLid[l] = number;
    }
    given++;
    builder.setLid(node.handle, number, lid, mask);
  }

  private void usedTwice(int lid, TopologyDraft.Node node, int number) {
    TopologyDraft.Node owner = nodeOfLid[lid];
    if (owner == node && portOfLid[lid] == number) {
      return; // told by two neighbours
    }
    if (!twice.wanted()) {
      twice.skip();
      return;
    }
    List<Place> places =
        List.of(
            IdentityCheck.place(draft, owner, owner.port(portOfLid[lid])),
            IdentityCheck.place(draft, node, node.port(number)));
    twice.identity(
        IdentityCode.DUPLICATE_LID,
        IdentityCheck.sentence(
            "2 ports have the LID " + lid, places, "the second is left without LID"),
        places);
  }
}
