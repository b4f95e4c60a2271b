package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.heddle.cli.Main;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What {@code dev/package} makes: what is in it, and that it runs without any other Java, from
 * where it was unpacked. {@code dev/try-packages} installs it in clean systems, which needs root.
 */
@Tag("slow")
class PackageIT {
  @TempDir static Path directory;

  private static Path repository;
  private static Path unpacked;
  private static Path deb;
  private static Path rpm;
  private static Path tarball;

  @BeforeAll
  static void make() throws IOException {
    Program.need(Program.DPKG_DEB, Program.RPMBUILD);
    repository = Path.of("").toAbsolutePath().getParent();
    Path out = directory.resolve("out");
    run(repository, List.of("env", "HEDDLE_NO_BUILD=1", "dev/package", out.toString()));
    try (Stream<Path> files = Files.list(out)) {
      List<Path> made = files.sorted().toList();
      assertThat(made).hasSize(4);
      String version = "[0-9.]+(~git[0-9.]+[0-9a-f]{8})?";
      assertThat(made.get(0).toString()).matches(".*/heddle-" + version + "-1\\.[a-z0-9_]+\\.rpm");
      assertThat(made.get(1).toString())
          .matches(".*/heddle-" + version + "-linux-[a-z0-9]+\\.tar\\.gz");
      assertThat(made.get(2).toString()).matches(".*/heddle_" + version + "_[a-z0-9]+\\.deb");
      assertThat(made.get(3).resolve("Containerfile")).isRegularFile();
      rpm = made.get(0);
      tarball = made.get(1);
      deb = made.get(2);
    }
    unpacked = directory.resolve("root with a space");
    run(directory, List.of("dpkg-deb", "-x", deb.toString(), unpacked.toString()));
  }

  private static String run(Path where, List<String> command) throws IOException {
    Path output = Files.createTempFile(directory, "run", ".out");
    ProcessBuilder builder = new ProcessBuilder(command).directory(where.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("JAVA"));
    Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    try {
      assertThat(process.waitFor(PeerProcess.DEADLINE.toSeconds() * 2, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      throw new IllegalStateException(e);
    }
    assertThat(process.exitValue()).as(Peers.tail(output)).isZero();
    return Files.readString(output);
  }

  private static String heddle(String... words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(unpacked.resolve("usr/bin/heddle").toString());
    command.addAll(List.of(words));
    return run(directory, command);
  }

  @Test
  void everythingIsWhereDebianExpectsIt() {
    for (String file :
        List.of(
            "usr/lib/heddle/bin/heddle",
            "usr/lib/heddle/runtime/bin/java",
            "usr/lib/heddle/lib/start.aot",
            "usr/lib/heddle/lib/native/libsqlitejdbc.so",
            "usr/lib/heddle/slurm/prolog",
            "usr/lib/heddle/slurm/epilog",
            "usr/lib/systemd/system/heddle.service",
            "usr/share/doc/heddle/copyright",
            "usr/lib/heddle/plugins/README",
            "usr/lib/heddle/systemd/opensm.conf",
            "usr/lib/heddle/udev/90-heddle-umad.rules",
            "usr/share/doc/heddle/CHANGELOG.md",
            "usr/share/doc/heddle/changelog.gz",
            "usr/share/doc/heddle/docs/controller.md",
            "usr/share/doc/heddle/docs/install.md",
            "usr/share/doc/heddle/licenses/picocli/LICENSE",
            "usr/share/doc/heddle/sbom.cdx.json",
            "usr/share/man/man1/heddle-tenants-create.1.gz",
            "usr/share/bash-completion/completions/heddle",
            "etc/heddle/serve.yaml",
            "etc/heddle/slurm")) {
      assertThat(unpacked.resolve(file)).isRegularFile();
    }
    assertThat(unpacked.resolve("usr/bin/heddle")).isSymbolicLink();
    for (String program : List.of("usr/lib/heddle/bin/heddle", "usr/lib/heddle/slurm/prolog")) {
      assertThat(unpacked.resolve(program)).isExecutable();
    }
  }

  @Test
  void configurationIsKeptAtAnUpgradeAndNothingIsAnybodys() throws IOException {
    assertThat(run(directory, List.of("dpkg-deb", "-f", deb.toString(), "Depends")))
        .doesNotContain("java")
        .doesNotContain("jre");
    assertThat(run(directory, List.of("dpkg-deb", "-I", deb.toString(), "conffiles")))
        .isEqualTo("/etc/heddle/serve.yaml\n/etc/heddle/slurm\n");
    assertThat(run(directory, List.of("dpkg-deb", "-c", deb.toString())).lines())
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).contains(" root/root "))
        .allSatisfy(line -> assertThat(line).doesNotMatch("[-d].{7}w.*"));
    Path unit = unpacked.resolve("usr/lib/systemd/system/heddle.service");
    assertThat(Files.readString(unit)).contains("ExecStart=/usr/bin/heddle serve --config /etc/");
  }

  /** One tree: what a system gets from one package it gets from the others. */
  @Test
  void theRpmHoldsWhatTheDebianPackageHolds() throws IOException {
    List<String> only =
        List.of("changelog.gz", "copyright", "LICENSE", "overrides/heddle", "_heddle");
    List<String> inDeb;
    try (Stream<Path> walk = Files.walk(unpacked)) {
      inDeb =
          walk.filter(f -> !Files.isDirectory(f))
              .map(f -> "/" + unpacked.relativize(f))
              .filter(f -> only.stream().noneMatch(f::endsWith))
              .filter(f -> !f.startsWith("/usr/lib/heddle/runtime/legal"))
              .sorted()
              .toList();
    }
    List<String> command =
        List.of("rpm", "-qp", "--qf", "[%{FILEMODES:perms} %{FILENAMES}\n]", rpm.toString());
    List<String> inRpm =
        run(directory, command)
            .lines()
            .filter(line -> !line.startsWith("d"))
            .map(line -> line.substring(line.indexOf(' ') + 1))
            .filter(f -> only.stream().noneMatch(f::endsWith))
            .filter(f -> !f.startsWith("/usr/lib/heddle/runtime/legal"))
            .sorted()
            .toList();
    assertThat(inRpm).isEqualTo(inDeb);
    assertThat(run(directory, List.of("rpm", "-qp", "--configfiles", rpm.toString())))
        .isEqualTo("/etc/heddle/serve.yaml\n/etc/heddle/slurm\n");
    assertThat(run(directory, List.of("rpm", "-qp", "--changelog", rpm.toString())))
        .contains("0.1.0-1");
  }

  /** The list of contents names what is there, by checksum, and says under which licence. */
  @Test
  void theListOfContentsIsTheContents() throws IOException, NoSuchAlgorithmException {
    JsonNode list =
        JsonMapper.builder()
            .build()
            .readTree(Files.readString(unpacked.resolve("usr/share/doc/heddle/sbom.cdx.json")));
    assertThat(list.get("bomFormat").asString()).isEqualTo("CycloneDX");
    Path lib = unpacked.resolve("usr/lib/heddle/lib");
    List<String> jars = new ArrayList<>();
    for (JsonNode component : list.get("components")) {
      assertThat(component.get("licenses")).as("%s", component.get("name")).isNotEmpty();
      String name = component.get("name").asString();
      Path jar = lib.resolve(name + "-" + component.get("version").asString() + ".jar");
      if (Files.exists(jar)) {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar));
        assertThat(component.get("hashes").get(0).get("content").asString())
            .isEqualTo(HexFormat.of().formatHex(digest));
        jars.add(jar.getFileName().toString());
      } else {
        assertThat(name).isIn("SQLite", "OpenJDK runtime");
      }
    }
    assertThat(jars).containsExactlyInAnyOrderElementsOf(Files.readAllLines(lib.resolve("order")));
  }

  /** All but the JVM's cache: given that, a second run makes the same bytes. */
  @Test
  void aSecondRunMakesTheSameBytes() throws IOException {
    Path out = directory.resolve("again");
    Path cache = unpacked.resolve("usr/lib/heddle/lib/start.aot");
    run(
        repository,
        List.of(
            "env",
            "HEDDLE_NO_BUILD=1",
            "HEDDLE_START_CACHE=" + cache,
            "dev/package",
            out.toString()));
    for (Path first : List.of(tarball, deb, rpm)) {
      assertThat(Files.mismatch(first, out.resolve(first.getFileName())))
          .as("%s", first.getFileName())
          .isEqualTo(-1);
    }
  }

  /** Of the installation's directory, beside the user's own; nothing has to be named. */
  @Test
  void itsOwnDirectoryOfPlugInsIsLookedAt() throws IOException {
    Path broken = unpacked.resolve("usr/lib/heddle/plugins/broken.jar");
    Files.writeString(broken, "no jar");
    try {
      assertThat(heddle("engines")).contains("broken.jar: warning: this plug-in is left out");
    } finally {
      Files.delete(broken);
    }
    assertThat(heddle("plugins")).startsWith("no plug-ins");
  }

  @Test
  void itRunsOnItsOwnRuntimeWithTheCacheFromAPathWithASpace() throws IOException {
    assertThat(heddle("--version")).isEqualTo(Main.versionLine() + "\n");
    Path fabric = directory.resolve("f.net");
    heddle("fabric", "generate", "XGFT(2;4,4;1,4)", "-o", fabric.toString());
    Path lfts = directory.resolve("f.hlft");
    heddle("route", fabric.toString(), "--engine", "ftree", "-o", lfts.toString());
    assertThat(heddle("audit", fabric.toString(), lfts.toString())).contains("clean");
    // the JVM says so, and ends, if it cannot use the cache where it has been unpacked
    String options = "-XX:AOTMode=on";
    run(
        directory,
        List.of(
            "env",
            "HEDDLE_OPTS=" + options,
            unpacked.resolve("usr/bin/heddle").toString(),
            "engines"));
  }

  @Test
  void itServesByItsOwnConfigurationAndItsCommandsTalkToIt() throws IOException {
    Path program = unpacked.resolve("usr/bin/heddle");
    Path config = unpacked.resolve("etc/heddle/serve.yaml");
    Path said = directory.resolve("serve.out");
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    String address = "http://127.0.0.1:" + port;
    List<String> command =
        List.of(
            program.toString(),
            "serve",
            "--open",
            "--config",
            config.toString(),
            "--data",
            directory.resolve("data").toString(),
            "--listen",
            "127.0.0.1:" + port);
    try (PeerProcess serve = PeerProcess.start(directory, said, Map.of(), command)) {
      serve.await("serving", () -> IbsimFabric.read(said).contains("serving at"));
      assertThat(heddle("tenants", "create", "blue", "-n", "6", "--server", address))
          .startsWith("blue admitted at epoch 1");
    }
  }
}
