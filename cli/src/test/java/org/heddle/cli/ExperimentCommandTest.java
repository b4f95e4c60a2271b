package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentCommandTest {
  private static final String FILE =
      """
      version: 1
      name: mine
      title: "Mine"
      kind: interference
      axes:
        topology: ["XGFT(2;8,4;1,4)", "XGFT(2;4,4;1,4)"]
        engine: [ftree, pftree-ext]
        pattern: [bisect]
        interferer: ["null", all-to-all]
      parameters: {trials: 20, draws: 2}
      figures:
        - {name: delay, x: hosts, y: delay_mean, curves: [engine, interferer], log_y: true}
      printed:
        - place: "table 1"
          columns: [topology, engine, pattern, interferer, delay_mean]
          rows: [["XGFT(2;8,4;1,4)", ftree, bisect, "null", 1.5]]
      """;

  @TempDir Path dir;

  private Cli.Result run(int code, String... words) {
    List<String> all = new ArrayList<>(List.of("experiment"));
    all.addAll(List.of(words));
    Cli.Result result = Cli.run(all.toArray(new String[0]));
    assertThat(result.code()).as("%s: %s", all, result.err()).isEqualTo(code);
    return result;
  }

  private String write(String name, String text) throws IOException {
    return Files.writeString(dir.resolve(name), text).toString();
  }

  private String path(String name) {
    return dir.resolve(name).toString();
  }

  @Test
  void everyEmbeddedExperimentIsListed() {
    String out = run(0, "list", "--json").out();
    assertThat(out).contains("heddle.experiment-list/1", "isolation-delay-range", "rank-order");
  }

  @Test
  void aFileIsComputedComparedAndDrawn() throws IOException {
    String file = write("mine.yaml", FILE);
    String out = run(0, "run", file, "-o", path("out")).out();
    assertThat(out).contains("PRINTED IN", "table 1", "wrote");
    List<String> csv = Files.readAllLines(dir.resolve("out/results.csv"));
    assertThat(csv).hasSize(9);
    assertThat(csv.getFirst())
        .isEqualTo(
            "topology,engine,pattern,interferer,hosts,oversubscription,victims,"
                + "delay_min,delay_mean,delay_max,bandwidth");
    assertThat(csv.get(1)).startsWith("\"XGFT(2;8,4;1,4)\",ftree,bisect,null,32,2,8,");
    assertThat(dir.resolve("out/comparison.md")).content().contains("| table 1 |");
  }

  @Test
  void sharesAndAnEarlierRunGiveTheSameBytes() throws IOException {
    String file = write("mine.yaml", FILE);
    run(0, "run", file, "-o", path("alone"), "--threads", "1");
    run(0, "run", file, "-o", path("shares"), "--shard", "2/3");
    run(0, "run", file, "-o", path("shares"), "--shard", "1/3");
    Files.writeString(dir.resolve("shares/cases/0001.json"), "{\"fingerprint\":");
    String out = run(0, "run", file, "-o", path("shares")).out();
    // cases 0 to 3: the first share has 0 and 3, the second 1, which is torn; 2 and 1 are computed
    assertThat(out).contains("2 cases were there already");
    assertThat(dir.resolve("shares/results.csv"))
        .hasSameBinaryContentAs(dir.resolve("alone/results.csv"));
    // other parameters are another experiment
    String other = run(0, "run", file, "-o", path("shares"), "--set", "seed=2").out();
    assertThat(other).doesNotContain("already");
  }

  @Test
  void whatIsWrongInAFileIsNamedWithItsLine() throws IOException {
    String[][] wrong = {
      {"kind: interference", "kind: interferenc", "mine.yaml:4", "interference"},
      {
        "engine: [ftree, pftree-ext]",
        "engine: [ftree, ftre]",
        "mine.yaml",
        "there is no engine 'ftre'"
      },
      {"pattern: [bisect]", "pattern: []", "mine.yaml:6", "pattern"},
      {"{trials: 20, draws: 2}", "{trial: 20}", "mine.yaml:10", "trial"},
      {"y: delay_mean", "y: delay_men", "mine.yaml:12", "delay_mean"},
      {"\"null\", 1.5", "\"null\"", "mine.yaml:16", "as many values"},
      {"version: 1", "version: 2", "mine.yaml:1", "version"}
    };
    for (String[] w : wrong) {
      String file = write("mine.yaml", FILE.replace(w[0], w[1]));
      String err = run(2, "run", file).err();
      assertThat(err).as(w[1]).contains(w[2]).contains(w[3]);
    }
    write("mine.yaml", FILE);
    assertThat(run(2, "run", path("mine.yaml"), "--set", "trial=1").err()).contains("trials");
    assertThat(run(2, "run", path("mine.yaml"), "--set", "trials=x").err()).contains("trials");
    assertThat(run(2, "run", path("mine.yaml"), "--shard", "1/2").err()).contains("-o DIR");
    assertThat(run(2, "run", path("mine.yaml"), "-o", path("o"), "--shard", "3/2").err())
        .contains("1/8");
    assertThat(run(2, "run", "nothing").err()).contains("isolation-delay");
  }
}
