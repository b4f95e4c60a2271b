package org.heddle.mad;

/** The status field of an answer (section 13.4.7), without the direction bit. */
public final class MadStatus {
  /** All is well. */
  public static final int OK = 0;

  /** This class or version of it is not known here. */
  public static final int UNSUPPORTED_CLASS = 1 << 2;

  /** This method is not known here. */
  public static final int UNSUPPORTED_METHOD = 2 << 2;

  /** This attribute is not known here, or not by this method. */
  public static final int UNSUPPORTED_ATTRIBUTE = 3 << 2;

  /** A field of the attribute, or its modifier, cannot be so. */
  public static final int INVALID_VALUE = 7 << 2;

  private static final int BUSY = 1;
  private static final int REDIRECT = 2;

  private MadStatus() {}

  /** True if the node asks to be asked again. */
  public static boolean isBusy(int status) {
    return (status & BUSY) != 0;
  }

  /** The bits in words. */
  public static String message(int status) {
    if (status == OK) {
      return "no error";
    }
    if (isBusy(status)) {
      return "busy, request discarded";
    }
    if ((status & REDIRECT) != 0) {
      return "redirection required";
    }
    String invalid =
        switch (status >> 2 & 7) {
          case 0 -> null;
          case 1 -> "class or class version not supported";
          case 2 -> "method not supported";
          case 3 -> "attribute not supported by this method";
          case 7 -> "invalid value in attribute or modifier";
          default -> "reserved code " + (status >> 2 & 7);
        };
    return invalid != null ? invalid : String.format("class-specific status 0x%02x", status >> 8);
  }
}
