package org.heddle.draw;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.heddle.draw.layout.Names;

/** Paints heading, summary and load legend at the top, the meaning of the symbols at the bottom. */
final class HeaderPainter {
  static final double MARGIN = 24;
  private static final double LEGEND = 250;
  private static final double LINE = 18;

  private record Symbol(String shape, String style, String text) {}

  private final Scene scene;
  private final SvgWriter svg;
  private final double width;
  private final List<String> lines = new ArrayList<>();

  HeaderPainter(Scene scene, SvgWriter svg, double width) {
    this.scene = scene;
    this.svg = svg;
    this.width = width;
    for (String line : Summary.lines(scene)) {
      wrap(line);
    }
  }

  private double textRoom() {
    return width - 2 * MARGIN - (scene.scale().isPresent() ? LEGEND + 20 : 0);
  }

  private void wrap(String line) {
    String rest = line;
    for (int i = 0; i < 3 && !rest.isEmpty(); i++) {
      int cut = rest.length();
      while (cut > 0 && Names.width(rest.substring(0, cut), 13) > textRoom()) {
        int space = rest.lastIndexOf(' ', cut - 1);
        cut = space <= 0 ? 0 : space;
      }
      if (cut == 0 || i == 2) {
        lines.add(Names.fit(rest, textRoom(), 13));
        return;
      }
      lines.add(rest.substring(0, cut));
      rest = rest.substring(cut).strip();
    }
  }

  /** Height of heading and summary, space below included. */
  double height() {
    double text = MARGIN + 26 + lines.size() * LINE;
    return Math.max(text, scene.scale().isPresent() ? MARGIN + 62 : 0) + 14;
  }

  void paint() throws IOException {
    text(MARGIN, MARGIN + 14, Names.fit(Summary.title(scene), textRoom(), 20), "t", "start");
    double y = MARGIN + 18;
    for (String line : lines) {
      y += LINE;
      text(MARGIN, y, line, "s s2", "start");
    }
    if (scene.scale().isPresent()) {
      ramp(scene.scale().get());
    }
  }

  private void ramp(LoadScale scale) throws IOException {
    double left = width - MARGIN - LEGEND;
    double step = LEGEND / scale.bins();
    text(left, MARGIN + 8, "destinations per channel" + direction(), "f", "start");
    double lastEnd = -1;
    String before = "";
    for (int bin = 0; bin < scale.bins(); bin++) {
      double x = left + bin * step;
      svg.start("rect").attr("class", "r" + bin).attr("x", x).attr("y", MARGIN + 16);
      svg.attr("width", step + 0.3).attr("height", 12).end();
      String tick = Names.count(scale.typical(bin));
      double half = Names.width(tick, 11) / 2;
      boolean last = bin == scale.bins() - 1;
      double middle = x + step / 2;
      double end = left + LEGEND - step / 2 - Names.width(Names.count(scale.max()), 11) / 2;
      boolean room = middle - half > lastEnd + 4 && middle + half < end - 4;
      if (last || room && !tick.equals(before)) {
        before = tick;
        text(middle, MARGIN + 42, tick, "lc", "middle");
        lastEnd = middle + half;
      }
    }
    svg.line();
    if (scene.splitsDirections()) {
      text(left, MARGIN + 58, "left stroke: upwards, right stroke: downwards", "lc", "start");
    }
  }

  private String direction() {
    return switch (scene.options().loadView()) {
      case UP -> ", upwards";
      case DOWN -> ", downwards";
      case BOTH -> scene.splitsDirections() ? "" : ", larger direction";
    };
  }

  /** Height of the lines of symbols and of host colours; 0 if there is nothing to explain. */
  double footerHeight() {
    return (symbols().isEmpty() ? 0 : 30) + (scene.options().legend().isEmpty() ? 0 : 30);
  }

  /** Paints them; the last line at {@code bottom}. */
  void footer(double bottom) throws IOException {
    legend(bottom);
    double y = scene.options().legend().isEmpty() ? bottom : bottom - 26;
    double x = MARGIN;
    for (Symbol symbol : symbols()) {
      switch (symbol.shape) {
        case "line" -> {
          String group = symbol.style.equals("m") ? "mi" : symbol.style.equals("sl") ? "sl" : "li";
          svg.start("g").attr("class", group);
          svg.start("path").attr("class", symbol.style);
          svg.attr("d", "M" + (int) x + " " + (int) y + "h24").end().end();
          x += 30;
        }
        case "dot" -> {
          svg.start("circle").attr("class", symbol.style);
          svg.attr("cx", x + 5).attr("cy", y).attr("r", 4).end();
          x += 16;
        }
        default -> {
          svg.start("rect").attr("class", symbol.style).attr("x", x).attr("y", y - 5);
          svg.attr("width", 10).attr("height", 10).attr("rx", 2).end();
          x += 16;
        }
      }
      text(x, y + 4, symbol.text, "f", "start");
      svg.line();
      x += Names.width(symbol.text, 12) + 22;
    }
  }

  private void legend(double y) throws IOException {
    double x = MARGIN;
    int left = scene.options().legend().size();
    for (DrawOptions.Key key : scene.options().legend()) {
      String text = Names.fit(key.text(), 180, 12);
      double end = x + 16 + Names.width(text, 12);
      if (end > width - MARGIN - (left > 1 ? 90 : 0)) {
        text(x, y + 4, "and " + left + " more", "f", "start");
        return;
      }
      svg.start("rect").attr("x", x).attr("y", y - 5).attr("width", 10).attr("height", 10);
      svg.attr("rx", 2).attr("style", "fill:" + NodePainter.checked(key.colour())).end();
      text(x + 16, y + 4, text, "f", "start");
      svg.line();
      x = end + 22;
      left--;
    }
  }

  private List<Symbol> symbols() {
    List<Symbol> symbols = new ArrayList<>();
    if (!scene.missing().isEmpty()) {
      symbols.add(new Symbol("line", "m", "missing link"));
    }
    if (!scene.slow().isEmpty()) {
      symbols.add(new Symbol("line", "sl", "slow link"));
    }
    if (!scene.messages().isEmpty()) {
      symbols.add(new Symbol("box", "sw bad", "has findings"));
    }
    if (unusedChannels()) {
      symbols.add(new Symbol("line", "u", "unused"));
    }
    if (scene.hosts().hasFurtherPorts()) {
      symbols.add(new Symbol("box", "h2", "further port of a host"));
    }
    if (scene.hosts().aggregations() > 0) {
      symbols.add(new Symbol("dot", "h2", "aggregation node"));
    }
    return symbols;
  }

  private boolean unusedChannels() {
    for (int c = 0; c < scene.lowerLoad().length; c++) {
      boolean unused =
          scene.splitsDirections()
              ? scene.lowerLoad()[c] == 0 || scene.upperLoad()[c] == 0
              : scene.shownLoad(c) == 0;
      if (unused && scene.scale().isPresent()) {
        return true;
      }
    }
    return false;
  }

  private void text(double x, double y, String text, String style, String anchor)
      throws IOException {
    svg.start("text").attr("class", style).attr("x", x).attr("y", y);
    if (!anchor.equals("start")) {
      svg.attr("text-anchor", anchor);
    }
    svg.text(text).end();
  }
}
