package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.heddle.cli.Main;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code dev/package} makes: what is in it, and that it runs without any other Java, from
 * where it was unpacked. It is not installed, which would need root.
 */
@Tag("slow")
class PackageIT {
  @TempDir static Path directory;

  private static Path unpacked;
  private static Path deb;

  @BeforeAll
  static void make() throws IOException {
    Program.need(Program.DPKG_DEB);
    Path repository = Path.of("").toAbsolutePath().getParent();
    Path out = directory.resolve("out");
    run(repository, List.of("env", "HEDDLE_NO_BUILD=1", "dev/package", out.toString()));
    try (Stream<Path> files = Files.list(out)) {
      List<Path> made = files.sorted().toList();
      assertThat(made).hasSize(2);
      assertThat(made.get(0).toString()).matches(".*/heddle-[0-9.]+-linux-[a-z0-9]+\\.tar\\.gz");
      assertThat(made.get(1).toString()).matches(".*/heddle_[0-9.]+_[a-z0-9]+\\.deb");
      deb = made.get(1);
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
            "usr/share/doc/heddle/controller.md",
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
