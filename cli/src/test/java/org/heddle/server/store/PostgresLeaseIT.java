package org.heddle.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.heddle.control.Controller;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Request;
import org.heddle.control.port.StoreException;
import org.heddle.fabric.Fabric;
import org.heddle.peer.PostgresCluster;
import org.heddle.peer.Program;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.TenantSpec;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two leases on a PostgreSQL server of their own. */
class PostgresLeaseIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path directory;

  private PostgresCluster cluster;
  private PostgresLease a;
  private PostgresLease b;

  @BeforeEach
  void start() {
    Program.need(Program.POSTGRES);
    cluster = PostgresCluster.start(directory);
    a = new PostgresLease(cluster.url(), PostgresCluster.USER, "", "http://a");
    b = new PostgresLease(cluster.url(), PostgresCluster.USER, "", "http://b");
  }

  @AfterEach
  void stop() {
    if (cluster != null) {
      a.close();
      b.close();
      cluster.close();
    }
  }

  private Connection connect() throws SQLException {
    Connection c = DriverManager.getConnection(cluster.url(), PostgresCluster.USER, "");
    c.setAutoCommit(false);
    return c;
  }

  private long number(String sql) throws SQLException {
    try (Connection c = connect();
        Statement s = c.createStatement();
        ResultSet r = s.executeQuery(sql)) {
      return r.next() ? r.getLong(1) : -1;
    }
  }

  /** B's turn, as if A had said nothing for longer than its lease lasts. */
  private void usurp() throws SQLException {
    do {
      try (Connection c = connect();
          Statement s = c.createStatement()) {
        s.execute("UPDATE leader SET renewed = 'epoch'");
        c.commit();
      }
    } while (!taken());
  }

  /** B's attempt; false as well if it waited for somebody's transaction until its time was over. */
  private boolean taken() {
    try {
      return b.take();
    } catch (StoreException _) {
      return false;
    }
  }

  /** From now on the lease does not run out: who gets it, gets it for another reason. */
  private void makeItLast() throws SQLException {
    try (Connection c = connect();
        Statement s = c.createStatement()) {
      s.execute("UPDATE leader SET renewed = clock_timestamp() + interval '1 day'");
      c.commit();
    }
  }

  /** Asks until it is given; the server may not have ended the other session yet. */
  private static void awaitTaken(PostgresLease lease) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    boolean taken;
    do {
      taken = lease.take();
    } while (!taken && System.nanoTime() < end);
    assertThat(taken).as("given at once and not because it ran out").isTrue();
  }

  @Test
  void ofTwoThatAskAtOnceOneGetsItAndTheOtherWhenItIsGivenBack() throws SQLException {
    CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(b::take);
    boolean first = a.take();
    assertThat(other.join()).isNotEqualTo(first);
    PostgresLease leader = first ? a : b;
    PostgresLease next = first ? b : a;
    assertThat(leader.holds()).isTrue();
    assertThat(next.take()).isFalse();
    assertThat(next.leader()).isEqualTo(first ? "http://a" : "http://b");
    leader.release();
    assertThat(leader.holds()).isFalse();
    makeItLast();
    awaitTaken(next);
    assertThat(leader.take()).isFalse();
  }

  @Test
  void whoWasReplacedWritesNothingAndLearnsOfIt() throws Exception {
    Fabric fabric = TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,8;1,4)")).withAssignedLids();
    assertThat(a.take()).isTrue();
    CountDownLatch lost = new CountDownLatch(1);
    Change change = new Change.Create(TenantSpec.links("x", "x", 3));
    try (SqlStore old =
        SqlStore.postgres(cluster.url(), PostgresCluster.USER, "", Optional.of(a))) {
      a.onLost(lost::countDown); // told after the store
      old.create("f", fabric, "dmodk");
      // opened before: as soon as it learns of it, its connection is cut
      try (Controller c = Controller.open(old, Clock.systemUTC(), "f")) {
        usurp();
        assertThat(c.submit(change, Request.of(Actor.SYSTEM)).join())
            .isInstanceOf(Outcome.Refused.class);
      }
      assertThatThrownBy(() -> old.create("g", fabric, "dmodk")).isInstanceOf(StoreException.class);
      lost.await();
      assertThat(a.holds()).isFalse();
      assertThat(old.writable()).isFalse();
      assertThat(old.healthy()).isFalse(); // its connection is cut
    }
    a.release();
    try (SqlStore now = SqlStore.postgres(cluster.url(), PostgresCluster.USER, "", Optional.of(b));
        Controller c = Controller.open(now, Clock.systemUTC(), "f")) {
      assertThat(now.fabrics()).containsExactly("f");
      assertThat(now.journal("f", 0, 10)).isEmpty();
      assertThat(c.submit(change, Request.of(Actor.SYSTEM)).join())
          .isInstanceOf(Outcome.Accepted.class);
    }
  }

  @Test
  void whoAsksWhetherItLeadsIsToldByTheServerAndNotByItsOwnClock() throws Exception {
    assertThat(a.confirm()).isFalse();
    assertThat(a.take()).isTrue();
    assertThat(a.confirm()).isTrue();
    long term = a.term();
    usurp();
    // it may not have noticed yet
    assertThat(a.confirm()).isFalse();
    assertThat(b.confirm()).isTrue();
    assertThat(b.term()).isGreaterThan(term);
    b.release();
    assertThat(b.confirm()).isFalse();
  }

  @Test
  void aNewTermWaitsForATransactionOfTheOldOneThatIsUnderWay() throws Exception {
    assertThat(a.take()).isTrue();
    try (Connection c = connect()) {
      a.fence(c);
      CompletableFuture<Void> next =
          CompletableFuture.runAsync(
              () -> {
                try {
                  usurp();
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              });
      try (Statement s = c.createStatement()) {
        while (number("SELECT count(*) FROM pg_locks WHERE NOT granted") == 0) {
          assertThat(next).isNotDone();
          s.execute("SELECT 1"); // or the server ends a transaction that says nothing
        }
      }
      c.commit();
      next.join();
      assertThatThrownBy(() -> a.fence(c)).isInstanceOf(StoreException.class);
    }
  }

  @Test
  void aTransactionThatSaysNothingIsEndedSoThatItHoldsUpNobody() throws Exception {
    assertThat(a.take()).isTrue();
    try (Connection c = connect()) {
      try (Statement s = c.createStatement()) {
        s.execute("CREATE TABLE t (x INTEGER)");
        c.commit();
        a.fence(c);
        s.execute("INSERT INTO t VALUES (1)");
      }
      usurp();
      assertThatThrownBy(c::commit).isInstanceOf(SQLException.class);
    }
    assertThat(number("SELECT count(*) FROM t")).isZero();
  }

  @Test
  void aSessionThatEndsGivesTheLeadershipBackAtOnce() throws Exception {
    assertThat(a.take()).isTrue();
    CountDownLatch lost = new CountDownLatch(1);
    a.onLost(lost::countDown);
    number(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_locks "
            + "WHERE locktype = 'advisory' AND granted");
    makeItLast();
    awaitTaken(b);
    lost.await();
    assertThat(a.holds()).isFalse();
  }
}
