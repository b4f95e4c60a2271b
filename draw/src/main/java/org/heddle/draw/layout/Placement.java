package org.heddle.draw.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where everything goes: the result of a layout, in user units (about pixels), x to the right, y
 * down, nothing at negative coordinates. Written by one layout, then only read.
 */
public final class Placement {
  /** A background box around a sub-tree, plane or component, with its label. */
  public record Box(double x, double y, double w, double h, String label, int depth) {}

  /** A line of text: class, anchor (start, middle, end), angle in degrees, clockwise. */
  public record Label(double x, double y, String text, String style, String anchor, double angle) {

    /** Horizontal text. */
    static Label flat(double x, double y, String text, String style) {
      return new Label(x, y, text, style, "start", 0);
    }

    /** Text that reads upwards. */
    static Label upwards(double x, double y, String text, String style, String anchor) {
      return new Label(x, y, text, style, anchor, -90);
    }
  }

  /** A plain horizontal line: a cable between two hosts. */
  public record Wire(double x1, double x2, double y) {}

  public final double[] x; // centre of a switch, NaN while not placed
  public final double[] y;
  public final double[] w;
  public final double[] h;
  public final boolean[] named; // the name is written inside the switch
  public final List<Box> boxes = new ArrayList<>();
  public final List<Label> labels = new ArrayList<>();
  public final List<Wire> wires = new ArrayList<>();
  public double width;
  public double height;

  /** Straight lines between centres instead of curves from top to bottom. */
  public boolean radial;

  private int[] markPort = new int[64];
  private int[] markNode = new int[64];
  private double[] markX = new double[64];
  private double[] markY = new double[64];
  private double[] markSize = new double[64];
  private boolean[] markStem = new boolean[64];
  private int marks;

  Placement(int switches) {
    x = new double[switches];
    y = new double[switches];
    w = new double[switches];
    h = new double[switches];
    named = new boolean[switches];
    Arrays.fill(x, Double.NaN);
  }

  void place(int sw, double cx, double cy, double width, double height) {
    x[sw] = cx;
    y[sw] = cy;
    w[sw] = width;
    h[sw] = height;
  }

  /**
   * Places a host, router or aggregation node.
   *
   * @param port its endport there, or -1 if it hangs on no switch
   * @param stem whether a line to the switch is drawn
   */
  void mark(int node, int port, double cx, double cy, double size, boolean stem) {
    if (marks == markPort.length) {
      int more = marks * 2;
      markPort = Arrays.copyOf(markPort, more);
      markNode = Arrays.copyOf(markNode, more);
      markX = Arrays.copyOf(markX, more);
      markY = Arrays.copyOf(markY, more);
      markSize = Arrays.copyOf(markSize, more);
      markStem = Arrays.copyOf(markStem, more);
    }
    markNode[marks] = node;
    markPort[marks] = port;
    markX[marks] = cx;
    markY[marks] = cy;
    markSize[marks] = size;
    markStem[marks++] = stem;
  }

  public int marks() {
    return marks;
  }

  public int markNode(int i) {
    return markNode[i];
  }

  public int markPort(int i) {
    return markPort[i];
  }

  public double markX(int i) {
    return markX[i];
  }

  public double markY(int i) {
    return markY[i];
  }

  public double markSize(int i) {
    return markSize[i];
  }

  public boolean markStem(int i) {
    return markStem[i];
  }

  /** Takes over what another placement holds of the given switches, and its marks and texts. */
  void take(Placement other, int[] switches) {
    for (int sw : switches) {
      place(sw, other.x[sw], other.y[sw], other.w[sw], other.h[sw]);
      named[sw] = other.named[sw];
    }
    for (int i = 0; i < other.marks; i++) {
      mark(
          other.markNode[i],
          other.markPort[i],
          other.markX[i],
          other.markY[i],
          other.markSize[i],
          other.markStem[i]);
    }
    boxes.addAll(other.boxes);
    labels.addAll(other.labels);
  }

  /** The smallest y that a box, switch or text reaches. */
  double top() {
    double top = 0;
    for (Box box : boxes) {
      top = Math.min(top, box.y);
    }
    return top;
  }

  /** Moves everything; for layouts that find out late how much room is needed. */
  void shift(double dx, double dy) {
    for (int i = 0; i < x.length; i++) {
      x[i] += dx;
      y[i] += dy;
    }
    for (int i = 0; i < marks; i++) {
      markX[i] += dx;
      markY[i] += dy;
    }
    wires.replaceAll(t -> new Wire(t.x1 + dx, t.x2 + dx, t.y + dy));
    boxes.replaceAll(b -> new Box(b.x + dx, b.y + dy, b.w, b.h, b.label, b.depth));
    labels.replaceAll(t -> new Label(t.x + dx, t.y + dy, t.text, t.style, t.anchor, t.angle));
  }
}
