package org.heddle.cli.shell;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * Standard output or error that remembers why a write failed. A {@link PrintStream} alone swallows
 * it, and tables cut off by a full disk would look like a success.
 */
public final class StandardOutput extends PrintStream {
  private final Watched watched;

  /** Text in UTF-8, flushed at every line, so that both streams keep their order in a log. */
  public StandardOutput(OutputStream raw) {
    this(new Watched(raw));
  }

  private StandardOutput(Watched watched) {
    super(new BufferedOutputStream(watched), true, StandardCharsets.UTF_8);
    this.watched = watched;
  }

  /**
   * Why something printed so far is lost, after a flush. A reader that went away ({@code | head})
   * has seen what it wanted and is no reason.
   */
  public Optional<String> loss() {
    flush();
    return Optional.ofNullable(watched.failure)
        .map(Inputs::reason)
        .filter(reason -> !reason.toLowerCase(Locale.ROOT).contains("pipe"));
  }

  private static final class Watched extends OutputStream {
    private final OutputStream raw;
    private IOException failure;

    Watched(OutputStream raw) {
      this.raw = raw;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      try {
        raw.write(bytes, from, length);
      } catch (IOException e) {
        failure = failure == null ? e : failure;
        throw e;
      }
    }

    @Override
    public void flush() throws IOException {
      raw.flush();
    }
  }
}
