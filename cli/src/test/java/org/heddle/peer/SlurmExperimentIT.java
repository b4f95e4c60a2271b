package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Shares of an experiment, and of congestion trials, on a Slurm of one machine give the very bytes
 * of a run without it.
 */
@Tag("slow")
class SlurmExperimentIT {
  private static final Path SCRIPTS = Path.of("src", "test", "resources", "slurm").toAbsolutePath();

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  private Path slurm;

  @BeforeEach
  void up() throws Exception {
    Program.need(Program.SLURMCTLD, Program.SLURMD, Program.SBATCH, Program.MUNGED);
    slurm = Files.createDirectory(directory.resolve("slurm"));
    assertThat(run(List.of(SCRIPTS.resolve("slurm-up").toString(), slurm.toString())))
        .as("Slurm starts: " + Files.readString(directory.resolve("output.txt")))
        .isZero();
  }

  @AfterEach
  void down() throws Exception {
    if (slurm != null) {
      run(List.of(SCRIPTS.resolve("slurm-down").toString(), slurm.toString()));
    }
  }

  private int run(List<String> command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("SLURM_CONF", directory.resolve("slurm/slurm.conf").toString());
    builder.redirectErrorStream(true);
    builder.redirectOutput(
        ProcessBuilder.Redirect.appendTo(directory.resolve("output.txt").toFile()));
    Process process = builder.start();
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).as(command.toString()).isTrue();
    return process.exitValue();
  }

  private int heddle(String... words) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "org.heddle.cli.Main"));
    command.addAll(List.of(words));
    return run(command);
  }

  private void experiment(String folder, String... more) throws Exception {
    List<String> words = new ArrayList<>(List.of("experiment", "run", "isolation-delay-range"));
    words.addAll(List.of("-o", directory.resolve(folder).toString()));
    words.addAll(List.of("--set", "trials=200", "--set", "draws=2"));
    words.addAll(List.of(more));
    int code = heddle(words.toArray(new String[0]));
    assertThat(code).as(Files.readString(directory.resolve("output.txt"))).isZero();
  }

  private void congestion(int expected, String pattern, String output, String... more)
      throws Exception {
    List<String> words = new ArrayList<>(List.of("simulate", "congestion"));
    words.addAll(List.of(file("tree.net"), file("tables.lfts"), "--pattern", pattern));
    words.addAll(List.of("-n", "1001", "--seed", "7", "-m", "dep_max_delay,channel_load"));
    words.addAll(List.of("-o", file(output)));
    words.addAll(List.of(more));
    int code = heddle(words.toArray(new String[0]));
    assertThat(code).as(Files.readString(directory.resolve("output.txt"))).isEqualTo(expected);
  }

  private String file(String name) {
    return directory.resolve(name).toString();
  }

  @Test
  void sharesOnSlurmGiveTheBytesOfASingleRun() throws Exception {
    experiment("alone");
    experiment("shares", "--slurm", "3");
    Path shares = directory.resolve("shares");
    assertThat(shares.resolve("job-3.log")).content().contains("share 3/3");
    for (String name : List.of("results.csv", "comparison.md")) {
      assertThat(shares.resolve(name))
          .hasSameBinaryContentAs(directory.resolve("alone").resolve(name));
    }
  }

  @Test
  void partsOfCongestionTrialsOnSlurmGiveTheDocumentOfASingleRun() throws Exception {
    heddle("fabric", "generate", "XGFT(2;4,6;1,2)", "-o", file("tree.net"));
    heddle("route", file("tree.net"), "--engine", "ftree", "-o", file("tables.lfts"));
    congestion(0, "bisect", "alone.json");
    congestion(0, "bisect", "shares.json", "--slurm", "3");
    Path shares = directory.resolve("shares.json");
    assertThat(shares).hasSameBinaryContentAs(directory.resolve("alone.json"));
    assertThat(directory.resolve("shares.json.parts/job-3.log")).content().contains("of 1,001");
    // Lost messages are findings of every share, not failures.
    String all = Files.readString(directory.resolve("tables.lfts"));
    String cut = all.replaceFirst("(?m)^0x[0-9A-Fa-f]+ 00[1-4] .*\\R", "");
    Files.writeString(directory.resolve("tables.lfts"), cut);
    congestion(1, "gather", "alone.json");
    congestion(1, "gather", "shares.json", "--slurm", "2");
    assertThat(shares).hasSameBinaryContentAs(directory.resolve("alone.json"));
    assertThat(shares).content().doesNotContain("\"lost_flows\" : 0");
  }

  /** The walk-through of docs/allocate.md: machines with four adapters. */
  @Test
  void slurmsControllerReadsTheTopologyOfTenantsOnRails() throws Exception {
    heddle("fabric", "generate", "XGFT(2;8,8;1,8)", "--rails", "4", "-o", file("gpu.net"));
    for (String[] tenant : new String[][] {{"blue", "10"}, {"red", "4", "--rails", "joined"}}) {
      List<String> add = new ArrayList<>(List.of("allocate", file("gpu.net")));
      add.addAll(List.of("--state", file("s.json"), "add", tenant[0], "-n"));
      add.addAll(List.of(tenant).subList(1, tenant.length));
      assertThat(heddle(add.toArray(new String[0]))).isZero();
    }
    String state = file("s.json");
    assertThat(heddle("allocate", file("gpu.net"), "--state", state, "export", file("x"))).isZero();
    Files.delete(directory.resolve("output.txt"));
    String topology = file("x/slurm/topology.conf");
    String script = SCRIPTS.resolve("slurm-topology").toString();
    int code = run(List.of(script, slurm.toString(), topology, "gpu[0000-0015]"));
    String said = Files.readString(directory.resolve("output.txt"));
    assertThat(code).as(said).isZero();
    // 8 machines of one unit and 2 of the other; what is left of that one is red's, or nobody's
    assertThat(said).containsPattern("SwitchName=Tblue Level=1 .*Switches=Tblue-S1_\\[0,4\\]");
    assertThat(said)
        .containsPattern("SwitchName=Tblue-S1_0 Level=0 .*Nodes=gpu\\[000[0-7]-000[0-7]\\]");
    assertThat(said).containsPattern("SwitchName=Tred-S1_4 Level=0 .*Nodes=gpu");
    assertThat(said).doesNotContain("error", "fatal");
  }

  /** All machines of a fabric of three levels with rails, damaged. */
  @Test
  void slurmsControllerReadsTheTopologyOfAWholeFabric() throws Exception {
    heddle(
        "fabric",
        "generate",
        "XGFT(3;4,4,2;1,2,4)",
        "--rails",
        "2",
        "--break-links",
        "5%",
        "--shuffle-ports",
        "4",
        "-o",
        file("gpu.net"));
    String topology = file("topology.conf");
    assertThat(heddle("fabric", "export", file("gpu.net"), "--to", "slurm-tree", "-o", topology))
        .isZero();
    Files.delete(directory.resolve("output.txt"));
    String script = SCRIPTS.resolve("slurm-topology").toString();
    int code = run(List.of(script, slurm.toString(), topology, "gpu[0000-0015]"));
    String said = Files.readString(directory.resolve("output.txt"));
    assertThat(code).as(said).isZero();
    assertThat(said)
        .containsPattern(
            "SwitchName=fabric Level=2 .*Nodes=gpu\\[0000-0015\\] Switches=level2-\\[1-2\\]")
        .containsPattern("SwitchName=level2-1 Level=1 .*Nodes=gpu\\[0000-0007\\]")
        .doesNotContain("error", "fatal");
  }

  @Test
  void anSbatchThatRefusesIsNamedAndLeavesNoParts() throws Exception {
    heddle("fabric", "generate", "XGFT(2;4,6;1,2)", "-o", file("tree.net"));
    heddle("route", file("tree.net"), "--engine", "ftree", "-o", file("tables.lfts"));
    congestion(1, "bisect", "shares.json", "--slurm", "2", "--sbatch=--partition=nowhere");
    assertThat(directory.resolve("output.txt"))
        .content()
        .contains("sbatch ended with 1: not every share was computed");
    assertThat(directory.resolve("shares.json")).doesNotExist();
    assertThat(directory.resolve("shares.json.parts/part-1.json")).doesNotExist();
  }
}
