package org.heddle.server.v1;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.heddle.control.Controller;
import org.heddle.plan.model.Event;

/**
 * Events as they happen, for any number of readers. The last few thousand are in memory once for
 * all of them; who is further behind reads the store. Events are told by several threads: they are
 * given to readers in the order of their ids, none left out.
 */
public final class EventFeed implements AutoCloseable {
  private static final int KEPT = 4096;

  /** Events a reader gets at once: what one that does not read holds of the memory. */
  private static final int PAGE = 64;

  private final Controller controller;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();
  private final TreeMap<Long, Event> recent = new TreeMap<>();

  /** Up to this id nothing is missing. */
  private long last;

  private boolean closed;

  /** How often readers were woken. */
  private long woken;

  public EventFeed(Controller controller) {
    this.controller = controller;
    controller.onEvent(this::accept);
    long stored = controller.store().lastEvent(controller.view().name());
    lock.lock();
    try {
      last = Math.max(last, stored);
      advance();
    } finally {
      lock.unlock();
    }
  }

  private void accept(Event event) {
    lock.lock();
    try {
      recent.put(event.id(), event);
      advance();
    } finally {
      lock.unlock();
    }
  }

  private void advance() {
    while (recent.containsKey(last + 1)) {
      last++;
    }
    while (recent.size() > KEPT) {
      recent.pollFirstEntry();
    }
    more.signalAll();
  }

  /** The id of the newest event. */
  long last() {
    lock.lock();
    try {
      return last;
    } finally {
      lock.unlock();
    }
  }

  /**
   * An id that a reader has seen, or the newest there is if it is larger: it may be from before an
   * older copy of the database was restored. A change is stored, and answered, before its events
   * are told, so that the store knows ids that the feed does not yet have.
   */
  long known(long id) {
    long told = last();
    return id <= told
        ? id
        : Math.min(id, Math.max(told, controller.store().lastEvent(controller.view().name())));
  }

  /**
   * Events after an id, ascending; waits for the first for a while.
   *
   * @return none if there was none in that time, or until readers were woken
   */
  List<Event> after(long id, long millis) throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(millis);
      long before = woken;
      while (last <= id && left > 0 && !closed && woken == before) {
        left = more.awaitNanos(left);
      }
      if (last <= id) {
        return List.of();
      }
      if (recent.containsKey(id + 1)) {
        return new ArrayList<>(recent.subMap(id + 1, Math.min(last, id + PAGE) + 1).values());
      }
    } finally {
      lock.unlock();
    }
    return controller.store().events(controller.view().name(), id, PAGE);
  }

  /** Readers that wait are woken: one of them may have lost the right to read. */
  public void wake() {
    lock.lock();
    try {
      woken++;
      more.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** True once the server ends. */
  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Readers that wait are woken and should go. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      more.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
