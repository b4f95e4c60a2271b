package org.heddle.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Clients that never finish a request: half of them send their headers a byte at a time, the others
 * their bodies. Whoever is cut off by the server comes again, so that there are always as many.
 */
final class SlowClients implements AutoCloseable {
  private static final String HEADERS = "GET /v1/tenants HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";
  private static final String BODY =
      "POST /v1/tenants HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n{\"name\":\"";

  /** Between two bytes of each. */
  private static final long DRIP_MILLIS = 1000;

  private final int port;
  private final List<Socket> sockets = new ArrayList<>();
  private final Thread thread = new Thread(this::run, "slow-clients");
  private volatile int cutOff;
  private volatile boolean closed;

  /** So many, connected; they begin to drip at once. */
  SlowClients(int port, int count) throws IOException {
    this.port = port;
    for (int i = 0; i < count; i++) {
      sockets.add(connect(i));
    }
    thread.start();
  }

  private Socket connect(int i) throws IOException {
    Socket s = new Socket(InetAddress.getLoopbackAddress(), port);
    s.getOutputStream().write((i % 2 == 0 ? HEADERS : BODY).getBytes(StandardCharsets.ISO_8859_1));
    return s;
  }

  /** How often one was cut off by the server. */
  int cutOff() {
    return cutOff;
  }

  private void run() {
    try {
      while (!closed) {
        for (int i = 0; i < sockets.size() && !closed; i++) {
          drip(i);
        }
        Thread.sleep(DRIP_MILLIS);
      }
    } catch (InterruptedException _) {
      // closed
    } catch (IOException e) {
      System.err.println("slow clients: " + e.getMessage()); // nobody listens any more
    }
  }

  private void drip(int i) throws IOException {
    try {
      if (sockets.get(i).getInputStream().available() > 0) {
        throw new IOException("an answer to half a request"); // 408 or 400, and the end
      }
      sockets.get(i).getOutputStream().write('a');
    } catch (IOException _) {
      sockets.get(i).close();
      if (closed) {
        return;
      }
      cutOff++;
      sockets.set(i, connect(i));
    }
  }

  /** They drip no more, and stay connected. */
  void rest() throws InterruptedException {
    closed = true;
    thread.interrupt();
    thread.join();
  }

  @Override
  public void close() throws IOException {
    try {
      rest();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    for (Socket s : sockets) {
      s.close();
    }
  }
}
