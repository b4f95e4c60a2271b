package org.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.heddle.catalog.Catalog;
import org.heddle.control.model.Member;
import org.heddle.control.model.Partition;
import org.heddle.control.model.PartitionOptions;
import org.heddle.control.port.FabricAgent;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.text.PartitionsConf;
import org.heddle.text.PartitionsConfReader;
import org.heddle.text.Source;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.TreeGenerator;
import org.heddle.topology.TreeSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    return new FabricAgent.Target(1, FABRIC, tables, List.of(), List.of(partitions));
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
      assertThat(names.map(p -> p.getFileName().toString()))
          .containsExactlyInAnyOrder("opensm.lfts", "partitions.conf", "opensm.conf");
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
    assertThat(files.command()).contains("-R file,no_fallback").contains("deep/files");
  }

  @Test
  void tablesThatOpensmWouldNotLoadAreNotWritten() throws IOException {
    GenerationDirectory files = new GenerationDirectory(directory.resolve("files"));
    assertThat(files.write(target(tables().with(0, 1, 99)))).isPresent();
    assertThat(Files.exists(files.path())).isFalse();
  }
}
