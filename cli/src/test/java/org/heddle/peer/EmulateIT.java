package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.heddle.fabric.Fabric;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** OpenSM and the diagnostics, unmodified, on {@code heddle emulate}; ibsim beside it. */
class EmulateIT {
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  @BeforeAll
  static void peers() {
    Peers.need();
  }

  private Path in(String name) {
    try {
      return Files.createDirectories(directory.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String firstHost(Fabric fabric) {
    return IbsimFabric.idOf(fabric, fabric.switchCount());
  }

  private static Fabric tree(String shape) {
    return TreeGenerator.generate(TreeSpec.parse(shape));
  }

  private static Fabric damaged() {
    Fabric shuffled = FabricShuffle.ports(tree("XGFT(3;4,4,4;1,4,4)"), 5);
    DamageSpec damage = DamageSpec.none(7).withLinks(DamageSpec.Amount.of(3)).keepingConnected();
    return FabricDamage.apply(shuffled, damage).fabric();
  }

  private static String dumps(IbsimFabric fabric, String host) {
    OpenSm.oneSweep(fabric, host, "-R", "minhop", "-D", "0x43");
    return IbsimFabric.read(fabric.directory().resolve("opensm-lfts.dump"))
        + IbsimFabric.read(fabric.directory().resolve("opensm.fdbs"))
        + fabric.run(host, "dump_fts");
  }

  @ParameterizedTest
  @ValueSource(strings = {"XGFT(2;4,4;1,4)", "XGFT(2;18,18;1,18)", "damaged"})
  void opensm_writes_the_tables_it_writes_on_ibsim(String shape) {
    Fabric fabric = shape.equals("damaged") ? damaged() : tree(shape);
    String host = firstHost(fabric);
    String theirs;
    try (IbsimFabric ibsim = IbsimFabric.start(in("ibsim"), fabric)) {
      theirs = dumps(ibsim, host);
    }
    assertThat(theirs).contains("Switch").hasSizeGreaterThan(1_000);
    try (IbsimFabric emulator = IbsimFabric.emulate(in("emulator"), fabric)) {
      String ours = dumps(emulator, host);
      assertThat(ours.equals(theirs)).as("the same dumps on both").isTrue();
      Fabric seen = emulator.discover(host);
      assertThat(Cabling.lines(seen)).isEqualTo(Cabling.lines(fabric));
      for (int node = 0; node < fabric.nodeCount(); node++) {
        int there = seen.findNode(fabric.nodeGuid(node));
        assertThat(seen.description(there)).isEqualTo(fabric.description(node));
        for (int n = 1; n <= fabric.portCount(node); n++) {
          if (fabric.peer(fabric.port(node, n)) != Fabric.NONE) {
            assertThat(seen.speed(seen.port(there, n)))
                .isEqualTo(fabric.speed(fabric.port(node, n)));
            assertThat(seen.width(seen.port(there, n)))
                .isEqualTo(fabric.width(fabric.port(node, n)));
          }
        }
      }
    }
  }

  @Test
  void the_diagnostics_work_and_opensm_follows_what_fails() {
    Fabric fabric = tree("XGFT(2;4,4;1,4)");
    String host = firstHost(fabric);
    String other = IbsimFabric.idOf(fabric, fabric.switchCount() + 9);
    try (IbsimFabric emulator = IbsimFabric.emulate(directory, fabric);
        OpenSm opensm = OpenSm.start(emulator, host, "-R", "minhop")) {
      opensm.awaitUp(1);
      assertThat(emulator.run(other, "sminfo")).contains("guid 0x100001").contains("SMINFO_MASTER");
      assertThat(emulator.run(other, "smpquery", "nodedesc", "1")).contains("H_0_0");
      assertThat(emulator.run(other, "smpquery", "pkeys", "1")).contains("0xffff");
      assertThat(emulator.run(other, "saquery", "-p", "--src-to-dst", "1:20"))
          .contains("pkey....................0xFFFF")
          .contains("mtu.....................0x85");
      assertThat(emulator.run(other, "saquery", "CPI")).contains("Capability mask..........0x2602");
      assertThat(emulator.run(other, "perfquery", "-x", "1", "1")).contains("PortXmitData");
      assertThat(emulator.run(other, "perfquery", "-a", "6")).contains("SymbolErrorCounter");
      assertThat(emulator.run(other, "ibportstate", "6", "1")).contains("LinkUp");
      assertThat(emulator.run(other, "ibportstate", "-D", "0,1", "1")).contains("LinkUp");
      assertThat(emulator.run(other, "ibqueryerrors")).contains("24 nodes checked, 0 bad");
      String[] events = {
        "link off S1_3 5",
        "link on S1_3 5",
        "switch off S2_1",
        "switch on S2_1",
        "host off H_3_3",
        "host on H_3_3"
      };
      for (String event : events) {
        int before = opensm.timesUp();
        emulator.tell(event);
        opensm.awaitUp(before + 1);
        // A trap may start a second sweep; the next event waits until no port is left behind.
        opensm.await("a quiet subnet after " + event, () -> quiet(emulator));
      }
      assertThat(emulator.tell("status")).contains("64 active, 0 armed, 0 init, 0 down");
      assertThat(emulator.tell("probe H_0_0 H_3_3 0xffff 0")).contains("arrives at 'H_3_3'");
      opensm.end();
      emulator.process().signal("TERM");
      assertThat(emulator.process().awaitEnd()).isEqualTo(143);
    }
  }

  private static boolean quiet(IbsimFabric emulator) {
    String status = emulator.tell("status");
    return status.contains(" 0 armed, 0 init") && status.contains(" 0 traps");
  }
}
