package org.heddle.control.port;

/** The store failed; then no part of a commit is stored, unless {@link #unknown}. */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean unknown;

  /**
   * A failure.
   *
   * @param unknown true if the commit may or may not have happened
   */
  public StoreException(String message, Throwable cause, boolean unknown) {
    super(message, cause);
    this.unknown = unknown;
  }

  /** True if the commit may or may not have happened: read again before going on. */
  public boolean unknown() {
    return unknown;
  }
}
