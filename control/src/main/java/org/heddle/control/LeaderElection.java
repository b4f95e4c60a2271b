package org.heddle.control;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.heddle.control.port.Leadership;
import org.heddle.control.port.StoreException;

/**
 * One of several processes, of which one leads. It keeps asking for the leadership; while it has
 * it, it leads, and otherwise it stands by. A process that begins to lead reads everything again.
 */
public final class LeaderElection {
  /** What the process does in each part; all called by the thread in {@link #run}. */
  public interface Parts {
    /** Begins to stand by, or goes on with it; says why it does not lead. */
    void standBy(String why);

    /**
     * Begins to lead, in the place of standing by.
     *
     * @throws StoreException if the database fails: it stands by again then
     */
    void lead();

    /** Ends what it does, if it does something. */
    void rest();
  }

  private static final System.Logger LOG = System.getLogger(LeaderElection.class.getName());

  private final Leadership leadership;
  private final Parts parts;
  private final Duration interval;
  private final Semaphore wake = new Semaphore(0);
  private volatile boolean ended;

  /** Why it stands by, as it was logged last. */
  private String waitsFor = "";

  /**
   * A process that does nothing yet.
   *
   * @param interval between attempts to get the leadership
   */
  public LeaderElection(Leadership leadership, Parts parts, Duration interval) {
    this.leadership = leadership;
    this.parts = parts;
    this.interval = interval;
    leadership.onLost(wake::release);
  }

  /**
   * Leads or stands by until {@link #end}.
   *
   * @throws StoreException if the database fails before it did either: later it waits for it
   */
  public void run() throws InterruptedException {
    boolean before = false;
    try {
      while (!ended) {
        try {
          turn();
        } catch (StoreException e) {
          leadership.release();
          if (!before) {
            throw e;
          }
          LOG.log(Level.WARNING, "stands by: " + e.getMessage(), e);
          parts.standBy(e.getMessage());
        }
        before = true;
        if (!ended) {
          wake.tryAcquire(interval.toMillis(), TimeUnit.MILLISECONDS);
        }
      }
    } finally {
      parts.rest();
      leadership.release();
    }
  }

  /** One attempt; if it is good, all the time until the leadership is lost. */
  private void turn() throws InterruptedException {
    if (!leadership.take()) {
      String leader = leadership.leader();
      String why = leader.isEmpty() ? "another process leads" : leader + " leads";
      if (!why.equals(waitsFor)) { // once, not with every attempt
        LOG.log(Level.INFO, "stands by: " + why);
      }
      waitsFor = why;
      parts.standBy(why);
      return;
    }
    try {
      waitsFor = "";
      parts.lead();
      LOG.log(Level.INFO, "leads");
      while (!ended && leadership.holds()) {
        wake.tryAcquire(interval.toMillis(), TimeUnit.MILLISECONDS);
      }
    } finally {
      parts.rest();
      leadership.release();
    }
    if (!ended) {
      LOG.log(Level.WARNING, "the leadership was lost");
      parts.standBy("the leadership was lost");
    }
  }

  /** Has {@link #run} return soon. */
  public void end() {
    ended = true;
    wake.release();
  }
}
