package org.heddle.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many readers of events while tenants are made and deleted and as many clients again send their
 * requests a byte at a time: does every reader get every event in order, is every answer right,
 * what memory does it take, and does the server end when it is told to with all of them connected?
 * Run by {@code bench/serve-clients}.
 */
public final class ServeClients {
  private static final String STREAM =
      "GET /v1/events?after=0 HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n";
  private static final double MIB = 1 << 20;
  private static final double MOST_HEAP = 128 * MIB;
  private static final double MOST_SECONDS_TO_END = 10;

  /** Nobody waits longer for all readers to be connected, or to have read. */
  private static final int PATIENCE_SECONDS = 60;

  private final ServeProcess server;
  private final int readers;
  private final int count;
  private final double seconds;
  private final CountDownLatch connected;
  private final CountDownLatch ended;
  private final AtomicInteger right = new AtomicInteger();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private ServeClients(ServeProcess server, int readers, int count, double seconds) {
    this.server = server;
    this.readers = readers;
    this.count = count;
    this.seconds = seconds;
    this.connected = new CountDownLatch(readers);
    this.ended = new CountDownLatch(readers);
  }

  /** Changes that were answered as they should, and how long they took. */
  private record Changes(int right, double[] millis) {
    double at(double share) {
      return millis[(int) Math.min(millis.length - 1, share * millis.length)];
    }
  }

  /** Reads to the end of the stream; counts who got the ids 1, 2, 3, and so on. */
  private void read(Socket s) {
    int next = 1;
    boolean told = false;
    try {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(s.getInputStream(), StandardCharsets.UTF_8));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (!told && line.startsWith(":")) {
          told = true;
          connected.countDown();
        }
        if (line.startsWith("id:")) {
          next = line.equals("id: " + next) ? next + 1 : Integer.MIN_VALUE;
          if (next == count + 1) {
            right.incrementAndGet();
            ended.countDown();
          }
        }
      }
    } catch (IOException _) {
      // cut off: who had not read everything by then is not counted
    }
  }

  private int status(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.base() + path))
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  /** Makes and deletes tenants at even distances, and looks after each change whether it is so. */
  private Changes changes() throws IOException, InterruptedException {
    double[] millis = new double[count];
    int done = 0;
    long began = System.nanoTime();
    for (int i = 0; i < count; i++) {
      long due = began + (long) (seconds * 1e9 * i / count);
      TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
      boolean make = i % 2 == 0;
      String path = "/v1/tenants/t" + i / 2;
      long sent = System.nanoTime();
      int status =
          make
              ? status("POST", "/v1/tenants", "{\"name\":\"t" + i / 2 + "\",\"hosts\":4}")
              : status("DELETE", path, "");
      millis[i] = (System.nanoTime() - sent) / 1e6;
      boolean as = status == (make ? 201 : 200) && status("GET", path, "") == (make ? 200 : 404);
      done += as ? 1 : 0;
    }
    Arrays.sort(millis);
    return new Changes(done, millis);
  }

  /** Entry point: readers, changes, seconds, tree. Exit code 1 if something is not as wanted. */
  public static void main(String[] args) throws Exception {
    boolean good;
    try (ServeProcess server = ServeProcess.start(args[3])) {
      good =
          new ServeClients(
                  server,
                  Integer.parseInt(args[0]),
                  Integer.parseInt(args[1]),
                  Double.parseDouble(args[2]))
              .measure();
    }
    System.exit(good ? 0 : 1); // whoever still reads does not keep this process
  }

  private boolean measure() throws Exception {
    int port = URI.create(server.base()).getPort();
    server.collectGarbage();
    double before = server.metric("heddle_heap_bytes");
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < readers; i++) {
      Socket s = new Socket(InetAddress.getLoopbackAddress(), port);
      s.getOutputStream().write(STREAM.getBytes(StandardCharsets.ISO_8859_1));
      sockets.add(s);
      Thread.ofVirtual().start(() -> read(s));
    }
    if (!connected.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException(connected.getCount() + " of " + readers + " readers got no stream");
    }
    boolean good;
    try (SlowClients slow = new SlowClients(port, readers)) {
      double streams = server.metric("heddle_event_streams");
      Changes made = changes();
      boolean all = ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
      server.collectGarbage();
      double during = server.metric("heddle_heap_bytes");
      long resident = server.residentBytes();
      slow.rest();
      double end = server.stop();
      System.out.println(
          String.format(
              Locale.ROOT,
              "%d readers (%.0f told by the server) beside %d slow clients, cut off %d times in"
                  + " %.0f s: %d of %d changes answered as they should, p50 %.1f ms, p99 %.1f ms,"
                  + " max %.1f; %d readers got every event in order%nheap after a collection %.1f"
                  + " MiB before, %.1f MiB with all connected; resident %.0f MiB; ended %.1f s"
                  + " after SIGTERM with all connected",
              readers,
              streams,
              readers,
              slow.cutOff(),
              seconds,
              made.right,
              count,
              made.at(0.5),
              made.at(0.99),
              made.at(1),
              right.get(),
              before / MIB,
              during / MIB,
              resident / MIB,
              end));
      good = all && made.right == count && right.get() == readers && streams == readers;
      good &= during < MOST_HEAP && end < MOST_SECONDS_TO_END;
    }
    for (Socket s : sockets) {
      s.close();
    }
    return good;
  }
}
