package org.heddle.control.port;

/**
 * Keeps a process that has lost the leadership from writing into the fabric. It is checked right
 * before each write, and after the last one, because a process may have been stopped for any time
 * between two of its own steps. Thread-safe.
 */
public interface Fence {
  /** That of a process that nobody can replace. */
  Fence NONE =
      new Fence() {
        @Override
        public long term() {
          return 0;
        }

        @Override
        public boolean holds() {
          return true;
        }

        @Override
        public boolean confirm() {
          return true;
        }
      };

  /** The term of this process's leadership: every later leader has a higher one; 0 for none. */
  long term();

  /** True while nobody else can lead by this process's own clock. Does not wait. */
  boolean holds();

  /** Asks whoever keeps the leadership; false if it is lost, or cannot be asked. */
  boolean confirm();
}
