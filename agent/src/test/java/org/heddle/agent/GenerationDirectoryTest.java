package org.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.heddle.catalog.Catalog;
import org.heddle.control.port.FabricAgent;
import org.heddle.control.port.Fence;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.VirtualLids;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Partition;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.text.Source;
import org.heddle.text.opensm.PartitionsConf;
import org.heddle.text.opensm.PartitionsConfReader;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GenerationDirectoryTest {
  private static final Fabric FABRIC =
      TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,4;1,4)")).withAssignedLids();

  @TempDir Path directory;

  private static ForwardingTables tables() {
    RoutingResult result =
        Catalog.engine("dmodk")
            .orElseThrow()
            .route(RoutingRequest.of(FABRIC, FatTreeRecogniser.recognise(FABRIC)));
    return ((RoutingResult.Routed) result).tables();
  }

  private static FabricAgent.Target target(ForwardingTables tables, Partition... partitions) {
    return new FabricAgent.Target(1, FABRIC, tables, List.of(), List.of(partitions), Fence.NONE);
  }

  @Test
  void tablesPartitionsAndOptionsAreWrittenWhole() throws IOException {
    PartitionOptions options =
        PartitionOptions.ofKey(0x12).withIpOverIb(true).withQuality(4096, 200, 3);
    Partition red =
        new Partition(
            "red", options, List.of(new Member(7, true, true), new Member(8, false, false)));
    Partition management =
        new Partition(
            "management",
            PartitionOptions.ofKey(PartitionOptions.MANAGEMENT),
            List.of(new Member(9, true, false)));
    GenerationDirectory files = new GenerationDirectory(directory.resolve("deep/files"));
    assertThat(files.write(target(tables(), red, management))).isEmpty();
    try (var names = Files.list(files.path())) {
      assertThat(names.map(p -> p.getFileName().toString()).filter(n -> !n.startsWith(".")))
          .containsExactlyInAnyOrder(
              "opensm.lfts", "partitions.conf", "qos-policy.conf", "opensm.conf");
    }
    PartitionsConf conf =
        PartitionsConfReader.read(
                new Source("p", Files.readAllBytes(files.path().resolve("partitions.conf"))))
            .get();
    assertThat(conf.definitions()).hasSize(2);
    PartitionsConf.Definition d = conf.definitions().get(1);
    assertThat(d.pkey()).isEqualTo(0x12);
    assertThat(d.ipoib()).isTrue();
    assertThat(d.flags()).isEqualTo(new PartitionsConf.GroupFlags(5, 17, 3, 0, 0, 0, 0));
    assertThat(d.members()).extracting(PartitionsConf.Member::guid).containsExactly(7L, 8L);
    assertThat(conf.definitions().getFirst().members())
        .extracting(PartitionsConf.Member::guid)
        .contains(9L);
    assertThat(files.command()).startsWith("opensm -F /").endsWith("deep/files/opensm.conf");
  }

  @Test
  void tablesThatOpensmWouldNotLoadAreNotWritten() throws IOException {
    GenerationDirectory files = new GenerationDirectory(directory.resolve("files"));
    assertThat(files.write(target(tables().with(0, 1, 99)))).isPresent();
    assertThat(Files.exists(files.path())).isFalse();
  }

  @Test
  void lidsOfMachinesThatWouldCrashOpensmAreNotWritten() throws IOException {
    GenerationDirectory files = new GenerationDirectory(directory.resolve("files"));
    int host = FABRIC.port(FABRIC.nodeCount() - 1, 1);
    Fabric machine =
        FABRIC.withVirtualLids(VirtualLids.of(new int[] {1023}, new int[] {host}, new int[] {1}));
    FabricAgent.Target target =
        new FabricAgent.Target(1, machine, tables(), List.of(), List.of(), Fence.NONE);
    assertThat(files.write(target).orElseThrow()).contains("own_lid false");
    assertThat(Files.exists(files.path())).isFalse();
  }

  private FabricAgent.Target of(Fence fence, int pkey) {
    Partition one =
        new Partition("p", PartitionOptions.ofKey(pkey), List.of(new Member(7, true, true)));
    return new FabricAgent.Target(1, FABRIC, tables(), List.of(), List.of(one), fence);
  }

  /** What the files say, by their names; the marks of terms without content. */
  private Map<String, String> content() throws IOException {
    Map<String, String> out = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        out.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    return out;
  }

  @Test
  void whoBelongsToAnEarlierTermWritesNothing() throws IOException {
    GenerationDirectory before = new GenerationDirectory(directory);
    GenerationDirectory after = new GenerationDirectory(directory);
    assertThat(before.write(of(new TestFence(5), 0x15))).isEmpty();
    assertThat(content()).containsKey(".term-5");
    assertThat(after.write(of(new TestFence(7), 0x17))).isEmpty();
    Map<String, String> written = content();
    assertThat(written.get("partitions.conf")).contains("0x0017").doesNotContain("0x0015");
    assertThat(before.write(of(new TestFence(5), 0x15)).orElseThrow()).contains(".term-7");
    assertThat(before.write(of(Fence.NONE, 0x15))).isPresent();
    assertThat(content()).isEqualTo(written).doesNotContainKey(".term-5");
    assertThat(after.write(of(new TestFence(7), 0x18))).isEmpty();
    assertThat(content().get("partitions.conf")).contains("0x0018");
  }

  /**
   * Whenever the earlier one is stopped, and the later one begins then: at each of its questions.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void whoeverIsStoppedBetweenTwoStepsPutsNoFileOverALaterOne(int question) throws IOException {
    TestFence stopped = new TestFence(5); // its own clock has not seen that it was
    GenerationDirectory after = new GenerationDirectory(directory);
    stopped.beforeQuestion(
        question, () -> assertThat(writes(after, of(new TestFence(7), 0x17))).isEmpty());
    Optional<String> refused = new GenerationDirectory(directory).write(of(stopped, 0x15));
    assertThat(stopped.questions()).isGreaterThanOrEqualTo(question);
    assertThat(refused.orElseThrow()).contains(".term-7");
    Map<String, String> left = content();
    assertThat(left).containsKey(".term-7");
    assertThat(left.get("partitions.conf")).contains("0x0017");
    assertThat(left.keySet()).noneMatch(name -> name.endsWith(".new"));
    GenerationDirectory alone = new GenerationDirectory(directory.resolve("alone"));
    assertThat(alone.write(of(new TestFence(7), 0x17))).isEmpty();
    for (String name : List.of("opensm.lfts", "partitions.conf")) {
      assertThat(alone.path().resolve(name)).hasContent(left.get(name));
    }
  }

  private static Optional<String> writes(GenerationDirectory files, FabricAgent.Target target) {
    try {
      return files.write(target);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whoIsToldThatItDoesNotLeadWritesNothing() throws IOException {
    TestFence fence = new TestFence(5);
    fence.lose();
    assertThat(new GenerationDirectory(directory).write(of(fence, 0x15)).orElseThrow())
        .contains("the leadership is lost");
    assertThat(content()).isEmpty();
  }

  @Test
  void aServiceLevelTurnsLanesOnAndWithoutOneTheyStayOff() throws IOException {
    Partition plain =
        new Partition("plain", PartitionOptions.ofKey(0x21), List.of(new Member(7, true, false)));
    Partition lane =
        new Partition(
            "lane",
            PartitionOptions.ofKey(0x22).withServiceLevel(5),
            List.of(new Member(8, true, false)));
    GenerationDirectory files = new GenerationDirectory(directory.resolve("lanes"));
    assertThat(files.write(target(tables(), plain))).isEmpty();
    assertThat(files.path().resolve("opensm.conf"))
        .content()
        .contains("qos FALSE", "qos_policy_file", "partition_config_file")
        .doesNotContain("qos_max_vls");
    assertThat(files.write(target(tables(), plain, lane))).isEmpty();
    assertThat(files.path().resolve("opensm.conf"))
        .content()
        .contains("qos TRUE", "qos_max_vls 8", "qos_sl2vl 0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7");
    assertThat(files.path().resolve("partitions.conf")).content().contains("sl=5");
    assertThat(files.path().resolve("qos-policy.conf")).content().contains("SL5", "0x0022");
  }

  /** Service levels go by the site's lanes, and by its policy if it names one. */
  @Test
  void lanesOfTheSiteStay() throws IOException {
    Path site = directory.resolve("site.conf");
    Files.writeString(
        site, "qos TRUE\nqos_max_vls 2\nqos_policy_file /etc/opensm/qos-policy.conf\n");
    GenerationDirectory files =
        new GenerationDirectory(directory.resolve("lanes"), Optional.of(site), true);
    Partition lane =
        new Partition("lane", PartitionOptions.ofKey(0x22).withServiceLevel(5), List.of());
    assertThat(files.write(target(tables(), lane))).isEmpty();
    assertThat(files.path().resolve("opensm.conf"))
        .content()
        .contains("qos TRUE\n", "qos_max_vls 2\n", "qos_policy_file /etc/opensm/qos-policy.conf\n")
        .contains("routing_engine file,no_fallback\n", "partition_config_file " + files.path());
    assertThat(files.path().resolve("partitions.conf")).content().contains("sl=5");
    assertThat(files.path().resolve("qos-policy.conf")).doesNotExist();
  }

  /** Files that the site's OpenSM reads are not replaced, wherever its options say they are. */
  @Test
  void filesOfTheSiteAreNotReplaced() throws IOException {
    Path etc = Files.createDirectory(directory.resolve("etc"));
    Path partitions = Files.writeString(etc.resolve("partitions.conf"), "red=0x10 : ALL ;\n");
    Path site = directory.resolve("site.conf");
    Files.writeString(site, "partition_config_file " + partitions + "\n");
    assertThat(new GenerationDirectory(etc, Optional.of(site), false).write(target(tables())))
        .hasValueSatisfying(
            why -> assertThat(why).contains(partitions.toString(), "name another directory"));
    assertThat(partitions).content().isEqualTo("red=0x10 : ALL ;\n");
    assertThat(etc.resolve("opensm.conf")).doesNotExist();

    Path own = Files.writeString(etc.resolve("opensm.conf"), "sm_priority 3\n");
    assertThat(new GenerationDirectory(etc, Optional.of(own), false).write(target(tables())))
        .hasValueSatisfying(why -> assertThat(why).contains(own.toString()));

    // what Heddle has written it writes again, even if the site's options name it by now
    Path ours = directory.resolve("ours");
    Files.writeString(site, "partition_config_file " + ours.resolve("partitions.conf") + "\n");
    assertThat(new GenerationDirectory(ours, Optional.of(site), false).write(target(tables())))
        .isEmpty();
    assertThat(new GenerationDirectory(ours, Optional.of(site), false).write(target(tables())))
        .isEmpty();
  }

  @Test
  void optionsOfTheSiteGoFirstAndWhatIsWrongWithThemIsSaid() throws IOException {
    Path site = directory.resolve("site.conf");
    GenerationDirectory files =
        new GenerationDirectory(directory.resolve("with-site"), Optional.of(site), false);
    assertThatThrownBy(() -> files.write(target(tables())))
        .hasMessage("opensm_conf: there is no file " + site);
    Files.writeString(site, "# ours\nsm_priority\t 14\nm_key\n");
    assertThatThrownBy(() -> files.write(target(tables())))
        .hasMessage("opensm_conf: " + site + ":3: option 'm_key' has no value");
    Files.writeString(site, "qos TRUE\nqos_max_vls 2\nsm_priority 3\nsm_priority\t 14\n");
    assertThat(files.write(target(tables()))).isEmpty();
    assertThat(files.path().resolve("opensm.conf"))
        .content()
        .contains("sm_priority 14\n", "qos FALSE\n", "lfts_file ")
        .doesNotContain("sm_priority 3", "qos TRUE");
    assertThat(files.path().resolve("opensm.lfts")).exists();
  }
}
