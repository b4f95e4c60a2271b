package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that are made from the description a controller serves run README's tour against it, and
 * the Ansible role brings its tenants to what a file says. They get nothing but an address and the
 * token of the first start.
 */
@Tag("slow")
class ClientsIT {
  private static final Path CLIENTS = Path.of("..", "clients").toAbsolutePath().normalize();
  private static final Path ANSIBLE =
      Path.of("..", "examples", "ansible").toAbsolutePath().normalize();

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  private ServeProcess controller;
  private Path token;
  private int runs;

  @BeforeEach
  void serve() {
    token = directory.resolve("data/heddle.token");
    controller =
        new ServeProcess(
            directory,
            "s",
            List.of("--data", directory.resolve("data").toString()),
            Map.of("HOME", directory.resolve("home").toString(), "XDG_STATE_HOME", ""));
  }

  @AfterEach
  void end() {
    controller.close();
  }

  /** Starts the controller; returns the file with its description. */
  private Path description(Path where) throws IOException, InterruptedException {
    controller.start("console:");
    controller.await("the token", () -> Files.exists(token));
    Files.createDirectories(where);
    Path file = where.resolve("openapi.json");
    Files.writeString(file, get("/v1/openapi.json"));
    return file;
  }

  private String get(String path) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(controller.base() + path))
              .header("Authorization", "Bearer " + Files.readString(token).strip())
              .build();
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
      return answer.body();
    }
  }

  /** Runs a program to its good end; returns what it said. */
  private String run(Path where, Map<String, String> environment, String... command) {
    Path output = directory.resolve("run-" + runs++ + ".out");
    try (PeerProcess process = PeerProcess.start(where, output, environment, List.of(command))) {
      int code = process.awaitEnd();
      String said = IbsimFabric.read(output);
      assertThat(code).as(String.join(" ", command) + "\n" + said).isZero();
      return said;
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes a)
              throws IOException {
            String name = dir.getFileName().toString();
            if (name.equals("node_modules") || name.equals("build")) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(to.resolve(from.relativize(dir).toString()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes a) throws IOException {
            Files.copy(file, to.resolve(from.relativize(file).toString()));
            return FileVisitResult.CONTINUE;
          }
        });
  }

  @Test
  void thePythonPackageInstallsAndTakesTheTour() throws Exception {
    Program.need(Program.PYTHON);
    Path build = directory.resolve("python");
    Path file = description(build);
    String python = Program.PYTHON.find().orElseThrow().toString();
    String generator = CLIENTS.resolve("python/generate.py").toString();
    run(directory, Map.of(), python, generator, file.toString(), "-o", build.toString());
    Path wheel;
    try (Stream<Path> files = Files.list(build)) {
      wheel = files.filter(f -> f.toString().endsWith(".whl")).findFirst().orElseThrow();
    }
    Path site = directory.resolve("site");
    List<String> pip = List.of("-m", "pip", "install", "--quiet", "--no-index", "--target");
    run(
        directory,
        Map.of("PIP_ROOT_USER_ACTION", "ignore"),
        Stream.concat(
                Stream.concat(Stream.of(python), pip.stream()),
                Stream.of(site.toString(), wheel.toString()))
            .toArray(String[]::new));
    String said =
        run(
            directory,
            Map.of("PYTHONPATH", site.toString()),
            python,
            CLIENTS.resolve("python/tour.py").toString(),
            controller.base() + "/v1",
            token.toString());
    assertThat(said).contains("refused: ", "the tour is done");
  }

  @Test
  void theTypeScriptClientIsSoundAndTakesTheTour() throws Exception {
    Program.need(Program.NODE, Program.NPM);
    Path client = directory.resolve("typescript");
    copy(CLIENTS.resolve("typescript"), client);
    description(client.resolve("build"));
    Map<String, String> quiet =
        Map.of("HOME", directory.toString(), "REDOCLY_TELEMETRY", "off", "NO_UPDATE_NOTIFIER", "1");
    run(client, quiet, "npm", "ci");
    run(client, quiet, "npm", "run", "lint");
    run(client, quiet, "npm", "run", "generate");
    run(client, quiet, "npm", "run", "build");
    String said =
        run(client, quiet, "node", "build/js/tour.js", controller.base(), token.toString());
    assertThat(said).contains("refused: ", "the tour is done");
  }

  @Test
  void theAnsibleRoleBringsTheTenantsToWhatTheFileSays() throws Exception {
    Program.need(Program.ANSIBLE);
    description(directory.resolve("ansible"));
    Path tenants = directory.resolve("tenants.yaml");
    String first =
        """
        version: 1
        tenants:
          - name: red
            ipoib: true
            members:
              - count: 2
          - name: blue
            links: exclusive
            members:
              - count: 2
        """;
    Files.writeString(tenants, first);
    assertThat(play(tenants, "--check", "--diff")).contains("changed=1", "after: red");
    assertThat(get("/v1/tenants")).contains("\"items\":[]");
    assertThat(play(tenants)).contains("changed=1");
    assertThat(get("/v1/tenants")).contains("\"red\"", "\"blue\"", "\"ipoib\":true");
    assertThat(play(tenants)).contains("changed=0");
    assertThat(play(tenants, "--check")).contains("changed=0");
    Files.writeString(tenants, first.replace("ipoib: true", "ipoib: false"));
    assertThat(play(tenants, "--check", "--diff")).contains("changed=1");
    assertThat(play(tenants)).contains("changed=1");
    assertThat(get("/v1/tenants")).doesNotContain("\"ipoib\":true");
    Files.writeString(tenants, first.replace("count: 2", "count: 4000"));
    assertThat(ansible(tenants)).contains("failed=1").contains("hosts");
  }

  private String play(Path tenants, String... more) {
    String said = ansible(tenants, more);
    assertThat(said).contains("failed=0", "unreachable=0");
    return said;
  }

  private String ansible(Path tenants, String... more) {
    Path output = directory.resolve("run-" + runs++ + ".out");
    List<String> command =
        Stream.concat(
                Stream.of(
                    "ansible-playbook",
                    "-i",
                    "localhost,",
                    "-c",
                    "local",
                    ANSIBLE.resolve("site.yml").toString(),
                    "-e",
                    "heddle_server=" + controller.base(),
                    "-e",
                    "heddle_token_file=" + token,
                    "-e",
                    "heddle_tenants_file=" + tenants),
                Stream.of(more))
            .toList();
    Map<String, String> environment =
        Map.of(
            "HOME",
            directory.toString(),
            "ANSIBLE_NOCOLOR",
            "1",
            "PYTHONDONTWRITEBYTECODE",
            "1",
            "LC_ALL",
            "C.UTF-8");
    try (PeerProcess process = PeerProcess.start(directory, output, environment, command)) {
      process.awaitEnd();
      return IbsimFabric.read(output);
    }
  }
}
