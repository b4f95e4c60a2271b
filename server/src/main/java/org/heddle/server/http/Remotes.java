package org.heddle.server.http;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.server.Request;
import org.heddle.text.config.AddressRange;

/**
 * Where requests come from: the other end of the connection, or, where that is a proxy that the
 * configuration names, the address that it says. Whoever comes straight may write into {@code
 * X-Forwarded-For} what it likes, so only the part behind the last address that is no named proxy
 * counts.
 */
public final class Remotes {
  private static final String FORWARDED_FOR = "X-Forwarded-For";
  private static final String FORWARDED_PROTO = "X-Forwarded-Proto";

  private final List<AddressRange> proxies;

  /** With these proxies: addresses or networks. */
  public Remotes(List<String> proxies) {
    this.proxies = proxies.stream().map(AddressRange::parse).flatMap(Optional::stream).toList();
  }

  /** True if an address is a named proxy's. */
  public boolean isProxy(String address) {
    return literal(address).filter(this::isProxy).isPresent();
  }

  private boolean isProxy(InetAddress address) {
    return proxies.stream().anyMatch(p -> p.holds(address));
  }

  /** Who sends a request. */
  public String of(Request request) {
    return of(Request.getRemoteAddr(request), request.getHeaders().getValuesList(FORWARDED_FOR));
  }

  /**
   * Who sends a request.
   *
   * @param peer the other end of the connection
   * @param forwarded what the headers say, the last proxy's last
   */
  String of(String peer, List<String> forwarded) {
    List<String> way = new ArrayList<>();
    forwarded.forEach(line -> way.addAll(List.of(line.split(","))));
    String at = peer;
    for (int i = way.size() - 1; i >= 0 && isProxy(at); i--) {
      Optional<InetAddress> before = literal(withoutPort(way.get(i).strip()));
      if (before.isEmpty()) {
        break; // whatever it is, it is no address
      }
      at = before.get().getHostAddress();
    }
    return at;
  }

  /** True if whoever sends a request is on this machine, as far as can be known. */
  public boolean isLocal(Request request) {
    return isLocal(of(request));
  }

  static boolean isLocal(String address) {
    return literal(address).filter(InetAddress::isLoopbackAddress).isPresent();
  }

  /** True if a request came over TLS, to here or to a named proxy. */
  public boolean isSecure(Request request) {
    return request.isSecure()
        || isProxy(Request.getRemoteAddr(request))
            && "https".equalsIgnoreCase(request.getHeaders().get(FORWARDED_PROTO));
  }

  /** Some proxies add the port, as in {@code 192.0.2.1:4711} or {@code [2001:db8::1]:4711}. */
  private static String withoutPort(String text) {
    if (text.startsWith("[")) {
      return text.substring(1, Math.max(1, text.indexOf(']')));
    }
    int colon = text.indexOf(':');
    return colon >= 0 && colon == text.lastIndexOf(':') ? text.substring(0, colon) : text;
  }

  private static Optional<InetAddress> literal(String text) {
    try {
      return Optional.of(InetAddress.ofLiteral(text.startsWith("[") ? withoutPort(text) : text));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
