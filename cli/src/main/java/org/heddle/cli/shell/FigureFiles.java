package org.heddle.cli.shell;

import java.util.Optional;
import org.heddle.plot.Figure;
import org.heddle.plot.FigureWriter;

/** Figures as files of two kinds: SVG for documents, PNG for everything else. */
public final class FigureFiles {
  private final Session session;
  private boolean missing;

  public FigureFiles(Session session) {
    this.session = session;
  }

  /**
   * Writes a figure, unless Java finds no fonts.
   *
   * @param base name without its ending
   */
  public void write(String base, Figure figure) {
    Optional<byte[]> svg = FigureWriter.svg(figure);
    Optional<byte[]> png = FigureWriter.png(figure);
    svg.ifPresent(bytes -> session.outputs().write(base + ".svg", bytes));
    png.ifPresent(bytes -> session.outputs().write(base + ".png", bytes));
    missing |= svg.isEmpty() || png.isEmpty();
  }

  /** Says so if a figure could not be drawn. */
  public void warn() {
    if (missing) {
      session.note("no figures: Java finds no fonts (Debian: fontconfig and fonts-dejavu-core)");
    }
  }
}
