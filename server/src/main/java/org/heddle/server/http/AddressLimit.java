package org.heddle.server.http;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;

/**
 * Closes connections of an address that has as many as one may have, so that it leaves some for
 * others. Thread-safe; O(1).
 */
public final class AddressLimit implements Connection.Listener {
  private final int most;
  private final boolean tls;
  private final UnaryOperator<String> network;
  private final Predicate<String> exempt;
  private final Map<Connection, String> open = new HashMap<>();
  private final Map<String, Integer> counts = new HashMap<>();
  private final LongAdder refused = new LongAdder();

  /**
   * A limit.
   *
   * @param most connections of an address; 0 for no limit
   * @param tls true if each connection has one for HTTP inside one for TLS
   * @param network what of an address counts
   * @param exempt addresses without a limit
   */
  public AddressLimit(
      int most, boolean tls, UnaryOperator<String> network, Predicate<String> exempt) {
    this.most = most;
    this.tls = tls;
    this.network = network;
    this.exempt = exempt;
  }

  /** Connections that count. */
  public synchronized int open() {
    return open.size();
  }

  /** Connections that were closed. */
  public long refused() {
    return refused.sum();
  }

  @Override
  public void onOpened(Connection connection) {
    if (tls != connection instanceof SslConnection
        || !(connection.getEndPoint().getRemoteSocketAddress() instanceof InetSocketAddress peer)
        || peer.getAddress() == null) {
      return;
    }
    String address = peer.getAddress().getHostAddress();
    if (most == 0 || exempt.test(address)) {
      return;
    }
    String who = network.apply(address);
    boolean tooMany;
    synchronized (this) {
      tooMany = counts.merge(who, 1, Integer::sum) > most;
      open.put(connection, who);
    }
    if (tooMany) {
      refused.increment();
      connection.getEndPoint().close();
      onClosed(connection);
    }
  }

  @Override
  public synchronized void onClosed(Connection connection) {
    String who = open.remove(connection);
    if (who != null) {
      counts.computeIfPresent(who, (_, n) -> n == 1 ? null : n - 1);
    }
  }
}
