package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.text.Source;
import org.heddle.text.opensm.ChainFileReader;
import org.heddle.text.scheduler.SlurmTopology;
import org.heddle.text.topology.IbnetdiscoverWriter;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.MachineWiring;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tenants come, are checked, exported, lose links, are mended and go, all through the command line:
 * on small trees of every shape down to one host a leaf, with ports in any order, damage, two ports
 * of a host on one leaf or on two, several adapters a machine, two rails, slow links. No command
 * ever fails in another way than by refusing; what add admits, check accepts and export writes, and
 * its files are read back. {@code -Dheddle.allocation.attempts=N} for another number of attempts to
 * add.
 */
class AllocatePropertyTest {
  private static final int ATTEMPTS =
      Integer.getInteger(
          "heddle.allocation.attempts", Boolean.getBoolean("heddle.sweep") ? 150 : 50);
  private static final int HOSTS = 30;
  private static final int STEPS = 10;
  private static final String[] ALLOCATORS = {
    "exact", "exact", "exact", "laas", "simple", "simple-extended", "unconstrained"
  };
  private static final Pattern LARGEST = Pattern.compile("largest tenant that fits now: (\\d+)");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  private final SplittableRandom random =
      new SplittableRandom(Long.getLong("heddle.allocation.seed", 17));
  private String tree = "";
  private String fabric = "";
  private List<String> hostNames = List.of();
  private int attempts;
  private int placed;
  private int refused;
  private int mended;

  @Test
  void nothingIsAdmittedThatCannotBeKeptAndNothingCrashes() {
    int trees = 0;
    while (attempts < ATTEMPTS) {
      Fabric whole = slower(machines(tree()));
      if (!(FatTreeRecogniser.recognise(whole) instanceof Recognition.Found)) {
        continue;
      }
      trees++;
      write("f.net", whole);
      write("later.net", slower(damaged(whole, 0.15, random.nextInt(3) == 0 ? 0.15 : 0)));
      if (random.nextBoolean()) {
        forgetDarkNodes("later.net");
      }
      delete("s.json");
      fabric = "f.net";
      hostNames = hostNames(whole);
      comeAndGo();
      if (hasState()) { // on a tree of one host, perhaps nobody ever had a place
        export();
        losses();
      }
    }
    System.out.printf(
        "%d trees, %d attempts: %d placed, %d refused; %d tenants mended%n",
        trees, attempts, placed, refused, mended);
    assertThat(placed).isGreaterThan(ATTEMPTS / 4);
    assertThat(refused).isGreaterThan(ATTEMPTS / 20);
  }

  // ---- what happens

  private void comeAndGo() {
    List<String> names = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      if (!names.isEmpty() && random.nextInt(4) == 0) {
        expect(0, "remove", names.remove(random.nextInt(names.size())));
      }
      String name = "t" + step;
      if (add(name)) {
        names.add(name);
        if (random.nextInt(3) == 0) {
          expect(0, "check");
        }
        if (random.nextInt(6) == 0) {
          export();
        }
      }
    }
  }

  private boolean hasState() {
    return Files.exists(dir.resolve("s.json"));
  }

  private boolean add(String name) {
    attempts++;
    int hosts = 1 + random.nextInt(1 + random.nextInt(HOSTS / 2));
    int share = random.nextInt(3) == 0 ? 1 + random.nextInt(5) : 1;
    boolean links = random.nextInt(5) > 0;
    List<String> words = request(hosts, share, links, true);
    Cli.Result result = run(words("add", name, words));
    assertThat(result.code()).as(tree + words + result).isBetween(0, 1);
    if (result.code() == 0) {
      placed++;
      return true;
    }
    refused++;
    assertThat(result.err()).as(tree + words).contains("no place for " + name);
    if (share > 1 && links) {
      List<String> stronger = new ArrayList<>(words);
      stronger.set(3, "1");
      expect(1, words("add", name, stronger, "--dry-run"));
    }
    if (random.nextInt(3) > 0) {
      return false;
    }
    Matcher fits = LARGEST.matcher(result.err());
    int largest = fits.find() ? Integer.parseInt(fits.group(1)) : 0;
    for (int n : new int[] {largest, largest + 1, largest + 1 + random.nextInt(HOSTS)}) {
      List<String> other = new ArrayList<>(words);
      other.set(1, Integer.toString(n));
      if (n > 0) {
        expect(n == largest ? 0 : 1, words("add", name, other, "--dry-run"));
      }
    }
    return false;
  }

  private List<String> request(int hosts, int share, boolean links, boolean names) {
    List<String> out =
        new ArrayList<>(
            List.of("--hosts", Integer.toString(hosts), "--oversubscription", "" + share));
    out.addAll(List.of("--allocator", ALLOCATORS[random.nextInt(ALLOCATORS.length)]));
    if (links && random.nextInt(6) == 0) {
      out.addAll(List.of("--rails", "joined"));
    }
    if (!links) {
      out.add("--no-links");
    }
    if (random.nextInt(4) == 0) {
      out.add("--spread");
    }
    if (names && random.nextInt(5) == 0) {
      out.addAll(List.of("--on", someHosts()));
    }
    if (names && random.nextInt(5) == 0) {
      out.addAll(List.of("--avoid", someHosts()));
    }
    return out;
  }

  private String someHosts() {
    List<String> out = new ArrayList<>(List.of(hostNames.get(random.nextInt(hostNames.size()))));
    hostNames.stream().filter(_ -> random.nextInt(3) > 0).forEach(out::add);
    return String.join(",", out);
  }

  private void export() {
    expect(0, "export", path("x"));
    for (String name : List.of("groups", "topologies", "chains")) {
      String text = read("x/chains/" + name + ".conf");
      assertThat(ChainFileReader.read(Source.of(name, text)).problems()).as(tree).isEmpty();
    }
    String slurm = read("x/slurm/topology.conf");
    assertThat(SlurmTopology.read(Source.of("t", slurm)).problems()).as(tree).isEmpty();
    Cli.Result audit =
        Cli.run(
            "audit",
            path(fabric),
            path("x/opensm.lfts"),
            "--partitions",
            path("x/partitions.conf"),
            "--fail-on",
            "error");
    assertThat(audit.code()).as(tree + audit).isZero();
  }

  /** Links and hosts are lost; what can be mended is, and the rest is told. */
  private void losses() {
    fabric = "later.net";
    Cli.Result check = run("check");
    if (check.err().contains("none of the hosts it names is in this one")) {
      return; // all of them were lost: it may as well be another fabric
    }
    assertThat(check.code()).as(tree + check).isBetween(0, 1);
    for (String[] words : new String[][] {{"repair"}, {"repair", "--move-hosts"}}) {
      Cli.Result repair = run(words);
      assertThat(repair.code()).as(tree + repair).isBetween(0, 1);
      mended +=
          (int) repair.out().lines().filter(l -> l.matches(".*: (relinked|moved),.*")).count();
      check = run("check");
      assertThat(check.code()).as(tree + repair + check).isLessThanOrEqualTo(repair.code());
    }
    Cli.Result late = run(words("add", "late", request(2, 1, true, false)));
    assertThat(late.code()).as(tree + late).isBetween(0, 1);
    Cli.Result files = run("export", path("y"));
    assertThat(files.code()).as(tree + files).isLessThanOrEqualTo(check.code());
    fabric = "f.net"; // all is back: what was given meanwhile was nobody else's
    Cli.Result back = run("check");
    assertThat(back.code()).as(tree + back).isBetween(0, 1);
    assertThat(back.err()).as(tree).doesNotContain("is held by tenant");
  }

  // ---- commands

  private static String[] words(String command, String name, List<String> more, String... last) {
    List<String> out = new ArrayList<>(List.of(command, name));
    out.addAll(more);
    out.addAll(List.of(last));
    return out.toArray(String[]::new);
  }

  private void expect(int code, String... words) {
    Cli.Result result = run(words);
    assertThat(result.code()).as(tree + List.of(words) + result).isEqualTo(code);
  }

  private Cli.Result run(String... words) {
    List<String> all =
        new ArrayList<>(List.of("allocate", path(fabric), "--state", path("s.json")));
    all.addAll(List.of(words));
    return Cli.run(all.toArray(String[]::new));
  }

  // ---- fabrics

  private Fabric tree() {
    while (true) {
      int[] m = {1 + random.nextInt(4), 1 + random.nextInt(4), 1 + random.nextInt(4)};
      int w2 = 1 + random.nextInt(3);
      int w3 = 1 + random.nextInt(3);
      int p2 = 1 + random.nextInt(2);
      int p3 = 1 + random.nextInt(2);
      int rails = random.nextInt(8) == 0 ? 2 : 1;
      boolean two = random.nextBoolean();
      if (m[0] * m[1] * (two ? 1 : m[2]) > HOSTS) {
        continue;
      }
      tree =
          two
              ? "PGFT(2;%d,%d;%d,%d;1,%d)".formatted(m[0], m[1], rails, w2, p2)
              : "PGFT(3;%d,%d,%d;%d,%d,%d;1,%d,%d)"
                  .formatted(m[0], m[1], m[2], rails, w2, w3, p2, p3);
      Fabric fabric = TreeGenerator.generate(TreeSpec.parse(tree));
      double share = random.nextInt(3) * 0.08;
      tree += " less " + share;
      return share == 0 ? fabric : damaged(fabric, share, 0);
    }
  }

  private Fabric slower(Fabric fabric) {
    double share = random.nextInt(3) == 0 ? 0.1 : 0;
    tree += share == 0 ? "" : " slow links";
    return FabricExtras.withSlowLinks(fabric, share, random.nextLong());
  }

  private Fabric damaged(Fabric fabric, double share, double switches) {
    DamageSpec damage =
        DamageSpec.none(random.nextLong())
            .withLinks(DamageSpec.Amount.share(share))
            .withSwitches(DamageSpec.Amount.share(switches))
            .withHosts(DamageSpec.Amount.share(share / 2));
    if (random.nextInt(4) > 0) {
      damage = damage.keepingConnected();
    }
    return FabricDamage.apply(fabric, damage).fabric();
  }

  /**
   * Shuffles the ports of switches; some fabrics get a second port or adapter a host, in others
   * hosts are the adapters of machines, one on each of several leaves or several on one.
   */
  private Fabric machines(Fabric from) {
    int kind = random.nextInt(7);
    if (kind > 4) {
      int rails = kind == 5 ? 2 + random.nextInt(3) : 1;
      int onLeaf = kind == 5 && random.nextInt(3) > 0 ? 1 : 2;
      tree += ", %d rails, %d adapters on a leaf: ".formatted(rails, onLeaf);
      return FabricShuffle.ports(MachineWiring.group(from, rails, onLeaf), random.nextLong());
    }
    tree += ", " + List.of("single", "single", "two ports", "dual-homed", "adapters").get(kind);
    tree += ": ";
    FabricBuilder b = new FabricBuilder();
    int[][] number = new int[from.nodeCount()][];
    int[] next = new int[from.nodeCount()];
    for (int n = 0; n < number.length; n++) {
      boolean sw = from.isSwitch(n);
      int ports = from.portCount(n);
      int more = kind < 2 ? 0 : sw ? 16 : kind == 4 ? 0 : 1;
      b.addNode(from.nodeType(n), from.nodeGuid(n), ports + more, from.description(n));
      b.setIds(n, 0x2c9, 1, from.nodeGuid(n));
      number[n] = numbers(ports + more, sw);
      next[n] = ports + 1;
      for (int k = 0; k <= ports + more && !sw; k++) {
        b.setPortGuid(n, k, k == 0 ? 0 : from.nodeGuid(n) + 0x1000000L * k);
      }
    }
    for (int port = 0; port < from.portIdLimit(); port++) {
      int peer = from.peer(port);
      if (peer != Fabric.NONE && port < peer) {
        int s = from.nodeOf(port);
        int t = from.nodeOf(peer);
        b.connect(
            s,
            number[s][from.numberOf(port)],
            t,
            number[t][from.numberOf(peer)],
            from.width(port),
            from.speed(port));
      }
    }
    for (int n = 0; n < number.length && kind >= 2; n++) {
      int own = from.isSwitch(n) ? Fabric.NONE : leaf(from, n);
      if (own == Fabric.NONE || from.portCount(n) > 1) {
        continue;
      }
      int leaf = kind == 2 ? own : otherLeaf(from, n, own);
      if (leaf != Fabric.NONE && next[leaf] < number[leaf].length) {
        second(b, from, n, kind == 4, leaf, number[leaf][next[leaf]++]);
      }
    }
    return b.build();
  }

  private static void second(
      FabricBuilder b, Fabric from, int n, boolean adapter, int leaf, int port) {
    if (!adapter) {
      b.connect(n, 2, leaf, port);
      return;
    }
    long guid = from.nodeGuid(n) + 0x4000000L;
    int node = b.addCa(guid, 1, from.description(n) + " mlx5_1");
    b.setIds(node, 0x2c9, 1, from.nodeGuid(n));
    b.setPortGuid(node, 1, guid + 0x1000000L);
    b.connect(node, 1, leaf, port);
  }

  private static int leaf(Fabric from, int host) {
    int peer = from.portCount(host) < 1 ? Fabric.NONE : from.peer(from.port(host, 1));
    return peer == Fabric.NONE ? Fabric.NONE : from.nodeOf(peer);
  }

  /** The leaf of the next host that is on another one: a tree with pairs of leaves. */
  private static int otherLeaf(Fabric from, int host, int own) {
    for (int n = host + 1; n < from.nodeCount(); n++) {
      if (!from.isSwitch(n) && leaf(from, n) != own) {
        return leaf(from, n);
      }
    }
    return own;
  }

  private int[] numbers(int ports, boolean shuffle) {
    int[] out = new int[ports + 1];
    for (int k = 1; k <= ports; k++) {
      int j = shuffle ? 1 + random.nextInt(k) : k;
      out[k] = out[j];
      out[j] = k;
    }
    return out;
  }

  private static List<String> hostNames(Fabric fabric) {
    List<String> out = new ArrayList<>();
    for (int n = 0; n < fabric.nodeCount(); n++) {
      if (!fabric.isSwitch(n) && leaf(fabric, n) != Fabric.NONE) {
        out.add(fabric.description(n).split(" ")[0]);
      }
    }
    return out.stream().distinct().toList();
  }

  // ---- files

  private String path(String name) {
    return dir.resolve(name).toString();
  }

  private void write(String name, Fabric what) {
    try (OutputStream out = Files.newOutputStream(dir.resolve(name))) {
      IbnetdiscoverWriter.write(what, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Leaves out hosts without a cable, as no tool that reads a live fabric sees them. */
  private void forgetDarkNodes(String name) {
    String[] blocks = read(name).split("\n\n");
    String text =
        Stream.of(blocks)
            .filter(b -> !b.contains("\nCa\t") || b.contains("\n["))
            .collect(Collectors.joining("\n\n", "", "\n"));
    try {
      Files.writeString(dir.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void delete(String name) {
    try {
      Files.deleteIfExists(dir.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String read(String name) {
    try {
      return Files.readString(dir.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
