package org.heddle.cli.shell;

import java.io.PrintStream;
import java.util.Locale;

/** A line on the terminal while something long runs; see {@link Terminal#progress}. */
public final class Progress implements AutoCloseable {
  private static final long PATIENCE_MS = 500;
  private static final long PERIOD_MS = 100;

  private final PrintStream err;
  private final String what;
  private final long startNs = System.nanoTime();
  private final Thread painter;

  Progress(PrintStream err, String what) {
    this.err = err;
    this.what = what;
    this.painter = err == null ? null : Thread.ofPlatform().daemon().start(this::paint);
  }

  private void paint() {
    boolean painted = false;
    try {
      Thread.sleep(PATIENCE_MS);
      while (true) {
        double seconds = (System.nanoTime() - startNs) / 1e9;
        err.print(String.format(Locale.ROOT, "\r%s ... %.1f s ", what, seconds));
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

  /** Removes the line. */
  @Override
  public void close() {
    if (painter == null) {
      return;
    }
    painter.interrupt();
    try {
      painter.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
