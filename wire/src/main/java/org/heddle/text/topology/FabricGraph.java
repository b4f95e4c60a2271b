package org.heddle.text.topology;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.Lid;
import org.heddle.fabric.Machines;
import org.heddle.topology.Recognition;

/**
 * Nodes and links of a fabric as tables and as a graph, for spreadsheets and graph tools. Nodes and
 * links come in the order of the fabric, a link once, from the end that comes first. Immutable.
 *
 * @param nodes all of them
 * @param links all cables
 */
public record FabricGraph(List<Node> nodes, List<Link> links) {
  private static final String NAMESPACE = "http://graphml.graphdrawing.org/xmlns";

  public FabricGraph {
    nodes = List.copyOf(nodes);
    links = List.copyOf(links);
  }

  /**
   * A node.
   *
   * @param id node GUID
   * @param type switch, ca or router
   * @param name description
   * @param machine the machine that an adapter is in; empty for others
   * @param level of a switch of a fat-tree, leaf switches are 1; 0 for others
   * @param lid of the first port that has one; 0 for none
   * @param ports number of ports
   */
  public record Node(
      String id, String type, String name, String machine, int level, int lid, int ports) {}

  /**
   * A cable.
   *
   * @param source node GUID of one end
   * @param target node GUID of the other end
   * @param width active width, such as 4x; empty if unknown
   * @param speed active speed, such as HDR; empty if unknown
   * @param megabits data rate in Mbit/s; 0 if unknown
   */
  public record Link(
      String source,
      int sourcePort,
      String target,
      int targetPort,
      String width,
      String speed,
      int megabits) {}

  /** The graph of a fabric. O(nodes + ports). */
  public static FabricGraph of(Fabric fabric, Recognition recognition) {
    List<Node> nodes = new ArrayList<>();
    List<Link> links = new ArrayList<>();
    Machines machines = fabric.machines();
    for (int node = 0; node < fabric.nodeCount(); node++) {
      int machine = machines.of(node);
      boolean inTree = fabric.isSwitch(node) && recognition instanceof Recognition.Found;
      int level = inTree ? Math.max(0, ((Recognition.Found) recognition).tree().level(node)) : 0;
      nodes.add(
          new Node(
              Guid.format(fabric.nodeGuid(node)),
              fabric.nodeType(node).name().toLowerCase(Locale.ROOT),
              fabric.description(node),
              machine == Fabric.NONE ? "" : machines.name(machine),
              level,
              lid(fabric, node),
              fabric.portCount(node)));
      for (int number = 1; number <= fabric.portCount(node); number++) {
        int port = fabric.port(node, number);
        int peer = fabric.peer(port);
        if (peer != Fabric.NONE && port < peer) {
          links.add(link(fabric, port, peer));
        }
      }
    }
    return new FabricGraph(nodes, links);
  }

  private static int lid(Fabric fabric, int node) {
    int first = fabric.isSwitch(node) ? 0 : 1;
    int last = fabric.isSwitch(node) ? 0 : fabric.portCount(node);
    for (int number = first; number <= last; number++) {
      int port = fabric.port(node, number);
      if (port != Fabric.NONE && fabric.lid(port) != Lid.NONE) {
        return fabric.lid(port);
      }
    }
    return 0;
  }

  private static Link link(Fabric fabric, int port, int peer) {
    String width = fabric.width(port).lanes() == 0 ? "" : fabric.width(port).lanes() + "x";
    String speed = fabric.speed(port).laneMegabits() == 0 ? "" : fabric.speed(port).name();
    return new Link(
        Guid.format(fabric.nodeGuid(fabric.nodeOf(port))),
        fabric.numberOf(port),
        Guid.format(fabric.nodeGuid(fabric.nodeOf(peer))),
        fabric.numberOf(peer),
        width,
        speed,
        fabric.linkMegabits(port));
  }

  /** The nodes as comma-separated values (RFC 4180), with a line of names first. */
  public byte[] nodesCsv() {
    StringBuilder out = new StringBuilder("guid,type,name,machine,level,lid,ports\r\n");
    for (Node n : nodes) {
      line(out, n.id, n.type, n.name, n.machine, n.level, n.lid, n.ports);
    }
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** The links, likewise. */
  public byte[] linksCsv() {
    StringBuilder out =
        new StringBuilder("source,source_port,target,target_port,width,speed,megabits\r\n");
    for (Link l : links) {
      line(out, l.source, l.sourcePort, l.target, l.targetPort, l.width, l.speed, l.megabits);
    }
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void line(StringBuilder out, Object... fields) {
    for (int i = 0; i < fields.length; i++) {
      String text = fields[i].toString();
      boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c < ' ');
      out.append(i == 0 ? "" : ",");
      out.append(plain ? text : '"' + text.replace("\"", "\"\"") + '"');
    }
    out.append("\r\n");
  }

  /** GraphML, an undirected graph whose nodes and edges have the columns of the tables as data. */
  public byte[] graphml() {
    StringWriter out = new StringWriter();
    try {
      XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(out);
      xml.writeStartDocument("UTF-8", "1.0");
      xml.writeCharacters("\n");
      xml.writeStartElement("graphml");
      xml.writeDefaultNamespace(NAMESPACE);
      for (String key : List.of("type", "name", "machine")) {
        key(xml, "node", key, "string");
      }
      for (String key : List.of("level", "lid", "ports")) {
        key(xml, "node", key, "int");
      }
      for (String key : List.of("source_port", "target_port", "megabits")) {
        key(xml, "edge", key, "int");
      }
      for (String key : List.of("width", "speed")) {
        key(xml, "edge", key, "string");
      }
      xml.writeCharacters("\n  ");
      xml.writeStartElement("graph");
      xml.writeAttribute("id", "fabric");
      xml.writeAttribute("edgedefault", "undirected");
      for (Node n : nodes) {
        xml.writeCharacters("\n    ");
        xml.writeStartElement("node");
        xml.writeAttribute("id", n.id);
        data(xml, "type", n.type, "name", n.name, "machine", n.machine);
        data(xml, "level", n.level, "lid", n.lid, "ports", n.ports);
        xml.writeEndElement();
      }
      for (Link l : links) {
        xml.writeCharacters("\n    ");
        xml.writeStartElement("edge");
        xml.writeAttribute("source", l.source);
        xml.writeAttribute("target", l.target);
        data(xml, "source_port", l.sourcePort, "target_port", l.targetPort);
        data(xml, "width", l.width, "speed", l.speed, "megabits", l.megabits);
        xml.writeEndElement();
      }
      xml.writeCharacters("\n  ");
      xml.writeEndElement();
      xml.writeCharacters("\n");
      xml.writeEndElement();
      xml.writeCharacters("\n");
      xml.writeEndDocument();
      xml.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e); // nothing is written to but memory
    }
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void key(XMLStreamWriter xml, String of, String name, String type)
      throws XMLStreamException {
    xml.writeCharacters("\n  ");
    xml.writeEmptyElement("key");
    xml.writeAttribute("id", name);
    xml.writeAttribute("for", of);
    xml.writeAttribute("attr.name", name);
    xml.writeAttribute("attr.type", type);
  }

  /** Names and values in turn. */
  private static void data(XMLStreamWriter xml, Object... all) throws XMLStreamException {
    for (int i = 0; i < all.length; i += 2) {
      xml.writeStartElement("data");
      xml.writeAttribute("key", all[i].toString());
      xml.writeCharacters(printable(all[i + 1].toString()));
      xml.writeEndElement();
    }
  }

  /** What XML 1.0 cannot hold is replaced. */
  private static String printable(String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              boolean allowed =
                  c >= 0x20 && c < 0xd800 || c >= 0xe000 && c < 0xfffe || c >= 0x10000 || c == 9;
              out.appendCodePoint(allowed ? c : 0xfffd);
            });
    return out.toString();
  }
}
