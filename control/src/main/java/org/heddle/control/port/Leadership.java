package org.heddle.control.port;

/**
 * The right to be the one process that writes and that moves the fabric. Methods throw {@link
 * StoreException} if it cannot be asked for. Thread-safe; {@link #take} and {@link #release} are
 * called by one thread.
 */
public interface Leadership extends AutoCloseable {
  /** Tries to get it, does not wait for others; true if it is there now. */
  boolean take();

  /**
   * True while nobody else can have it. Does not wait; becomes false by itself when it has not been
   * confirmed for too long.
   */
  boolean holds();

  /** Has somebody told when it is lost, on a thread of its own. */
  void onLost(Runnable listener);

  /** Where the one that has it can be reached, as known by the last {@link #take}; or empty. */
  String leader();

  /** Gives it back if it is there. */
  void release();

  @Override
  void close();
}
