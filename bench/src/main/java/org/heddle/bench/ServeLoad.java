package org.heddle.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tenants made and deleted, and machines of theirs if wanted, at a given rate over HTTP, every
 * batch proven by the server before it is durable. Requests become due at even distances whether
 * earlier ones have been answered or not; times count from when a request was due, so that a server
 * that stops for a second is seen in every request of that second. Run by {@code bench/serve-load}.
 */
public final class ServeLoad {
  private static final int WARM_SECONDS = 10;
  private static final int HELD = 3;
  private static final int MOST_HOSTS = 11;
  private static final double MARGIN = 1.02; // asked a little faster than what must be reached
  private static final double TARGET_MILLIS = 100;
  private static final double FLAT = 1.2;
  private static final long FLAT_SLACK = 8L << 20;
  private static final double MIB = 1 << 20;
  private static final double NANOS = 1e9;

  private static final Pattern HOST =
      Pattern.compile("\"guid\":\"(0x[0-9a-f]{16})\",\"name\":\"[^\"]*\",\"leaf\"");

  private final ServeProcess server;
  private final boolean machines;
  private final List<Worker> workers = new ArrayList<>();
  private final AtomicInteger ticket = new AtomicInteger();
  private long began;
  private long end;
  private double gap;
  private int tickets;

  private ServeLoad(ServeProcess server, int connections, boolean machines) {
    this.server = server;
    this.machines = machines;
    for (int i = 0; i < connections; i++) {
      workers.add(new Worker(i));
    }
  }

  /** A tenant, and how far its machine has come: started, moved, stopped. */
  private static final class Held {
    private final String name;
    private String from = "";
    private String to = "";
    private int stage;

    Held(String name) {
      this.name = name;
    }
  }

  /** One connection. */
  private final class Worker implements Runnable {
    private final HttpClient http =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ArrayDeque<Held> held = new ArrayDeque<>();
    private final SplittableRandom random;
    private final String prefix;
    private int made;
    private double[] millis = new double[0];
    private double[] own = new double[0];
    private int count;
    private int refused;
    private int errors;
    private String firstError = "";

    Worker(int number) {
      random = new SplittableRandom(number);
      prefix = "w" + number + "-";
    }

    void reset(int most) {
      millis = new double[most];
      own = new double[most];
      count = 0;
      refused = 0;
      errors = 0;
    }

    @Override
    public void run() {
      for (int t = ticket.getAndIncrement(); t < tickets; t = ticket.getAndIncrement()) {
        long due = began + (long) (t * gap);
        for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
          LockSupport.parkNanos(wait);
        }
        long sent = System.nanoTime();
        if (sent > end) {
          return; // too far behind: what is left is missing from the rate
        }
        try {
          if (change()) {
            long now = System.nanoTime();
            own[count] = (now - sent) / 1e6;
            millis[count++] = (now - due) / 1e6;
          }
        } catch (IOException e) {
          error(e.toString());
        } catch (InterruptedException _) {
          return;
        }
      }
    }

    private boolean change() throws IOException, InterruptedException {
      Held last = held.peekLast();
      Held first = held.peekFirst();
      if (machines && last != null && last.stage == 0) {
        String body =
            "{\"name\":\"%s-vm\",\"tenant\":\"%s\",\"host\":\"%s\"}"
                .formatted(last.name, last.name, last.from);
        return stage(last, post("/v1/vms", body), 201, last.from.equals(last.to) ? 2 : 1);
      }
      if (held.size() < HELD) {
        return make();
      }
      if (machines && first.stage == 1) {
        String body =
            "{\"moves\":[{\"vm\":\"%s-vm\",\"to\":\"%s\"}]}".formatted(first.name, first.to);
        return stage(first, post("/v1/migrations", body), 201, 2);
      }
      if (machines && first.stage == 2) {
        return stage(first, delete("/v1/vms/" + first.name + "-vm"), 200, 3);
      }
      held.removeFirst();
      return stage(first, delete("/v1/tenants/" + first.name), 200, 4);
    }

    private boolean make() throws IOException, InterruptedException {
      Held h = new Held(prefix + made++);
      int hosts = 1 + random.nextInt(MOST_HOSTS);
      HttpResponse<String> answer =
          post("/v1/tenants", "{\"name\":\"%s\",\"hosts\":%d}".formatted(h.name, hosts));
      if (answer.statusCode() == 409) {
        refused++; // no place for so many hosts
        return false;
      }
      Matcher m = HOST.matcher(answer.body());
      while (m.find()) {
        h.from = h.from.isEmpty() ? m.group(1) : h.from;
        h.to = m.group(1);
      }
      boolean done = stage(h, answer, 201, 0);
      if (done) {
        held.addLast(h);
      }
      return done;
    }

    private boolean stage(Held h, HttpResponse<String> answer, int wanted, int next) {
      h.stage = next;
      if (answer.statusCode() != wanted) {
        error(answer.statusCode() + " " + answer.body());
      }
      return answer.statusCode() == wanted;
    }

    private HttpResponse<String> post(String path, String body)
        throws IOException, InterruptedException {
      return send(
          HttpRequest.newBuilder(URI.create(server.base() + path))
              .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private HttpResponse<String> delete(String path) throws IOException, InterruptedException {
      return send(HttpRequest.newBuilder(URI.create(server.base() + path)).DELETE());
    }

    private HttpResponse<String> send(HttpRequest.Builder request)
        throws IOException, InterruptedException {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private void error(String text) {
      firstError = errors++ == 0 ? text : firstError;
    }
  }

  private void run(double rate, int seconds) throws InterruptedException {
    tickets = (int) Math.ceil(rate * seconds);
    gap = NANOS / rate;
    ticket.set(0);
    workers.forEach(w -> w.reset(tickets));
    began = System.nanoTime();
    end = began + (long) (seconds * NANOS);
    List<Thread> threads = workers.stream().map(w -> Thread.ofPlatform().start(w)).toList();
    for (Thread t : threads) {
      t.join();
    }
  }

  private boolean measure(double rate, int seconds) throws Exception {
    run(rate, WARM_SECONDS);
    server.collectGarbage();
    double heapBefore = server.metric("heddle_heap_bytes");
    long residentBefore = server.residentBytes();
    double epochBefore = server.metric("heddle_epoch");
    run(rate * MARGIN, seconds);
    double took = (System.nanoTime() - began) / NANOS;
    server.collectGarbage();
    double heapAfter = server.metric("heddle_heap_bytes");
    double epochs = server.metric("heddle_epoch") - epochBefore;
    int done = workers.stream().mapToInt(w -> w.count).sum();
    int refused = workers.stream().mapToInt(w -> w.refused).sum();
    int errors = workers.stream().mapToInt(w -> w.errors).sum();
    int held = workers.stream().mapToInt(w -> w.held.size()).sum();
    double reached = done / took;
    double[] due = sorted(w -> w.millis, done);
    double[] own = sorted(w -> w.own, done);
    say(
        "changes %d in %.1f s: %.1f/s (target %.0f/s), %d connections",
        done, took, reached, rate, workers.size());
    say(
        "from when it was due: p50 %.1f ms, p99 %.1f ms (target < %.0f ms), max %.1f ms",
        at(due, 0.5), at(due, 0.99), TARGET_MILLIS, at(due, 1));
    say(
        "from when it was sent: p50 %.1f ms, p99 %.1f ms, max %.1f ms",
        at(own, 0.5), at(own, 0.99), at(own, 1));
    say(
        "heap after a collection %.1f MiB before, %.1f MiB after; resident %.0f, %.0f MiB",
        heapBefore / MIB, heapAfter / MIB, residentBefore / MIB, server.residentBytes() / MIB);
    say(
        "no place %d, errors %d; epochs %.0f, tenants %.0f (clients hold %d)",
        refused, errors, epochs, server.metric("heddle_tenants"), held);
    workers.stream().filter(w -> w.errors > 0).limit(1).forEach(w -> say("%s", w.firstError));
    boolean correct = errors == 0 && epochs == done && server.metric("heddle_tenants") == held;
    boolean flat = heapAfter <= heapBefore * FLAT + FLAT_SLACK;
    boolean fast = reached >= rate && at(due, 0.99) < TARGET_MILLIS;
    say("rate and times %s, memory %s, answers %s", word(fast), word(flat), word(correct));
    return correct && flat && fast;
  }

  private static String word(boolean met) {
    return met ? "as wanted" : "MISSED";
  }

  private static void say(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }

  private interface Times {
    double[] of(Worker w);
  }

  private double[] sorted(Times which, int all) {
    double[] out = new double[all];
    int n = 0;
    for (Worker w : workers) {
      System.arraycopy(which.of(w), 0, out, n, w.count);
      n += w.count;
    }
    Arrays.sort(out);
    return out;
  }

  private static double at(double[] sorted, double share) {
    int i = (int) Math.ceil(share * sorted.length) - 1;
    return sorted.length == 0 ? Double.NaN : sorted[Math.clamp(i, 0, sorted.length - 1)];
  }

  /**
   * Entry point: changes a second, seconds, connections, tree, {@code vms} for machines that start,
   * move and stop, or {@code tenants}, and how many clients read all events meanwhile. Exit code 1
   * if a target is missed.
   */
  public static void main(String[] args) throws Exception {
    boolean met;
    int count = Integer.parseInt(args[5]);
    try (ServeProcess server = ServeProcess.start(args[3]);
        EventReaders readers = new EventReaders(URI.create(server.base()).getPort(), count)) {
      met =
          new ServeLoad(server, Integer.parseInt(args[2]), args[4].equals("vms"))
              .measure(Double.parseDouble(args[0]), Integer.parseInt(args[1]));
      if (count > 0) {
        say(
            "%d readers of events: %,d events read, %d gaps",
            count, readers.events(), readers.gaps());
        met &= readers.gaps() == 0 && readers.events() > 0;
      }
    }
    System.exit(met ? 0 : 1);
  }
}
