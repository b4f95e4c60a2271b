package org.heddle.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.heddle.catalog.Catalog;
import org.heddle.control.port.AgentException;
import org.heddle.control.port.FabricAgent;
import org.heddle.control.port.Fence;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.smp.transport.TransportSpec;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the agents say when something is missing; with everything there see ServeLiveIT. */
class AgentsTest {
  private static final Fabric FABRIC =
      TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,4;1,4)")).withAssignedLids();

  @TempDir Path directory;

  private final LiveReader nowhere = new LiveReader(TransportSpec.parse("umad:no_such_adapter:1"));

  private GenerationDirectory files() {
    return new GenerationDirectory(directory.resolve("files"));
  }

  private static FabricAgent.Target target(Fence fence) {
    RoutingResult result =
        Catalog.engine("dmodk")
            .orElseThrow()
            .route(RoutingRequest.of(FABRIC, FatTreeRecogniser.recognise(FABRIC)));
    ForwardingTables tables = ((RoutingResult.Routed) result).tables();
    FabricAgent.BlockWrite write = new FabricAgent.BlockWrite(1, 0, new byte[64]);
    return new FabricAgent.Target(1, FABRIC, tables, List.of(write), List.of(), fence);
  }

  private static OpensmAgent.Options options(String... reload) {
    return new OpensmAgent.Options(List.of(reload), Duration.ofMillis(50), true);
  }

  private FabricAgent.Applied applied(String... reload) {
    try (OpensmAgent agent = new OpensmAgent(nowhere, files(), options(reload))) {
      return agent.apply(target(Fence.NONE));
    }
  }

  @Test
  void filesAreWrittenEvenIfThereIsNobodyToTell() {
    FabricAgent.Applied failed = applied("false");
    assertThat(failed.written()).isZero();
    assertThat(failed.soon()).isFalse();
    assertThat(failed.problems()).singleElement().asString().contains("false gave 1");
    assertThat(applied("/no/such/program").problems().getFirst()).contains("/no/such/program");
    assertThat(Files.exists(files().path().resolve("opensm.lfts"))).isTrue();
  }

  @Test
  void filesThatCannotBeWrittenAreAProblem() throws Exception {
    Files.writeString(directory.resolve("files"), "in the way");
    assertThat(applied("true").problems())
        .singleElement()
        .asString()
        .startsWith("files for OpenSM");
  }

  @Test
  void whoHasLostTheLeadershipTellsOpensmNothing() throws Exception {
    TestFence fence = new TestFence(1);
    Path told = directory.resolve("told");
    try (OpensmAgent agent = new OpensmAgent(nowhere, files(), options("touch", told.toString()))) {
      fence.beforeConfirmation(2, fence::lose); // after the files, before OpenSM
      FabricAgent.Applied applied = agent.apply(target(fence));
      assertThat(applied.problems()).singleElement().asString().contains("OpenSM was not told");
      assertThat(applied.written()).isZero();
      assertThat(told).doesNotExist();
      Files.delete(files().path().resolve("opensm.lfts"));
      assertThat(agent.apply(target(fence)).problems())
          .singleElement()
          .asString()
          .contains("the leadership is lost");
      assertThat(files().path().resolve("opensm.lfts")).doesNotExist();
      assertThat(told).doesNotExist();
    }
  }

  @Test
  void aDryRunWritesFilesAndSaysWhatWouldBeWritten() {
    try (DryRunAgent agent = new DryRunAgent(nowhere, files())) {
      FabricAgent.Applied applied = agent.apply(target(Fence.NONE));
      assertThat(applied.written()).isZero();
      assertThat(applied.end()).isEqualTo(FabricAgent.Applied.End.FILED);
      assertThat(agent.figures())
          .extracting(FabricAgent.Figure::name)
          .contains("agent_smps_total", "agent_files_written_total")
          .doesNotContain("agent_signals_total");
      assertThat(applied.problems())
          .first()
          .asString()
          .startsWith("dry run: 1 block would be written, files are in ");
    }
    assertThat(Files.exists(files().path().resolve("partitions.conf"))).isTrue();
  }

  @Test
  void aWayThatDoesNotOpenIsNoFabric() {
    assertThatThrownBy(nowhere::observe)
        .isInstanceOf(AgentException.class)
        .hasMessageContaining("no datagrams over this transport");
  }
}
