package org.heddle.server.store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.heddle.control.model.Answer;
import org.heddle.control.model.AuditRecord;
import org.heddle.control.model.Credential;
import org.heddle.control.model.Plan;
import org.heddle.control.port.Fence;
import org.heddle.control.port.JobStore;
import org.heddle.control.port.Part;
import org.heddle.control.port.Store;
import org.heddle.control.port.StoreException;
import org.heddle.fabric.Fabric;
import org.heddle.files.OwnersOnly;
import org.heddle.plan.model.Drained;
import org.heddle.plan.model.Event;
import org.heddle.plan.model.JournalEntry;
import org.heddle.plan.model.Migration;
import org.heddle.plan.model.Tenant;
import org.heddle.text.Source;
import org.heddle.text.topology.IbnetdiscoverReader;
import org.heddle.text.topology.IbnetdiscoverWriter;

/**
 * A store in SQLite or PostgreSQL: the same tables, documents as JSON. One connection, one
 * transaction at a time. SQLite runs with a write-ahead log that is synced at every commit.
 */
public final class SqlStore implements Store {
  private static final String LAST_EVENT =
      "SELECT COALESCE(MAX(id), 0) FROM event WHERE fabric = ?";

  /** Of the advisory lock under which schemas are made: any number that others do not use. */
  private static final long SCHEMA_LOCK = 0x686564646c65L;

  private static final int CONNECT_SECONDS = 5;

  private final Connection connection;
  private final Optional<PostgresLease> lease;
  private final JobStore jobs = new SqlJobs(this);
  private final VmStatements vms = new VmStatements(this);
  private final WriteHealth writes = new WriteHealth(this);

  /** Of SQLite: where its files are; they must stay there. */
  private final Optional<SqliteFiles> files;

  private SqlStore(Connection connection, Optional<PostgresLease> lease, Optional<Path> file)
      throws SQLException {
    this.connection = connection;
    this.lease = lease;
    Migrations.run(connection);
    this.files = file.map(SqliteFiles::of);
    lease.ifPresent(l -> l.onLost(this::abort));
  }

  /** Cuts the connection: a statement under way fails, and no other one begins. */
  private void abort() {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException _) {
      // what it would still write is fenced
    }
  }

  /** Two processes that make the schema at once would be in each other's way. */
  static void oneAtATime(Connection c) throws SQLException {
    try (Statement s = c.createStatement()) {
      s.execute("SELECT pg_advisory_xact_lock(" + SCHEMA_LOCK + ")");
    }
  }

  /** Properties of a connection to PostgreSQL. */
  static Properties login(String user, String password) {
    Properties p = new Properties();
    p.setProperty("user", user);
    p.setProperty("password", password);
    p.setProperty("ApplicationName", "heddle");
    p.setProperty("connectTimeout", String.valueOf(CONNECT_SECONDS));
    p.setProperty("tcpKeepAlive", "true");
    return p;
  }

  /**
   * Opens a SQLite database, made if it is not there: for its owner only, since hashes of passwords
   * and who did what are in it. SQLite gives its log the same rights.
   *
   * @throws StoreException if it cannot be opened, or there was one and it is gone, empty or
   *     without tables
   */
  public static SqlStore sqlite(Path file) {
    try {
      OwnersOnly.directory(file.toAbsolutePath().getParent());
      if (SqliteFiles.absent(file)) {
        SqliteFiles.make(file, SqlStore::makeSchema);
      }
      Connection c = DriverManager.getConnection("jdbc:sqlite:" + file);
      try {
        SqlStore out = opened(file, c);
        SqliteFiles.note(file);
        return out;
      } catch (SQLException | StoreException e) {
        c.close(); // whoever restores a copy now must not find the file in use
        throw e;
      }
    } catch (SQLException | IOException e) {
      throw new StoreException("cannot open " + file + ": " + SqliteFiles.trouble(e), e, false);
    }
  }

  private static SqlStore opened(Path file, Connection c) throws SQLException {
    try (Statement s = c.createStatement()) {
      s.execute("PRAGMA busy_timeout=5000");
      s.execute("PRAGMA journal_mode=WAL");
      s.execute("PRAGMA synchronous=FULL");
      SqliteFiles.requireSound(file, s);
      SqliteFiles.requireTables(file, s);
    }
    c.setAutoCommit(false);
    return new SqlStore(c, Optional.empty(), Optional.of(file));
  }

  private static void makeSchema(Path file) throws SQLException {
    try (Connection c = DriverManager.getConnection("jdbc:sqlite:" + file)) {
      c.setAutoCommit(false);
      Migrations.run(c);
    }
  }

  /**
   * Opens a PostgreSQL database of which this is the only process.
   *
   * @throws StoreException if it cannot be opened
   */
  public static SqlStore postgres(String url, String user, String password) {
    return postgres(url, user, password, Optional.empty());
  }

  /**
   * Opens a PostgreSQL database that other processes wait for.
   *
   * @param lease that is held: every writing transaction is one of its term or fails, and when it
   *     is lost, the connection is cut
   * @throws StoreException if it cannot be opened
   */
  public static SqlStore postgres(
      String url, String user, String password, Optional<PostgresLease> lease) {
    try {
      Connection c = DriverManager.getConnection(url, login(user, password));
      c.setAutoCommit(false);
      oneAtATime(c);
      return new SqlStore(c, lease, Optional.empty());
    } catch (SQLException e) {
      throw new StoreException("cannot open the database: " + e.getMessage(), e, false);
    }
  }

  interface Work<T> {
    T run() throws SQLException;
  }

  synchronized <T> T transaction(Work<T> work) {
    boolean committing = false;
    try {
      T out = work.run();
      committing = true;
      connection.commit();
      return out;
    } catch (SQLException | RuntimeException e) {
      rollBack(e);
      if (e instanceof StoreException s) {
        throw s;
      }
      boolean sqlite = files.isPresent() && e instanceof SQLException;
      boolean unknown = committing && !(sqlite && SqliteFiles.undone((SQLException) e));
      throw new StoreException(
          sqlite ? SqliteFiles.trouble((SQLException) e) : "the database: " + e.getMessage(),
          e,
          unknown);
    }
  }

  /** A failed commit may have ended the transaction; then the next one has to be begun here. */
  private void rollBack(Exception e) {
    try {
      connection.rollback();
    } catch (SQLException again) {
      e.addSuppressed(again);
      if (files.isPresent()) {
        try (Statement s = connection.createStatement()) {
          s.execute("BEGIN");
        } catch (SQLException begun) {
          e.addSuppressed(begun); // it had not ended
        }
      }
    }
  }

  synchronized <T> T write(Work<T> work) {
    try {
      T out =
          transaction(
              () -> {
                if (lease.isPresent()) {
                  lease.get().fence(connection);
                }
                if (files.isPresent()) {
                  files.get().require();
                }
                return work.run();
              });
      writes.succeeded();
      return out;
    } catch (StoreException e) {
      if (e.getCause() instanceof SQLException) {
        writes.failed(files.isPresent() ? e.getMessage() : WriteHealth.REFUSED);
      }
      throw e;
    }
  }

  int update(String sql, Object... values) throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(sql)) {
      bind(s, values);
      return s.executeUpdate();
    }
  }

  private static void bind(PreparedStatement s, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      s.setObject(i + 1, values[i]);
    }
  }

  /** Documents of rows; the columns are {@code document, format}. */
  <T, D extends StoredDocument<T>> List<T> documents(Class<D> type, String sql, Object... values)
      throws SQLException {
    List<T> out = new ArrayList<>();
    try (PreparedStatement s = connection.prepareStatement(sql)) {
      bind(s, values);
      try (ResultSet r = s.executeQuery()) {
        while (r.next()) {
          out.add(StoredDocument.read(type, r.getInt(2), r.getString(1)));
        }
      }
    }
    return out;
  }

  /**
   * Documents of a part of a table.
   *
   * @param column of their numbers
   * @param where a column and its value, and so on, which all of them have
   */
  <T, D extends StoredDocument<T>> List<T> part(
      Class<D> type, String table, String column, Part part, String... where) throws SQLException {
    StringBuilder sql = new StringBuilder("SELECT document, format FROM " + table + " WHERE ");
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < where.length; i += 2) {
      sql.append(where[i]).append(" = ? AND ");
      values.add(where[i + 1]);
    }
    String order = part.descending() ? " < ? ORDER BY %s DESC" : " > ? ORDER BY %s";
    sql.append(column).append(order.formatted(column)).append(" LIMIT ?");
    values.add(part.from());
    values.add(part.limit());
    return documents(type, sql.toString(), values.toArray());
  }

  long number(String sql, Object... values) throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(sql)) {
      bind(s, values);
      try (ResultSet r = s.executeQuery()) {
        return r.next() ? r.getLong(1) : 0;
      }
    }
  }

  private static String text(Fabric fabric) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      IbnetdiscoverWriter.write(fabric, out);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @Override
  public Optional<Saved> load(String fabric) {
    return transaction(
        () -> {
          List<Tenant> tenants =
              documents(
                  StoredTenant.class,
                  "SELECT document, format FROM tenant WHERE fabric = ? ORDER BY created, name",
                  fabric);
          try (PreparedStatement s =
              connection.prepareStatement(
                  "SELECT epoch, engine, snapshot, next_vguid FROM fabric WHERE name = ?")) {
            bind(s, fabric);
            try (ResultSet r = s.executeQuery()) {
              if (!r.next()) {
                return Optional.empty();
              }
              Fabric snapshot = fabric(fabric, r.getString(3));
              return Optional.of(
                  new Saved(
                      fabric,
                      r.getLong(1),
                      snapshot,
                      r.getString(2),
                      tenants,
                      vms.all(fabric),
                      r.getLong(4),
                      reference(fabric)));
            }
          }
        });
  }

  private static Fabric fabric(String name, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return IbnetdiscoverReader.read(new Source(name, bytes)).get();
  }

  private Reference reference(String fabric) throws SQLException {
    try (PreparedStatement s =
        connection.prepareStatement(
            "SELECT snapshot, drained, format FROM reference WHERE fabric = ?")) {
      bind(s, fabric);
      try (ResultSet r = s.executeQuery()) {
        return r.next()
            ? new Reference(
                Optional.of(fabric(fabric, r.getString(1))),
                StoredDocument.read(StoredDrained.class, r.getInt(3), r.getString(2)))
            : Reference.NONE;
      }
    }
  }

  private void put(String fabric, Reference reference) throws SQLException {
    update("DELETE FROM reference WHERE fabric = ?", fabric);
    if (reference.fabric().isPresent()) {
      update(
          "INSERT INTO reference (fabric, snapshot, format, drained) VALUES (?, ?, ?, ?)",
          fabric,
          text(reference.fabric().get()),
          StoredDocument.FORMAT,
          StoredDrained.of(reference.drained()).json());
    }
  }

  @Override
  public Drained drained(String fabric, long epoch) {
    return transaction(
        () ->
            documents(
                    StoredDrained.class,
                    "SELECT document, format FROM drained WHERE fabric = ? AND epoch <= ? "
                        + "ORDER BY epoch DESC LIMIT 1",
                    fabric,
                    epoch)
                .stream()
                .findFirst()
                .orElse(Drained.NONE));
  }

  @Override
  public List<String> fabrics() {
    return transaction(
        () -> {
          List<String> out = new ArrayList<>();
          try (Statement s = connection.createStatement();
              ResultSet r = s.executeQuery("SELECT name FROM fabric ORDER BY name")) {
            while (r.next()) {
              out.add(r.getString(1));
            }
          }
          return out;
        });
  }

  @Override
  public void create(String name, Fabric fabric, String engine) {
    write(
        () ->
            update(
                "INSERT INTO fabric (name, epoch, engine, snapshot) VALUES (?, 0, ?, ?)",
                name,
                engine,
                text(fabric)));
  }

  @Override
  public void engine(String name, String engine) {
    write(() -> update("UPDATE fabric SET engine = ? WHERE name = ?", engine, name));
  }

  @Override
  public List<Event> commit(Commit c) {
    return write(
        () -> {
          int own =
              update(
                  "UPDATE fabric SET epoch = ? WHERE name = ? AND epoch = ?",
                  c.after(),
                  c.fabric(),
                  c.before());
          if (own != 1) {
            throw new StoreException("another process has gone on with this fabric", null, true);
          }
          if (c.snapshot().isPresent()) {
            update(
                "UPDATE fabric SET snapshot = ? WHERE name = ?",
                text(c.snapshot().get()),
                c.fabric());
          }
          if (c.reference().isPresent()) {
            put(c.fabric(), c.reference().get());
          }
          for (String gone : c.removed()) {
            update("DELETE FROM tenant WHERE fabric = ? AND name = ?", c.fabric(), gone);
          }
          for (Tenant t : c.put()) {
            put(c.fabric(), t);
          }
          vms.put(c.fabric(), c.machines());
          for (JournalEntry e : c.journal()) {
            update(
                "INSERT INTO journal (fabric, epoch, format, document) VALUES (?, ?, ?, ?)",
                c.fabric(),
                e.epoch(),
                StoredDocument.FORMAT,
                StoredJournalEntry.of(e).json());
          }
          for (Answer a : c.answers()) {
            update(
                "INSERT INTO answer (actor, request_key, epoch, format, document) VALUES (?, ?, ?,"
                    + " ?, ?)",
                a.actor(),
                a.key(),
                a.epoch(),
                StoredDocument.FORMAT,
                StoredAnswer.of(a).json());
          }
          for (Drained.At at : c.drained()) {
            update(
                "INSERT INTO drained (fabric, epoch, format, document) VALUES (?, ?, ?, ?)",
                c.fabric(),
                at.epoch(),
                StoredDocument.FORMAT,
                StoredDrained.of(at.drained()).json());
          }
          return insert(c.fabric(), c.events());
        });
  }

  private void put(String fabric, Tenant t) throws SQLException {
    update(
        "INSERT INTO tenant (fabric, name, created, changed, pkey, format, document) "
            + "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (fabric, name) DO UPDATE SET "
            + "created = excluded.created, changed = excluded.changed, pkey = excluded.pkey, "
            + "format = excluded.format, document = excluded.document",
        fabric,
        t.name(),
        t.created(),
        t.changed(),
        t.pkey(),
        StoredDocument.FORMAT,
        StoredTenant.of(t).json());
  }

  private List<Event> insert(String fabric, List<Event> events) throws SQLException {
    List<Event> out = new ArrayList<>();
    long id = events.isEmpty() ? 0 : number(LAST_EVENT, fabric);
    for (Event e : events) {
      Event stored = new Event(++id, e.at(), e.kind(), e.subject(), e.owner(), e.text(), e.epoch());
      update(
          "INSERT INTO event (fabric, id, format, document) VALUES (?, ?, ?, ?)",
          fabric,
          id,
          StoredDocument.FORMAT,
          StoredEvent.of(stored).json());
      out.add(stored);
    }
    return out;
  }

  @Override
  public long lastEvent(String fabric) {
    return transaction(() -> number(LAST_EVENT, fabric));
  }

  @Override
  public Optional<Answer> answer(String actor, String key) {
    return transaction(
        () ->
            documents(
                    StoredAnswer.class,
                    "SELECT document, format FROM answer WHERE actor = ? AND request_key = ?",
                    actor,
                    key)
                .stream()
                .findFirst());
  }

  @Override
  public List<JournalEntry> journal(String fabric, Part part) {
    return transaction(
        () -> part(StoredJournalEntry.class, "journal", "epoch", part, "fabric", fabric));
  }

  @Override
  public List<Event> events(String fabric, Part part) {
    return transaction(() -> part(StoredEvent.class, "event", "id", part, "fabric", fabric));
  }

  @Override
  public List<Event> record(String fabric, List<Event> events) {
    return write(() -> insert(fabric, events));
  }

  @Override
  public void audit(List<AuditRecord> records) {
    write(
        () -> {
          long id = number("SELECT COALESCE(MAX(id), 0) FROM audit");
          for (AuditRecord a : records) {
            AuditRecord stored =
                new AuditRecord(
                    ++id, a.at(), a.actor(), a.remote(), a.action(), a.status(), a.note());
            update(
                "INSERT INTO audit (id, format, document) VALUES (?, ?, ?)",
                id,
                StoredDocument.FORMAT,
                StoredAudit.of(stored).json());
          }
          return null;
        });
  }

  @Override
  public List<AuditRecord> audit(Part part) {
    return transaction(() -> part(StoredAudit.class, "audit", "id", part));
  }

  @Override
  public List<Credential> credentials() {
    return transaction(
        () ->
            documents(
                StoredCredential.class, "SELECT document, format FROM credential ORDER BY name"));
  }

  @Override
  public void put(Credential credential) {
    write(
        () ->
            update(
                "INSERT INTO credential (name, format, document) VALUES (?, ?, ?) ON CONFLICT"
                    + " (name) DO UPDATE SET format = excluded.format, document ="
                    + " excluded.document",
                credential.name(),
                StoredDocument.FORMAT,
                StoredCredential.of(credential).json()));
  }

  @Override
  public Map<String, Instant> lastUsed() {
    return transaction(
        () -> {
          Map<String, Instant> out = new HashMap<>();
          try (Statement s = connection.createStatement();
              ResultSet r = s.executeQuery("SELECT name, used_at FROM credential_use")) {
            while (r.next()) {
              out.put(r.getString(1), Instant.ofEpochSecond(r.getLong(2)));
            }
          }
          return out;
        });
  }

  @Override
  public void used(Map<String, Instant> at) {
    write(
        () -> {
          for (Map.Entry<String, Instant> e : at.entrySet()) {
            update(
                "INSERT INTO credential_use (name, used_at) VALUES (?, ?) "
                    + "ON CONFLICT (name) DO UPDATE SET used_at = excluded.used_at",
                e.getKey(),
                e.getValue().getEpochSecond());
          }
          return null;
        });
  }

  @Override
  public Plan put(String fabric, Plan plan, int keep) {
    return write(
        () -> {
          Optional<Plan> there = ofKey(fabric, plan.actor(), plan.key());
          if (there.isPresent()) {
            return there.get();
          }
          long id = number("SELECT COALESCE(MAX(id), 0) FROM plan WHERE fabric = ?", fabric) + 1;
          Plan stored = plan.withId(id);
          update(
              "INSERT INTO plan (fabric, id, actor, request_key, format, document) VALUES (?, ?, ?,"
                  + " ?, ?, ?)",
              fabric,
              id,
              plan.actor(),
              plan.key(),
              StoredDocument.FORMAT,
              StoredPlan.of(stored).json());
          update("DELETE FROM plan WHERE fabric = ? AND id <= ?", fabric, id - keep);
          return stored;
        });
  }

  private Optional<Plan> ofKey(String fabric, String actor, String key) throws SQLException {
    return key.isEmpty()
        ? Optional.empty()
        : documents(
                StoredPlan.class,
                "SELECT document, format FROM plan WHERE fabric = ? AND actor = ? AND request_key ="
                    + " ?",
                fabric,
                actor,
                key)
            .stream()
            .findFirst();
  }

  @Override
  public Optional<Plan> plan(String fabric, long id) {
    return transaction(
        () ->
            documents(
                    StoredPlan.class,
                    "SELECT document, format FROM plan WHERE fabric = ? AND id = ?",
                    fabric,
                    id)
                .stream()
                .findFirst());
  }

  @Override
  public Optional<Plan> planOfKey(String fabric, String actor, String key) {
    return transaction(() -> ofKey(fabric, actor, key));
  }

  @Override
  public List<Plan> plans(String fabric, Part part) {
    return transaction(() -> part(StoredPlan.class, "plan", "id", part, "fabric", fabric));
  }

  @Override
  public JobStore jobs() {
    return jobs;
  }

  @Override
  public Optional<Migration> migration(String fabric, long epoch) {
    return migrations(fabric, epoch - 1, 1).stream().findFirst().filter(m -> m.epoch() == epoch);
  }

  @Override
  public List<Migration> migrations(String fabric, Part part) {
    return transaction(
        () -> part(StoredMigration.class, "migration", "epoch", part, "fabric", fabric));
  }

  @Override
  public int prune(int keepAnswers) {
    return write(
        () ->
            update(
                "DELETE FROM answer WHERE epoch <= (SELECT MAX(epoch) FROM answer) - ?",
                keepAnswers));
  }

  @Override
  public int forget(Kept what, String fabric, long upTo) {
    return write(
        () ->
            switch (what) {
              case AUDIT -> update("DELETE FROM audit WHERE id <= ?", upTo);
              case EVENTS -> update("DELETE FROM event WHERE fabric = ? AND id <= ?", fabric, upTo);
              case HISTORY -> {
                // the last of these says what is out of service at the first epoch that is left
                update(
                    "DELETE FROM drained WHERE fabric = ? AND epoch < (SELECT MAX(d.epoch) FROM"
                        + " drained d WHERE d.fabric = ? AND d.epoch <= ?)",
                    fabric,
                    fabric,
                    upTo);
                yield update("DELETE FROM journal WHERE fabric = ? AND epoch <= ?", fabric, upTo);
              }
            });
  }

  @Override
  public boolean writable() {
    return lease.isEmpty() || lease.get().holds();
  }

  @Override
  public Fence fence() {
    return lease.<Fence>map(l -> l).orElse(Fence.NONE);
  }

  @Override
  public boolean healthy() {
    try {
      if (files.isPresent()) {
        files.get().require();
      }
      return transaction(() -> number("SELECT COUNT(*) FROM fabric")) >= 0;
    } catch (StoreException _) {
      return false;
    }
  }

  @Override
  public synchronized Optional<String> refusesWrites() {
    return writes.trouble();
  }

  /** The same as if the last failure were so long ago: for tests. */
  synchronized Optional<String> refusesWritesAfterAWhile() {
    return writes.tryAgain();
  }

  @Override
  public synchronized void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new StoreException("closing: " + e.getMessage(), e, false);
    }
  }
}
