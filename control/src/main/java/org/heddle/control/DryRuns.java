package org.heddle.control;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.heddle.plan.model.Outcome;

/**
 * Threads that work out dry runs, few at a time: each takes a processor, and on a large fabric the
 * memory of another set of tables. Clients take turns, so that one which sends many at once delays
 * itself more than others; what would wait too long is refused at once.
 */
final class DryRuns implements AutoCloseable {
  /** Half of the processors: changes and answers need the others. */
  static final int AT_ONCE = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

  /** Of one client, those that are worked out not counted. */
  static final int WAITING = 16;

  private static final int WAITING_OF_ALL = 64;

  private record Asked(Supplier<Outcome> work, CompletableFuture<Outcome> answer) {}

  /** By client, in the order of their turns; nobody who has none. */
  private final Map<String, Queue<Asked>> waiting = new LinkedHashMap<>();

  private final List<Thread> threads = new ArrayList<>();
  private int count;
  private boolean closed;

  /** Threads begin with the first dry run. */
  CompletableFuture<Outcome> submit(String client, Supplier<Outcome> work) {
    Asked asked = new Asked(work, new CompletableFuture<>());
    String no = offer(client, asked);
    if (no != null) {
      refuse(asked, no);
    }
    return asked.answer;
  }

  /** Why it cannot wait; null if it does. */
  private synchronized String offer(String client, Asked asked) {
    if (closed) {
      return "this process takes no changes";
    }
    Queue<Asked> mine = waiting.get(client);
    if (count == WAITING_OF_ALL || mine != null && mine.size() == WAITING) {
      return "too many dry runs wait";
    }
    waiting.computeIfAbsent(client, _ -> new ArrayDeque<>()).add(asked);
    count++;
    if (threads.size() < AT_ONCE) {
      threads.add(Thread.ofPlatform().name("heddle-dry-run").daemon().start(this::run));
    }
    notifyAll();
    return null;
  }

  private void run() {
    for (Asked next = take(); next != null; next = take()) {
      try {
        next.answer.complete(next.work.get());
      } catch (RuntimeException | Error e) {
        next.answer.completeExceptionally(e);
      }
    }
  }

  /** The first of the client whose turn it is, which then is the last; null at the end. */
  private synchronized Asked take() {
    while (waiting.isEmpty() && !closed) {
      try {
        wait();
      } catch (InterruptedException _) {
        return null;
      }
    }
    if (closed) {
      return null;
    }
    Iterator<Map.Entry<String, Queue<Asked>>> all = waiting.entrySet().iterator();
    Map.Entry<String, Queue<Asked>> turn = all.next();
    String client = turn.getKey();
    Queue<Asked> mine = turn.getValue();
    all.remove();
    Asked out = mine.remove();
    count--;
    if (!mine.isEmpty()) {
      waiting.put(client, mine);
    }
    return out;
  }

  private static void refuse(Asked asked, String why) {
    asked.answer.complete(Outcome.Refused.of(Outcome.Code.UNAVAILABLE, why));
  }

  /** Those that wait are refused; does not wait for those that are being worked out. */
  @Override
  public void close() {
    List<Asked> left = new ArrayList<>();
    synchronized (this) {
      closed = true;
      waiting.values().forEach(left::addAll);
      waiting.clear();
      count = 0;
      notifyAll();
    }
    left.forEach(a -> refuse(a, "this process takes no changes"));
  }
}
