package org.heddle.plot;

import java.util.List;

/**
 * A diagram of one or more curves.
 *
 * @param title one line
 * @param xLabel what runs to the right, with its unit
 * @param yLabel what runs upwards, with its unit
 * @param style how points are joined
 * @param logarithmic true for a logarithmic axis to the right; all x are then above 0
 * @param logarithmicY true for a logarithmic axis upwards; all y are then above 0
 * @param yMin lower end of the axis upwards, NaN to fit the data
 * @param yMax upper end of the axis upwards, NaN to fit the data
 * @param curves at least one
 */
public record Figure(
    String title,
    String xLabel,
    String yLabel,
    Style style,
    boolean logarithmic,
    boolean logarithmicY,
    double yMin,
    double yMax,
    List<Curve> curves) {

  /** How points are joined. */
  public enum Style {
    /** Straight lines, and a mark at each point. */
    LINE,
    /** Each value holds until the next point; no marks. */
    STEP
  }

  /**
   * @throws IllegalArgumentException without curves
   */
  public Figure {
    curves = List.copyOf(curves);
    if (curves.isEmpty()) {
      throw new IllegalArgumentException("a figure without curves");
    }
  }

  /** A figure whose axis upwards is linear. */
  public Figure(
      String title,
      String xLabel,
      String yLabel,
      Style style,
      boolean logarithmic,
      double yMin,
      double yMax,
      List<Curve> curves) {
    this(title, xLabel, yLabel, style, logarithmic, false, yMin, yMax, curves);
  }

  /**
   * One curve.
   *
   * @param name for the legend; different from those of the others
   * @param family curves that belong together have the same colour and marks, and differ in dashes
   * @param x ascending
   * @param y one value each
   */
  public record Curve(String name, String family, double[] x, double[] y) {
    /**
     * @throws IllegalArgumentException if there are no points, or not as many x as y
     */
    public Curve {
      if (x.length != y.length || x.length == 0) {
        throw new IllegalArgumentException("curve " + name + " has " + x.length + " points");
      }
    }

    /** A curve that belongs to no other. */
    public Curve(String name, double[] x, double[] y) {
      this(name, name, x, y);
    }
  }
}
