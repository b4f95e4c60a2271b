package org.heddle.cli.shell;

import java.io.PrintStream;
import java.util.Locale;

/** Tells how far something long is; see {@link Terminal#progress}. */
public final class Progress implements AutoCloseable {
  private static final long PATIENCE_MS = 500;
  private static final long PERIOD_MS = 100;
  private static final long LOG_PERIOD_MS = 30_000;

  private final PrintStream err;
  private final String what;
  private final long startNs = System.nanoTime();
  private final Thread painter;
  private volatile int percent = -1;

  /**
   * Starts the clock.
   *
   * @param repaints true if err is a terminal, false if lines cannot be taken back
   */
  Progress(PrintStream err, String what, boolean repaints) {
    this.err = err;
    this.what = what;
    this.painter = Thread.ofPlatform().daemon().start(repaints ? this::paint : this::log);
  }

  private void log() {
    try {
      while (true) {
        Thread.sleep(LOG_PERIOD_MS);
        err.println(state());
      }
    } catch (InterruptedException e) {
      // closed
    }
  }

  private String state() {
    double seconds = (System.nanoTime() - startNs) / 1e9;
    String share = percent < 0 ? "" : percent + "% ";
    return String.format(Locale.ROOT, "%s ... %s%.1f s", what, share, seconds);
  }

  private void paint() {
    boolean painted = false;
    try {
      Thread.sleep(PATIENCE_MS);
      while (true) {
        err.print("\r" + state() + " ");
        err.flush();
        painted = true;
        Thread.sleep(PERIOD_MS);
      }
    } catch (InterruptedException e) {
      if (painted) {
        err.print("\r\u001b[K");
        err.flush();
      }
    }
  }

  /** Tells how much is done. Any thread may call it. */
  public void update(long done, long total) {
    percent = total <= 0 ? -1 : (int) (100 * done / total);
  }

  /** Removes the line. */
  @Override
  public void close() {
    painter.interrupt();
    try {
      painter.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
