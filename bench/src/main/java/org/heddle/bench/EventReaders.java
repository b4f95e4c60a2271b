package org.heddle.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Clients that read every event as it comes, and check that none is missing. */
final class EventReaders implements AutoCloseable {
  private static final String STREAM =
      "GET /v1/events?after=0 HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n";
  private static final int PATIENCE_SECONDS = 60;

  private final List<Socket> sockets = new ArrayList<>();
  private final AtomicLong events = new AtomicLong();
  private final AtomicInteger gaps = new AtomicInteger();

  /**
   * Readers that are connected.
   *
   * @throws IOException if one gets no stream within a minute
   */
  EventReaders(int port, int count) throws IOException, InterruptedException {
    CountDownLatch connected = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      Socket s = new Socket(InetAddress.getLoopbackAddress(), port);
      s.getOutputStream().write(STREAM.getBytes(StandardCharsets.ISO_8859_1));
      sockets.add(s);
      Thread.ofVirtual().start(() -> read(s, connected));
    }
    if (!connected.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException(connected.getCount() + " of " + count + " readers got no stream");
    }
  }

  private void read(Socket s, CountDownLatch connected) {
    long next = 1;
    boolean told = false;
    try {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(s.getInputStream(), StandardCharsets.UTF_8));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (!told && !line.isEmpty()) {
          told = true;
          connected.countDown();
        }
        if (line.startsWith("id: ")) {
          long id = Long.parseLong(line.substring("id: ".length()));
          if (id != next) {
            gaps.incrementAndGet();
          }
          next = id + 1;
          events.incrementAndGet();
        }
      }
    } catch (IOException _) {
      // closed at the end
    }
  }

  /** Events that all of them have read together. */
  long events() {
    return events.get();
  }

  /** Ids that did not follow the one before. */
  int gaps() {
    return gaps.get();
  }

  @Override
  public void close() {
    for (Socket s : sockets) {
      try {
        s.close();
      } catch (IOException _) {
        // it has nothing more to say
      }
    }
  }
}
