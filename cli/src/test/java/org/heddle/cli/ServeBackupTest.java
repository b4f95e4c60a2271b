package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Credential;
import org.heddle.fabric.Fabric;
import org.heddle.server.store.SqlStore;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store stays open in most of these, as in a controller that runs. */
class ServeBackupTest {
  @TempDir Path directory;

  private Path data;
  private Path copy;

  @BeforeEach
  void place() {
    data = directory.resolve("data");
    copy = directory.resolve("copy.db");
  }

  private SqlStore store(String name) {
    SqlStore store = SqlStore.sqlite(data.resolve("heddle.db"));
    Fabric fabric = TreeGenerator.generate(TreeSpec.parse("XGFT(2;2,2;1,2)")).withAssignedLids();
    store.create(name, fabric, "dmodk");
    return store;
  }

  private Cli.Result backup(String... more) {
    return run("backup", "-o", copy.toString(), more);
  }

  private Cli.Result restore(String... more) {
    return run("restore", copy.toString(), "--json", more);
  }

  private Cli.Result run(String command, String a, String b, String... more) {
    String[] words = new String[6 + more.length];
    System.arraycopy(
        new String[] {"serve", command, a, b, "--data", data.toString()}, 0, words, 0, 6);
    System.arraycopy(more, 0, words, 6, more.length);
    return Cli.run(words);
  }

  @Test
  void aCopyTakenWhileTheStoreIsOpenHoldsItsLastCommitAndCanBePutBack() {
    try (SqlStore _ = store("one")) {
      assertThat(backup("--json").out()).contains("heddle.serve-backup/1", "\"fabrics\" : 1");
    }
    store("two").close();
    assertThat(restore().code()).isEqualTo(1);
    assertThat(restore().err()).contains("--force");
    assertThat(restore("--force").code()).isZero();
    try (SqlStore back = SqlStore.sqlite(data.resolve("heddle.db"))) {
      assertThat(back.fabrics()).containsExactly("one");
    }
  }

  /** As the message at the start says that it works. */
  @Test
  void anEmptyFileIsReplacedWithoutForce() throws IOException {
    try (SqlStore _ = store("one")) {
      assertThat(backup().code()).isZero();
    }
    Files.write(data.resolve("heddle.db"), new byte[0]);
    Files.delete(data.resolve("heddle.db.made"));
    assertThat(restore().code()).isZero();
    assertThat(data.resolve("heddle.db.made")).exists();
    try (SqlStore back = SqlStore.sqlite(data.resolve("heddle.db"))) {
      assertThat(back.fabrics()).containsExactly("one");
    }
  }

  @Test
  void theCopyIsForItsOwnerOnlyAndNothingElseIsLeft() throws IOException {
    try (SqlStore _ = store("one")) {
      assertThat(backup().code()).isZero();
      assertThat(backup().code()).isZero();
    }
    assertThat(Files.getPosixFilePermissions(copy)).hasSize(2);
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactlyInAnyOrder(copy, data);
    }
  }

  @Test
  void aDatabaseInUseIsNotReplaced() {
    try (SqlStore open = store("one")) {
      backup();
      open.fabrics();
      Cli.Result result = restore("--force");
      assertThat(result.code()).isEqualTo(2);
      assertThat(result.err()).contains("in use");
      assertThat(open.fabrics()).containsExactly("one");
    }
  }

  @Test
  void aDamagedCopyIsRefusedAndTheOldDatabaseStays() throws IOException {
    try (SqlStore _ = store("one")) {
      backup();
    }
    try (FileChannel file = FileChannel.open(copy, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.allocate((int) file.size() - 4096), 4096); // all pages but the first
    }
    byte[] before = Files.readAllBytes(data.resolve("heddle.db"));
    assertThat(restore("--force").code()).isEqualTo(2);
    assertThat(Files.readAllBytes(data.resolve("heddle.db"))).isEqualTo(before);
    Files.writeString(copy, "nothing of the kind");
    assertThat(restore("--force").err()).contains("no database of Heddle");
  }

  @Test
  void aCopyOfANewerProgramIsRefused() throws SQLException {
    try (SqlStore _ = store("one")) {
      backup();
    }
    try (var c = DriverManager.getConnection("jdbc:sqlite:" + copy);
        var s = c.createStatement()) {
      s.execute("INSERT INTO schema_version (version) VALUES (99)");
    }
    assertThat(restore("--force").err()).contains("schema 99");
  }

  @Test
  void aDamagedDatabaseIsReplacedAndItsLogIsNotPlayedIntoTheNewOne() throws IOException {
    try (SqlStore _ = store("one")) {
      backup();
    }
    Files.writeString(data.resolve("heddle.db"), "damaged ".repeat(2000));
    Files.writeString(data.resolve("heddle.db-wal"), "old log");
    assertThat(restore("--force").code()).isZero();
    assertThat(Files.exists(data.resolve("heddle.db-wal"))).isFalse();
    try (SqlStore back = SqlStore.sqlite(data.resolve("heddle.db"))) {
      assertThat(back.fabrics()).containsExactly("one");
    }
  }

  @Test
  void whatIsNotThereCannotBeCopiedAndIsNotMade() {
    assertThat(backup().code()).isEqualTo(2);
    assertThat(Files.exists(data)).isFalse();
    assertThat(restore().code()).isEqualTo(2);
    try (SqlStore _ = store("one")) {
      copy = data.resolve("heddle.db");
      assertThat(backup().err()).contains("would be overwritten");
    }
  }

  private static Credential credential(String name, String kind, String hash) {
    return new Credential(name, kind, hash, Actor.Role.PROVIDER, "", Instant.EPOCH, false);
  }

  /** Who had a token taken away must hear that it counts again. */
  @Test
  void whatComesBackIsSaid() {
    Credential kept = credential("kept", "token", "1");
    Credential leaked = credential("leaked", "token", "2");
    Credential ann = credential("ann", "password", "pbkdf2$1$00$00");
    try (SqlStore store = store("one")) {
      for (Credential c : List.of(kept, leaked, ann)) {
        store.put(c);
      }
      store.put(credential("revoked", "token", "3").ended());
      backup();
      store.put(leaked.ended());
      store.put(ann.withHash("pbkdf2$1$00$01", Instant.EPOCH));
      store.put(credential("later", "token", "4"));
    }
    Cli.Result plain =
        Cli.run("serve", "restore", copy.toString(), "--data", data.toString(), "--force");
    assertThat(plain.out())
        .contains(
            "credentials that count again: token leaked (provider)\n",
            "users with the passwords they had then: ann\n")
        .doesNotContain("kept", "revoked", "later");
    data = directory.resolve("other");
    assertThat(restore().out())
        .contains("\"compared\" : false", "\"kept\"", "\"leaked\"", "\"ann\"")
        .doesNotContain("\"revoked\"");
  }
}
