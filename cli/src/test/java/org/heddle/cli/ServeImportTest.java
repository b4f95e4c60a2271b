package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.heddle.cli.shell.StandardOutput;
import org.heddle.control.port.Store;
import org.heddle.control.port.StoreException;
import org.heddle.plan.model.Tenant;
import org.heddle.server.store.DirectoryLock;
import org.heddle.server.store.FreshDatabase;
import org.heddle.server.store.SqlStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code heddle serve import} from files: what it says, writes and refuses. */
class ServeImportTest {
  private static final String SITE =
      """
      # the site's
      Default=0x7fff, ipoib : ALL=full, ALL_SWITCHES=full, SELF=full ;
      storage=0x0010, ipoib, mtu=5 : ALL=limited, 0x100001=full ;
      my project=0x8020 : 0x100001=full, 0x100003 ;
      lab=33, defmember=full : 0x100003, 0x100005, 0xdeadbeef ;
      """;

  @TempDir Path directory;

  private Path data;
  private Path partitions;
  private Path options;

  @BeforeEach
  void site() throws IOException {
    data = directory.resolve("data");
    partitions = Files.writeString(directory.resolve("partitions.conf"), SITE);
    options = Files.writeString(directory.resolve("opensm.conf"), "routing_engine ftree,updn\n");
  }

  private Cli.Result run(String... more) {
    List<String> words = new ArrayList<>(List.of("serve", "import", "--data", data.toString()));
    words.addAll(List.of("--fabric", "XGFT(2;4,4;1,4)", "--opensm-conf", options.toString()));
    words.addAll(List.of("--partitions", partitions.toString()));
    words.addAll(List.of(more));
    return Cli.run(words.toArray(String[]::new));
  }

  private Map<String, Tenant> tenants() {
    try (Store store = SqlStore.sqlite(data.resolve("heddle.db"))) {
      Map<String, Tenant> out = new TreeMap<>();
      store.load("default").orElseThrow().tenants().forEach(t -> out.put(t.name(), t));
      return out;
    }
  }

  private Map<String, String> everything() {
    try (Stream<Path> all = Files.walk(directory)) {
      Map<String, String> out = new TreeMap<>();
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        out.put(file.toString(), Files.getLastModifiedTime(file) + " " + Files.size(file));
      }
      return out;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void withoutYesNothingIsWrittenAndAllIsSaid() {
    Map<String, String> before = everything();
    Cli.Result said = run();
    assertThat(said.code()).as(said.err()).isZero();
    assertThat(everything()).isEqualTo(before);
    assertThat(data).doesNotExist();
    assertThat(said.out())
        .contains("my project  my_project", "kept as it is: it names ALL\n")
        .contains("engine: ftree,updn -> ftree", "24 of 24 ports keep exactly what they have")
        .contains("1 port is named that the fabric does not have")
        .contains("opensm_conf: " + options, "nothing is written: --yes");
  }

  @Test
  void theSecondTimeThereIsNothingToDo() {
    assertThat(run("--yes").code()).isZero();
    Map<String, Tenant> first = tenants();
    assertThat(first.keySet()).containsExactly("lab", "management", "my_project", "storage");
    assertThat(first.get("storage").spec().partition().kept()).contains("ALL=limited");
    assertThat(run("--yes").out()).doesNotContain("new tenant");
    assertThat(tenants()).isEqualTo(first);
  }

  /** What changed in the file comes along; what left it stays until it is deleted by name. */
  @Test
  void aLaterImportTakesWhatIsNewAndDeletesNothing() throws IOException {
    run("--yes");
    Files.writeString(
        partitions,
        SITE.replace("lab=33", "lab=34").replace("0x100001=full, 0x100003", "0x100007"));
    Cli.Result said = run("--yes");
    assertThat(said.out())
        .contains(
            "tenant made anew", "tenant 'lab' was imported before and no file has it any more");
    Map<String, Tenant> now = tenants();
    assertThat(now.values().stream().map(Tenant::pkey)).contains(0x21, 0x22, 0x20, 0x10, 0x7fff);
    assertThat(now.get("my_project").spec().members())
        .extracting(org.heddle.plan.model.Member::guid)
        .containsExactly(0x100007L);
    assertThat(said.code()).as("ports still have lab's key").isEqualTo(1);
  }

  /** Only what is named goes, and who loses what is said before. */
  @Test
  void onlyPartitionsThatAreNamedAreDropped() {
    Cli.Result said = run("--drop", "my project,0x7fff", "--json");
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.out()).contains("\"lost\" : [ \"0x8020\", \"0xffff\" ]");
    assertThat(run("--drop", "my project,0x7fff", "--yes").code()).isEqualTo(1);
    assertThat(tenants().keySet()).containsExactly("lab", "storage");
    assertThat(run("--drop", "nothing").err()).contains("there is no partition 'nothing' to drop");
  }

  /** A variable of a script that was not set is no name, also where a partition has none. */
  @Test
  void anEmptyNameDropsNothing() throws IOException {
    Files.writeString(partitions, SITE + "=0x1c : 0x100001 ;\n");
    Cli.Result said = run("--drop", "", "--yes");
    assertThat(said.code()).as(said.out()).isEqualTo(2);
    assertThat(said.err()).contains("there is no partition '' to drop", "0x001c pkey-001c");
    assertThat(data.resolve("heddle.db")).doesNotExist();
  }

  /** OpenSM runs with such files: a script asks whether ports change, not whether they are tidy. */
  @Test
  void warningsAboutTheSitesFileDoNotDecideTheExitCode() throws IOException {
    for (String more : List.of("lab2=33 : 0x100007 ;\n", "x=0x40, mtu=99 : 0x100007 ;\n")) {
      Files.writeString(partitions, SITE + more);
      for (List<String> how : List.of(List.<String>of(), List.of("--compare"), List.of("--json"))) {
        Cli.Result said = run(how.toArray(String[]::new));
        assertThat(said.err()).as(more).contains("warning");
        assertThat(said.code()).as(more + how + said.out()).isZero();
      }
    }
  }

  @Test
  void aFabricThatHasNoneOfThePortsIsAnotherSites() throws IOException {
    Files.writeString(partitions, "a=0x10 : 0xa1, 0xa2=full ;\n");
    Cli.Result said = run("--yes");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("none of the 2 ports", "0x00000000000000a1");
    assertThat(data.resolve("heddle.db")).doesNotExist();
  }

  @Test
  void filesThatTheOptionsNameAndThatAreNotThereAreTold() throws IOException {
    Path gone = directory.resolve("gone.conf");
    Files.writeString(options, "partition_config_file " + gone + "\nroot_guid_file " + gone + "\n");
    Cli.Result said =
        Cli.run(
            "serve",
            "import",
            "--data",
            data.toString(),
            "--fabric",
            "XGFT(2;4,4;1,4)",
            "--opensm-conf",
            options.toString());
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err())
        .contains("partition_config_file " + gone + ", which is not there")
        .contains("root_guid_file " + gone + ", which is not there");
  }

  /** OpenSM takes such a file for none, so importing it would be a guess. */
  @Test
  void aFileThatOpenSmGivesUpIsRefused() throws IOException {
    for (String broken : List.of("", "# nothing\n", SITE.substring(0, SITE.indexOf("0x8020")))) {
      Files.writeString(partitions, broken);
      Cli.Result said = run("--yes");
      assertThat(said.code()).as(broken + said.out()).isEqualTo(2);
      assertThat(said.err()).contains("drops", "mend it first");
      assertThat(data).doesNotExist();
    }
  }

  /** A file that ends in the middle of a definition is not taken without a word. */
  @Test
  void aFileThatWasCutOffIsSaidToBe() throws IOException {
    Files.writeString(partitions, SITE.substring(0, SITE.length() - 5));
    Cli.Result said = run();
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err()).contains("partitions.conf:5: ", "was the file cut off?");
  }

  /** What OpenSM would read otherwise than it looks, or not at all, is not guessed at. */
  @Test
  void filesThatAreNoTextForOpenSmAreRefused() throws IOException {
    byte[] site = SITE.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(packed)) {
      zip.write(site);
    }
    Map<String, byte[]> wrong = new LinkedHashMap<>();
    wrong.put("packed by gzip", packed.toByteArray());
    wrong.put("byte order mark", ("\ufeff" + SITE).getBytes(StandardCharsets.UTF_8));
    wrong.put("no text", SITE.getBytes(StandardCharsets.UTF_16));
    for (Map.Entry<String, byte[]> one : wrong.entrySet()) {
      for (Path file : List.of(partitions, options)) {
        byte[] before = Files.readAllBytes(file);
        Files.write(file, one.getValue());
        Cli.Result said = run("--yes");
        assertThat(said.code()).as(said.out()).isEqualTo(2);
        assertThat(said.err()).contains(file.toString(), one.getKey());
        assertThat(data).doesNotExist();
        Files.write(file, before);
      }
    }
    assertThat(run("--yes").code()).isZero();
  }

  @Test
  void optionsThatOpenSmDoesNotKnowAreNamed() throws IOException {
    Files.writeString(options, "Hello world\n{ \"json\" : 1 }\n");
    Cli.Result garbage = run("--yes");
    assertThat(garbage.code()).isEqualTo(2);
    assertThat(garbage.err()).contains("has no option that OpenSM knows: 'Hello'");
    assertThat(data).doesNotExist();
    Files.writeString(options, "routing_engine ftree\nrouting_engin updn\n");
    Cli.Result typo = run();
    assertThat(typo.code()).as("OpenSM runs with it").isZero();
    assertThat(typo.err()).contains("warning", "passes over what it does not know: routing_engin");
    Files.writeString(options, "# only a comment\n");
    assertThat(run().err()).isEmpty();
  }

  /** What has been written stays written; exit code 2 would say that nothing was. */
  @Test
  void aReportThatIsLostSaysThatTheImportIsNot() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    List<String> words = new ArrayList<>(List.of("serve", "import", "--data", data.toString()));
    words.addAll(List.of("--fabric", "XGFT(2;4,4;1,4)", "--opensm-conf", options.toString()));
    words.addAll(List.of("--partitions", partitions.toString(), "--yes"));
    int code =
        Main.run(
            words,
            InputStream.nullInputStream(),
            new StandardOutput(full),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of());
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("cannot write to standard output: No space left on device")
        .contains("only the report is lost: the import is written into " + data);
    assertThat(code).isEqualTo(1);
    assertThat(tenants()).hasSize(4);
  }

  @Test
  void aControllerThatRunsIsLeftAlone() {
    run("--yes");
    Map<String, Tenant> before = tenants();
    try (DirectoryLock lock = new DirectoryLock(data)) {
      assertThat(lock.take()).isTrue();
      Cli.Result said = run("--yes");
      assertThat(said.code()).isEqualTo(1);
      assertThat(said.err()).contains("another heddle serve", "systemctl stop heddle");
      assertThat(run("--compare").out())
          .contains("24 of 24 ports have exactly what the site's files");
      assertThat(run("--compare", "--yes").err()).contains("leave out --yes");
    }
    assertThat(tenants()).isEqualTo(before);
  }

  /** A process that is killed before the end leaves no database, and the next one makes it. */
  @Test
  void halfAnImportIsNone() {
    Path database = data.resolve("heddle.db");
    try (DirectoryLock lock = new DirectoryLock(data)) {
      lock.take();
      assertThatThrownBy(
              () ->
                  FreshDatabase.make(
                      database,
                      store -> {
                        assertThat(database).doesNotExist();
                        throw new IllegalStateException("killed");
                      }))
          .hasMessage("killed");
    }
    assertThat(database).doesNotExist();
    assertThat(run("--yes").code()).isZero();
    assertThat(tenants()).hasSize(4);
    assertThatThrownBy(() -> FreshDatabase.make(database, _ -> {}))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("there is a database already");
  }

  /** What was made otherwise, or is in use by now, is not what a file makes of it. */
  @Test
  void withoutAPartitionsFileEverybodyStaysInTheDefaultPartition() throws IOException {
    Files.writeString(options, "partition_config_file " + directory.resolve("none") + "\n");
    List<String> words =
        List.of("serve", "import", "--data", data.toString(), "--fabric", "XGFT(2;4,4;1,4)");
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of("--opensm-conf", options.toString(), "--yes"));
    Cli.Result said = Cli.run(all.toArray(String[]::new));
    assertThat(said.code()).as("the file is not there").isEqualTo(1);
    assertThat(said.out())
        .contains("partitions: none: everybody is in the default partition")
        .contains("minhop -> dmodk (Heddle makes no base tables of minhop)");
    assertThat(tenants().get("management").spec().partition().kept()).contains("ALL=full");
  }
}
