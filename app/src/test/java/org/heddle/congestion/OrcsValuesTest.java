package org.heddle.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.text.FabricFormats;
import org.heddle.text.Source;
import org.heddle.text.TableFormats;
import org.heddle.traffic.Patterns;
import org.heddle.traffic.TrafficPattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** ORCS's own output on the same tables, number by number. */
class OrcsValuesTest {
  private static final long TRIALS = 10_000;

  @TestFactory
  List<DynamicTest> everyDeterministicValueOfOrcsIsReproduced() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    Routes routes = null;
    String read = "";
    for (String line : Files.readAllLines(samples().resolve("orcs/deterministic.log"))) {
      String[] cells = line.split(" \\| ");
      if (!cells[0].equals(read)) {
        read = cells[0];
        routes = routes(read);
      }
      Routes traced = routes;
      tests.add(DynamicTest.dynamicTest(cells[0] + " " + cells[1], () -> compare(traced, cells)));
    }
    assertThat(tests).hasSizeGreaterThan(30);
    return tests;
  }

  private static void compare(Routes routes, String[] cells) {
    TrafficPattern pattern = Patterns.parse(cells[1].replace(" -a ", ":"));
    Study.Settings settings = new Study.Settings(0, false, true, routes.size() - 1, false);
    Statistics got = Evaluation.run(Study.of(routes, pattern, settings), 1);
    assertThat(got.lost()).isZero();
    double sum = Double.parseDouble(cells[2].replace("sum_max_cong ", ""));
    assertThat(got.maxima().mean()).isEqualTo(sum);
    String[] hist = cells[3].replace("hist ", "").split(" BW: ");
    assertThat(got.weights()).hasToString(hist[0]);
    assertThat(got.bandwidth()).isCloseTo(Double.parseDouble(hist[1].strip()), within(6e-7));
    String delay = cells[4].substring(cells[4].lastIndexOf(' ') + 1);
    if (!delay.equals("-")) {
      assertThat(got.delays().mean()).isEqualTo(Double.parseDouble(delay));
    }
  }

  @Test
  void tenThousandRandomBisectionsGiveTheMeansOfOrcs() throws IOException {
    assertThat(bisections("x324-ftree").bandwidth()).isCloseTo(0.8224, within(0.003));
    assertThat(bisections("x324-ftree").maxima().mean()).isCloseTo(3.2140, within(0.03));
    assertThat(bisections("x324-minhop").bandwidth()).isCloseTo(0.8226, within(0.003));
    assertThat(bisections("x512-ftree").bandwidth()).isCloseTo(0.7249, within(0.003));
    Statistics minhop = bisections("x512-minhop");
    assertThat(minhop.bandwidth()).isCloseTo(0.2917, within(0.003));
    assertThat(minhop.maxima().mean()).isCloseTo(8.2537, within(0.06));
    assertThat(minhop.maxima().variance()).isCloseTo(1.0569, within(0.1));
  }

  private static Statistics bisections(String name) throws IOException {
    Study.Settings settings = Study.Settings.shuffled(1);
    return Evaluation.run(Study.of(routes(name), Patterns.parse("bisect"), settings), TRIALS);
  }

  private static Routes routes(String name) throws IOException {
    Path folder = samples().resolve("opensm").resolve(name);
    Fabric fabric =
        FabricFormats.read(new Source("fabric", unzipped(folder, "opensm-subnet.lst.gz"))).get();
    byte[] lfts = unzipped(folder, "opensm-lfts.dump.gz");
    var bound = TableFormats.read("tables", new ByteArrayInputStream(lfts), fabric).get();
    ForwardingTables tables = bound.tables();
    return Routes.trace(bound.fabric(), tables, Routes.hosts(bound.fabric()));
  }

  private static byte[] unzipped(Path folder, String file) throws IOException {
    try (var in = new GZIPInputStream(Files.newInputStream(folder.resolve(file)))) {
      return in.readAllBytes();
    }
  }

  private static Path samples() {
    String named = System.getenv("HEDDLE_SAMPLES");
    Path path = named == null ? Path.of("../../shared/samples") : Path.of(named);
    Assumptions.assumeTrue(
        Files.isDirectory(path),
        "no sample files: set HEDDLE_SAMPLES or put them at ../shared/samples");
    return path;
  }
}
