package org.heddle.draw;

import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.heddle.draw.layout.Attachments;
import org.heddle.draw.layout.Names;
import org.heddle.draw.layout.Placement;
import org.heddle.fabric.Fabric;

/** Paints boxes, switches, hosts and texts. */
final class NodePainter {
  private static final int MAX_MESSAGES = 6;
  private static final Pattern COLOUR = Pattern.compile("[#a-zA-Z0-9(),.%/ -]{1,64}");

  private final Scene scene;
  private final SvgWriter svg;
  private final Placement p;
  private final Fabric fabric;

  NodePainter(Scene scene, SvgWriter svg) {
    this.scene = scene;
    this.svg = svg;
    this.p = scene.placement();
    this.fabric = scene.fabric();
  }

  void boxes() throws IOException {
    for (Placement.Box box : p.boxes) {
      svg.start("rect")
          .attr("class", box.depth() % 2 == 0 ? "b0" : "b1")
          .attr("x", box.x())
          .attr("y", box.y())
          .attr("width", box.w())
          .attr("height", box.h())
          .attr("rx", Math.min(6, box.w() / 5))
          .end()
          .line();
    }
  }

  void boxLabels() throws IOException {
    for (Placement.Box box : p.boxes) {
      if (!box.label().isEmpty()) {
        boolean plane = box.depth() < 0;
        double y = plane ? box.y() + 12 : box.y() + box.h() - 6;
        text(box.x() + box.w() / 2, y, box.label(), "bl", "middle", 0);
      }
    }
  }

  void stems() throws IOException {
    StringBuilder d = new StringBuilder();
    for (int i = 0; i < p.marks(); i++) {
      if (p.markStem(i) && p.markPort(i) >= 0) {
        stem(d, i);
      }
    }
    for (Placement.Wire wire : p.wires) {
      LinkGeometry.move(d, wire.x1(), wire.y());
      SvgWriter.number(d.append('H'), wire.x2());
    }
    if (!d.isEmpty()) {
      svg.start("path").attr("class", "st").attr("d", d.toString()).end().line();
    }
  }

  private void stem(StringBuilder d, int i) {
    int sw = fabric.peerNode(p.markPort(i));
    double x = p.markX(i);
    double y = p.markY(i);
    if (p.radial) {
      LinkGeometry.move(d, p.x[sw], p.y[sw]);
      SvgWriter.number(d.append('L'), x).append(' ');
      SvgWriter.number(d, y);
      return;
    }
    double from = p.y[sw] + p.h[sw] / 2;
    double half = p.w[sw] * 0.42;
    double start = Math.clamp(x, p.x[sw] - half, p.x[sw] + half);
    double bend = (y - from) * 0.45;
    LinkGeometry.move(d, start, from);
    LinkGeometry.curve(d, start, from + bend, x, y - bend, x, y);
  }

  void switches() throws IOException {
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      if (Double.isNaN(p.x[sw])) {
        continue;
      }
      boolean bad = scene.messages().containsKey(sw);
      svg.start("rect")
          .attr("class", (p.named[sw] ? "sw" : "ss") + (bad ? " bad" : ""))
          .attr("data-switch", sw)
          .attr("x", p.x[sw] - p.w[sw] / 2)
          .attr("y", p.y[sw] - p.h[sw] / 2)
          .attr("width", p.w[sw])
          .attr("height", p.h[sw]);
      if (p.w[sw] > 8) {
        svg.attr("rx", Math.min(5, p.w[sw] / 6));
      }
      svg.leaf("title", switchTitle(sw)).end().line();
      if (p.named[sw]) {
        switchName(sw);
      }
    }
  }

  private void switchName(int sw) throws IOException {
    String name = Names.brief(fabric, sw);
    double size = Names.fontSize(name, p.w[sw] - 6);
    if (size == 0) {
      size = 9;
      name = Names.fit(name, p.w[sw] - 6, size);
    }
    svg.start("text").attr("text-anchor", "middle").attr("font-size", size);
    svg.attr("x", p.x[sw]).attr("y", p.y[sw] + size * 0.36).text(name).end().line();
  }

  private String switchTitle(int sw) {
    int cabled = 0;
    for (int i = 1; i <= fabric.portCount(sw); i++) {
      cabled += fabric.peer(fabric.port(sw, i)) == Fabric.NONE ? 0 : 1;
    }
    return Names.full(fabric, sw)
        + ", "
        + cabled
        + " of "
        + Names.count(fabric.portCount(sw), "port", "ports")
        + " cabled"
        + (scene.hosts().count(sw) == 0
            ? ""
            : ", " + Names.count(scene.hosts().count(sw), "host port", "host ports"))
        + messages(sw);
  }

  private String messages(int node) {
    List<String> messages = scene.messages().getOrDefault(node, List.of());
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(messages.size(), MAX_MESSAGES); i++) {
      text.append(". ").append(messages.get(i));
    }
    int more = messages.size() - MAX_MESSAGES;
    return more > 0 ? text + " And " + more + " more." : text.toString();
  }

  /** Every host, router and aggregation node as an element of its own. */
  void marks() throws IOException {
    for (int i = 0; i < p.marks(); i++) {
      int node = p.markNode(i);
      boolean primary = isPrimary(i);
      shape(i);
      boolean bad = scene.messages().containsKey(node);
      svg.attr("class", style(node, primary) + (bad ? " bad" : ""));
      svg.attr(primary ? "data-host" : "data-port", primary ? node : p.markPort(i));
      colour(node, primary);
      svg.leaf("title", markTitle(i) + messages(node)).end().line();
    }
  }

  private boolean isPrimary(int i) {
    return p.markPort(i) < 0 || scene.hosts().isPrimary(p.markPort(i));
  }

  private String style(int node, boolean primary) {
    return primary && scene.hosts().kind(node) != Attachments.Kind.AGGREGATION ? "h" : "h2";
  }

  private void colour(int node, boolean primary) {
    String colour = hostColour(node);
    if (colour != null) {
      svg.attr("style", (primary ? "fill:" : "stroke:") + colour);
    }
  }

  private String hostColour(int node) {
    if (scene.hosts().kind(node) != Attachments.Kind.HOST) {
      return null;
    }
    return checked(scene.options().hostColour().apply(node));
  }

  /** The colour, or null; what is no colour would end up in the style sheet. */
  static String checked(String colour) {
    if (colour != null && !COLOUR.matcher(colour).matches()) {
      throw new IllegalArgumentException("not a CSS colour: '" + colour + "'");
    }
    return colour;
  }

  private void shape(int i) throws IOException {
    double s = p.markSize(i);
    double x = p.markX(i);
    double y = p.markY(i);
    switch (scene.hosts().kind(p.markNode(i))) {
      case HOST -> {
        svg.start("rect").attr("x", x - s / 2).attr("y", y - s / 2);
        svg.attr("width", s).attr("height", s);
        if (s > 6) {
          svg.attr("rx", 2);
        }
      }
      case AGGREGATION -> svg.start("circle").attr("cx", x).attr("cy", y).attr("r", s * 0.4);
      case ROUTER -> {
        StringBuilder d = new StringBuilder();
        LinkGeometry.move(d, x, y - s * 0.6);
        SvgWriter.number(d.append('L'), x + s * 0.6).append(' ');
        SvgWriter.number(d, y).append('L');
        SvgWriter.number(d, x).append(' ');
        SvgWriter.number(d, y + s * 0.6).append('L');
        SvgWriter.number(d, x - s * 0.6).append(' ');
        SvgWriter.number(d, y).append('z');
        svg.start("path").attr("d", d.toString());
      }
    }
  }

  private String markTitle(int i) {
    int port = p.markPort(i);
    String name = Names.full(fabric, p.markNode(i));
    if (port < 0) {
      return name + ", on no switch" + directCable(p.markNode(i));
    }
    String lid = fabric.lid(port) == 0 ? "" : ", LID " + fabric.lid(port);
    return name
        + " port "
        + fabric.numberOf(port)
        + lid
        + " \u2013 "
        + LinkPainter.end(fabric, fabric.peer(port))
        + LinkPainter.rate(fabric, port);
  }

  private String directCable(int node) {
    for (int i = 1; i <= fabric.portCount(node); i++) {
      int other = fabric.peer(fabric.port(node, i));
      if (other != Fabric.NONE) {
        return ", port " + i + " cabled to " + LinkPainter.end(fabric, other);
      }
    }
    return "";
  }

  /** All hosts of one switch and colour as one path; for fabrics of thousands of hosts. */
  void markBlocks() throws IOException {
    int i = 0;
    while (i < p.marks()) {
      int sw = switchOf(i);
      int from = i;
      String key = blockKey(i);
      StringBuilder d = new StringBuilder();
      int primaries = 0;
      while (i < p.marks() && switchOf(i) == sw && blockKey(i).equals(key)) {
        square(d, i);
        primaries += isPrimary(i) ? 1 : 0;
        i++;
      }
      int node = p.markNode(from);
      svg.start("path").attr("class", style(node, isPrimary(from)));
      svg.attr("data-hosts", primaries).attr("data-ports", i - from);
      colour(node, isPrimary(from));
      String where = sw < 0 ? "on no switch" : Names.full(fabric, sw);
      svg.attr("d", d.toString())
          .leaf("title", Names.count(i - from, "host port", "host ports") + ": " + where)
          .end()
          .line();
    }
  }

  private int switchOf(int i) {
    return p.markPort(i) < 0 ? Fabric.NONE : fabric.peerNode(p.markPort(i));
  }

  private String blockKey(int i) {
    return style(p.markNode(i), isPrimary(i)) + hostColour(p.markNode(i));
  }

  private void square(StringBuilder d, int i) {
    double s = p.markSize(i);
    LinkGeometry.move(d, p.markX(i) - s / 2, p.markY(i) - s / 2);
    SvgWriter.number(d.append('h'), s).append('v');
    SvgWriter.number(d, s).append('h');
    SvgWriter.number(d, -s).append('z');
  }

  void labels() throws IOException {
    for (Placement.Label label : p.labels) {
      text(label.x(), label.y(), label.text(), label.style(), label.anchor(), label.angle());
    }
  }

  private void text(double x, double y, String text, String style, String anchor, double angle)
      throws IOException {
    if (text.isEmpty()) {
      return;
    }
    svg.start("text").attr("class", style);
    if (!anchor.equals("start")) {
      svg.attr("text-anchor", anchor);
    }
    if (angle == 0) {
      svg.attr("x", x).attr("y", y);
    } else {
      StringBuilder at = new StringBuilder("translate(");
      SvgWriter.number(SvgWriter.number(at, x).append(' '), y).append(")rotate(");
      svg.attr("transform", SvgWriter.number(at, angle).append(')').toString());
    }
    svg.text(text).end().line();
  }
}
