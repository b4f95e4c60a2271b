package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.heddle.cli.Main;
import org.heddle.fabric.Fabric;
import org.heddle.text.Source;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.lft.TableFormats;
import org.heddle.text.topology.IbnetdiscoverReader;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.AuditReport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code heddle reroute} on a simulated fabric that OpenSM has routed once: after a cable is
 * pulled, and for the hosts of a sub-tree; the tables go into the switches by datagrams.
 */
class RerouteLiveIT {
  private static final String TREE = "XGFT(3;4,4,3;1,4,4)";

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  @BeforeAll
  static void peers() {
    Peers.need();
  }

  private String file(String name) {
    return directory.resolve(name).toString();
  }

  private static String heddle(String... words) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
    int code = Main.run(List.of(words), InputStream.nullInputStream(), stream, stream, Map.of());
    assertThat(code).as(printed.toString(StandardCharsets.UTF_8)).isZero();
    return printed.toString(StandardCharsets.UTF_8);
  }

  private static int node(Fabric fabric, String name) {
    for (int node = 0; node < fabric.nodeCount(); node++) {
      if (fabric.description(node).equals(name)) {
        return node;
      }
    }
    throw new AssertionError("no " + name);
  }

  private Fabric read(String net) throws IOException {
    return IbnetdiscoverReader.read(new Source(net, Files.readAllBytes(directory.resolve(net))))
        .get();
  }

  private BoundTables tables(String file, Fabric fabric) throws IOException {
    return TableFormats.read(new Source(file, Files.readAllBytes(directory.resolve(file))), fabric)
        .get();
  }

  private void discover(String via, String net, String tables) {
    heddle("fabric", "discover", "--via", via, "-o", file(net), "--lfts", file(tables));
  }

  private String apply(String via, String net, String tables) {
    return heddle("apply", file(net), file(tables), file("state"), "--to", "umad", "--via", via);
  }

  private static AuditReport audit(BoundTables bound) {
    Recognition.Found found = (Recognition.Found) FatTreeRecogniser.recognise(bound.fabric());
    return Audit.run(
        bound.fabric(), bound.tables(), AuditOptions.defaults().withTree(found.tree()));
  }

  @Test
  void a_pulled_cable_and_then_a_wish_change_a_few_blocks_that_arrive_in_the_switches()
      throws IOException {
    Fabric planned = FabricExtras.withSmNode(TreeGenerator.generate(TreeSpec.parse(TREE)));
    String host = IbsimFabric.idOf(planned, node(planned, "sm-node"));
    try (IbsimFabric ibsim = IbsimFabric.startUdp(directory, planned)) {
      OpenSm.oneSweep(ibsim, host, "-R", "ftree");
      String via = ibsim.via(host);
      discover(via, "before.net", "before.hlft");
      Fabric whole = read("before.net");
      assertThat(audit(tables("before.hlft", whole)).errors()).isZero();

      int leaf = whole.attachedSwitch(whole.port(node(whole, "H_0_0_0"), 1));
      ibsim.unlink(whole, whole.port(leaf, 6));
      discover(via, "now.net", "now.hlft");
      Fabric now = read("now.net");
      assertThat(Cabling.lines(now)).hasSize(Cabling.lines(whole).size() - 2);
      BoundTables broken = tables("now.hlft", now);
      assertThat(audit(broken).clean()).isFalse();

      String said =
          heddle("reroute", file("now.net"), file("now.hlft"), "--minimal", "-o", file("new.hlft"));
      assertThat(said).contains("the old tables have").contains("no error");
      check(ibsim, host, now, via, "now.net", "new.hlft");

      // With the cable gone the sub-tree is damaged; its hosts are routed anew all the same.
      said =
          heddle(
              "reroute",
              file("now.net"),
              file("new.hlft"),
              "--subtree-of",
              "H_0_1_0,H_0_2_3",
              "-e",
              "dmodk",
              "-o",
              file("wish.hlft"));
      assertThat(said).contains("sub-tree of 2 levels: 8 switches, 16 hosts");
      check(ibsim, host, now, via, "now.net", "wish.hlft");
    }
  }

  /** Writes tables, and reads them back with another program. */
  private void check(
      IbsimFabric ibsim, String host, Fabric fabric, String via, String net, String tables)
      throws IOException {
    assertThat(apply(via, net, tables)).contains("read back: the switches hold the tables");
    BoundTables wanted = tables(tables, fabric);
    BoundTables live = ibsim.liveTables(host, fabric);
    assertThat(Cabling.differences(wanted, live)).isEmpty();
    assertThat(audit(live).errors()).isZero();
    assertThat(audit(live).creditLoops().cyclic()).isZero();
  }
}
