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
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Many readers of events while tenants are made and deleted and as many clients again send their
 * requests a byte at a time: does every reader get every event in order, and what memory does it
 * take? Run by {@code bench/serve-clients}.
 */
public final class ServeClients {
  private static final String STREAM =
      "GET /v1/events?after=0 HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n";
  private static final String SLOW =
      "POST /v1/tenants HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n{";
  private static final double MIB = 1 << 20;
  private static final double MOST_HEAP = 128 * MIB;

  private ServeClients() {}

  private static Socket connect(int port, String text) throws IOException {
    Socket s = new Socket(InetAddress.getLoopbackAddress(), port);
    s.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return s;
  }

  /** Reads that many events; true if their ids are 1, 2, 3, and so on. */
  private static boolean read(Socket s, int events, CountDownLatch connected) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(s.getInputStream(), StandardCharsets.UTF_8));
    boolean counted = false;
    int next = 1;
    for (String line = in.readLine(); line != null && next <= events; line = in.readLine()) {
      if (!counted && line.startsWith(":")) {
        counted = true;
        connected.countDown();
      }
      if (line.startsWith("id:")) {
        if (!line.equals("id: " + next)) {
          return false;
        }
        if (next++ == events) {
          return true;
        }
      }
    }
    return false;
  }

  private static int changes(String base, int count) throws IOException, InterruptedException {
    int done = 0;
    try (HttpClient http = HttpClient.newHttpClient()) {
      for (int i = 0; i < count; i++) {
        String name = "t" + i / 2;
        HttpRequest.Builder request =
            HttpRequest.newBuilder(
                URI.create(base + "/v1/tenants" + (i % 2 == 0 ? "" : "/" + name)));
        if (i % 2 == 0) {
          String body = "{\"name\":\"" + name + "\",\"hosts\":4}";
          request.POST(HttpRequest.BodyPublishers.ofString(body));
        } else {
          request.DELETE();
        }
        int status =
            http.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
        done += status / 100 == 2 ? 1 : 0;
      }
    }
    return done;
  }

  /** Entry point: readers, changes, tree. Exit code 1 if something is not as it should be. */
  public static void main(String[] args) throws Exception {
    int readers = Integer.parseInt(args[0]);
    int count = Integer.parseInt(args[1]);
    boolean right;
    try (ServeProcess server = ServeProcess.start(args[2]);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      right = measure(server, threads, readers, count);
    }
    System.exit(right ? 0 : 1);
  }

  private static boolean measure(
      ServeProcess server, ExecutorService threads, int readers, int count) throws Exception {
    int port = URI.create(server.base()).getPort();
    server.collectGarbage();
    double before = server.metric("heddle_heap_bytes");
    CountDownLatch connected = new CountDownLatch(readers);
    List<Socket> sockets = new ArrayList<>();
    List<Future<Boolean>> answers = new ArrayList<>();
    for (int i = 0; i < readers; i++) {
      Socket stream = connect(port, STREAM);
      sockets.add(stream);
      sockets.add(connect(port, SLOW));
      answers.add(threads.submit(() -> read(stream, count, connected)));
    }
    connected.await();
    double streams = server.metric("heddle_event_streams");
    long began = System.nanoTime();
    int done = changes(server.base(), count);
    double changed = (System.nanoTime() - began) / 1e9;
    int right = 0;
    for (Future<Boolean> a : answers) {
      right += a.get() ? 1 : 0;
    }
    double took = (System.nanoTime() - began) / 1e9;
    server.collectGarbage();
    double during = server.metric("heddle_heap_bytes");
    long resident = server.residentBytes();
    for (Socket s : sockets) {
      s.close();
    }
    System.out.println(
        String.format(
            Locale.ROOT,
            "%d readers (%.0f told by the server) beside %d slow clients: %d of %d changes done in"
                + " %.1f s; %d readers got every event in order, the last after %.1f s%n"
                + "heap after a collection %.1f MiB before, %.1f MiB with all connected; resident"
                + " %.0f MiB",
            readers,
            streams,
            readers,
            done,
            count,
            changed,
            right,
            took,
            before / MIB,
            during / MIB,
            resident / MIB));
    return done == count && right == readers && streams == readers && during < MOST_HEAP;
  }
}
