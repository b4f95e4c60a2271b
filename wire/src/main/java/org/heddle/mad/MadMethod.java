package org.heddle.mad;

/** Methods of subnet management (sections 13.4.5 and 14.2.3). */
public final class MadMethod {
  public static final int GET = 0x01;
  public static final int SET = 0x02;
  public static final int SEND = 0x03;
  public static final int TRAP = 0x05;
  public static final int REPORT = 0x06;

  /** The answer to a trap; without the response bit. */
  public static final int TRAP_REPRESS = 0x07;

  /** The answer to {@link #GET} and to {@link #SET}. */
  public static final int GET_RESPONSE = 0x81;

  private MadMethod() {}

  /** The name in the specification, or the number. */
  public static String name(int method) {
    return switch (method) {
      case GET -> "Get";
      case SET -> "Set";
      case SEND -> "Send";
      case TRAP -> "Trap";
      case REPORT -> "Report";
      case TRAP_REPRESS -> "TrapRepress";
      case GET_RESPONSE -> "GetResp";
      default -> String.format("method 0x%02x", method);
    };
  }
}
