package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.cli.Main;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.text.topology.IbnetdiscoverWriter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code heddle serve} with the OpenSM agent at a simulated fabric, and its REST interface. */
final class LiveController implements AutoCloseable {
  private static final Pattern ADDRESS = Pattern.compile("serving at (http://[0-9.:]+)/v1");
  private static final Pattern START = Pattern.compile("(?m)^start OpenSM with: (.*)$");

  private static final int LAST_EVENTS = 8;

  private final Path directory;
  private final PeerProcess process;
  private final HttpClient client = HttpClient.newHttpClient();
  private final String base;

  private LiveController(Path directory, PeerProcess process) {
    this.directory = directory;
    this.process = process;
    process.await("an address", () -> said(ADDRESS) != null);
    this.base = said(ADDRESS);
  }

  /**
   * Starts it and waits until it listens.
   *
   * @param host adapter that its datagrams start from
   * @param more lines of the configuration
   */
  static LiveController start(
      Path directory, IbsimFabric ibsim, Fabric tree, String host, String... more)
      throws IOException {
    Path net = directory.resolve("fabric.topo");
    try (OutputStream out = Files.newOutputStream(net)) {
      IbnetdiscoverWriter.write(tree, out);
    }
    Path flush = directory.resolve("site.conf");
    Files.writeString(
        flush,
        "# the log is late without this, and a standby\nforce_log_flush TRUE\n"
            + "sminfo_polling_timeout 500\npolling_retry_number 2\n");
    Path config = directory.resolve("serve.yaml");
    List<String> lines = new ArrayList<>();
    lines.addAll(List.of("version: 1", "listen: 127.0.0.1:0", "agent: opensm"));
    if (Arrays.stream(more).noneMatch(line -> line.contains("interval_ms"))) {
      lines.add("interval_ms: 100");
    }
    lines.add("open: true");
    lines.add("data: " + directory.resolve("data"));
    lines.add("files: " + directory.resolve("for-opensm"));
    lines.add("opensm_conf: " + flush);
    lines.add("via: " + ibsim.via(host));
    lines.add("reload: [sh, " + reload(directory) + "]");
    lines.addAll(List.of(more));
    Files.write(config, lines);
    return run(directory, config, "--fabric", net.toString());
  }

  /** Starts it with a configuration and waits until it listens and has written files. */
  static LiveController run(Path directory, Path config, String... options) throws IOException {
    Files.deleteIfExists(directory.resolve("serve.out"));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>(List.of(java, "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("serve", "--config", config.toString()));
    command.addAll(List.of(options));
    PeerProcess process =
        PeerProcess.start(directory, directory.resolve("serve.out"), Map.of(), command);
    try {
      LiveController made = new LiveController(directory, process);
      process.await("files", () -> Files.exists(made.files().resolve("opensm.conf")));
      return made;
    } catch (AssertionError e) {
      process.close();
      throw e;
    }
  }

  /**
   * A script that tells OpenSM. The number of a process that has ended may be somebody else's by
   * now; each time is written down.
   */
  static Path reload(Path directory) throws IOException {
    Path script = directory.resolve("reload.sh");
    Files.writeString(
        script,
        """
        cd '%s' || exit 1
        echo told >> reloads
        pid=$(cat opensm.pid) || exit 1
        test "$(cat /proc/$pid/comm)" = opensm || exit 1
        kill -HUP "$pid"
        """
            .formatted(directory));
    return script;
  }

  /** How often it has told OpenSM to read its files, or tried to. */
  long reloads() {
    return IbsimFabric.read(directory.resolve("reloads")).lines().count();
  }

  /** The command it wants OpenSM to be started with. */
  String startCommand() {
    return said(START);
  }

  private String said(Pattern pattern) {
    Matcher m = pattern.matcher(IbsimFabric.read(directory.resolve("serve.out")));
    return m.find() ? m.group(1) : null;
  }

  /** The directory of the files for OpenSM. */
  Path files() {
    return directory.resolve("for-opensm");
  }

  /** Starts OpenSM with the printed command's file; from then on it is the one that is told. */
  OpenSm startOpenSm(IbsimFabric ibsim, String host, String... options) throws IOException {
    OpenSm opensm = OpenSm.startWith(ibsim, host, files().resolve("opensm.conf"), options);
    opensm.awaitUp(1);
    tell(opensm);
    return opensm;
  }

  /** Makes an OpenSM the one that is told. */
  void tell(OpenSm opensm) throws IOException {
    Files.writeString(directory.resolve("opensm.pid"), String.valueOf(opensm.pid()));
  }

  /** A call; its answer has to be a good one. */
  JsonNode call(String method, String path, String body) {
    HttpResponse<String> answer = answer(method, path, body);
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    return answer.body().isEmpty()
        ? JsonMapper.builder().build().createObjectNode()
        : JsonMapper.builder().build().readTree(answer.body());
  }

  /** A call and whatever it is answered. */
  HttpResponse<String> answer(String method, String path, String body) {
    try {
      return client.send(
          HttpRequest.newBuilder(URI.create(base + path))
              .method(method, HttpRequest.BodyPublishers.ofString(body))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  JsonNode fabric() {
    return call("GET", "/v1/fabrics", "").get("items").get(0);
  }

  long epoch() {
    return fabric().get("epoch").longValue();
  }

  /** Waits until fabric and desired state agree; returns the document that says so. */
  JsonNode await(String what, Predicate<JsonNode> condition) {
    return awaitFabric(
        what,
        f -> {
          JsonNode status = f.get("status");
          return status.get("in_sync").booleanValue()
              && status.get("epoch").longValue() == f.get("epoch").longValue()
              && condition.test(f);
        });
  }

  /** The same and there is no trouble. */
  JsonNode awaitFine(String what) {
    return await(what, f -> f.get("status").get("problems").isEmpty());
  }

  /**
   * Waits until the controller has seen every cable of a fabric, and no other, and the switches
   * have the tables for that. How many changes it makes of what was done to the fabric is its own
   * affair: it may look in between.
   */
  JsonNode awaitCabling(Fabric now, String what) {
    Set<String> there = new TreeSet<>();
    for (int port = 0; port < now.portIdLimit(); port++) {
      if (now.peer(port) != Fabric.NONE) {
        there.add(Guid.format(now.nodeGuid(now.nodeOf(port))) + ":" + now.numberOf(port));
      }
    }
    awaitThat("the cabling " + what, () -> seen().equals(there));
    long epoch = epoch();
    return await("in sync " + what, f -> f.get("epoch").longValue() >= epoch);
  }

  /** Both ends of every cable that the controller knows and sees. */
  private Set<String> seen() {
    Set<String> out = new TreeSet<>();
    String next = "";
    do {
      JsonNode page = call("GET", "/v1/links?limit=1000&after=" + next, "");
      for (JsonNode link : page.get("items")) {
        if (link.get("present").booleanValue()) {
          for (String end : List.of("from", "to")) {
            JsonNode e = link.get(end);
            out.add(e.get("guid").stringValue() + ":" + e.get("port").intValue());
          }
        }
      }
      next = page.get("next").isNull() ? "" : page.get("next").stringValue();
    } while (!next.isEmpty());
    return out;
  }

  /** Waits for a state, in sync or not. */
  JsonNode awaitFabric(String what, Predicate<JsonNode> condition) {
    JsonNode[] last = new JsonNode[1];
    awaitThat(
        what,
        () -> {
          last[0] = fabric();
          return condition.test(last[0]);
        });
    return last[0];
  }

  /**
   * Waits for trouble that is told with these words; returns all that was wrong then, one text,
   * since a moment later it may be something else.
   */
  String awaitTrouble(String words) {
    JsonNode told =
        awaitFabric("trouble: " + words, f -> String.join("\n", problems(f)).contains(words));
    return String.join("\n", problems(told));
  }

  private static List<String> problems(JsonNode fabric) {
    List<String> out = new ArrayList<>();
    fabric.get("status").get("problems").forEach(p -> out.add(p.stringValue()));
    return out;
  }

  /** Waits for something else. The state and the last events are told if it never comes. */
  void awaitThat(String what, BooleanSupplier condition) {
    try {
      process.await(what, condition);
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "\n" + state(), e);
    }
  }

  /** The number of the last event. */
  long lastEvent() {
    return call("GET", "/v1/events?last=1", "").get("items").get(0).get("id").longValue();
  }

  /** The events after one, in one text. */
  String eventsAfter(long id) {
    return call("GET", "/v1/events?after=" + id, "").toString();
  }

  /** What it says of itself, for messages. */
  private String state() {
    try {
      StringBuilder out = new StringBuilder("fabric: ").append(fabric());
      call("GET", "/v1/events?last=" + LAST_EVENTS, "")
          .get("items")
          .forEach(e -> out.append("\nevent: ").append(e));
      return out.toString();
    } catch (RuntimeException | AssertionError e) {
      return "it does not say: " + e;
    }
  }

  /** Sends it a signal by its name. */
  void signal(String signal) {
    process.signal(signal);
  }

  /** Ends it with SIGKILL. */
  void kill() {
    process.kill();
  }

  @Override
  public void close() {
    process.close();
  }
}
