package org.heddle.server.store;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.heddle.control.port.Fence;
import org.heddle.control.port.Leadership;
import org.heddle.control.port.StoreException;

/**
 * Leadership among the processes on a PostgreSQL database: a lease in a row, with a term that every
 * change of the leader raises. The leader renews it every second by the server's clock, on a
 * connection of its own. Another process takes it over when it has run out, or at once when the
 * leader's session is gone, which an advisory lock of that session tells.
 *
 * <p>The term fences: {@link #fence} in a transaction makes it fail if another term has begun, and
 * makes a new term wait until that transaction has ended. So a process that was stopped and comes
 * back writes nothing, however late it learns of it.
 */
public final class PostgresLease implements Leadership, Fence {
  /** How long a leader that says nothing is left alone. */
  public static final Duration LASTS = Duration.ofSeconds(5);

  private static final long RENEW_MILLIS = 1000;
  private static final String SOCKET_SECONDS = "3";

  /**
   * A writing transaction whose process says nothing for so long is ended by the server, so that it
   * does not stand in the way of the next term.
   */
  private static final int SILENT_MILLIS = 3000;

  /** A lock for a term of this table; {@code oid} keeps schemas apart. */
  private static final String LOCK = "('leader'::regclass::oid::int, ?::int)";

  private static final String LOOK =
      "SELECT term, address, renewed < clock_timestamp() - make_interval(secs => ?) "
          + "OR pg_try_advisory_xact_lock('leader'::regclass::oid::int, term::int) FROM leader";

  private static final String TAKE =
      "UPDATE leader SET term = ?, address = ?, renewed = clock_timestamp() WHERE term = ?";

  /** Not the key: it does not wait for transactions that are fenced. */
  private static final String RENEW =
      "UPDATE leader SET renewed = clock_timestamp() WHERE term = ?";

  private static final String FENCE =
      "SELECT set_config('idle_in_transaction_session_timeout', ?, true) FROM leader "
          + "WHERE term = ? FOR KEY SHARE";

  private final String url;
  private final Properties login;
  private final String address;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile Connection connection;
  private Thread renewer;
  private volatile Semaphore stop = new Semaphore(0);
  private volatile String leader = "";
  private volatile long term;
  private volatile boolean held;

  /** {@link System#nanoTime} before the server renewed the lease last: it runs out here first. */
  private volatile long renewed;

  /**
   * A lease that is not held, without a connection.
   *
   * @param address where this process is reached when it leads
   */
  public PostgresLease(String url, String user, String password, String address) {
    this.url = url;
    this.address = address;
    this.login = SqlStore.login(user, password);
    login.setProperty("socketTimeout", SOCKET_SECONDS);
  }

  @Override
  public boolean take() {
    if (held) {
      return true;
    }
    try {
      if (connection == null) {
        connect();
      }
      boolean taken = attempt();
      connection.commit();
      if (taken) {
        begin();
      }
      return taken;
    } catch (SQLException e) {
      disconnect();
      throw new StoreException("cannot ask for the leadership: " + e.getMessage(), e, false);
    }
  }

  private void connect() throws SQLException {
    connection = DriverManager.getConnection(url, login);
    connection.setAutoCommit(false);
    SqlStore.oneAtATime(connection);
    try (Statement s = connection.createStatement()) {
      s.execute(
          "CREATE TABLE IF NOT EXISTS leader (term BIGINT PRIMARY KEY, address TEXT NOT NULL, "
              + "renewed TIMESTAMPTZ NOT NULL)");
      s.execute(
          "INSERT INTO leader (term, address, renewed) SELECT 0, '', 'epoch' "
              + "WHERE NOT EXISTS (SELECT 1 FROM leader)");
    }
    connection.commit();
  }

  private boolean attempt() throws SQLException {
    long now = System.nanoTime();
    long old;
    try (PreparedStatement s = connection.prepareStatement(LOOK)) {
      s.setDouble(1, LASTS.toMillis() / 1000.0);
      try (ResultSet r = s.executeQuery()) {
        if (!r.next()) {
          throw new SQLException("the table leader is empty");
        }
        old = r.getLong(1);
        leader = r.getString(2);
        if (!r.getBoolean(3)) {
          return false;
        }
      }
    }
    // before the new term can be seen, so that nobody finds it without its lock
    if (!lock("pg_try_advisory_lock", old + 1)) {
      return false; // another one is about to take it
    }
    try (PreparedStatement s = connection.prepareStatement(TAKE)) {
      s.setLong(1, old + 1);
      s.setString(2, address);
      s.setLong(3, old);
      if (s.executeUpdate() != 1) {
        lock("pg_advisory_unlock", old + 1); // another one was faster
        return false;
      }
    }
    term = old + 1;
    renewed = now;
    return true;
  }

  private boolean lock(String function, long which) throws SQLException {
    try (PreparedStatement s = connection.prepareStatement("SELECT " + function + LOCK)) {
      s.setLong(1, which);
      try (ResultSet r = s.executeQuery()) {
        return r.next() && r.getBoolean(1);
      }
    }
  }

  private void begin() {
    leader = address;
    held = true;
    Semaphore end = new Semaphore(0);
    stop = end;
    renewer = Thread.ofPlatform().name("heddle-lease").daemon().unstarted(() -> renew(end));
    renewer.start();
  }

  private void renew(Semaphore end) {
    try {
      while (!end.tryAcquire(RENEW_MILLIS, TimeUnit.MILLISECONDS)) {
        if (!renewOnce()) {
          held = false;
          listeners.forEach(Runnable::run);
          return;
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean renewOnce() {
    Connection c = connection;
    if (c == null) {
      return false;
    }
    long now = System.nanoTime();
    try (PreparedStatement s = c.prepareStatement(RENEW)) {
      s.setLong(1, term);
      boolean own = s.executeUpdate() == 1;
      c.commit();
      renewed = own ? now : renewed;
      return own;
    } catch (SQLException _) {
      return false;
    }
  }

  @Override
  public boolean holds() {
    return held && System.nanoTime() - renewed < LASTS.toNanos();
  }

  @Override
  public long term() {
    return term;
  }

  /** Renews the lease now, which only its own term can. */
  @Override
  public boolean confirm() {
    return holds() && renewOnce() && holds();
  }

  /**
   * Makes the current transaction one of this process's term.
   *
   * @throws StoreException if another term has begun
   */
  void fence(Connection transaction) throws SQLException {
    if (!holds()) {
      throw new StoreException("this process does not lead any more", null, false);
    }
    try (PreparedStatement s = transaction.prepareStatement(FENCE)) {
      s.setString(1, String.valueOf(SILENT_MILLIS));
      s.setLong(2, term);
      try (ResultSet r = s.executeQuery()) {
        if (!r.next()) {
          throw new StoreException("another process leads now", null, false);
        }
      }
    }
  }

  @Override
  public void onLost(Runnable listener) {
    listeners.add(listener);
  }

  @Override
  public String leader() {
    return leader;
  }

  /** The session ends, and with it its lock: another one may lead at once. */
  @Override
  public void release() {
    if (renewer != null) {
      stop.release();
      try {
        renewer.join();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
      renewer = null;
      disconnect();
    }
    held = false;
  }

  private void disconnect() {
    if (connection == null) {
      return;
    }
    try {
      connection.close();
    } catch (SQLException _) {
      // it is given up in any case, and the server sees the socket close
    }
    connection = null;
  }

  @Override
  public void close() {
    release();
    disconnect();
  }
}
