package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.heddle.cli.shell.ExitCode;
import org.heddle.peer.Program;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code heddle simulate schedule} on small trees, as users type it. */
class SimulateScheduleTest {
  private static final String TREE = "XGFT(3;4,4,4;1,4,4)";

  @TempDir private Path dir;

  private static Cli.Result run(int code, String... words) {
    List<String> all = new ArrayList<>(List.of("simulate", "schedule"));
    all.addAll(List.of(words));
    Cli.Result result = Cli.run(all.toArray(new String[0]));
    assertThat(result.code()).as("%s: %s", all, result.err()).isEqualTo(code);
    return result;
  }

  @Test
  void everyPlacementOfEveryAllocatorKeepsItsPromise() {
    String out =
        run(
                ExitCode.OK,
                "--fabric",
                TREE,
                "--requests",
                "exp:6:300",
                "--allocator",
                "exact,laas,simple,simple-extended,unconstrained",
                "--queue",
                "fifo,easy",
                "--verify")
            .out();
    // 5 allocators, 2 queues, 300 requests.
    assertThat(out).contains("verified 3,000 placements: all keep their promise");
  }

  @Test
  void damagedTreesArePlacedOnCorrectly() {
    String out =
        run(
                ExitCode.OK,
                "--fabric",
                TREE,
                "--requests",
                "exp:4:150",
                "--allocator",
                "exact,laas",
                "--break-links",
                "0,5%,20%",
                "--queue",
                "easy",
                "--verify")
            .out();
    assertThat(out).contains("all keep their promise");
  }

  @Test
  void theOutputDoesNotDependOnTheNumberOfThreads() {
    String[] common = {
      "--fabric", TREE, "-r", "gauss:3,6:200", "-a", "exact,simple", "-q", "fifo,easy", "--csv"
    };
    List<String> one = new ArrayList<>(List.of(common));
    one.addAll(List.of("--threads", "1"));
    List<String> four = new ArrayList<>(List.of(common));
    four.addAll(List.of("--threads", "4"));
    String alone = run(ExitCode.OK, one.toArray(new String[0])).out();
    assertThat(alone.lines()).hasSize(1 + 8);
    assertThat(run(ExitCode.OK, four.toArray(new String[0])).out()).isEqualTo(alone);
  }

  @Test
  void theDocumentHasNoTimesUnlessAskedFor() {
    String json = run(ExitCode.OK, "--fabric", TREE, "-r", "exp:4:50", "--json").out();
    assertThat(json)
        .contains("\"format\" : \"heddle.simulate-schedule/1\"", "\"durations\" : null");
    String timed = run(ExitCode.OK, "--fabric", TREE, "-r", "exp:4:50", "--json", "--times").out();
    assertThat(timed).contains("\"longest_answered\"").doesNotContain("\"durations\" : null");
  }

  @Test
  void aFileOfRequestsIsRunInItsOrder() throws IOException {
    Path file = dir.resolve("r.csv");
    // 64 hosts: 1 takes all until 10, 2 waits, 3 behind it. 64 * 10 + 64 * 5 of 64 * 15: all.
    Files.writeString(file, "id,size,arrival,length\n1,64,0,10\n2,64,0,5\n3,1,0,1\n");
    String csv = run(ExitCode.OK, "--fabric", TREE, "-r", file.toString(), "--csv").out();
    assertThat(csv.lines().toList().get(1)).contains(",exact,fifo,64,", ",3,3,0,0,0,15,1.000000,");
  }

  @Test
  void resultsGoIntoAFolderWithFigures() throws IOException {
    Program.need(Program.FONTS);
    Path folder = dir.resolve("out");
    Cli.Result result =
        run(ExitCode.OK, "--fabric", TREE, "-r", "exp:2,4,8:60", "-o", folder.toString());
    assertThat(result.err()).doesNotContain("no fonts");
    try (Stream<Path> list = Files.list(folder)) {
      assertThat(list.map(p -> p.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "report.json", "runs.csv", "utilisation.svg", "utilisation.png");
    }
  }

  @Test
  void oneWorkloadGivesItsTimeline() throws IOException {
    Path folder = dir.resolve("out");
    run(ExitCode.OK, "--fabric", TREE, "-r", "exp:4:60", "-o", folder.toString());
    List<String> lines = Files.readAllLines(folder.resolve("timeline-01-exact-fifo.csv"));
    assertThat(lines.getFirst()).isEqualTo("time,requested_hosts,held_hosts,links,running,waiting");
    assertThat(lines.getLast()).endsWith(",0,0,0,0,0"); // all have left
  }

  @Test
  void whatCannotBeUnderstoodIsSaid() throws IOException {
    Path file = dir.resolve("bad.csv");
    Files.writeString(file, "1,2,0,3\n2,x,0,3\n");
    assertThat(run(ExitCode.BAD_INPUT, "--fabric", TREE, "-r", file.toString()).err())
        .contains("bad.csv:2: error: size 'x'");
    assertThat(run(ExitCode.BAD_INPUT, "--fabric", TREE, "-r", "exp:0").err()).contains("exp:36");
    assertThat(run(ExitCode.BAD_INPUT, "--fabric", TREE, "-r", "exp:9..3/1").err())
        .contains("not an ascending range");
    assertThat(run(ExitCode.BAD_INPUT, "--fabric", TREE, "-r", "exp:3", "-a", "exakt").err())
        .contains("did you mean exact?");
    assertThat(run(ExitCode.BAD_INPUT, "--fabric", TREE, "-r", "exp:3", "-q", "lifo").err())
        .contains("queues: fifo, easy");
    assertThat(run(ExitCode.BAD_INPUT, "--fabric", "XGFT(3;4,4)", "-r", "exp:3").err())
        .contains("--fabric XGFT(3;4,4)");
    assertThat(
            run(ExitCode.BAD_INPUT, "--fabric", TREE, "-r", "exp:3", "--run-times", "9..1").err())
        .contains("20..3000");
  }
}
