package org.heddle.cli.reroute;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.heddle.cli.Cli;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricPart;
import org.heddle.text.Source;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.lft.TableFormats;
import org.heddle.text.topology.IbnetdiscoverReader;
import org.heddle.text.topology.IbnetdiscoverWriter;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code heddle reroute} as users type it. */
class RerouteCommandTest {
  private static final String TREE = "XGFT(3;4,4,3;1,4,4)";

  @TempDir private Path dir;

  private String net;
  private String old;
  private String out;

  @BeforeEach
  void routed() {
    net = name("a.net");
    old = name("a.hlft");
    out = name("new.hlft");
    ok("fabric", "generate", TREE, "-o", net);
    ok("route", net, "--engine", "ftree", "-o", old);
  }

  private String name(String file) {
    return dir.resolve(file).toString();
  }

  private static Cli.Result ok(String... words) {
    Cli.Result result = Cli.run(words);
    assertThat(result.code()).as("%s: %s", List.of(words), result.err()).isZero();
    return result;
  }

  private static Cli.Result bad(int code, String... words) {
    Cli.Result result = Cli.run(words);
    assertThat(result.code()).as("%s: %s", List.of(words), result.err()).isEqualTo(code);
    return result;
  }

  private Fabric fabric(String file) throws IOException {
    return IbnetdiscoverReader.read(new Source(file, Files.readAllBytes(Path.of(file)))).get();
  }

  private BoundTables tables(String file, Fabric fabric) throws IOException {
    return TableFormats.read(new Source(file, Files.readAllBytes(Path.of(file))), fabric).get();
  }

  private String written(Fabric fabric) throws IOException {
    try (OutputStream stream = Files.newOutputStream(dir.resolve("now.net"))) {
      IbnetdiscoverWriter.write(fabric, stream);
    }
    return name("now.net");
  }

  private Fabric without(String... names) throws IOException {
    Set<String> gone = Set.of(names);
    Fabric fabric = fabric(net);
    int[] nodes = new int[fabric.nodeCount()];
    int n = 0;
    for (int node = 0; node < nodes.length; node++) {
      if (!gone.contains(fabric.description(node))) {
        nodes[n++] = node;
      }
    }
    return FabricPart.of(fabric, Arrays.copyOf(nodes, n)).fabric();
  }

  private String file(String file, String text) throws IOException {
    Files.writeString(dir.resolve(file), text);
    return name(file);
  }

  // ---- minimal

  @Test
  void a_lost_link_changes_only_what_needs_it() throws IOException {
    Fabric broken =
        FabricDamage.apply(fabric(net), DamageSpec.none(3).withLinks(DamageSpec.Amount.of(1)))
            .fabric();
    String now = written(broken);
    Cli.Result result = ok("reroute", now, old, "--minimal", "-o", out);
    assertThat(result.out())
        .contains("links lost: the old tables send to 2 ports\n  - 0x")
        .contains("old entries could not be kept")
        .contains("switches change:")
        .contains("order: ")
        .contains("audit of the new tables: no error")
        .contains("next: heddle apply " + now + " " + out + " DIR --to umad");
    assertThat(ok("audit", now, out).out()).endsWith("clean\n");
    assertThat(ok("reroute", now, out, "--minimal").out()).contains("nothing changes");
  }

  @Test
  void lost_nodes_are_named_and_the_others_matched_by_guid() throws IOException {
    String now = written(without("S3_0_1", "H_1_2_0"));
    Cli.Result result = ok("reroute", now, old, "--minimal", "-o", name("new.lfts"));
    Fabric whole = fabric(net);
    assertThat(result.out())
        .contains("lost since the tables were made: 1 switch, 1 other port")
        .contains("  - switch 0x" + hex(whole, "S3_0_1"));
    ok("audit", now, name("new.lfts"));
    Cli.Result json = ok("reroute", now, old, "--minimal", "--json");
    assertThat(json.out())
        .contains("\"format\" : \"heddle.reroute/1\"")
        .contains("\"switches\" : [ \"0x" + hex(whole, "S3_0_1") + "\" ]")
        .contains("\"method\" : \"minimal\"")
        .contains("\"output\" : null");
  }

  private static String hex(Fabric fabric, String name) {
    for (int node = 0; node < fabric.nodeCount(); node++) {
      if (fabric.description(node).equals(name)) {
        return String.format("%016x", fabric.nodeGuid(node));
      }
    }
    throw new AssertionError(name);
  }

  @Test
  void tables_that_still_fit_stay_as_they_are() throws IOException {
    Cli.Result result = ok("reroute", net, old, "--minimal", "-o", out);
    assertThat(result.out()).contains("nothing changes").doesNotContain("next:");
    assertThat(Files.mismatch(Path.of(old), Path.of(out))).isEqualTo(-1);
  }

  @Test
  void with_the_metabase_an_order_is_for_all_hosts() throws IOException {
    String order = file("order", "0x100000\n0x100004\n");
    String[] words = {"reroute", net, old, "--minimal", "-e", "metabase"};
    assertThat(ok(with(words, "--order", order, "-o", out)).out())
        .contains("all hosts by the order, routed with metabase")
        .contains("order: ");
    String fresh = name("fresh.hlft");
    ok("route", net, "-e", "metabase", "--order", order, "-o", fresh);
    assertThat(Files.mismatch(Path.of(fresh), Path.of(out))).isEqualTo(-1);
    assertThat(ok(words).out()).contains("minimal update, measured against metabase");
  }

  @Test
  void a_fabric_that_is_no_tree_is_refused_with_the_reason() throws IOException {
    Fabric fabric = fabric(net);
    int[] switches = new int[fabric.switchCount()];
    Arrays.setAll(switches, i -> i);
    String now = written(FabricPart.of(fabric, switches).fabric());
    String result = bad(1, "reroute", now, old, "--minimal").err();
    assertThat(result).contains("not recognised as a fat-tree").contains("nothing was written");
  }

  // ---- sub-tree

  @Test
  void a_subtree_is_routed_by_an_order_and_the_rest_stays() throws IOException {
    Fabric fabric = fabric(net);
    String order = file("order", "0x" + hex(fabric, "H_1_0_1") + "\n0x" + hex(fabric, "H_1_0_3"));
    Cli.Result result =
        ok("reroute", net, old, "--subtree-of", "H_1_0_0,H_1_3_2", "--order", order, "-o", out);
    assertThat(result.out())
        .contains("sub-tree of 2 levels: 8 switches, 16 hosts, 16 LIDs, routed with noftree")
        .contains("2 hosts of the order are in it")
        .contains("3 switches change: 3 blocks (SMPs)");
    BoundTables before = tables(old, fabric);
    BoundTables after = tables(out, fabric);
    List<String> changed = new ArrayList<>();
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      if (!before.tables().sameRow(sw, after.tables())) {
        changed.add(fabric.description(sw));
      }
    }
    assertThat(changed).hasSize(3).allMatch(n -> n.startsWith("S1_1_"));
    ok("audit", net, out);
  }

  @Test
  void what_hosts_received_gives_the_order() throws IOException {
    Fabric fabric = fabric(net);
    String counters =
        file("c.csv", "host,port,bytes\nH_1_0_3,1,500\nH_1_0_1,1,900\nH_2_0_0,1,9\nH_1_1_1,1,0\n");
    String order = file("order", "0x" + hex(fabric, "H_1_0_1") + "\n0x" + hex(fabric, "H_1_0_3"));
    String hosts = "H_1_0_0,H_1_3_2";
    String subtree = "--subtree-of";
    ok("reroute", net, old, subtree, hosts, "--order", order, "-o", out);
    String other = name("other.hlft");
    ok("reroute", net, old, subtree, hosts, "--counters", counters, "-o", other);
    assertThat(Files.mismatch(Path.of(out), Path.of(other))).isEqualTo(-1);
  }

  @Test
  void hosts_on_one_leaf_change_nothing() {
    assertThat(ok("reroute", net, old, "--subtree-of", "H_1_0_0,H_1_0_2").out())
        .contains("all hosts are on 'S1_1_0'")
        .contains("nothing changes");
  }

  @Test
  void tables_are_written_as_they_were_given_unless_said_otherwise() throws IOException {
    String text = name("a.lfts");
    ok("fabric", "convert", net, "--lfts", old, "-o", text);
    String[] words = {"reroute", net, text, "--subtree-of", "H_1_0_0,H_1_3_2", "-e", "dmodk", "-o"};
    ok(with(words, name("tables")));
    assertThat(Files.readString(dir.resolve("tables"))).startsWith("Unicast lids");
    ok(with(words, name("x.hlft")));
    ok(with(words, name("y"), "--format", "hlft"));
    assertThat(Files.mismatch(dir.resolve("x.hlft"), dir.resolve("y"))).isEqualTo(-1);
    Cli.Result printed = ok(with(words, "-"));
    assertThat(printed.out()).isEqualTo(Files.readString(dir.resolve("tables")));
    assertThat(printed.err()).contains("sub-tree of 2 levels");
  }

  private static String[] with(String[] words, String... more) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of(more));
    return all.toArray(new String[0]);
  }

  @Test
  void a_dry_run_writes_nothing() {
    assertThat(
            ok("reroute", net, old, "--subtree-of", "H_1_0_0,H_1_3_2", "--dry-run", "-o", out)
                .out())
        .contains("nothing written");
    assertThat(Files.exists(Path.of(out))).isFalse();
  }

  @Test
  void results_with_errors_are_refused_and_the_way_out_is_named() throws IOException {
    String now = written(without("S3_0_1"));
    Cli.Result result = bad(1, "reroute", now, old, "--subtree-of", "H_1_0_0,H_1_3_2", "-o", out);
    assertThat(result.err())
        .contains("the new tables have errors")
        .contains("'heddle reroute --minimal' first")
        .contains("nothing was written");
    assertThat(Files.exists(Path.of(out))).isFalse();
  }

  // ---- wrong input

  @Test
  void one_method_has_to_be_named() {
    assertThat(bad(2, "reroute", net, old).err()).contains("--minimal").contains("--subtree-of");
    bad(2, "reroute", net, old, "--minimal", "--subtree-of", "H_1_0_0");
  }

  @Test
  void options_that_do_not_fit_are_explained() throws IOException {
    String order = file("order", "0x100000\n");
    assertThat(bad(2, "reroute", net, old, "--minimal", "--order", order).err())
        .contains("--order asks for other routes");
    String[] words = {"reroute", net, old, "--subtree-of", "H_1_0_0,H_1_3_2"};
    assertThat(bad(2, with(words, "--order", order, "-e", "dmodk")).err())
        .contains("dmodk does not use --order");
    assertThat(bad(2, with(words, "--order", order, "--counters", order)).err())
        .contains("exclude each other");
  }

  @Test
  void hosts_that_are_not_there_and_switches_are_bad_input() {
    assertThat(bad(2, "reroute", net, old, "--subtree-of", "H_1_0_0,H_1_3_9").err())
        .contains("no node has the name, GUID or LID 'H_1_3_9'");
    assertThat(bad(2, "reroute", net, old, "--subtree-of", "H_1_0_0,S1_0_0").err())
        .contains("'S1_0_0' is a switch");
    assertThat(bad(2, "reroute", net, old, "--subtree-of", "H_1_0_0,,H_1_0_1").err())
        .contains("has an empty name");
  }

  @Test
  void files_that_cannot_be_used_are_bad_input_with_a_line() throws IOException {
    String order = file("order", "0x100000\nnonsense\n");
    assertThat(
            bad(2, "reroute", net, old, "--subtree-of", "H_1_0_0,H_1_3_2", "--order", order).err())
        .contains(order + ":2:");
    assertThat(bad(2, "reroute", net, net, "--minimal").err()).contains(net);
    assertThat(bad(2, "reroute", net, name("none.hlft"), "--minimal", "-o", out).err())
        .contains("no such file");
    assertThat(bad(2, "reroute", net, old, "--minimal", "-o", old).err())
        .contains("is an input of this command");
    assertThat(bad(2, "reroute", net, old, "--minimal", "-o", "-", "--json").err())
        .contains("standard output");
  }
}
