package org.heddle.cli.shell;

/** Which Heddle this is. */
public final class Version {
  /** As in the build files; a test compares. */
  public static final String NUMBER = "0.2.0";

  private Version() {}

  /** What {@code --version} prints. */
  public static String line() {
    return "heddle " + NUMBER;
  }
}
