package org.heddle.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The command that makes OpenSM read its files again. */
record Reload(List<String> words) {
  private static final long SECONDS = 10;
  private static final int SHOWN = 200;
  private static final int NOBODY = 1;

  Reload {
    words = List.copyOf(words);
  }

  /** Runs it; why it did not work. */
  Optional<String> run() throws InterruptedException {
    String line = String.join(" ", words);
    try {
      Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
      process.getOutputStream().close();
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return Optional.of(line + " does not end");
      }
      int code = process.exitValue();
      return code == 0
          ? Optional.empty()
          : Optional.of(line + " gave " + code + said(process, code));
    } catch (IOException e) {
      return Optional.of(e.getMessage());
    }
  }

  /** What it said, or what its code means if it said nothing. */
  private String said(Process process, int code) throws IOException {
    try (InputStream in = process.getInputStream()) {
      // not to the end: a process that it has left behind may keep the pipe
      byte[] bytes = in.readNBytes(Math.min(in.available(), SHOWN));
      String text = new String(bytes, StandardCharsets.UTF_8).strip().replace('\n', ' ');
      if (!text.isEmpty()) {
        return ": " + text;
      }
    }
    boolean pkill = words.getFirst().endsWith("pkill");
    return pkill && code == NOBODY
        ? ": no such process on this host; if OpenSM runs elsewhere or under another name, set"
            + " reload in serve.yaml"
        : "";
  }
}
