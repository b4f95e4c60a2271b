package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.fabric.NodeType;
import org.heddle.text.Source;
import org.heddle.text.opensm.ChainFileReader;
import org.heddle.text.scheduler.SlurmTopology;
import org.heddle.text.topology.IbnetdiscoverWriter;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The walk-through of the links-as-a-service paper, appendix A.5, on XGFT(2;4,8;1,4): its names,
 * ports 1 to 4 of a leaf lead up, 5 to 8 down.
 */
class AllocateCommandTest {
  @TempDir Path dir;

  @BeforeEach
  void fabric() {
    write("f.net", walkThrough(true));
  }

  private static Fabric walkThrough(boolean whole) {
    FabricBuilder b = new FabricBuilder();
    int[] leaves = new int[8];
    int[] spines = new int[4];
    for (int i = 0; i < leaves.length; i++) {
      leaves[i] = b.addSwitch(0x1000 + i, 8, "SW_L1_" + i);
    }
    for (int i = 0; i < spines.length; i++) {
      spines[i] = b.addSwitch(0x2000 + i, 8, "SW_L2_" + i);
    }
    for (int l = 0; l < leaves.length; l++) {
      for (int s = 0; s < spines.length; s++) {
        if (whole || l != 0 || s != 1) {
          b.connect(leaves[l], s + 1, spines[s], l + 1);
        }
      }
      for (int h = 0; h < 4; h++) {
        int n = 4 * l + h + 1;
        int host = b.addNode(NodeType.CA, 0x10000 + 2L * n, 1, "comp-" + n);
        b.setPortGuid(host, 1, 0x10001 + 2L * n);
        b.connect(host, 1, leaves[l], 5 + h);
      }
    }
    return b.build();
  }

  private void write(String name, Fabric fabric) {
    try (OutputStream out = Files.newOutputStream(dir.resolve(name))) {
      IbnetdiscoverWriter.write(fabric, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String path(String name) {
    return dir.resolve(name).toString();
  }

  private Cli.Result allocate(String... words) {
    return on("f.net", words);
  }

  private Cli.Result on(String fabric, String... words) {
    List<String> all =
        new ArrayList<>(List.of("allocate", path(fabric), "--state", path("state.json")));
    all.addAll(Arrays.asList(words));
    return Cli.run(all.toArray(String[]::new));
  }

  private Cli.Result ok(String... words) {
    Cli.Result result = allocate(words);
    assertThat(result.err()).isEmpty();
    assertThat(result.code()).as(result.out()).isZero();
    return result;
  }

  private String read(String name) throws IOException {
    return Files.readString(dir.resolve(name));
  }

  @Test
  void machinesAreAskedForInsteadOfHosts() {
    // 10 machines at 4 a host fill 3 hosts.
    assertThat(ok("add", "web", "--vms", "10", "--vms-per-host", "4").out())
        .contains("web: 3 hosts on 1 leaf");
    assertThat(allocate("add", "x", "--vms", "3", "--hosts", "3").code()).isEqualTo(2);
    assertThat(allocate("add", "x", "--hosts", "3", "--vms-per-host", "2").err())
        .contains("--vms-per-host goes with --vms");
    assertThat(allocate("add", "x").code()).isEqualTo(2);
  }

  @Test
  void hostsToAvoidAreTakenLastAndPreferredOnesFirst() {
    // Hosts 1 to 28 are on leaves 0 to 6: to be avoided. Preferred are 31 and 32 of leaf 7.
    assertThat(
            ok("add", "a", "--hosts", "2", "--avoid", "comp-[1-28]", "--prefer", "comp-[31-32]")
                .out())
        .contains("SW_L1_7");
    assertThat(ok("show", "a", "--json").out()).contains("comp-31", "comp-32");
    for (String option : List.of("--avoid", "--prefer", "--on")) {
      Cli.Result nobody = allocate("add", "b", "--hosts", "2", option, "comp-[1-");
      assertThat(nobody.code()).isEqualTo(2);
      assertThat(nobody.err()).contains(option + " comp-[1- names no host of the fabric");
    }
  }

  @Test
  void aTenantThatIsThereOnOtherHostsIsNotWhatWasAskedFor() {
    ok("add", "a", "--hosts", "2", "--on", "comp-[1-4]");
    assertThat(ok("add", "a", "--hosts", "2", "--on", "comp-[1-8]").out()).contains("already");
    Cli.Result other = allocate("add", "a", "--hosts", "2", "--on", "comp-[5-8]");
    assertThat(other.code()).isEqualTo(1);
    assertThat(other.err()).contains("asked for something else");
  }

  /** Cables that come up slow are not given, and a tenant that has one is told. */
  @Test
  void slowLinksAreNotGivenAndOneThatBecomesSlowIsLost() throws IOException {
    Fabric tree = FabricShuffle.ports(TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,4;1,4)")), 5);
    write("f.net", tree);
    Cli.Result whole = ok("add", "a", "--hosts", "8");
    assertThat(whole.out()).contains("8 hosts on 2 leaves, 8 l1");
    String state = read("state.json");
    int at = state.indexOf("\"port\": ");
    int number = Integer.parseInt(state.substring(at + 8, state.indexOf(',', at)).strip());
    String guid =
        state.substring(state.lastIndexOf("0x", at) + 2, state.lastIndexOf("0x", at) + 18);
    int sw = tree.findNode(Long.parseUnsignedLong(guid, 16));
    BitSet cable = new BitSet();
    cable.set(tree.port(sw, number));
    for (int node = tree.switchCount(); node < tree.switchCount() + 1; node++) {
      cable.set(tree.port(node, 1)); // and that of a machine
    }
    write("slow.net", FabricExtras.withRate(tree, cable, LinkWidth.X2, LinkSpeed.HDR));
    String link = "link from " + tree.node(sw).display() + " port " + number;
    Cli.Result check = on("slow.net", "check");
    assertThat(check.code()).isEqualTo(1);
    assertThat(check.out()).contains("a: " + link + " is slower than the machines that it serves");
    assertThat(check.err())
        .contains(
            "1 link is slower than the machines that it would serve and is not given: "
                + tree.node(sw).display()
                + " port "
                + number
                + " (2xHDR)")
        .contains(
            "1 machine has a port that is slower than its peers: "
                + tree.description(tree.switchCount())
                + " (2xHDR)");
    Cli.Result none = on("slow.net", "add", "b", "--hosts", "9");
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.err()).contains("1 link is slower than the machines that it would serve");
    assertThat(on("slow.net", "repair", "--move-hosts").out()).contains("a: moved");
    assertThat(on("slow.net", "check").code()).isZero();
  }

  @Test
  void theWalkThroughOfThePaper() throws IOException {
    assertThat(ok("add", "4", "--hosts", "10", "--json").out())
        .contains("\"outcome\" : \"placed\"", "\"l1_ports\" : 10", "\"l2_ports\" : 0");
    String shown = ok("show", "4").out();
    assertThat(shown.lines())
        .containsExactly(
            "4: 10 hosts on 3 leaves, 10 l1 and 0 l2 ports, key 0x6698, placed by exact",
            "  switch   GUID                level  hosts  ports    mask",
            "  SW_L1_0  0x0000000000001000      1      4  1 2 3 4  0x1e",
            "  SW_L1_1  0x0000000000001001      1      4  1 2 3 4  0x1e",
            "  SW_L1_2  0x0000000000001002      1      2  1 2      0x6",
            "  hosts: comp-1, comp-2, comp-3, comp-4, comp-5, comp-6, comp-7, comp-8, comp-9,"
                + " comp-10");
    ok("add", "1", "--hosts", "10");
    assertThat(ok("show", "1", "--json").out()).contains("\"mask\" : \"0x18\"");

    String before = read("state.json");
    Cli.Result refused = allocate("add", "2", "--hosts", "13");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err())
        .contains("no place for 2 (13 hosts): not enough free hosts")
        .contains("largest tenant that fits now: 12 hosts")
        .contains("it would fit without tenant ");
    assertThat(read("state.json")).isEqualTo(before);

    assertThat(ok("remove", "1").out()).isEqualTo("removed 1: 10 hosts and 10 links are free\n");
    assertThat(ok("add", "2", "--hosts", "13", "--json").out())
        .contains("\"hosts\" : 13", "\"l1_ports\" : 13", "\"l2_ports\" : 0");
    assertThat(ok("list").out())
        .contains(
            "4     10       3        10         0  exact",
            "2     13       4        13",
            "9 of 32 hosts are free");
    assertThat(ok("check").out())
        .contains("2 tenants, 0 shared channels")
        .contains("every tenant has its links to itself");
  }

  /** On three levels, whose leaves number their links differently, as real ones do. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void tenantsOfThreeLevelsKeepToTheirLinksHoweverPortsAreNumbered(int seed) {
    String[] generate = {"fabric", "generate", "XGFT(3;4,4,4;1,4,4)", "-o", path("f.net")};
    List<String> words = new ArrayList<>(List.of(generate));
    words.addAll(List.of("--shuffle-ports", String.valueOf(seed)));
    assertThat(Cli.run(words.toArray(String[]::new)).code()).isZero();
    ok("add", "a", "--hosts", "21");
    ok("add", "b", "--hosts", "9");
    ok("add", "c", "--hosts", "2", "--oversubscription", "1");
    assertThat(ok("check").out())
        .contains("3 tenants, 0 shared channels")
        .contains("every tenant has its links to itself");
    ok("export", path("x"));
    assertThat(Cli.run("audit", path("f.net"), path("x/opensm.lfts")).code()).isZero();
  }

  @Test
  void theFilesOfAnExportAreAsTheirReadersWantThem() throws IOException {
    ok("add", "4", "--hosts", "10");
    Cli.Result result = ok("export", path("x"));
    assertThat(result.out())
        .isEqualTo(
            "wrote into "
                + path("x")
                + ": tables.hlft opensm.lfts partitions.conf opensm.conf chains/groups.conf"
                + " chains/topologies.conf chains/chains.conf chains/opensm-options.conf"
                + " openstack/4-add.sh openstack/4-remove.sh slurm/topology.conf power.txt\n");
    assertThat(Cli.run("audit", path("f.net"), path("x/opensm.lfts")).code()).isZero();
    assertThat(read("x/partitions.conf")).contains("4=0x").contains("0x0000000000010003=full");
    assertThat(read("x/chains/groups.conf"))
        .isEqualTo(
            """
            port-group
            name: T4-hcas
            use: hosts of tenant 4
            obj_list:
               name=comp-1/U1:P1
               name=comp-2/U1:P1
               name=comp-3/U1:P1
               name=comp-4/U1:P1
               name=comp-5/U1:P1
               name=comp-6/U1:P1
               name=comp-7/U1:P1
               name=comp-8/U1:P1
               name=comp-9/U1:P1
               name=comp-10/U1:P1;
            end-port-group

            port-group
            name: T4-switches
            use: switch ports of tenant 4
            obj_list:
               name=SW_L1_0/U1 pmask=0x1e
               name=SW_L1_1/U1 pmask=0x1e
               name=SW_L1_2/U1 pmask=0x6
               name=SW_L2_0/U1 pmask=0xe
               name=SW_L2_1/U1 pmask=0xe
               name=SW_L2_2/U1 pmask=0x6
               name=SW_L2_3/U1 pmask=0x6;
            end-port-group

            """);
    assertThat(read("x/chains/topologies.conf"))
        .isEqualTo(
            """
            topology
            id: 1
            sw-grp: T4-switches
            hca-grp: T4-hcas
            end-topology

            """);
    assertThat(read("x/chains/chains.conf"))
        .isEqualTo(
            """
            unicast-step
            id: 1
            engine: ftree
            use: whole fabric
            topology: 0
            end-unicast-step

            unicast-step
            id: 2
            engine: ftree
            use: tenant 4
            topology: 1
            end-unicast-step

            """);
    assertThat(read("x/openstack/4-remove.sh"))
        .endsWith(
            """
            openstack aggregate remove host laas-aggr-4 comp-10
            openstack aggregate delete laas-aggr-4
            openstack project delete laas-tenant-4
            """);
    assertThat(read("x/openstack/4-add.sh"))
        .startsWith(
            """
            #!/bin/bash
            # Adding tenant 4 to OpenStack
            set -eu
            openstack project create --description 'Tenant 4' laas-tenant-4
            id=$(openstack project show -f value -c id laas-tenant-4)
            openstack aggregate create laas-aggr-4
            openstack aggregate set --property filter_tenant_id="$id" laas-aggr-4
            openstack aggregate add host laas-aggr-4 comp-1
            """);
    assertThat(read("x/slurm/topology.conf"))
        .startsWith(
            """
            # One tree a tenant, without a common root: no job crosses from one to another.

            # tenant 4
            SwitchName=T4-SW_L1_0 Nodes=comp-[1-4]
            SwitchName=T4-SW_L1_1 Nodes=comp-[5-8]
            SwitchName=T4-SW_L1_2 Nodes=comp-9,comp-10
            SwitchName=T4 Switches=T4-SW_L1_[0-2]

            # no tenant
            SwitchName=free-SW_L1_2 Nodes=comp-[11-12]
            """);
    assertThat(SlurmTopology.read(Source.of("t", read("x/slurm/topology.conf"))).get())
        .hasSize(4 + 7);
    // Ten links are the tenant's; the five other leaves need one each to stay connected.
    assertThat(read("x/power.txt").lines().filter(l -> l.startsWith("link "))).hasSize(32 - 15);
    assertThat(read("x/power.txt"))
        .startsWith(
            "# What may be powered down while hosts without a tenant are idle: 0 of 12 switches,"
                + " 17 of 32 links.\n");
  }

  @Test
  void chainFilesWithMistakesAreRefused() {
    assertThat(
            ChainFileReader.read(
                    Source.of(
                        "c", "unicast-step\nid: 1\nengine: ftree\ntopology: 3\nend-unicast-step\n"))
                .problems())
        .extracting(Object::toString)
        .containsExactly("c:1: the first step must be for topology 0, the whole fabric");
    assertThat(
            ChainFileReader.read(
                    Source.of(
                        "g",
                        "port-group\nname: a:b\nobj_list:\n name=x/U1 pmask=6;\nend-port-group\n"))
                .problems())
        .extracting(Object::toString)
        .containsExactly(
            "g:2: 'name' needs a value without a colon",
            "g:3: an object is name=NODE/U1:P1 or name=SWITCH/U1 pmask=0x1e; got: name=x/U1"
                + " pmask=6");
    assertThat(ChainFileReader.read(Source.of("g", "topology\nid: 1\nend-topology\nhm\n")).ok())
        .isFalse();
  }

  @Test
  void aTenantThatLeavesTakesOnlyItsOwnEntriesAlong() throws IOException {
    ok("add", "4", "--hosts", "10", "-o", path("a"));
    ok("add", "1", "--hosts", "10", "-o", path("b"));
    assertThat(ok("remove", "1", "-o", path("c")).out()).contains("openstack/1-remove.sh");
    assertThat(Files.readAllBytes(dir.resolve("c/tables.hlft")))
        .isEqualTo(Files.readAllBytes(dir.resolve("a/tables.hlft")));
    assertThat(Files.readAllBytes(dir.resolve("b/tables.hlft")))
        .isNotEqualTo(Files.readAllBytes(dir.resolve("a/tables.hlft")));
    assertThat(dir.resolve("c/openstack/1-remove.sh")).exists();
    assertThat(dir.resolve("c/openstack/1-add.sh")).doesNotExist();
  }

  @Test
  void addingAgainIsNoChangeAndAddingOtherwiseARefusal() throws IOException {
    ok("add", "4", "--hosts", "10");
    String state = read("state.json");
    assertThat(ok("add", "4", "--hosts", "10").out()).startsWith("already there:\n");
    Cli.Result more = allocate("add", "4", "--hosts", "11");
    assertThat(more.code()).isEqualTo(1);
    assertThat(more.err())
        .contains("there is a tenant '4' already")
        .contains("asked for something else: 10 hosts");
    assertThat(read("state.json")).isEqualTo(state);
  }

  @Test
  void aDryRunChangesNothing() throws IOException {
    assertThat(ok("add", "4", "--hosts", "10", "--dry-run", "-o", path("x")).out())
        .startsWith("would be placed:\n");
    assertThat(dir.resolve("state.json")).doesNotExist();
    assertThat(dir.resolve("x")).doesNotExist();
    ok("add", "4", "--hosts", "10");
    String state = read("state.json");
    assertThat(ok("remove", "4", "--dry-run").out()).startsWith("would remove 4");
    assertThat(read("state.json")).isEqualTo(state);
  }

  @Test
  void hostsCanBeChosen() {
    Cli.Result placed = ok("add", "a", "--hosts", "4", "--on", "comp-[9-16]", "--json");
    assertThat(placed.out()).contains("comp-9\"").doesNotContain("\"comp-1\"");
    assertThat(allocate("add", "b", "--hosts", "1", "--on", "compost-1").code()).isEqualTo(2);
    Cli.Result none = allocate("add", "b", "--hosts", "5", "--on", "comp-[9-13]", "--json");
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.out()).contains("\"outcome\" : \"rejected\"", "\"free_hosts\" : 28");
  }

  @Test
  void aRefusalAsJsonSaysWhatWouldHelp() {
    ok("add", "4", "--hosts", "30");
    assertThat(allocate("add", "1", "--hosts", "3", "--json").out())
        .contains("\"largest_that_fits\" : 2", "\"departure_that_helps\" : \"4\"");
  }

  @Test
  void whatAFabricHasLostIsReported() {
    ok("add", "4", "--hosts", "10");
    write("broken.net", walkThrough(false));
    Cli.Result check = on("broken.net", "check");
    assertThat(check.code()).isEqualTo(1);
    assertThat(check.out())
        .contains("lost: 4: link from 'SW_L1_0' (0x0000000000001000) port 2 is gone")
        .contains("not every promise is kept");
    assertThat(on("broken.net", "list").out())
        .contains("4     10       3         9         0  exact         1");
  }

  @Test
  void lostLinksAreReplacedOnTheSameHostsIfSomeAreFree() throws IOException {
    ok("add", "4", "--hosts", "2", "--on", "comp-1", "--on", "comp-5");
    assertThat(ok("repair").out()).startsWith("nothing to mend");
    ok("remove", "4");
    ok("add", "8", "--hosts", "8", "--on", "comp-[1-8]");
    String before = read("state.json");
    write("broken.net", walkThrough(false));
    Cli.Result none = on("broken.net", "repair", "--json");
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.out()).contains("\"outcome\" : \"broken\"", "--move-hosts would mend it");
    assertThat(on("broken.net", "repair", "--move-hosts", "--dry-run").out())
        .startsWith("8: would be moved, had lost 1 host or link");
    assertThat(read("state.json")).isEqualTo(before);
    assertThat(on("broken.net", "repair", "--move-hosts").code()).isZero();
    assertThat(on("broken.net", "check").code()).isZero();
  }

  @Test
  void missingWordsAndWrongOnesAreExplained() {
    assertThat(Cli.run("allocate", "list").err()).contains("which fabric?");
    assertThat(Cli.run("allocate", path("f.net"), "list").err()).contains("--state FILE");
    assertThat(allocate("list").err()).contains("no such file");
    assertThat(allocate("list").code()).isEqualTo(2);
    assertThat(allocate("add", "no name", "--hosts", "1").code()).isEqualTo(2);
    assertThat(allocate("add", "a", "--hosts", "0").code()).isEqualTo(2);
    assertThat(allocate("add", "a", "--hosts", "1", "--allocator", "exatc").err())
        .contains("did you mean exact?");
    ok("add", "a", "--hosts", "1");
    assertThat(allocate("show", "b").err())
        .contains("there is no tenant 'b'")
        .contains("tenants: a");
    assertThat(allocate("remove", "b").code()).isEqualTo(1);
  }

  @Test
  void oneRunAtATimeChangesAState() throws IOException {
    ok("add", "a", "--hosts", "1");
    try (FileChannel channel =
            FileChannel.open(dir.resolve("state.json.lock"), StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      assertThat(lock.isValid()).isTrue();
      Cli.Result result = allocate("remove", "a");
      assertThat(result.code()).isEqualTo(2);
      assertThat(result.err()).contains("state.json is in use by another heddle");
      assertThat(allocate("list").code()).isZero();
    }
    ok("remove", "a");
  }
}
