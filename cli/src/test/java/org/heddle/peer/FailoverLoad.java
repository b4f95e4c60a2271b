package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Clients that make and delete tenants at whichever of several controllers takes it. What one did
 * not answer, or refused because it does not lead, is asked at the next one under the same key,
 * until it is answered.
 */
final class FailoverLoad implements AutoCloseable {
  private static final int CLIENTS = 4;
  private static final int HELD = 3;
  private static final long PAUSE_MILLIS = 20;

  private final List<ServeProcess> servers;
  private final JsonMapper json = JsonMapper.builder().build();
  private final List<Client> clients = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();

  /** Acknowledged changes of each, all in all. */
  private final Map<ServeProcess, Integer> answers = new HashMap<>();

  private AssertionError wrong;
  private volatile boolean ended;

  FailoverLoad(List<ServeProcess> servers) {
    this.servers = List.copyOf(servers);
    for (int i = 0; i < CLIENTS; i++) {
      Client c = new Client(i);
      clients.add(c);
      threads.add(Thread.ofPlatform().daemon().start(c));
    }
  }

  /** One client's memory; its own until its thread has ended. */
  private final class Client implements Runnable {
    private final int number;
    private final List<String> held = new ArrayList<>();
    private final Map<String, Long> confirmed = new HashMap<>();
    private int count;
    private int server;
    private int again;

    Client(int number) {
      this.number = number;
    }

    @Override
    public void run() {
      try {
        while (!ended) {
          step();
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      } catch (AssertionError e) {
        told(null, e);
      }
    }

    private void step() throws InterruptedException {
      boolean make = held.size() < HELD;
      String name = make ? "c" + number + "-" + ++count : held.getFirst();
      String key = (make ? "make " : "delete ") + name;
      HttpResponse<String> answer = ask(make, name, key);
      assertThat(answer.statusCode()).as(key + " " + answer.body()).isIn(200, 201);
      long epoch = json.readTree(answer.body()).get("epoch").longValue();
      confirmed.put((make ? "tenant-created " : "tenant-deleted ") + name, epoch);
      if (make) {
        held.add(name);
      } else {
        held.remove(name);
      }
      told(servers.get(server), null);
    }

    private HttpResponse<String> ask(boolean make, String name, String key)
        throws InterruptedException {
      String path = make ? "/v1/tenants" : "/v1/tenants/" + name;
      String body = make ? "{\"name\":\"%s\",\"hosts\":%d}".formatted(name, 1 + count % 3) : "";
      while (true) {
        try {
          HttpResponse<String> answer =
              servers.get(server).send(make ? "POST" : "DELETE", path, body, key);
          if (answer.statusCode() != 503) {
            return answer;
          }
        } catch (IOException _) {
          // killed, stopped, or between one server and the other
        }
        again++;
        server = (server + 1) % servers.size();
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    }
  }

  private void told(ServeProcess by, AssertionError error) {
    lock.lock();
    try {
      if (error == null) {
        answers.merge(by, 1, Integer::sum);
      } else {
        wrong = error;
      }
      more.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for so many more acknowledged changes of one; returns the time of the last. */
  long awaitAnswers(ServeProcess by, int count) throws InterruptedException {
    lock.lock();
    try {
      int wanted = answers.getOrDefault(by, 0) + count;
      long left = PeerProcess.DEADLINE.toNanos();
      while (answers.getOrDefault(by, 0) < wanted && wrong == null && left > 0) {
        left = more.awaitNanos(left);
      }
      if (wrong != null) {
        throw wrong;
      }
      assertThat(left).as("no answers from " + by.base()).isPositive();
      return System.nanoTime();
    } finally {
      lock.unlock();
    }
  }

  /** Has every client finish what it has begun. */
  void end() throws InterruptedException {
    ended = true;
    for (Thread t : threads) {
      t.join();
    }
    if (wrong != null) {
      throw wrong;
    }
  }

  /**
   * Everything acknowledged is there at its epoch; the journal has no gap, nothing twice and
   * nothing else; the tenants are those that follow.
   */
  void check(ServeProcess server) throws IOException {
    Map<String, Long> expected = new HashMap<>();
    TreeSet<String> held = new TreeSet<>();
    for (Client c : clients) {
      expected.putAll(c.confirmed);
      held.addAll(c.held);
    }
    Map<String, Long> journal = new HashMap<>();
    long at = 0;
    JsonNode items;
    do {
      items = items(server, "/v1/history?limit=1000&after=" + at);
      for (JsonNode e : items) {
        assertThat(e.get("epoch").longValue()).isEqualTo(++at);
        String entry = e.get("kind").stringValue() + " " + e.get("subject").stringValue();
        assertThat(journal.put(entry, at)).as(entry + " happens twice").isNull();
      }
    } while (!items.isEmpty());
    assertThat(journal).isEqualTo(expected);
    TreeSet<String> there = new TreeSet<>();
    items(server, "/v1/tenants?limit=1000").forEach(t -> there.add(t.get("name").stringValue()));
    assertThat(there).isEqualTo(held);
  }

  private JsonNode items(ServeProcess server, String path) throws IOException {
    HttpResponse<String> answer = server.get(path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return json.readTree(answer.body()).get("items");
  }

  String figures() {
    return "%,d acknowledged changes, %,d requests asked again"
        .formatted(
            clients.stream().mapToInt(c -> c.confirmed.size()).sum(),
            clients.stream().mapToInt(c -> c.again).sum());
  }

  @Override
  public void close() {
    ended = true;
    threads.forEach(Thread::interrupt);
  }
}
