package org.heddle.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.heddle.control.Controller;
import org.heddle.control.model.AuditRecord;
import org.heddle.control.port.Store;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.TenantSpec;
import org.heddle.server.http.Documents;
import org.heddle.text.config.ServeFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What is old leaves the database for files; nothing is lost, and nothing that is needed goes. */
class RetentionTest {
  private static final int CHANGES = 30;

  @TempDir Path directory;

  private TestServer at;

  @BeforeEach
  void start() throws Exception {
    at = TestServer.start(directory);
    for (int i = 0; i < CHANGES; i++) {
      at.submit(
          i % 2 == 0
              ? new Change.Create(TenantSpec.links("t" + i, "", 1))
              : new Change.Delete("t" + (i - 1), java.util.OptionalLong.empty()));
      if (i == 3 || i == 20) {
        String state = i == 3 ? "drained" : "up";
        at.ask("PUT", "/v1/links/" + link(), "{\"state\":\"" + state + "\"}");
      }
    }
    while (all("/v1/audit").size() < 2) {
      Thread.onSpinWait(); // a request is in the audit some time after its answer
    }
    List<AuditRecord> requests = new ArrayList<>();
    for (int i = 0; i < CHANGES; i++) {
      requests.add(new AuditRecord(0, Instant.EPOCH, "ann", "::1", "POST /" + i, 200, ""));
    }
    at.store.audit(requests);
  }

  @AfterEach
  void stop() {
    at.close();
  }

  private String link() throws Exception {
    return get("/v1/links?kind=switch&limit=1").get("items").get(0).get("id").stringValue();
  }

  private JsonNode get(String path) throws Exception {
    return Documents.JSON.readTree(at.send("", "GET", path, "").body());
  }

  private List<JsonNode> all(String path) throws Exception {
    List<JsonNode> out = new ArrayList<>();
    get(path + "?limit=1000").get("items").forEach(out::add);
    return out;
  }

  private List<JsonNode> archived(String what) throws Exception {
    List<Path> files;
    try (Stream<Path> list = Files.list(directory.resolve("archive"))) {
      files = list.filter(f -> f.getFileName().toString().startsWith(what)).sorted().toList();
    }
    List<JsonNode> out = new ArrayList<>();
    for (Path file : files) {
      try (BufferedReader in =
          new BufferedReader(
              new InputStreamReader(
                  new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
        in.lines().map(Documents.JSON::readTree).forEach(out::add);
      }
    }
    return out;
  }

  private Retention keeping(int most, int inAFile) {
    return new Retention(
        at.store,
        "f",
        new ServeFile.Keep(most, most, most, Optional.empty()),
        directory.resolve("archive"),
        inAFile);
  }

  @Test
  void whatIsOldIsInFilesAndNothingIsLost() throws Exception {
    List<String> lists = List.of("history", "events", "audit");
    List<List<JsonNode>> before = new ArrayList<>();
    for (String list : lists) {
      before.add(all("/v1/" + list));
      assertThat(before.getLast()).hasSizeGreaterThan(25);
    }
    keeping(7, 5).pass();
    for (int i = 0; i < lists.size(); i++) {
      List<JsonNode> left = all("/v1/" + lists.get(i));
      assertThat(left).hasSizeBetween(7, 11);
      List<JsonNode> together = new ArrayList<>(archived(lists.get(i)));
      together.addAll(left);
      assertThat(together).isEqualTo(before.get(i));
      keeping(7, 5).pass();
      assertThat(all("/v1/" + lists.get(i))).isEqualTo(left);
    }
  }

  @Test
  void aRestartNeedsNoneOfItAndARollbackSaysHowFarItReaches() throws Exception {
    List<JsonNode> tenants = all("/v1/tenants");
    long epoch = at.view().epoch();
    keeping(12, 5).pass();
    long oldest = at.controller.oldest();
    assertThat(oldest).isBetween(epoch - 17, epoch - 12);
    String refused = at.send("", "POST", "/v1/rollback", "{\"epoch\":" + (oldest - 1) + "}").body();
    assertThat(refused).contains("there is no such epoch: " + oldest + " to " + epoch);
    at.controller.close();
    try (Controller next = Controller.open(at.store, Clock.systemUTC(), "f")) {
      assertThat(next.view().all().stream().map(t -> t.name()).toList())
          .isEqualTo(tenants.stream().map(t -> t.get("name").stringValue()).toList());
      assertThat(next.view().drained().links()).isEqualTo(at.view().drained().links());
      // what was out of service at the oldest epoch is known, though it was decided before it
      Change.Rollback back = next.rollbackTo(oldest).orElseThrow();
      assertThat(back.drained().links()).hasSize(1);
    }
  }

  @Test
  void whereNoFileCanBeWrittenNothingIsForgotten() throws Exception {
    Files.writeString(directory.resolve("archive"), "a file, and no directory");
    List<JsonNode> before = all("/v1/history");
    keeping(7, 5).pass();
    assertThat(all("/v1/history")).isEqualTo(before);
  }

  /** As after the database was begun anew: what was archived before is nobody's to replace. */
  @Test
  void aFileThatIsThereStaysUnlessItIsTheSame() throws Exception {
    keeping(7, 5).pass();
    Path archive = directory.resolve("archive");
    Path first = archive.resolve("history-%012d-%012d.jsonl.gz".formatted(1, 5));
    byte[] written = Files.readAllBytes(first);
    assertThat(files()).noneMatch(name -> name.contains("-1.jsonl"));
    try (TestServer other = TestServer.start(Files.createDirectory(directory.resolve("other")))) {
      for (int i = 0; i < 12; i++) {
        Change again =
            i % 2 == 0
                ? new Change.Create(TenantSpec.links("o" + i, "", 1))
                : new Change.Delete("o" + (i - 1), java.util.OptionalLong.empty());
        other.submit(again);
      }
      Store failing = // that cannot forget: as a process that ends in between
          failing(other.store, "forget");
      ServeFile.Keep keep = new ServeFile.Keep(7, 0, 0, Optional.empty());
      for (int i = 0; i < 2; i++) {
        new Retention(failing, "f", keep, archive, 5).pass();
        assertThat(Files.readAllBytes(first)).isEqualTo(written);
        assertThat(files().filter(name -> name.contains("-1.jsonl"))).hasSize(1);
        assertThat(files()).noneMatch(name -> name.contains("-2.jsonl") || name.endsWith(".new"));
      }
    }
  }

  private Stream<String> files() throws IOException {
    try (Stream<Path> list = Files.list(directory.resolve("archive"))) {
      return list.map(f -> f.getFileName().toString()).toList().stream();
    }
  }

  /** A store of which one method fails by a fault of the program. */
  private static Store failing(Store store, String method) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, called, arguments) -> {
              if (called.getName().equals(method)) {
                throw new IllegalStateException("a fault");
              }
              return called.invoke(store, arguments);
            });
  }

  @Test
  void aFaultInOneOfThemKeepsNoneOfTheOthers() throws Exception {
    ServeFile.Keep keep = new ServeFile.Keep(7, 7, 7, Optional.empty());
    new Retention(failing(at.store, "journal"), "f", keep, directory.resolve("archive"), 5).pass();
    assertThat(files()).noneMatch(name -> name.startsWith("history"));
    assertThat(files()).anyMatch(name -> name.startsWith("events"));
    assertThat(files()).anyMatch(name -> name.startsWith("audit"));
  }

  @Test
  void byDefaultAndWithZeroAllOfItStays() throws Exception {
    List<JsonNode> before = all("/v1/history");
    new Retention(at.store, "f", ServeFile.Keep.DEFAULT, directory.resolve("archive")).pass();
    keeping(0, 5).pass();
    assertThat(all("/v1/history")).isEqualTo(before);
    assertThat(directory.resolve("archive")).doesNotExist();
  }
}
