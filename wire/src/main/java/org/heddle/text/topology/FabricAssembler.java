package org.heddle.text.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.Guid;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.fabric.NodeType;
import org.heddle.text.IdentityCode;
import org.heddle.text.Place;
import org.heddle.text.ProblemGroup;
import org.heddle.text.Problems;
import org.heddle.text.Tokens;

/**
 * Makes a fabric of a {@link TopologyDraft}, deciding every contradiction in one documented way.
 *
 * <p>The rule: what puts the <em>presence or identity of a node</em> in doubt is an error (the
 * tables made from such a fabric would miss hosts); what puts a <em>single cable or attribute</em>
 * in doubt is a warning that says what was kept.
 *
 * <ul>
 *   <li>Cables named by both ends come first; then, in file order, cables named by one end whose
 *       two ports are still free (warning). Other claims are dropped (warning).
 *   <li>A cable to a node without a record is an error unless the port has a cable anyway: the file
 *       is cut off or edited.
 *   <li>Width and speed: the slower value where the two ends differ (warning).
 *   <li>LIDs: see {@link LidAssembler}.
 * </ul>
 *
 * O(nodes + port lines).
 */
final class FabricAssembler {
  private final TopologyDraft draft;
  private final Problems problems;
  private final FabricBuilder builder = new FabricBuilder();
  private final ProblemGroup oneSided;
  private final ProblemGroup dropped;
  private final ProblemGroup rates;
  private int missing;
  private int missingLine;
  private String missingName = "";
  private int links;

  private FabricAssembler(TopologyDraft draft, Problems problems) {
    this.draft = draft;
    this.problems = problems;
    this.oneSided = new ProblemGroup(problems, "links listed from one side only");
    this.dropped = new ProblemGroup(problems, "port lines dropped");
    this.rates = new ProblemGroup(problems, "links whose ends differ in width or speed");
  }

  /** The fabric, or null if there were errors; problems are added. */
  static Fabric assemble(TopologyDraft draft, Problems problems) {
    return new FabricAssembler(draft, problems).run();
  }

  private Fabric run() {
    draft.close();
    if (draft.full()) {
      return null;
    }
    // Goes on after errors, to report what else is wrong.
    for (TopologyDraft.Node node : draft.nodes) {
      addNode(node);
    }
    for (TopologyDraft.Node node : draft.nodes) {
      for (TopologyDraft.Port port : node.ports) {
        if (port != null) {
          findPeer(node, port);
        }
      }
    }
    linkAll(true);
    linkAll(false);
    explainRest();
    oneSided.close();
    dropped.close();
    rates.close();
    new LidAssembler(draft, builder, problems).run();
    if (links == 0 && !problems.hasErrors()) {
      problems.warn(0, "no two ports are linked");
    }
    if (problems.hasErrors()) {
      return null;
    }
    Fabric fabric = builder.build();
    IdentityCheck.run(fabric, draft, problems);
    return problems.hasErrors() ? null : fabric;
  }

  private void addNode(TopologyDraft.Node node) {
    node.handle = builder.addNode(node.type, node.guid, node.portCount, node.description);
    builder.setIds(node.handle, node.vendorId, node.deviceId, node.systemGuid);
    if (node.type == NodeType.SWITCH) {
      builder.setEnhancedPort0(node.handle, node.enhancedPort0);
      if (node.portGuid != 0 && node.portGuid != node.guid) {
        for (int p = 0; p <= node.portCount; p++) {
          builder.setPortGuid(node.handle, p, node.portGuid);
        }
      }
    }
    if (node.countedPortGuids) {
      for (int p = 1; p <= node.portCount; p++) {
        builder.setPortGuid(node.handle, p, node.guid + p);
      }
    }
    for (TopologyDraft.Port port : node.ports) {
      if (port != null) {
        builder.setLabel(node.handle, port.number, port.label);
        if (port.guid != 0 && node.type != NodeType.SWITCH) {
          builder.setPortGuid(node.handle, port.number, port.guid);
        }
      }
    }
  }

  private void findPeer(TopologyDraft.Node node, TopologyDraft.Port port) {
    TopologyDraft.Node peer =
        port.peerGuid != 0 ? draft.byGuid(port.peerGuid) : draft.byName(port.peerName);
    if (peer == null) {
      return;
    }
    if (port.peerPort < 1 || port.peerPort > peer.portCount) {
      dropped.warn(
          port.line,
          peer.display()
              + " has ports 1.."
              + peer.portCount
              + ", no port "
              + port.peerPort
              + "; link dropped");
      port.linked = true; // spoken of; nothing more to say
      return;
    }
    port.peer = peer;
  }

  private void linkAll(boolean mutualOnly) {
    for (TopologyDraft.Node node : draft.nodes) {
      for (TopologyDraft.Port port : node.ports) {
        if (port != null && port.peer != null && !port.linked) {
          link(node, port, mutualOnly);
        }
      }
    }
  }

  private void link(TopologyDraft.Node node, TopologyDraft.Port port, boolean mutualOnly) {
    TopologyDraft.Port back = port.peer.port(port.peerPort);
    boolean mutual = back != null && back.peer == node && back.peerPort == port.number;
    if (mutual != mutualOnly
        || builder.isCabled(node.handle, port.number)
        || builder.isCabled(port.peer.handle, port.peerPort)) {
      return;
    }
    builder.connect(node.handle, port.number, port.peer.handle, port.peerPort);
    links++;
    port.linked = true;
    learnPortGuid(port, back);
    if (mutual) {
      back.linked = true;
      learnPortGuid(back, port);
      setRate(node, port, back);
      return;
    }
    setRate(node, port, port);
    if (oneSided.wanted()) {
      oneSided.warn(
          port.line,
          "the link to port "
              + port.peerPort
              + " of "
              + port.peer.display()
              + (back == null
                  ? " is not listed there; accepted"
                  : " is contradicted by line " + back.line + "; kept line " + port.line));
    } else {
      oneSided.skip();
    }
  }

  /** Takes the far port's GUID from this line where the far node's record does not tell it. */
  private void learnPortGuid(TopologyDraft.Port port, TopologyDraft.Port back) {
    TopologyDraft.Node peer = port.peer;
    boolean told = peer.countedPortGuids || back != null && back.guid != 0;
    if (!told && port.peerPortGuid != 0 && peer.type != NodeType.SWITCH) {
      builder.setPortGuid(peer.handle, port.peerPort, port.peerPortGuid);
    }
  }

  private void setRate(TopologyDraft.Node node, TopologyDraft.Port a, TopologyDraft.Port b) {
    LinkWidth width = slower(a.width, b.width);
    LinkSpeed speed = slower(a.speed, b.speed);
    builder.setLink(node.handle, a.number, width, speed);
    builder.setLink(a.peer.handle, a.peerPort, width, speed);
    boolean differ =
        a.width != b.width && a.width != LinkWidth.UNKNOWN && b.width != LinkWidth.UNKNOWN
            || a.speed != b.speed && a.speed != LinkSpeed.UNKNOWN && b.speed != LinkSpeed.UNKNOWN;
    if (differ) {
      rates.warn(
          b.line,
          "the link runs at "
              + LinkText.join(b.width, b.speed)
              + " here and at "
              + LinkText.join(a.width, a.speed)
              + " in line "
              + a.line
              + "; kept the slower");
    }
  }

  private static LinkWidth slower(LinkWidth a, LinkWidth b) {
    if (a == LinkWidth.UNKNOWN || b == LinkWidth.UNKNOWN) {
      return a == LinkWidth.UNKNOWN ? b : a;
    }
    return a.lanes() <= b.lanes() ? a : b;
  }

  private static LinkSpeed slower(LinkSpeed a, LinkSpeed b) {
    if (a == LinkSpeed.UNKNOWN || b == LinkSpeed.UNKNOWN) {
      return a == LinkSpeed.UNKNOWN ? b : a;
    }
    return a.laneMegabits() <= b.laneMegabits() ? a : b;
  }

  private void explainRest() {
    for (TopologyDraft.Node node : draft.nodes) {
      for (TopologyDraft.Port port : node.ports) {
        if (port != null && !port.linked) {
          explain(node, port);
        }
      }
    }
    if (missing > 0) {
      problems.error(
          missingLine,
          missing
              + " port line(s) lead to nodes that have no record of their own, the first to "
              + missingName
              + "; the file is cut off or was edited: take the dump again, or remove these lines");
    }
  }

  private void explain(TopologyDraft.Node node, TopologyDraft.Port port) {
    boolean cabled = builder.isCabled(node.handle, port.number);
    if (port.peer == null && !cabled) {
      if (missing++ == 0) {
        missingLine = port.line;
        missingName =
            port.peerGuid != 0
                ? Guid.format(port.peerGuid)
                : "'" + Tokens.excerpt(port.peerName) + "'";
      }
      return;
    }
    if (!dropped.wanted()) {
      dropped.skip();
      return;
    }
    // A port that two cables claim: this line's, and the one that was kept.
    TopologyDraft.Node contested = cabled ? node : port.peer;
    int number = cabled ? port.number : port.peerPort;
    List<Place> places = new ArrayList<>();
    keptClaim(contested, number).ifPresent(places::add);
    TopologyDraft.Port far = port.peer == null ? null : port.peer.port(port.peerPort);
    if (cabled && far != null) {
      places.add(IdentityCheck.place(draft, port.peer, far));
    } else {
      places.add(IdentityCheck.place(draft, node, port));
    }
    String what =
        "port "
            + number
            + " of "
            + contested.display()
            + " has two cables; kept the first, dropped line "
            + port.line;
    dropped.identity(
        IdentityCode.PORT_CABLED_TWICE,
        IdentityCheck.sentence(
            what, places, "two nodes with one GUID, or moved while the dump was made"),
        places);
  }

  /** Where the cable that a port got ends, as the line that it was taken from says. */
  private Optional<Place> keptClaim(TopologyDraft.Node contested, int number) {
    for (TopologyDraft.Node node : draft.nodes) {
      for (TopologyDraft.Port port : node.ports) {
        boolean claims = port != null && port.linked && port.peer == contested;
        if (claims && port.peerPort == number) {
          return Optional.of(IdentityCheck.place(draft, node, port));
        }
      }
    }
    TopologyDraft.Port own = contested.port(number);
    return own == null || own.peer == null
        ? Optional.empty()
        : Optional.of(IdentityCheck.place(draft, own.peer, own.peer.port(own.peerPort)));
  }
}
