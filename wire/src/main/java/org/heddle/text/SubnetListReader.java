package org.heddle.text;

import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.NodeType;

/**
 * Reads {@code opensm-subnet.lst}, which OpenSM writes with its dumps (-D 0x40): one line per
 * linked port, with both ends in braces.
 *
 * <pre>
 * { SW Ports:24 SystemGUID:.. NodeGUID:.. PortGUID:.. VenID:.. DevID:.. Rev:.. {name} LID:0002 PN:01 }
 * { CA-SM Ports:01 ... {host} LID:0001 PN:01 } PHY=4x LOG=ACT SPD=2.5          (on the same line)
 * </pre>
 *
 * Numbers are hexadecimal, {@code Ports} and {@code PN} too. The list has no LMC, no labels, no
 * kind of port 0 and no unlinked nodes. Every link is listed from both ends, so a node that only
 * its neighbours name means the file is cut off: an error, as for {@link IbnetdiscoverReader},
 * whose rules hold here too. Never throws for what the file says. Linear in the file.
 */
public final class SubnetListReader {
  private final LineReader lines;
  private final Problems problems;
  private final TopologyDraft draft;
  private final ProblemGroup strange;

  private SubnetListReader(Source source, Problems problems) {
    this.problems = problems;
    this.lines = new LineReader(source.bytes());
    this.draft = new TopologyDraft(problems);
    this.strange = new ProblemGroup(problems, "lines that are no links");
  }

  /** Reads a fabric. Compressed input must be unpacked first, see {@link FabricFormats}. */
  public static Parsed<Fabric> read(Source source) {
    Problems problems = new Problems(source.name());
    return problems.result(new SubnetListReader(source, problems).run(source));
  }

  /** One end of a link, as far as it is in braces. */
  private static final class End {
    NodeType type;
    int portCount;
    long systemGuid;
    long nodeGuid;
    long portGuid;
    int vendorId;
    int deviceId;
    String description;
    int lid;
    int number;
    int behind; // place in the line behind the closing brace
  }

  private Fabric run(Source source) {
    for (String line = lines.next(); line != null && !draft.full(); line = lines.next()) {
      String text = line.strip();
      if (text.isEmpty() || text.startsWith("#")) {
        continue;
      }
      boolean whole = !LineReader.isUnusable(line) && text.startsWith("{") && link(text);
      if (!lines.terminated() && !whole) {
        problems.error(
            lines.line(), "the file is cut off in the middle of a line: " + Tokens.excerpt(line));
      } else if (!whole && strange.wanted()) {
        strange.warn(lines.line(), "not a link of two ends, ignored: " + Tokens.excerpt(line));
      } else if (!whole) {
        strange.skip();
      } else if (!lines.terminated()) {
        problems.warn(
            lines.line(), "the last line has no line end; the file may be cut off, check its end");
      }
    }
    lines.report(problems);
    strange.close();
    if (draft.nodes.isEmpty() && !problems.hasErrors()) {
      problems.error(
          0, "no link found; expected opensm-subnet.lst" + FileKinds.hint(source, "opensm-subnet"));
    }
    checkRecords();
    return FabricAssembler.assemble(draft, problems);
  }

  private void checkRecords() {
    int missing = 0;
    TopologyDraft.Node first = null;
    for (TopologyDraft.Node node : draft.nodes) {
      if (node.mentionedOnly) {
        first = missing++ == 0 ? node : first;
      }
    }
    if (first != null) {
      problems.error(
          first.line,
          missing
              + " node(s) are named by neighbours and have no line of their own, the first is "
              + first.display()
              + "; the file is cut off or was edited: take the dump again");
    }
  }

  private boolean link(String text) {
    End a = end(text, 0);
    if (a == null) {
      return false;
    }
    int open = text.indexOf('{', a.behind);
    End b = open < 0 ? null : end(text, open);
    if (b == null) {
      return false;
    }
    String rest = text.substring(b.behind);
    String width = value(rest, "PHY=", 0);
    String speed = value(rest, "SPD=", 0);
    if (width == null || speed == null || speed.isEmpty()) {
      return false;
    }
    TopologyDraft.Node near = node(a, true);
    if (near == null || node(b, false) == null) {
      return true; // reported
    }
    TopologyDraft.Port port = new TopologyDraft.Port();
    port.line = lines.line();
    port.number = a.number;
    port.peerGuid = b.nodeGuid;
    port.peerPort = b.number;
    port.peerPortGuid = b.portGuid;
    port.peerLid = b.lid;
    port.width = LinkText.width(width);
    port.speed = LinkText.speed(speed);
    if (near.type != NodeType.SWITCH) {
      port.guid = a.portGuid;
      port.lid = a.lid;
    }
    if (port.number < 1 || port.number > near.portCount) {
      strange.warn(
          lines.line(),
          near.display() + " has ports 1.." + near.portCount + ", no port " + port.number);
      return true;
    }
    draft.add(near, port);
    return true;
  }

  /** The draft's node for an end, made when first seen; null if ends contradict (reported). */
  private TopologyDraft.Node node(End end, boolean own) {
    TopologyDraft.Node known = draft.byGuid(end.nodeGuid);
    if (known != null) {
      if (known.type != end.type || known.portCount != end.portCount) {
        problems.error(
            lines.line(),
            "node "
                + Guid.format(end.nodeGuid)
                + " was described differently in line "
                + known.line
                + "; a file must hold one state of one fabric");
        return null;
      }
      if (own && known.mentionedOnly) {
        known.mentionedOnly = false;
        known.deviceId = end.deviceId;
      }
      return known;
    }
    TopologyDraft.Node node =
        new TopologyDraft.Node(lines.line(), end.type, end.nodeGuid, "", end.portCount);
    node.description = end.description;
    node.systemGuid = end.systemGuid;
    node.vendorId = end.vendorId;
    node.deviceId = end.deviceId;
    node.mentionedOnly = !own;
    if (end.type == NodeType.SWITCH) {
      node.portGuid = end.portGuid;
      node.lid = end.lid;
    }
    return draft.add(node);
  }

  private static End end(String text, int from) {
    int nameOpen = text.indexOf(" {", from + 1);
    int nameClose = nameOpen < 0 ? -1 : text.indexOf("} LID:", nameOpen);
    int close = nameClose < 0 ? -1 : text.indexOf('}', nameClose + 1);
    if (close < 0) {
      return null;
    }
    String head = text.substring(from + 1, nameOpen).strip();
    String tail = text.substring(nameClose + 1, close);
    End end = new End();
    end.type =
        head.startsWith("SW")
            ? NodeType.SWITCH
            : head.startsWith("CA") ? NodeType.CA : head.startsWith("Rt") ? NodeType.ROUTER : null;
    end.portCount = number(head, "Ports:");
    end.number = number(tail, "PN:");
    end.lid = number(tail, "LID:");
    end.nodeGuid = hex(head, "NodeGUID:");
    if (end.type == null || end.portCount < 0 || end.portCount > 254 || end.number < 0) {
      return null;
    }
    if (end.lid < 0 || end.nodeGuid == 0) {
      return null;
    }
    end.systemGuid = hex(head, "SystemGUID:");
    end.portGuid = hex(head, "PortGUID:");
    end.vendorId = number(head, "VenID:") & 0xffffff;
    long device = hex(head, "DevID:");
    // OpenSM prints the far end's 16 bits in the wrong byte order, as the upper half of 32.
    end.deviceId = (int) (device > 0xffff ? device >>> 16 & 0xffff : device);
    end.description = text.substring(nameOpen + 2, nameClose);
    end.behind = close + 1;
    return end;
  }

  private static long hex(String text, String key) {
    String digits = value(text, key, 0);
    return digits == null ? 0 : Tokens.hex(digits);
  }

  /** A hexadecimal number of at most 31 bits; 0 where the key is missing, -1 if it is no number. */
  private static int number(String text, String key) {
    String digits = value(text, key, 0);
    if (digits == null) {
      return key.equals("VenID:") ? 0 : -1;
    }
    if (!Tokens.isHex(digits) || digits.length() > 8) {
      return -1;
    }
    return (int) Math.min(Long.parseLong(digits, 16), Integer.MAX_VALUE);
  }

  private static String value(String text, String key, int from) {
    int at = text.indexOf(key, from);
    if (at < 0) {
      return null;
    }
    int end = at + key.length();
    while (end < text.length() && text.charAt(end) > ' ') {
      end++;
    }
    return text.substring(at + key.length(), end);
  }
}
