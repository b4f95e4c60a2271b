package org.heddle.control.port;

/** The fabric cannot be read now. What was known about it stays valid. */
public final class AgentException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With a reason for people. */
  public AgentException(String message, Throwable cause) {
    super(message, cause);
  }
}
