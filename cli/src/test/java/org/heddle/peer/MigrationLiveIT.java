package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.cli.Main;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.routing.ForwardingTables;
import org.heddle.text.Source;
import org.heddle.text.lft.TableFormats;
import org.heddle.text.topology.IbnetdiscoverReader;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Virtual machines that move on a simulated fabric that OpenSM has set up once and left alone: sent
 * is what was planned, and the switches hold what was predicted.
 */
class MigrationLiveIT {
  private static final int MACHINES = 20;
  private static final int MOVES = Integer.getInteger("heddle.live.moves", 50);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  private String via;

  @BeforeAll
  static void peers() {
    Peers.need();
  }

  private String file(String name) {
    return directory.resolve(name).toString();
  }

  private record Run(int code, String out) {
    long number(String key) {
      Matcher m = Pattern.compile("\"" + key + "\" *: *(\\d+)").matcher(out);
      assertThat(m.find()).as(out).isTrue();
      return Long.parseLong(m.group(1));
    }
  }

  private static Run run(String... words) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
    int code = Main.run(List.of(words), InputStream.nullInputStream(), stream, stream, Map.of());
    return new Run(code, printed.toString(StandardCharsets.UTF_8));
  }

  private static Run ok(String... words) {
    Run run = run(words);
    assertThat(run.code()).as(run.out()).isZero();
    return run;
  }

  /** Sets the fabric up, starts machines and brings their LIDs into the switches. */
  private Fabric setUp(IbsimFabric ibsim, String host, String scheme) throws IOException {
    OpenSm.oneSweep(ibsim, host, "-R", "ftree");
    via = ibsim.via(host);
    ok("fabric", "discover", "--via", via, "-o", file("live.net"));
    Path net = directory.resolve("live.net");
    Fabric fabric =
        IbnetdiscoverReader.read(new Source(net.toString(), Files.readAllBytes(net))).get();
    StringBuilder list = new StringBuilder();
    for (int i = 0; i < MACHINES; i++) {
      list.append("vm").append(i).append(',').append(hypervisor(fabric, 7 * i)).append('\n');
    }
    Files.writeString(directory.resolve("start.csv"), list);
    ok(
        "vm",
        "start",
        file("live.net"),
        "--state",
        file("vms.json"),
        "--list",
        file("start.csv"),
        "--scheme",
        scheme,
        "--functions",
        "4");
    ok(
        "route",
        file("live.net"),
        "--vms",
        file("vms.json"),
        "-e",
        "vswitch-ftree",
        "-o",
        file("now.hlft"));
    Run apply =
        ok(
            "apply",
            file("live.net"),
            file("now.hlft"),
            file("state"),
            "--vms",
            file("vms.json"),
            "--to",
            "umad",
            "--via",
            via);
    System.out.println(apply.out());
    assertThat(apply.out()).contains("read back: the switches hold the tables");
    return fabric;
  }

  private static String hypervisor(Fabric fabric, int number) {
    int node = fabric.switchCount() + number % fabric.caCount();
    return Guid.format(fabric.nodeGuid(node));
  }

  private String[] move(String command, String vm, String to, String... more) {
    List<String> words = new ArrayList<>(List.of("migrate", command));
    words.addAll(List.of(file("live.net"), file("now.hlft"), "--vms", file("vms.json")));
    words.addAll(List.of("--vm", vm, "--to", to, "--json"));
    words.addAll(List.of(more));
    return words.toArray(String[]::new);
  }

  private String[] apply(String vm, String to) {
    return move(
        "apply",
        vm,
        to,
        "--journal",
        file("state"),
        "--via",
        via,
        "-o",
        file("now.hlft"),
        "--skip-vguids");
  }

  private ForwardingTables tables(String name, Fabric fabric) throws IOException {
    Path path = directory.resolve(name);
    return TableFormats.read(new Source(name, Files.readAllBytes(path)), fabric).get().tables();
  }

  private ForwardingTables live(Fabric fabric) throws IOException {
    ok("fabric", "discover", "--via", via, "-o", file("x.net"), "--lfts", file("x.hlft"));
    return tables("x.hlft", fabric);
  }

  @Test
  void fifty_moves_send_what_was_planned_and_the_switches_hold_what_was_predicted()
      throws IOException {
    Fabric planned =
        FabricExtras.withSmNode(TreeGenerator.generate(TreeSpec.parse("XGFT(2;18,18;1,18)")));
    String host = IbsimFabric.idOf(planned, planned.nodeCount() - 1);
    try (IbsimFabric ibsim = IbsimFabric.startUdp(directory, planned)) {
      Fabric fabric = setUp(ibsim, host, "dynamic");
      SplittableRandom random = new SplittableRandom(5);
      List<Long> micros = new ArrayList<>();
      long sent = 0;
      for (int i = 0; i < MOVES; i++) {
        String vm = "vm" + random.nextInt(MACHINES);
        String to = hypervisor(fabric, random.nextInt(fabric.caCount()));
        Run plan = run(move("plan", vm, to, "-o", file("predicted.hlft")));
        if (plan.code() == 1 && plan.out().contains("runs there already")) {
          continue;
        }
        assertThat(plan.code()).as(plan.out()).isZero();
        Run apply = ok(apply(vm, to));
        assertThat(apply.number("smps")).isEqualTo(plan.number("lft_smps"));
        assertThat(apply.out()).containsPattern("\"verified\" *: *true");
        assertThat(live(fabric)).isEqualTo(tables("predicted.hlft", fabric));
        sent += apply.number("smps");
        Matcher m = Pattern.compile("\"smps\"[^}]*\"micros\" *: *([0-9.E]+)").matcher(apply.out());
        assertThat(m.find()).as(apply.out()).isTrue();
        micros.add((long) Double.parseDouble(m.group(1)));
      }
      micros.sort(null);
      assertThat(micros).hasSizeGreaterThan(MOVES * 9 / 10);
      System.out.printf(
          "%d moves, %d SMPs, microseconds a move: least %d, median %d, most %d%n",
          micros.size(), sent, micros.getFirst(), micros.get(micros.size() / 2), micros.getLast());
      ok("audit", file("live.net"), file("now.hlft"), "--vms", file("vms.json"));
    }
  }

  @Test
  void a_link_that_fails_in_the_middle_leaves_a_state_that_the_journal_finishes_and_undoes()
      throws IOException {
    Fabric planned =
        FabricExtras.withSmNode(TreeGenerator.generate(TreeSpec.parse("XGFT(2;6,6;1,6)")));
    String host = IbsimFabric.idOf(planned, planned.nodeCount() - 1);
    try (IbsimFabric ibsim = IbsimFabric.startUdp(directory, planned)) {
      Fabric fabric = setUp(ibsim, host, "prepopulated");
      byte[] state = Files.readAllBytes(directory.resolve("vms.json"));
      ForwardingTables before = live(fabric);
      String to = hypervisor(fabric, 34);
      ok(move("plan", "vm0", to, "-o", file("predicted.hlft")));
      // The simulator answers to Get(GUIDInfo), and to Set: method not supported.
      Run unable = run(move("apply", "vm0", to, "--journal", file("state"), "--via", via));
      assertThat(unable.code()).isEqualTo(1);
      assertThat(unable.out()).contains("vGUIDs cannot be written", "be read but not set");
      assertThat(Files.exists(directory.resolve("state").resolve("smp-journal"))).isFalse();
      ok(apply("vm0", to));
      byte[] moved = Files.readAllBytes(directory.resolve("vms.json"));
      assertThat(moved).isNotEqualTo(state);

      // As a kill -9 in the last phase leaves it, all written, not yet noted: the state is the old.
      Path done = directory.resolve("state").resolve("smp-journal.done");
      String text = Files.readString(done);
      int last = text.lastIndexOf("begin ");
      String late = text.substring(0, text.indexOf('\n', last) + 1);
      int first = text.indexOf("begin ");
      String early = text.substring(0, text.indexOf('\n', first) + 1);
      assertThat(late.length()).isGreaterThan(early.length());
      String journal = file("state/smp-journal");
      Files.writeString(Path.of(journal), late);
      Files.write(directory.resolve("vms.json"), state);
      int sw = fabric.attachedSwitch(fabric.port(fabric.findNode(guid(to)), 1));
      ibsim.unlink(fabric, upLink(fabric, sw));
      ok("recover", journal, "--undo", "--via", via);
      assertThat(Files.readAllBytes(directory.resolve("vms.json"))).isEqualTo(state);
      assertThat(Files.exists(Path.of(journal))).isFalse();
      assertThat(changed(live(fabric), before)).isZero();

      // As a kill -9 leaves it before the first packet.
      Files.writeString(Path.of(journal), early);
      Run refused = run(apply("vm1", to));
      assertThat(refused.code()).isEqualTo(1);
      ok("recover", journal, "--finish", "--via", via);
      assertThat(Files.readAllBytes(directory.resolve("vms.json"))).isEqualTo(moved);
      ForwardingTables finished = live(fabric);
      ForwardingTables predicted = tables("predicted.hlft", fabric);
      assertThat(changed(finished, predicted)).isZero();
      assertThat(changed(finished, before)).isPositive();
    }
  }

  private static long guid(String text) {
    return Guid.parse(text).value();
  }

  private static int upLink(Fabric fabric, int sw) {
    for (int n = 1; n <= fabric.portCount(sw); n++) {
      int port = fabric.port(sw, n);
      int peer = fabric.peer(port);
      if (peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer))) {
        return port;
      }
    }
    throw new AssertionError("no up-link");
  }

  private static int changed(ForwardingTables a, ForwardingTables b) {
    int count = 0;
    for (int sw = 0; sw < a.switchCount(); sw++) {
      count += a.differingBlocks(sw, b);
    }
    return count;
  }
}
