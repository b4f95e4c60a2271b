package org.heddle.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.heddle.control.port.Leadership;
import org.heddle.control.port.StoreException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaderElectionTest {
  private static final Duration INTERVAL = Duration.ofMillis(1);

  /** Who leads, for all. */
  private final AtomicReference<Member> throne = new AtomicReference<>();

  private final List<Member> members = new ArrayList<>();

  /** One process. */
  private final class Member implements Leadership, LeaderElection.Parts {
    private final String name;
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final LeaderElection succession = new LeaderElection(this, this, INTERVAL);
    private Runnable lost;
    private String last = "";
    private Thread thread;
    private volatile boolean databaseFails;
    private volatile RuntimeException leadFails;

    Member(String name) {
      this.name = name;
      members.add(this);
    }

    Member begin() {
      thread = Thread.ofPlatform().start(this::run);
      return this;
    }

    private void run() {
      try {
        succession.run();
        told.add("ended");
      } catch (InterruptedException | RuntimeException e) {
        told.add("failed: " + e.getMessage());
      }
    }

    void usurp(Member by) {
      throne.set(by);
      lost.run();
    }

    @Override
    public boolean take() {
      if (databaseFails) {
        throw new StoreException("no database", null, false);
      }
      return throne.compareAndSet(null, this) || holds();
    }

    @Override
    public boolean holds() {
      return throne.get() == this;
    }

    @Override
    public void onLost(Runnable listener) {
      lost = listener;
    }

    @Override
    public String leader() {
      Member m = throne.get();
      return m == null ? "" : m.name;
    }

    @Override
    public void release() {
      throne.compareAndSet(this, null);
    }

    @Override
    public void close() {
      release();
    }

    private void tell(String what) {
      if (!what.equals(last)) {
        last = what;
        told.add(what);
      }
    }

    @Override
    public void standBy(String why) {
      tell("stands by: " + why);
    }

    @Override
    public void lead() {
      RuntimeException e = leadFails;
      if (e != null) {
        leadFails = null;
        throw e;
      }
      tell("leads");
    }

    @Override
    public void rest() {
      tell("rests");
    }
  }

  @AfterEach
  void end() throws InterruptedException {
    for (Member m : members) {
      m.succession.end();
      if (m.thread != null) {
        m.thread.join();
      }
    }
  }

  @Test
  void oneLeadsAndTheOtherTakesOverWhenItEnds() throws InterruptedException {
    Member a = new Member("a").begin();
    assertThat(a.told.take()).isEqualTo("leads");
    Member b = new Member("b").begin();
    assertThat(b.told.take()).isEqualTo("stands by: a leads");
    a.succession.end();
    assertThat(a.told.take()).isEqualTo("rests");
    assertThat(a.told.take()).isEqualTo("ended");
    assertThat(b.told.take())
        .satisfiesAnyOf(
            t -> assertThat(t).isEqualTo("leads"),
            t -> assertThat(t).isEqualTo("stands by: another process leads"));
  }

  @Test
  void whoLosesTheLeadershipRestsAndStandsByAndLeadsAgainLater() throws InterruptedException {
    Member a = new Member("a").begin();
    Member other = new Member("other");
    assertThat(a.told.take()).isEqualTo("leads");
    a.usurp(other);
    assertThat(a.told.take()).isEqualTo("rests");
    assertThat(a.told.take()).isEqualTo("stands by: the leadership was lost");
    assertThat(a.told.take()).isEqualTo("stands by: other leads");
    other.release();
    assertThat(a.told.take()).isEqualTo("leads");
  }

  @Test
  void aDatabaseThatFailsAtTheBeginningIsAnErrorAndLaterAReasonToStandBy()
      throws InterruptedException {
    Member a = new Member("a");
    a.databaseFails = true;
    a.begin();
    assertThat(a.told.take()).isEqualTo("rests");
    assertThat(a.told.take()).isEqualTo("failed: no database");
    Member b = new Member("b").begin();
    assertThat(b.told.take()).isEqualTo("leads");
    b.databaseFails = true;
    b.usurp(null);
    assertThat(b.told.take()).isEqualTo("rests");
    assertThat(b.told.take()).isEqualTo("stands by: the leadership was lost");
    assertThat(b.told.take()).isEqualTo("stands by: no database");
    b.databaseFails = false;
    assertThat(b.told.take()).isEqualTo("leads");
  }

  @Test
  void whoCannotBeginToLeadBecauseOfTheDatabaseGivesTheLeadershipBackAndTriesAgain()
      throws InterruptedException {
    Member a = new Member("a").begin();
    assertThat(a.told.take()).isEqualTo("leads");
    a.leadFails = new StoreException("gone", null, false);
    a.usurp(null);
    assertThat(a.told.take()).isEqualTo("rests");
    assertThat(a.told.take()).isEqualTo("stands by: the leadership was lost");
    assertThat(a.told.take()).isEqualTo("rests");
    assertThat(a.told.take()).isEqualTo("stands by: gone");
    assertThat(a.told.take()).isEqualTo("leads");
  }

  @Test
  void anErrorThatIsNotTheDatabasesEndsTheProcess() {
    Member a = new Member("a");
    a.leadFails = new IllegalArgumentException("no fat-tree");
    assertThatThrownBy(a.succession::run).hasMessage("no fat-tree");
    assertThat(throne.get()).isNull();
    assertThat(a.told).containsExactly("rests");
  }
}
