package org.heddle.server.http;

import java.net.SocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.ServerConnector;

/**
 * Closes connections whose requests take too long to arrive. A client that sends a byte now and
 * then never idles, so an idle timeout does not end it. What counts is the time from a request's
 * first byte to its last, in headers and in the body; how long the answer takes does not. Looks at
 * every connection a few times within the limit: O(connections) each time.
 */
public final class SlowRequests implements AutoCloseable {
  private static final int LOOKS = 4;

  private final ServerConnector connector;
  private final long limitNanos;
  private final Map<SocketAddress, State> states = new ConcurrentHashMap<>();
  private final Thread watch;

  /** What is known of a connection. */
  private static final class State {
    /** Bytes that had come when the last request was answered; guarded by this. */
    private long rest;

    /** When a look first found that bytes of a request had come, 0 for never. */
    private long since;

    /** A request is there in full and being answered. */
    private boolean answering;
  }

  public SlowRequests(ServerConnector connector, Duration limit) {
    this.connector = connector;
    this.limitNanos = limit.toNanos();
    this.watch = Thread.ofVirtual().name("heddle-slow-requests").unstarted(this::run);
  }

  public void start() {
    watch.start();
  }

  private State state(SocketAddress peer) {
    // a connection that is closed has no peer any more
    return peer == null ? new State() : states.computeIfAbsent(peer, _ -> new State());
  }

  /** A request has come in full. */
  public void complete(Request request) {
    State s = state(request.getConnectionMetaData().getRemoteSocketAddress());
    synchronized (s) {
      s.answering = true;
      s.since = 0;
    }
  }

  /** A request has been answered. */
  public void answered(Request request) {
    State s = state(request.getConnectionMetaData().getRemoteSocketAddress());
    synchronized (s) {
      s.answering = false;
      s.since = 0;
      s.rest = -1; // the next look takes what has come until then
    }
  }

  private void run() {
    try {
      while (true) {
        Thread.sleep(Duration.ofNanos(Math.max(1, limitNanos / LOOKS)));
        look(System.nanoTime());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void look(long now) {
    Set<SocketAddress> there =
        connector.getConnectedEndPoints().stream()
            .map(EndPoint::getRemoteSocketAddress)
            .filter(Objects::nonNull)
            .collect(Collectors.toSet());
    states.keySet().retainAll(there);
    for (EndPoint end : connector.getConnectedEndPoints()) {
      if (end.getConnection() != null && late(end, now)) {
        end.close();
      }
    }
  }

  private boolean late(EndPoint end, long now) {
    State s = state(end.getRemoteSocketAddress());
    long come = end.getConnection().getBytesIn();
    synchronized (s) {
      if (s.answering) {
        return false;
      }
      if (s.rest < 0) {
        s.rest = come;
      }
      if (come == s.rest) {
        s.since = 0;
        return false;
      }
      if (s.since == 0) {
        s.since = now;
      }
      return now - s.since > limitNanos;
    }
  }

  @Override
  public void close() {
    watch.interrupt();
  }
}
