package org.heddle.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.Arrays;
import org.heddle.control.Controller;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Request;
import org.heddle.control.port.StoreException;
import org.heddle.fabric.Fabric;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.TenantSpec;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A SQLite database whose files go, or whose disk is full: refused, said, and nothing lost. */
class SqliteFilesTest {
  @TempDir Path directory;

  private final Fabric fabric =
      TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,8;1,4)")).withAssignedLids();

  private static Outcome create(Controller controller, String name) {
    Change change = new Change.Create(TenantSpec.links(name, "", 1));
    return controller.submit(change, Request.of(Actor.SYSTEM)).join();
  }

  private int pages() throws SQLException {
    try (Connection c = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("s.db"));
        Statement s = c.createStatement();
        ResultSet r = s.executeQuery("PRAGMA page_count")) {
      return r.getInt(1);
    }
  }

  private static String refusal(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    Outcome.Refused no = (Outcome.Refused) outcome;
    assertThat(no.code()).isEqualTo(Outcome.Code.UNAVAILABLE);
    return no.reason();
  }

  @Test
  void filesThatAreGoneAreNotWrittenAndOnceTheyAreBackItGoesOn() throws Exception {
    Path database = directory.resolve("s.db");
    try (SqlStore store = SqlStore.sqlite(database)) {
      store.create("f", fabric, "dmodk");
      try (Controller controller = Controller.open(store, Clock.systemUTC(), "f")) {
        create(controller, "a");
        for (String name : new String[] {"s.db", "s.db-wal"}) {
          Path file = directory.resolve(name);
          Path away = directory.resolve("away");
          Files.move(file, away);
          assertThat(refusal(create(controller, "b")))
              .contains(name, "moved", "nothing is written");
          Files.copy(away, file); // another file under the same name does not do
          assertThat(refusal(create(controller, "b"))).contains("replaced");
          assertThat(store.healthy()).isFalse();
          Files.delete(file);
          Files.move(away, file);
          assertThat(store.healthy()).isTrue();
        }
        assertThat(controller.leads()).isTrue();
        assertThat(create(controller, "b")).isInstanceOf(Outcome.Accepted.class);
      }
    }
    try (SqlStore store = SqlStore.sqlite(database)) {
      assertThat(store.load("f").orElseThrow().tenants()).hasSize(2);
    }
  }

  @Test
  void aDatabaseThatMayNotGrowRefusesChangesAndKeepsWhatItHas() throws Exception {
    int accepted = 0;
    try (SqlStore store = SqlStore.sqlite(directory.resolve("s.db"))) {
      store.create("f", fabric, "dmodk");
    }
    Path limited = directory.resolve("s.db?max_page_count=" + (pages() + 4));
    try (SqlStore store = SqlStore.sqlite(limited)) {
      try (Controller controller = Controller.open(store, Clock.systemUTC(), "f")) {
        Outcome last = create(controller, "t0");
        while (last instanceof Outcome.Accepted && accepted < 30) {
          last = create(controller, "t" + ++accepted);
        }
        assertThat(refusal(last)).isEqualTo(SqliteFiles.trouble(new SQLException("", "", 13)));
        assertThat(store.refusesWrites()).contains(refusal(last));
        assertThat(store.refusesWritesAfterAWhile()).contains(refusal(last));
        assertThat(controller.leads()).isTrue();
        assertThat(controller.view().epoch()).isEqualTo(accepted);
        assertThat(store.journal("f", 0, 100)).hasSize(accepted);
      }
    }
    try (SqlStore store = SqlStore.sqlite(directory.resolve("s.db"));
        Controller controller = Controller.open(store, Clock.systemUTC(), "f")) {
      assertThat(controller.view().tenants()).hasSize(accepted);
      assertThat(create(controller, "more")).isInstanceOf(Outcome.Accepted.class);
    }
  }

  /** What is free in the file is room, so that nobody has to write for it to be ready again. */
  @Test
  void onceThereIsRoomItSaysSoThoughNobodyAsksForAChange() throws Exception {
    try (SqlStore store = SqlStore.sqlite(directory.resolve("s.db"))) {
      store.create("f", fabric, "dmodk");
      assertThatThrownBy(() -> store.write(() -> store.update("INSERT INTO nowhere VALUES (1)")))
          .isInstanceOf(StoreException.class);
      assertThat(store.refusesWrites()).isPresent();
      assertThat(store.healthy()).isTrue();
      assertThat(store.refusesWritesAfterAWhile()).isEmpty();
      assertThat(store.refusesWrites()).isEmpty();
    }
  }

  @Test
  void aDamagedDatabaseIsNotServed() throws Exception {
    Path database = directory.resolve("s.db");
    try (SqlStore store = SqlStore.sqlite(database)) {
      store.create("f", fabric, "dmodk");
    }
    byte[] bytes = Files.readAllBytes(database);
    Arrays.fill(bytes, 2 * 4096, 5 * 4096, (byte) 0xff);
    Files.write(database, bytes);
    assertThatThrownBy(() -> SqlStore.sqlite(database))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("damaged")
        .hasMessageContaining("heddle serve restore");
    Files.write(database, new byte[] {'n', 'o'});
    assertThatThrownBy(() -> SqlStore.sqlite(database))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("no SQLite database");
  }

  @Test
  void ofAFailedCommitItIsKnownThatItDidNotHappenUnlessOnlyTheSyncFailed() {
    for (int code : new int[] {5, 8, 13, 14, 13 | 1 << 8}) {
      assertThat(SqliteFiles.undone(new SQLException("x", "", code))).isTrue();
    }
    assertThat(SqliteFiles.undone(new SQLException("[SQLITE_IOERR_WRITE] x", "", 10))).isTrue();
    assertThat(SqliteFiles.undone(new SQLException("[SQLITE_IOERR_FSYNC] x", "", 10))).isFalse();
  }

  /** A controller that began with no tenants where it had some would take them off the fabric. */
  @Test
  void aDatabaseThatIsGoneOrEmptyIsNoNewOne() throws Exception {
    Path database = directory.resolve("s.db");
    try (SqlStore store = SqlStore.sqlite(database)) {
      store.create("f", fabric, "dmodk");
    }
    Path copy = directory.resolve("copy.db");
    Backups.backup(database, copy);
    Files.write(database, new byte[0]);
    assertThatThrownBy(() -> SqlStore.sqlite(database))
        .isInstanceOf(StoreException.class)
        .hasMessageContainingAll("s.db is empty", "heddle serve restore");
    assertThat(Files.size(database)).isZero();
    Files.delete(database);
    assertThatThrownBy(() -> SqlStore.sqlite(database))
        .isInstanceOf(StoreException.class)
        .hasMessageContainingAll("s.db is gone", "heddle serve restore", "s.db.made");
    assertThat(database).doesNotExist();
    Backups.restore(copy, database);
    try (SqlStore store = SqlStore.sqlite(database)) {
      assertThat(store.fabrics()).containsExactly("f");
    }
    // who removes the note means it
    Files.delete(database);
    Files.delete(directory.resolve("s.db.made"));
    try (SqlStore store = SqlStore.sqlite(database)) {
      assertThat(store.fabrics()).isEmpty();
    }
  }

  /** SQLite opens such a file, but nothing of a controller is in it. */
  @Test
  void aDatabaseWithoutTablesIsNoNewOne() throws Exception {
    Path database = directory.resolve("s.db");
    try (SqlStore store = SqlStore.sqlite(database)) {
      store.create("f", fabric, "dmodk");
    }
    Path copy = directory.resolve("copy.db");
    Backups.backup(database, copy);
    for (String content :
        new String[] {"VACUUM", "CREATE TABLE schema_version (version INTEGER)"}) {
      Files.delete(database);
      try (Connection c = DriverManager.getConnection("jdbc:sqlite:" + database);
          Statement s = c.createStatement()) {
        s.execute("PRAGMA user_version=1");
        s.execute(content);
      }
      assertThat(Files.size(database)).isPositive();
      assertThatThrownBy(() -> SqlStore.sqlite(database))
          .isInstanceOf(StoreException.class)
          .hasMessageContainingAll("without Heddle's tables", "restore --force", "s.db.made");
    }
    Backups.restore(copy, database);
    try (SqlStore store = SqlStore.sqlite(database)) {
      assertThat(store.fabrics()).containsExactly("f");
    }
  }

  @Test
  void whatIsRestoredIsNotedAndAnEmptyFileIsNothingThatIsReplaced() throws Exception {
    Path copy = directory.resolve("copy.db");
    SqlStore.sqlite(copy).close();
    Path database = directory.resolve("data/s.db");
    assertThat(Backups.replaces(database)).isFalse();
    Backups.restore(copy, database);
    assertThat(Backups.replaces(database)).isTrue();
    Path mark = directory.resolve("data/s.db.made");
    assertThat(mark).exists();
    for (Path p : new Path[] {database, mark}) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(p)))
          .isEqualTo("rw-------");
    }
    Files.write(database, new byte[0]);
    assertThat(Backups.replaces(database)).isFalse();
  }

  /** Also where an older program, which left no note, had its database. */
  @Test
  void anEmptyFileIsNoDatabase() throws Exception {
    Path database = Files.createFile(directory.resolve("s.db"));
    assertThatThrownBy(() -> SqlStore.sqlite(database))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("s.db is empty")
        .hasMessageNotContaining(".made"); // there is none
  }
}
