package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.heddle.allocation.Plant;
import org.heddle.control.Controller;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Request;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.HostRef;
import org.heddle.plan.model.LinkRef;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import org.heddle.routing.ForwardingTables;
import org.heddle.server.store.SqlStore;
import org.heddle.text.Source;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.lft.TableFormats;
import org.heddle.text.opensm.PartitionsConf;
import org.heddle.text.opensm.PartitionsConfReader;
import org.heddle.text.state.StateFile;
import org.heddle.text.state.StateFileReader;
import org.heddle.text.topology.FabricFormats;
import org.heddle.text.topology.IbnetdiscoverWriter;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.MachineWiring;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code plan}, {@code allocate} and {@code serve} decide the same: random tenants on random trees
 * go through all three, and everybody gets the same key, hosts, links and tables, or the same
 * refusal with the same hints. {@code -Dheddle.doors=N} tries N tenancies, {@code
 * -Dheddle.doors.seed=S} from another seed on.
 *
 * <p>A tenants file is decided in an order of its own, named hosts first; the other doors are given
 * the tenants in that order. {@code allocate} knows no {@code phy}.
 */
class DoorsAgreeTest {
  private static final int CASES = Integer.getInteger("heddle.doors", 40);
  private static final long FIRST = Long.getLong("heddle.doors.seed", 1);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir Path dir;

  private final List<String> differences = new ArrayList<>();
  private int refusals;
  private int admitted;

  /**
   * What a tenant asks for.
   *
   * @param named host names, if not so many of any
   * @param pkey 0 for an automatic one
   */
  record Ask(
      String name, Policy policy, int hosts, List<String> named, int oversubscription, int pkey) {}

  /** What a tenant got, of which GUIDs and port numbers are compared. */
  private record Got(int pkey, Set<Long> hosts, Set<List<Long>> links) {}

  /** What a door made of it all: who was admitted, the tables, and the refusal of the last. */
  private record Said(
      Map<String, Got> tenants,
      Optional<BoundTables> tables,
      Optional<String> reason,
      List<String> hints,
      List<String> notes) {}

  @Test
  void theSameTenantsGetTheSameThroughEveryDoor() throws IOException {
    for (long seed = FIRST; seed < FIRST + CASES; seed++) {
      Path place = Files.createDirectory(dir.resolve("c" + seed));
      compare(seed, place);
    }
    assertThat(differences).as("of %d tenancies from seed %d", CASES, FIRST).isEmpty();
    assertThat(admitted).as("tenants admitted").isGreaterThan(CASES);
    assertThat(refusals).as("refusals compared").isGreaterThan(CASES / 8);
  }

  private void compare(long seed, Path place) throws IOException {
    Random random = new Random(seed);
    Path file = place.resolve("f.net");
    try (OutputStream out = Files.newOutputStream(file)) {
      Fabric tree = RandomFabrics.tree(random);
      int rails = 2 + (int) (seed / 3 % 2);
      int onLeaf = 1 + (int) (seed / 6 % 2);
      IbnetdiscoverWriter.write(
          seed % 3 == 0 ? MachineWiring.group(tree, rails, onLeaf) : tree, out);
    }
    Fabric fabric =
        FabricFormats.read(new Source("f.net", Files.readAllBytes(file))).get().withAssignedLids();
    List<Ask> asks = asks(fabric, random);
    boolean physical = asks.stream().anyMatch(a -> a.policy() == Policy.PHY);
    Said serve = serve(place, fabric, asks);
    int accepted = serve.tenants().size();
    admitted += accepted;
    refusals += serve.reason().isPresent() ? 1 : 0;
    compare(seed, "plan", serve, plan(place, fabric, asks, accepted, serve));
    if (!physical) {
      compare(seed, "allocate", serve, allocate(place, fabric, asks));
    }
  }

  private void compare(long seed, String door, Said serve, Said other) {
    String at = "seed " + seed + ", " + door + ": ";
    serve
        .tenants()
        .forEach(
            (name, got) -> {
              Got there = other.tenants().get(name);
              if (there == null) {
                differences.add(at + name + " is not there");
                return;
              }
              if (got.pkey() != there.pkey()) {
                differences.add(
                    at + "key of " + name + ": 0x%x, 0x%x".formatted(got.pkey(), there.pkey()));
              }
              if (!got.hosts().equals(there.hosts())) {
                differences.add(
                    at + "hosts of " + name + ": " + hex(got.hosts()) + ", " + hex(there.hosts()));
              }
              if (!got.links().equals(there.links())) {
                differences.add(at + "links of " + name);
              }
            });
    if (serve.tables().isPresent() && other.tables().isPresent()) {
      ForwardingTables a = serve.tables().get().tables();
      ForwardingTables b = other.tables().get().tables();
      if (!a.equals(b)) {
        differences.add(at + "tables");
      }
    } else if (!other.tables().isPresent()) {
      differences.add(at + "no tables: " + other.notes());
    }
    if (!serve.reason().equals(other.reason())) {
      differences.add(at + "reason: " + serve.reason() + ", " + other.reason());
    }
    if (!serve.hints().equals(other.hints())) {
      differences.add(at + "hints: " + serve.hints() + ", " + other.hints());
    }
  }

  private static String hex(Set<Long> guids) {
    return new TreeSet<>(guids).stream().map(Long::toHexString).collect(Collectors.joining(","));
  }

  // ---- what is asked for

  static List<Ask> asks(Fabric fabric, Random random) {
    Recognition.Found tree = (Recognition.Found) FatTreeRecogniser.recognise(fabric);
    Plant plant = ((Plant.Outcome.Built) Plant.of(fabric, tree.tree())).plant();
    List<String> free = new ArrayList<>();
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      if (plant.leafOfHost(node) != Fabric.NONE && !free.contains(machine(fabric, node))) {
        free.add(machine(fabric, node));
      }
    }
    int most = free.size();
    boolean physical = random.nextInt(3) == 0;
    List<Ask> named = new ArrayList<>();
    List<Ask> links = new ArrayList<>();
    List<Ask> others = new ArrayList<>();
    int tenants = 1 + random.nextInt(5);
    Set<Integer> keys = new HashSet<>();
    for (int i = 0; i < tenants; i++) {
      String name = name(random, i);
      Policy policy = policy(random, physical);
      int size = 1 + random.nextInt(Math.max(1, random.nextBoolean() ? most / 4 : most / 2));
      int over = random.nextInt(4) == 0 ? 2 : 1;
      int key = random.nextInt(3) == 0 ? 1 + random.nextInt(0x3ffe) : 0;
      key = keys.add(key) ? key : 0;
      if (random.nextInt(3) == 0 && !free.isEmpty()) {
        List<String> hosts = hosts(fabric, free, Math.min(size, free.size()), random);
        free.removeAll(hosts);
        named.add(new Ask(name, policy, hosts.size(), hosts, over, key));
      } else {
        Ask ask = new Ask(name, policy, size, List.of(), over, key);
        (policy == Policy.LINKS ? links : others).add(ask);
      }
    }
    named.addAll(links);
    named.addAll(others);
    return named;
  }

  /** The name of a machine, without that of its adapter. */
  private static String machine(Fabric fabric, int node) {
    return fabric.description(node).split(" ")[0];
  }

  private static boolean standsForMachine(Fabric fabric, int node) {
    return fabric.machines().adapter(fabric.machines().of(node), 0) == node;
  }

  private static String name(Random random, int i) {
    List<String> words = List.of("ml", "bio", "web", "physics", "t", "a.b", "x-1");
    String word = words.get(random.nextInt(words.size()));
    return word + i;
  }

  private static Policy policy(Random random, boolean physical) {
    int n = random.nextInt(physical ? 3 : 2);
    return n == 0 ? Policy.LINKS : n == 1 ? Policy.DEF : Policy.PHY;
  }

  /** Hosts of one leaf if there are enough and chance will, else of anywhere. */
  private static List<String> hosts(Fabric fabric, List<String> free, int n, Random random) {
    Map<Integer, List<String>> byLeaf = new TreeMap<>();
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      if (free.contains(machine(fabric, node))) {
        int leaf = fabric.attachedSwitch(fabric.port(node, 1));
        List<String> there = byLeaf.computeIfAbsent(leaf, _ -> new ArrayList<>());
        if (!there.contains(machine(fabric, node))) {
          there.add(machine(fabric, node));
        }
      }
    }
    List<List<String>> leaves = new ArrayList<>(byLeaf.values());
    List<String> from =
        random.nextBoolean() ? leaves.get(random.nextInt(leaves.size())) : new ArrayList<>(free);
    List<String> out = new ArrayList<>(from);
    Collections.shuffle(out, random);
    return List.copyOf(out.subList(0, Math.min(n, out.size())));
  }

  // ---- the doors

  private Said serve(Path place, Fabric fabric, List<Ask> asks) {
    Optional<String> reason = Optional.empty();
    List<String> hints = List.of();
    try (SqlStore store = SqlStore.sqlite(place.resolve("s.db"))) {
      store.create("f", fabric, "dmodk");
      try (Controller controller = Controller.open(store, Clock.systemUTC(), "f")) {
        for (Ask ask : asks) {
          Change change = new Change.Create(spec(fabric, ask));
          Outcome outcome = controller.submit(change, Request.of(Actor.SYSTEM)).join();
          if (outcome instanceof Outcome.Refused no) {
            reason = Optional.of(no.reason());
            hints = no.allHints();
            break;
          }
        }
        Map<String, Got> tenants = new TreeMap<>();
        for (Tenant t : controller.view().all()) {
          tenants.put(t.name(), got(t));
        }
        BoundTables tables =
            new BoundTables(controller.view().fabric(), controller.view().tables());
        return new Said(tenants, Optional.of(tables), reason, hints, controller.view().notes());
      }
    }
  }

  static TenantSpec spec(Fabric fabric, Ask ask) {
    List<Long> named = new ArrayList<>();
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      if (ask.named().contains(machine(fabric, node)) && standsForMachine(fabric, node)) {
        named.add(fabric.nodeGuid(node));
      }
    }
    return new TenantSpec(
        ask.name(),
        "",
        ask.policy(),
        ask.hosts(),
        named,
        ask.oversubscription(),
        "exact",
        PartitionOptions.ofKey(ask.pkey()),
        List.of());
  }

  private static Got got(Tenant t) {
    return new Got(
        t.pkey(),
        t.hosts().stream().map(HostRef::guid).collect(Collectors.toSet()),
        t.links().stream().map(DoorsAgreeTest::ends).collect(Collectors.toSet()));
  }

  private static List<Long> ends(LinkRef l) {
    return List.of(l.from(), (long) l.port(), l.to(), (long) l.toPort());
  }

  private Said allocate(Path place, Fabric fabric, List<Ask> asks) throws IOException {
    String net = place.resolve("f.net").toString();
    Path state = place.resolve("state.json");
    Optional<String> reason = Optional.empty();
    List<String> hints = new ArrayList<>();
    for (Ask ask : asks) {
      List<String> words = new ArrayList<>(List.of("allocate", net, "--state", state.toString()));
      words.addAll(List.of("add", ask.name(), "--json", "--hosts", "" + ask.hosts()));
      words.addAll(List.of("--oversubscription", "" + ask.oversubscription()));
      if (!ask.named().isEmpty()) {
        words.addAll(List.of("--on", String.join(",", ask.named())));
      }
      if (ask.policy() != Policy.LINKS) {
        words.add("--no-links");
      }
      if (ask.pkey() != 0) {
        words.addAll(List.of("--pkey", "0x%x".formatted(ask.pkey())));
      }
      Cli.Result result = Cli.run(words.toArray(String[]::new));
      JsonNode said = JSON.readTree(result.out());
      if (!said.path("outcome").asString("").equals("placed")) {
        assertThat(result.code()).as(result.err()).isEqualTo(1);
        // without advice there is a place, but no tables
        reason = Optional.of(said.path("reason").asString(said.toString()));
        said.path("advice").path("lines").forEach(l -> hints.add(l.stringValue()));
        break;
      }
    }
    if (!Files.exists(state)) {
      return new Said(Map.of(), Optional.of(base(place, fabric)), reason, hints, List.of());
    }
    Path files = place.resolve("files");
    Cli.Result exported =
        Cli.run("allocate", net, "--state", state.toString(), "export", files.toString());
    StateFile held = StateFileReader.read(new Source("s", Files.readAllBytes(state))).get();
    if (exported.code() == 0) {
      Map<String, Integer> keys = keys(files);
      held.tenants().forEach(t -> assertThat(keys).containsEntry(t.name(), t.pkey()));
    }
    Map<String, Got> tenants = new TreeMap<>();
    for (StateFile.Tenant t : held.tenants()) {
      tenants.put(
          t.name(),
          new Got(
              t.pkey(),
              t.hosts().stream().map(h -> h.guid().value()).collect(Collectors.toSet()),
              t.links().stream().map(DoorsAgreeTest::ends).collect(Collectors.toSet())));
    }
    return new Said(
        tenants,
        exported.code() == 0 ? Optional.of(tables(files, fabric)) : Optional.empty(),
        reason,
        hints,
        exported.code() == 0 ? List.of() : List.of(exported.err()));
  }

  private static List<Long> ends(StateFile.Link l) {
    return List.of(l.from().value(), (long) l.port(), l.to().value(), (long) l.toPort());
  }

  /** The tables of a file without tenants. */
  private static BoundTables base(Path place, Fabric fabric) throws IOException {
    Path out = place.resolve("base.hlft");
    Cli.Result r =
        Cli.run("route", place.resolve("f.net").toString(), "-e", "dmodk", "-o", out.toString());
    assertThat(r.err()).isEmpty();
    return TableFormats.read(new Source("t", Files.readAllBytes(out)), fabric).get();
  }

  /** The tenants that were admitted, and then the first that was not with them. */
  private Said plan(Path place, Fabric fabric, List<Ask> asks, int accepted, Said serve)
      throws IOException {
    Path files = place.resolve("plan");
    Cli.Result done = plan(place, files, asks.subList(0, accepted));
    boolean written = done.code() <= 1 && Files.exists(files.resolve("tables.hlft"));
    Optional<String> reason = written ? Optional.empty() : Optional.of(done.err());
    List<String> hints = List.of();
    if (reason.isEmpty() && accepted < asks.size()) {
      Cli.Result no = plan(place, place.resolve("no"), asks.subList(0, accepted + 1));
      // the words are among those of the command, which says more of the file
      String why = serve.reason().orElse("?");
      boolean same = no.code() == 1 && (no.err().contains(why) || isolation(why, no.err()));
      reason = same ? serve.reason() : Optional.of("code " + no.code() + " " + no.err());
      List<String> lines = no.err().lines().map(String::strip).toList();
      hints = lines.containsAll(serve.hints()) ? serve.hints() : lines;
    }
    Map<String, Got> tenants = new TreeMap<>();
    if (written) {
      Map<String, Integer> keys = keys(files);
      Map<String, Set<Long>> members = hosts(files, fabric);
      for (JsonNode t : JSON.readTree(done.out()).get("tenants")) {
        Set<List<Long>> links = new HashSet<>();
        t.path("links").forEach(l -> links.add(ends(l)));
        String name = t.get("name").stringValue();
        Set<Long> hosts = members.getOrDefault(name, Set.of());
        tenants.put(name, new Got(keys.getOrDefault(name, 0), hosts, links));
      }
    }
    return new Said(
        tenants,
        written ? Optional.of(tables(files, fabric)) : Optional.empty(),
        reason,
        hints,
        List.of(done.err()));
  }

  private static List<Long> ends(JsonNode l) {
    return List.of(
        Guid.parse(l.get("from").stringValue()).value(),
        l.get("port").longValue(),
        Guid.parse(l.get("to").stringValue()).value(),
        l.get("to_port").longValue());
  }

  /** With the engine that a controller takes, and strict as a controller is. */
  private static Cli.Result plan(Path place, Path files, List<Ask> asks) throws IOException {
    boolean physical = asks.stream().anyMatch(a -> a.policy() == Policy.PHY);
    StringBuilder text = new StringBuilder("version: 1\nmode: strict\ntenants:");
    text.append(asks.isEmpty() ? " []\n" : "\n");
    for (Ask ask : asks) {
      text.append("  - name: ").append(ask.name()).append('\n');
      if (ask.pkey() != 0) {
        text.append("    pkey: 0x%x\n".formatted(ask.pkey()));
      }
      if (ask.policy() == Policy.LINKS) {
        text.append("    links: exclusive\n");
      } else {
        text.append("    policy: ").append(ask.policy().word()).append("\n    exclusive: true\n");
      }
      if (ask.policy() == Policy.LINKS && ask.oversubscription() != 1) {
        text.append("    oversubscription: ").append(ask.oversubscription()).append('\n');
      }
      text.append("    members: [")
          .append(
              ask.named().isEmpty()
                  ? "{count: " + ask.hosts() + "}"
                  : String.join(", ", ask.named()))
          .append("]\n");
    }
    Path file = place.resolve("t.yaml");
    Files.writeString(file, text);
    return Cli.run(
        "plan",
        place.resolve("f.net").toString(),
        file.toString(),
        "-o",
        files.toString(),
        "-e",
        physical ? "pftree-ext" : "dmodk",
        "--format",
        "hlft",
        "--no-picture",
        "--json");
  }

  /** Both refuse since a policy cannot be kept; whom an audit names first is its own affair. */
  private static boolean isolation(String serve, String plan) {
    return serve.contains("isolat")
        && (plan.contains("isolation cannot be kept") || plan.contains("policy can be kept"));
  }

  private static Map<String, Integer> keys(Path files) throws IOException {
    Path file = files.resolve("partitions.conf");
    Map<String, Integer> out = new TreeMap<>();
    if (Files.exists(file)) {
      for (PartitionsConf.Definition d :
          PartitionsConfReader.read(new Source("p", Files.readAllBytes(file)))
              .get()
              .definitions()) {
        out.put(d.name(), d.pkey());
      }
    }
    return out;
  }

  private static Map<String, Set<Long>> hosts(Path files, Fabric fabric) throws IOException {
    Map<String, Set<Long>> out = new TreeMap<>();
    byte[] bytes = Files.readAllBytes(files.resolve("partitions.conf"));
    for (PartitionsConf.Definition d :
        PartitionsConfReader.read(new Source("p", bytes)).get().definitions()) {
      Set<Long> hosts = new HashSet<>();
      for (PartitionsConf.Member m : d.members()) {
        int port = m.kind() == PartitionsConf.MemberKind.GUID ? fabric.findPort(m.guid()) : -1;
        if (port >= 0) {
          int node = fabric.nodeOf(port);
          hosts.add(fabric.nodeGuid(fabric.machines().adapter(fabric.machines().of(node), 0)));
        }
      }
      out.put(d.name(), hosts);
    }
    return out;
  }

  private static BoundTables tables(Path files, Fabric fabric) throws IOException {
    byte[] bytes = Files.readAllBytes(files.resolve("tables.hlft"));
    return TableFormats.read(new Source("tables.hlft", bytes), fabric).get();
  }
}
