package org.heddle.cli.shell;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOptions;
import org.heddle.smp.transport.SmpTransport;
import org.heddle.smp.transport.TransportSpec;
import picocli.CommandLine.Option;

/** The options of commands that send datagrams, and the connection they ask for. */
public sealed class Datagrams permits WritingDatagrams {
  /** What a command does with a connection. */
  @FunctionalInterface
  public interface Work<T> {
    T with(SmpClient client) throws IOException;
  }

  @Option(
      names = "--via",
      paramLabel = "TRANSPORT",
      defaultValue = "umad",
      description = {"umad (default), umad:ADAPTER:PORT, or a simulator: ibsim:HOST:PORT[:NODE]."})
  private String via;

  @Option(
      names = "--window",
      paramLabel = "N",
      description = "Requests in flight at once; default: what the transport can take.")
  private Integer window;

  @Option(
      names = "--timeout",
      paramLabel = "MS",
      defaultValue = "" + SmpOptions.DEFAULT_TIMEOUT_MS,
      description = "Milliseconds until a request is sent again (default: ${DEFAULT-VALUE}).")
  private int timeoutMs;

  /** What the user gave as way. */
  public String via() {
    return via;
  }

  /**
   * Opens the way, works, closes it.
   *
   * @throws Failure exit code 2 if there is no such way or it breaks
   */
  public <T> T run(Work<T> work) {
    try (SmpTransport transport = spec().open(false);
        SmpClient client = new SmpClient(transport, options(transport), System::nanoTime)) {
      return work.with(client);
    } catch (UncheckedIOException e) {
      throw Failure.badInput(e.getMessage());
    } catch (IOException e) {
      throw Failure.badInput(Inputs.reason(e));
    }
  }

  /** How long packets under way get between writes that need it, milliseconds. */
  int drainMs() {
    return SmpOptions.DEFAULT_DRAIN_MS;
  }

  private TransportSpec spec() {
    try {
      return TransportSpec.parse(via);
    } catch (IllegalArgumentException e) {
      throw Failure.badInput(e.getMessage());
    }
  }

  private SmpOptions options(SmpTransport transport) {
    int requests = window == null ? transport.safeWindow() : window;
    if (window != null && window > transport.safeWindow()) {
      throw Failure.badInput(
          "a window of " + window + " is too large for this transport",
          transport.description() + " bears " + transport.safeWindow());
    }
    try {
      return new SmpOptions(requests, timeoutMs, SmpOptions.DEFAULT_ATTEMPTS).withDrain(drainMs());
    } catch (IllegalArgumentException e) {
      throw Failure.badInput(e.getMessage());
    }
  }
}
