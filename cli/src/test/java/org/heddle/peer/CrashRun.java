package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.cli.Main;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A controller that is killed with SIGKILL again and again while clients make and delete tenants,
 * start, move and stop machines of theirs, and drain links and put them back, every other time as a
 * job. After each kill: it starts, the journal has no gap, what was acknowledged is in it once,
 * what was not is in it once or not at all, and asking again under the same key makes it once; the
 * tenants, machines and drained links are those that follow; the emulated fabric gets their tables.
 */
final class CrashRun {
  private static final Pattern ADDRESS = Pattern.compile("serving at (http://[0-9.:]+)/v1");
  private static final int CLIENTS = 4;
  private static final int UNAVAILABLE = 503;
  private static final int ACCEPTED = 202;
  private static final int CONFLICT = 409;

  /** Links that each client drains in turn, and one change of how many is of a link. */
  private static final int LINKS = 8;

  private static final int RARELY = 5;
  private static final int HELD = 3;
  private static final int MOST_LOAD_MILLIS = 400;
  private static final int MOST_START_MILLIS = 900;

  private final Path directory;
  private final List<String> options;
  private final SplittableRandom random;
  private final HttpClient http = HttpClient.newHttpClient();
  private final JsonMapper json = JsonMapper.builder().build();
  private final List<Client> clients = new ArrayList<>();
  private final Map<Long, String> journal = new HashMap<>();
  private final TreeSet<String> expected = new TreeSet<>();
  private final List<String> links = new ArrayList<>();

  /** The last epoch before the clients began; a link is drained more than once in a run. */
  private long before;

  private PeerProcess process;
  private String base;
  private long last;
  private int starts;
  private int unknown;
  private int appliedUnknown;
  private long acknowledged;

  /**
   * A run that has not begun.
   *
   * @param options of {@code heddle serve} that choose the database
   */
  CrashRun(Path directory, List<String> options, long seed) {
    this.directory = directory;
    this.options = List.copyOf(options);
    this.random = new SplittableRandom(seed);
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new Client(i));
    }
  }

  /** A request, and what the journal calls it. */
  private record Operation(
      String kind,
      String name,
      String method,
      String path,
      String body,
      String key,
      boolean asJob) {
    Operation(String kind, String name, String method, String path, String body, String key) {
      this(kind, name, method, path, body, key, false);
    }

    String entry() {
      return kind + " " + name;
    }

    boolean ofLink() {
      return kind.startsWith("link-");
    }
  }

  /** A tenant and how far the life of its machine has come. */
  private static final class Held {
    private final String name;
    private final List<String> hosts;
    private boolean started;
    private boolean moved;
    private boolean stopped;

    Held(String name, List<String> hosts) {
      this.name = name;
      this.hosts = hosts;
    }

    String vm() {
      return name + "-vm";
    }
  }

  /** One client's memory; used by one thread at a time. */
  private final class Client implements Runnable {
    private final int number;
    private final List<Held> held = new ArrayList<>();
    private final Map<String, Long> confirmed = new HashMap<>();
    private final SplittableRandom choice;
    private Operation underWay;
    private String drained = "";
    private int drains;
    private int count;
    private AssertionError wrong;

    Client(int number) {
      this.number = number;
      this.choice = random.split();
    }

    @Override
    public void run() {
      try {
        while (true) {
          Operation next = next();
          underWay = next;
          HttpResponse<String> answer = finished(send(next));
          if (answer.statusCode() == UNAVAILABLE) {
            return; // it leads no more, or not yet: asked later like the others
          }
          settle(next, answer);
          underWay = null;
        }
      } catch (IOException _) {
        // killed: what became of the operation is asked later
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      } catch (AssertionError e) {
        wrong = e;
      }
    }

    /** A tenant comes, its machine starts; later that moves and stops, and the tenant goes. */
    private Operation next() {
      count++;
      String key = "k" + number + "-" + count;
      if (choice.nextInt(RARELY) == 0) {
        boolean out = drained.isEmpty();
        String link = out ? links.get(number * LINKS + drains % LINKS) : drained;
        return new Operation(
            out ? "link-drained" : "link-returned",
            link,
            "PUT",
            "/v1/links/" + link,
            "{\"state\":\"%s\"}".formatted(out ? "drained" : "up"),
            key,
            choice.nextBoolean());
      }
      if (!held.isEmpty() && !held.getLast().started) {
        Held h = held.getLast();
        String body =
            "{\"name\":\"%s\",\"tenant\":\"%s\",\"host\":\"%s\"}"
                .formatted(h.vm(), h.name, h.hosts.getFirst());
        return new Operation("vm-started", h.vm(), "POST", "/v1/vms", body, key);
      }
      if (held.size() < HELD) {
        String name = "c" + number + "-" + count;
        String body = "{\"name\":\"%s\",\"hosts\":%d}".formatted(name, 1 + choice.nextInt(9));
        return new Operation("tenant-created", name, "POST", "/v1/tenants", body, key);
      }
      Held h = held.getFirst();
      if (!h.moved && h.hosts.size() > 1) {
        String body =
            "{\"moves\":[{\"vm\":\"%s\",\"to\":\"%s\"}]}".formatted(h.vm(), h.hosts.getLast());
        return new Operation("vm-moved", h.vm(), "POST", "/v1/migrations", body, key);
      }
      return h.stopped
          ? new Operation("tenant-deleted", h.name, "DELETE", "/v1/tenants/" + h.name, "", key)
          : new Operation("vm-stopped", h.vm(), "DELETE", "/v1/vms/" + h.vm(), "", key);
    }

    private void settle(Operation o, HttpResponse<String> answer) {
      if (answer.statusCode() == CONFLICT && o.kind.equals("tenant-created")) {
        return; // no place: nothing must be there
      }
      if (answer.statusCode() == CONFLICT && o.kind.equals("link-drained")) {
        drains++; // somebody would lose a promise
        return;
      }
      assertThat(answer.statusCode()).as(o + " " + answer.body()).isIn(200, 201);
      JsonNode body = json.readTree(answer.body());
      if (body.has("problem") && !body.get("problem").isNull()) { // of a job
        assertThat(body.get("problem").get("status").intValue()).as(answer.body()).isEqualTo(409);
        drains++;
        return;
      }
      long epoch = body.get("epoch").longValue();
      assertThat(confirmed.put(o.entry(), epoch)).as(o.entry()).isNull();
      switch (o.kind) {
        case "tenant-created" -> {
          List<String> hosts = new ArrayList<>();
          body.get("tenant").get("hosts").forEach(h -> hosts.add(h.get("guid").stringValue()));
          held.add(new Held(o.name, hosts));
        }
        case "vm-started" -> held.getLast().started = true;
        case "vm-moved" -> held.getFirst().moved = true;
        case "vm-stopped" -> held.getFirst().stopped = true;
        case "link-drained" -> drained = o.name;
        case "link-returned" -> {
          drained = "";
          drains++;
        }
        default -> held.removeFirst();
      }
    }
  }

  private HttpResponse<String> send(Operation o) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + o.path))
            .header("Idempotency-Key", o.key)
            .method(o.method, HttpRequest.BodyPublishers.ofString(o.body));
    if (o.asJob) {
      request.header("Prefer", "respond-async");
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** The answer, or of a job that was accepted the job, once it has an epoch or has failed. */
  private HttpResponse<String> finished(HttpResponse<String> answer)
      throws IOException, InterruptedException {
    if (answer.statusCode() != ACCEPTED) {
      return answer;
    }
    String job = answer.headers().firstValue("Location").orElseThrow();
    HttpRequest request = HttpRequest.newBuilder(URI.create(base + job)).build();
    while (true) {
      HttpResponse<String> now = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (now.statusCode() != 200) {
        return now;
      }
      JsonNode document = json.readTree(now.body());
      if (!document.get("epoch").isNull() || !document.get("problem").isNull()) {
        return now;
      }
    }
  }

  /** Sends a request that may be sent twice. */
  private interface Sending {
    HttpResponse<String> send() throws IOException, InterruptedException;
  }

  /**
   * An answer of the process that leads. On PostgreSQL a process that was not run for longer than
   * its lease stands by for a moment, though nobody else is there.
   */
  private HttpResponse<String> answer(Sending sending) {
    AtomicReference<HttpResponse<String>> out = new AtomicReference<>();
    process.await(
        "an answer",
        () -> {
          try {
            HttpResponse<String> answer = sending.send();
            out.set(answer);
            return answer.statusCode() != UNAVAILABLE;
          } catch (IOException _) {
            return false; // between leading and standing by; the process's end is noticed
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    return out.get();
  }

  private JsonNode get(String path) {
    HttpRequest request = HttpRequest.newBuilder(URI.create(base + path)).build();
    HttpResponse<String> answer =
        answer(() -> http.send(request, HttpResponse.BodyHandlers.ofString()));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return json.readTree(answer.body());
  }

  /** Kills so many times; returns figures in one line. */
  String run(int kills) throws InterruptedException {
    long began = System.nanoTime();
    start();
    awaitAddress();
    findLinks();
    for (int i = 0; i < kills; i++) {
      load();
      start();
      if (i % 10 == 9) { // while it starts
        TimeUnit.MILLISECONDS.sleep(random.nextInt(MOST_START_MILLIS));
        kill();
        start();
      }
      awaitAddress();
      check();
    }
    whole();
    process.close();
    http.close();
    return "%,d kills, %,d acknowledged changes, %,d in flight of which %,d had happened; %,d s"
        .formatted(
            starts - 1,
            acknowledged,
            unknown,
            appliedUnknown,
            (System.nanoTime() - began) / 1_000_000_000);
  }

  /** Links between switches, so many for each client. */
  private void findLinks() {
    TreeSet<String> ids = new TreeSet<>();
    get("/v1/links?kind=switch&limit=1000")
        .get("items")
        .forEach(link -> ids.add(link.get("id").stringValue()));
    links.addAll(ids);
    assertThat(links).hasSizeGreaterThanOrEqualTo(CLIENTS * LINKS);
  }

  private void start() {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>(List.of(java, "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(
        List.of("serve", "--open", "--listen", "127.0.0.1:0", "--fabric", "XGFT(2;6,8;1,6)"));
    command.addAll(options);
    starts++;
    process = PeerProcess.start(directory, output(), Map.of(), command);
  }

  private Path output() {
    return directory.resolve("serve-" + starts % 2 + ".out");
  }

  private void awaitAddress() {
    process.await("an address", () -> ADDRESS.matcher(IbsimFabric.read(output())).find());
    Matcher m = ADDRESS.matcher(IbsimFabric.read(output()));
    assertThat(m.find()).isTrue();
    base = m.group(1);
  }

  private void kill() {
    process.kill();
  }

  /** Clients at work until the process is killed at a random moment. */
  private void load() throws InterruptedException {
    before = last;
    List<Thread> threads = new ArrayList<>();
    clients.forEach(c -> threads.add(Thread.ofPlatform().start(c)));
    TimeUnit.MILLISECONDS.sleep(random.nextInt(MOST_LOAD_MILLIS));
    kill();
    for (Thread t : threads) {
      t.join();
    }
    for (Client c : clients) {
      if (c.wrong != null) {
        throw c.wrong;
      }
    }
  }

  private void check() {
    readJournal();
    for (Client c : clients) {
      if (c.underWay != null) {
        askAgain(c);
      }
    }
    readJournal();
    confirmed();
    assertThat(there()).isEqualTo(expected);
    process.await("agreement of the fabric", this::inSync);
  }

  /** The request that nobody answered, under the same key: it happens once. */
  private void askAgain(Client c) {
    Operation o = c.underWay;
    unknown++;
    boolean happened =
        journal.entrySet().stream()
            .anyMatch(e -> e.getKey() > before && e.getValue().equals(o.entry()));
    appliedUnknown += happened ? 1 : 0;
    HttpResponse<String> answer = answer(() -> finished(send(o)));
    c.settle(o, answer);
    if (happened) {
      long epoch = json.readTree(answer.body()).get("epoch").longValue();
      assertThat(journal.get(epoch)).isEqualTo(o.entry());
    }
    c.underWay = null;
  }

  /** Every acknowledged change is in the journal, at its epoch. */
  private void confirmed() {
    for (Client c : clients) {
      c.confirmed.forEach((entry, epoch) -> assertThat(journal.get(epoch)).isEqualTo(entry));
      acknowledged += c.confirmed.size();
      c.confirmed.clear();
    }
  }

  private void readJournal() {
    last = readJournal(last, journal, expected);
  }

  /** Entries after an epoch; no gap, nothing twice, and what tenants follow from them. */
  private long readJournal(long after, Map<Long, String> into, Set<String> names) {
    long at = after;
    JsonNode items;
    do {
      items = get("/v1/history?limit=1000&after=" + at).get("items");
      for (JsonNode entry : items) {
        assertThat(entry.get("epoch").longValue()).isEqualTo(at + 1);
        at++;
        String name = entry.get("subject").stringValue();
        String kind = entry.get("kind").stringValue();
        into.put(at, kind + " " + name);
        boolean fits = follow(entry, kind, name, names);
        assertThat(fits).as("%s %s at epoch %d happens twice", kind, name, at).isTrue();
      }
    } while (!items.isEmpty());
    return at;
  }

  /** What an entry does to tenants and machines; false if it cannot have happened now. */
  private static boolean follow(JsonNode entry, String kind, String name, Set<String> names) {
    return switch (kind) {
      case "tenant-created" -> names.add(name);
      case "tenant-deleted" -> names.remove(name);
      case "vm-started" -> names.add(machine(entry, "after"));
      case "vm-stopped" -> names.remove(machine(entry, "before"));
      case "link-drained" -> names.add("drained " + name);
      case "link-returned" -> names.remove("drained " + name);
      default -> names.remove(machine(entry, "before")) && names.add(machine(entry, "after"));
    };
  }

  private static String machine(JsonNode entry, String side) {
    JsonNode vm = entry.get("vms").get(0).get(side);
    return machine(
        vm.get("name").stringValue(),
        vm.get("host").get("guid").stringValue(),
        vm.get("lid").intValue());
  }

  private static String machine(String name, String host, int lid) {
    return name + " on " + host + " at " + lid;
  }

  /** Tenants, and machines with their hosts and LIDs. */
  private TreeSet<String> there() {
    TreeSet<String> out = new TreeSet<>();
    get("/v1/vms?limit=1000")
        .get("items")
        .forEach(
            vm ->
                out.add(
                    machine(
                        vm.get("name").stringValue(),
                        vm.get("host_guid").stringValue(),
                        vm.get("lid").intValue())));
    get("/v1/tenants?limit=1000").get("items").forEach(t -> out.add(t.get("name").stringValue()));
    for (JsonNode link : get("/v1/links?limit=1000").get("items")) {
      if (link.get("state").stringValue().equals("drained")) {
        out.add("drained " + link.get("id").stringValue());
      }
    }
    return out;
  }

  private boolean inSync() {
    JsonNode fabric = get("/v1/fabrics").get("items").get(0);
    return fabric.get("status").get("in_sync").booleanValue()
        && fabric.get("status").get("epoch").longValue() == fabric.get("epoch").longValue();
  }

  /** At the end all of the journal is as it was read piece by piece. */
  private void whole() {
    Map<Long, String> all = new HashMap<>();
    readJournal(0, all, new TreeSet<>());
    assertThat(all).isEqualTo(journal);
  }
}
