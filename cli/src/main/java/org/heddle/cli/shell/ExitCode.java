package org.heddle.cli.shell;

/** Exit codes of every command. */
public final class ExitCode {
  /** All is well. */
  public static final int OK = 0;

  /** The command did its work and found something wrong, or refuses with a reason. */
  public static final int FINDINGS = 1;

  /** Bad input or usage; no file was written. */
  public static final int BAD_INPUT = 2;

  /** A bug of Heddle (EX_SOFTWARE of sysexits.h). */
  public static final int INTERNAL = 70;

  private ExitCode() {}
}
