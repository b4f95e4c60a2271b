package org.heddle.text.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An experiment as a file declares it: what to vary, what to draw, what somebody else printed.
 *
 * @param name one word, the name of the folder of its results
 * @param source where it comes from: paper, section, figures
 * @param kind what is computed; decides which axes, parameters and results there are
 * @param axes values of every axis, in the order of the file
 * @param parameters by name
 */
public record ExperimentFile(
    String name,
    String title,
    String source,
    String kind,
    Map<String, List<String>> axes,
    Map<String, String> parameters,
    List<Figure> figures,
    List<Printed> printed) {

  public ExperimentFile {
    axes = Collections.unmodifiableMap(new LinkedHashMap<>(axes));
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    figures = List.copyOf(figures);
    printed = List.copyOf(printed);
  }

  /**
   * A figure to draw from the results.
   *
   * @param name of its files
   * @param x result that runs to the right
   * @param y result that runs upwards
   * @param curves axes whose values make a curve each
   * @param where values of axes that a row must have
   * @param logarithmicX whether the axis to the right is logarithmic
   * @param logarithmicY whether the axis upwards is logarithmic
   */
  public record Figure(
      String name,
      String title,
      String x,
      String y,
      String xLabel,
      String yLabel,
      List<String> curves,
      Map<String, List<String>> where,
      boolean logarithmicX,
      boolean logarithmicY) {
    public Figure {
      curves = List.copyOf(curves);
      where = Collections.unmodifiableMap(new LinkedHashMap<>(where));
    }
  }

  /**
   * A value that somebody printed, to compare with.
   *
   * @param where values of axes
   * @param result what it is a value of
   * @param place the place it was printed, such as "table 4"
   */
  public record Printed(Map<String, String> where, String result, double value, String place) {
    public Printed {
      where = Collections.unmodifiableMap(new LinkedHashMap<>(where));
    }
  }

  /**
   * What files of a kind may say.
   *
   * @param axes that must be there, each with at least one value
   * @param parameters that may be there
   * @param results that figures and printed values may name, beside the axes
   */
  public record Shape(List<String> axes, List<String> parameters, List<String> results) {
    public Shape {
      axes = List.copyOf(axes);
      parameters = List.copyOf(parameters);
      results = List.copyOf(results);
    }
  }
}
