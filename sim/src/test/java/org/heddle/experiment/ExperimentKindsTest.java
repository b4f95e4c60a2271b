package org.heddle.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

class ExperimentKindsTest {
  private static List<ExperimentRow> run(
      ExperimentKind kind, Map<String, List<String>> axes, Map<String, String> parameters) {
    List<ExperimentCase> cases = ExperimentCase.all(kind, axes, parameters, () -> true);
    assertThat(cases).hasSize(1);
    return kind.run(cases.getFirst());
  }

  private static double value(ExperimentKind kind, ExperimentRow row, String result) {
    return row.results().get(kind.results().indexOf(result));
  }

  private static ExperimentRow row(List<ExperimentRow> rows, String... lastAxes) {
    return rows.stream()
        .filter(
            r ->
                r.axes()
                    .subList(r.axes().size() - lastAxes.length, r.axes().size())
                    .equals(List.of(lastAxes)))
        .findFirst()
        .orElseThrow();
  }

  /**
   * 16 hosts on each of 8 leaves, 4 of them victims: 32. The root of a gather gets 31 messages over
   * its own link, whatever the routing; under pftree-ext nobody else is on the way.
   */
  @Test
  void anIsolatedVictimDoesNotNoticeTheInterferer() {
    ExperimentKind kind = ExperimentKinds.named("interference").orElseThrow();
    List<ExperimentRow> rows =
        run(
            kind,
            Map.of(
                "topology", List.of("XGFT(2;16,8;1,8)"),
                "engine", List.of("pftree-ext"),
                "pattern", List.of("bisect", "gather", "all-to-all"),
                "interferer", List.of("null", "all-to-all")),
            Map.of("trials", "200", "draws", "4"));
    assertThat(rows).hasSize(6);
    for (String pattern : List.of("bisect", "gather", "all-to-all")) {
      assertThat(row(rows, pattern, "all-to-all").results())
          .isEqualTo(row(rows, pattern, "null").results());
    }
    ExperimentRow gather = row(rows, "gather", "null");
    assertThat(value(kind, gather, "delay_min")).isEqualTo(31);
    assertThat(value(kind, gather, "delay_max")).isEqualTo(31);
    assertThat(value(kind, row(rows, "bisect", "null"), "delay_mean")).isBetween(1.0, 5.0);
    assertThat(value(kind, gather, "hosts")).isEqualTo(128);
    assertThat(value(kind, gather, "oversubscription")).isEqualTo(2);
    assertThat(value(kind, gather, "victims")).isEqualTo(32);
  }

  @Test
  void aVictimThatSharesChannelsDoesNotice() {
    ExperimentKind kind = ExperimentKinds.named("interference").orElseThrow();
    List<ExperimentRow> rows =
        run(
            kind,
            Map.of(
                "topology", List.of("XGFT(2;16,8;1,8)"),
                "engine", List.of("ftree"),
                "pattern", List.of("bisect"),
                "interferer", List.of("null", "all-to-all")),
            Map.of("trials", "100", "draws", "2"));
    // 96 interferers: a channel down carries all of them to about 96 / 8 / 8 destinations
    assertThat(value(kind, row(rows, "bisect", "all-to-all"), "delay_mean"))
        .isGreaterThan(10 * value(kind, row(rows, "bisect", "null"), "delay_mean"));
  }

  @Test
  void weightsKeepReceiversApartDownwards() {
    ExperimentKind kind = ExperimentKinds.named("contention").orElseThrow();
    Map<String, List<String>> axes = new HashMap<>();
    axes.put("topology", List.of("XGFT(2;16,4;1,4)"));
    axes.put("engine", List.of("pftree-wt"));
    ExperimentRow weighted = run(kind, axes, Map.of("draws", "3")).getFirst();
    assertThat(value(kind, weighted, "down_total_max")).isZero();
    // receivers of a leaf: 1, 2, 3, 4; three draws each
    assertThat(value(kind, weighted, "experiments")).isEqualTo(12);
    axes.put("engine", List.of("pftree"));
    ExperimentRow plain = run(kind, axes, Map.of("draws", "3")).getFirst();
    assertThat(value(kind, plain, "down_total_mean")).isPositive();
    assertThat(value(kind, weighted, "up_total_mean"))
        .isLessThan(value(kind, plain, "up_total_mean"));
  }

  @Test
  void theMinimalUpdateChangesFewerPathsThanRoutingAnew() {
    ExperimentKind kind = ExperimentKinds.named("loss").orElseThrow();
    Map<String, List<String>> axes =
        Map.of(
            "topology", List.of("XGFT(2;8,8;1,8)"),
            "loss", List.of("links"),
            "method", List.of("anew", "minimal"),
            "number", List.of("1", "2", "99"));
    List<ExperimentRow> rows = run(kind, axes, Map.of("seeds", "5", "trials", "100"));
    // 99 links are more than a leaf has
    assertThat(rows).hasSize(4);
    double anew = value(kind, row(rows, "anew", "1"), "changed_mean");
    double minimal = value(kind, row(rows, "minimal", "1"), "changed_mean");
    // the destinations of one leaf that came down the link, from the 56 hosts elsewhere: at least 1
    assertThat(minimal).isBetween(56.0, anew);
    assertThat(value(kind, row(rows, "minimal", "2"), "changed_total_mean"))
        .isEqualTo(minimal + value(kind, row(rows, "minimal", "2"), "changed_mean"));
    assertThat(value(kind, row(rows, "minimal", "1"), "bandwidth_mean")).isBetween(0.5, 1.0);
  }

  /**
   * Six hosts on a leaf: with a step of 8, two hosts of a leaf send two leaves on and the others
   * one, so that an engine that does not know the ranks sends some of them up one channel.
   */
  @Test
  void anEngineThatKnowsTheOrderGivesCollectivesAllTheBandwidth() {
    ExperimentKind kind = ExperimentKinds.named("node-order").orElseThrow();
    Map<String, List<String>> axes = new HashMap<>();
    axes.put("topology", List.of("XGFT(2;6,6;1,6)"));
    axes.put("engine", List.of("metabase"));
    axes.put("order", List.of("leaf-by-leaf"));
    axes.put("pattern", List.of("bruck", "recdbl"));
    List<ExperimentRow> known = run(kind, axes, Map.of("orders", "20"));
    assertThat(value(kind, row(known, "bruck"), "bandwidth_min")).isEqualTo(1);
    // 36 ranks: 32 double, and 4 more follow in a level of their own, where two flows may meet
    assertThat(value(kind, row(known, "recdbl"), "bandwidth_mean")).isBetween(0.9, 1.0);
    axes.put("engine", List.of("ftree"));
    List<ExperimentRow> unknown = run(kind, axes, Map.of("orders", "20"));
    assertThat(value(kind, row(unknown, "bruck"), "bandwidth_mean")).isLessThan(0.95);
  }

  @Test
  void enginesThatSearchMayGetFewerOrdersOnLargeTrees() {
    ExperimentKind kind = ExperimentKinds.named("node-order").orElseThrow();
    Map<String, List<String>> axes = new HashMap<>();
    axes.put("topology", List.of("XGFT(2;6,6;1,6)"));
    axes.put("engine", List.of("metabase"));
    axes.put("order", List.of("leaf-by-leaf"));
    axes.put("pattern", List.of("bruck"));
    Map<String, Double> expected =
        Map.of(
            "", 7.0, //
            "metabase=3", 3.0,
            "ftree=3", 7.0,
            "metabase=3, metabase>35=2", 2.0,
            "metabase=3, metabase>36=2", 3.0);
    expected.forEach(
        (fewer, orders) -> {
          List<ExperimentRow> rows = run(kind, axes, Map.of("orders", "7", "fewer", fewer));
          assertThat(value(kind, rows.getFirst(), "orders")).as(fewer).isEqualTo(orders);
        });
    assertThatThrownBy(() -> run(kind, axes, Map.of("fewer", "metabase>x=2")))
        .hasMessageContaining("ENGINE>HOSTS=ORDERS");
  }

  @Test
  void wrongValuesAreNamedAndWishesToStopAreHeard() {
    for (ExperimentKind kind : ExperimentKinds.all()) {
      assertThat(kind.problem("topology", "XGFT(2;4,4)")).isPresent();
      assertThat(kind.problem("topology", "XGFT(2;4,4;1,4)")).isEmpty();
    }
    ExperimentKind kind = ExperimentKinds.named("contention").orElseThrow();
    Map<String, List<String>> axes =
        Map.of("topology", List.of("XGFT(2;16,4;1,4)"), "engine", List.of("pftree"));
    ExperimentCase stopped = ExperimentCase.all(kind, axes, Map.of(), () -> false).getFirst();
    assertThatThrownBy(() -> kind.run(stopped)).isInstanceOf(CancellationException.class);
    ExperimentCase wrong =
        ExperimentCase.all(kind, axes, Map.of("draws", "x"), () -> true).getFirst();
    assertThatThrownBy(() -> kind.run(wrong)).hasMessageContaining("draws");
  }

  @Test
  void migrationsHaveARowForEverySetOfTablesAndTenthOfTheMoves() {
    ExperimentKind kind = ExperimentKinds.named("migration").orElseThrow();
    List<String> done = List.of("0", "50", "100");
    List<ExperimentRow> rows =
        run(
            kind,
            Map.of(
                "topology", List.of("XGFT(2;4,8;1,4)"),
                "scenario", List.of("uniform-to-random-25"),
                "tables", List.of("fresh", "ftree-minrc", "itrc"),
                "done", done),
            Map.of("trials", "200"));
    assertThat(rows).hasSize(9);
    for (String tables : List.of("fresh", "ftree-minrc", "itrc")) {
      // 2 random moves for each of 32 hosts; a machine each
      assertThat(value(kind, row(rows, tables, "50"), "moved")).isEqualTo(32);
      assertThat(value(kind, row(rows, tables, "100"), "moves")).isEqualTo(64);
      assertThat(value(kind, row(rows, tables, "0"), "machines")).isEqualTo(32);
      assertThat(value(kind, row(rows, tables, "0"), "below_fresh")).isZero();
    }
    double fresh = value(kind, row(rows, "fresh", "100"), "bandwidth");
    ExperimentRow followed = row(rows, "ftree-minrc", "100");
    assertThat(value(kind, followed, "below_fresh"))
        .isEqualTo(1 - value(kind, followed, "bandwidth") / fresh);
    assertThat(value(kind, followed, "switches_mean"))
        .isLessThan(value(kind, row(rows, "itrc", "100"), "switches_mean"));
  }

  @Test
  void migrationsThatMakeNoSenseAreNamed() {
    ExperimentKind kind = ExperimentKinds.named("migration").orElseThrow();
    assertThat(kind.problem("scenario", "random-to-grouping-25")).isEmpty();
    for (String wrong :
        List.of("random-to-nowhere-25", "random", "uniform-to-uniform-25", "random-to-random-0")) {
      assertThat(kind.problem("scenario", wrong)).as(wrong).isPresent();
    }
    assertThat(kind.problem("tables", "fresh")).isEmpty();
    assertThat(kind.problem("tables", "stale")).isPresent();
    assertThat(kind.problem("done", "100")).isEmpty();
    assertThat(kind.problem("done", "15")).isPresent();
    assertThat(kind.problem("topology", "XGFT(2;4)")).isPresent();
    // three moves: the states are at 0, a third, two thirds and all of them
    List<ExperimentRow> rows =
        run(
            kind,
            Map.of(
                "topology", List.of("XGFT(2;2,2;1,2)"),
                "scenario", List.of("uniform-to-consolidate-25"),
                "tables", List.of("fresh"),
                "done", List.of("0", "50", "100")),
            Map.of("trials", "0"));
    assertThat(rows).hasSize(2);
  }
}
