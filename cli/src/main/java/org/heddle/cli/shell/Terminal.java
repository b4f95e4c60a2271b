package org.heddle.cli.shell;

import java.io.PrintStream;
import java.util.Map;

/**
 * What is known about the two output streams: whether they are terminals and take colour.
 *
 * <p>The JVM cannot tell standard output from standard error, so the launcher asks the shell and
 * hands the answers over as environment variables {@code HEDDLE_TTY_OUT} and {@code HEDDLE_TTY_ERR}
 * ({@code 1} for a terminal).
 */
public final class Terminal {
  private static final String CSI = "\u001b[";

  /** When to colour. */
  public enum Colour {
    /** On a terminal, unless NO_COLOR is set. */
    AUTO,
    /** Always, also into files. */
    ALWAYS,
    /** Never. */
    NEVER
  }

  private final PrintStream err;
  private final boolean outColour;
  private final boolean errColour;
  private final boolean progress;
  private final boolean asks;

  public Terminal(PrintStream err, Map<String, String> env, Colour colour) {
    this.err = err;
    boolean outTty = "1".equals(env.get("HEDDLE_TTY_OUT"));
    boolean errTty = "1".equals(env.get("HEDDLE_TTY_ERR"));
    boolean dumb = "dumb".equals(env.get("TERM"));
    boolean allowed = env.getOrDefault("NO_COLOR", "").isEmpty() && !dumb;
    this.outColour = colour == Colour.ALWAYS || colour == Colour.AUTO && allowed && outTty;
    this.errColour = colour == Colour.ALWAYS || colour == Colour.AUTO && allowed && errTty;
    this.progress = errTty && !dumb;
    this.asks = outTty && "1".equals(env.get("HEDDLE_TTY_IN"));
  }

  /** True if a question is seen and can be answered. */
  public boolean asks() {
    return asks;
  }

  /** True if standard output takes colour. */
  public boolean outColour() {
    return outColour;
  }

  /** True if standard error takes colour. */
  public boolean errColour() {
    return errColour;
  }

  /** Bold on standard output. */
  public String bold(String text) {
    return paint(outColour, "1", text);
  }

  /** Green on standard output: fine. */
  public String good(String text) {
    return paint(outColour, "32", text);
  }

  /** Red on standard output: an error. */
  public String bad(String text) {
    return paint(outColour, "31", text);
  }

  /** Yellow on standard output: a warning. */
  public String odd(String text) {
    return paint(outColour, "33", text);
  }

  /** Dimmed on standard output: less important. */
  public String faint(String text) {
    return paint(outColour, "2", text);
  }

  /** Red and bold on standard error. */
  public String errorLabel(String text) {
    return paint(errColour, "1;31", text);
  }

  /** Yellow and bold on standard error. */
  public String warningLabel(String text) {
    return paint(errColour, "1;33", text);
  }

  private static String paint(boolean colour, String code, String text) {
    return colour && !text.isEmpty() ? CSI + code + "m" + text + CSI + "0m" : text;
  }

  /**
   * Announces work that may take long. On a terminal a line with the running seconds appears after
   * half a second and goes away when the result is closed; anywhere else, a log for example, there
   * is one line every half minute.
   */
  public Progress progress(String what) {
    return new Progress(err, what, progress);
  }
}
