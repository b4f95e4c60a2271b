package org.heddle.reconfig;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.heddle.fabric.Fabric;
import org.heddle.reconfig.reroute.MinimalReroute;
import org.heddle.routing.ForwardingTables;
import org.heddle.topology.generate.FabricShuffle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What SlimUpdate is for (Zahid, thesis, paper IV, figures 6 to 8): links and hosts fail on the
 * paper's trees, and fewer paths change than with a fresh routing, at the same balance.
 *
 * <p>{@code -Dheddle.slim.seeds=50} for the figures of docs/reroute.md, {@code
 * -Dheddle.slim.report=FILE} writes its rows.
 */
class SlimUpdateTest {
  private static final int SEEDS = Integer.getInteger("heddle.slim.seeds", 6);
  private static final String SHUFFLED = ", ports shuffled";
  private static final List<String> ROWS = new ArrayList<>();

  @AfterAll
  static void writeRows() throws IOException {
    String file = System.getProperty("heddle.slim.report");
    if (file != null) {
      Files.write(Path.of(file), ROWS);
    }
  }

  /** One step: the minimal update, checked, beside the fresh tables. */
  private static MinimalReroute step(Fabric before, ForwardingTables old, Fabric now) {
    MinimalReroute update = RerouteLab.update(before, old, now);
    assertThat(RerouteLab.faults(now, update.tables())).isEmpty();
    assertThat(update.report().changed().paths())
        .isLessThanOrEqualTo(update.report().fresh().paths());
    int[][] ours = RerouteLab.mostDestinations(now, update.tables());
    int[][] fresh = RerouteLab.mostDestinations(now, RerouteLab.route(now, "ftree").orElseThrow());
    for (int l = 1; l < ours.length; l++) {
      assertThat(ours[l][0]).as("down to level %d", l).isLessThanOrEqualTo(fresh[l][0]);
      assertThat(ours[l][1]).as("up from level %d", l).isLessThanOrEqualTo(fresh[l][1]);
    }
    return update;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "4-ary-2-tree | 0",
        "XGFT(2;8,4;1,4) | 0",
        "8-ary-2-tree | 0",
        "XGFT(2;16,8;1,8) | 0",
        "4-ary-3-tree | 0",
        "XGFT(3;8,4,4;1,4,4) | 0",
        "16-ary-2-tree | 75",
        "XGFT(2;32,16;1,16) | 35"
      })
  void theFirstLinkFailureChangesFewPaths(String spec, int percent) {
    firstLink(spec, percent, RerouteLab.tree(spec));
    firstLink(spec + SHUFFLED, percent, FabricShuffle.ports(RerouteLab.tree(spec), percent));
  }

  private static void firstLink(String spec, int percent, Fabric whole) {
    ForwardingTables old = RerouteLab.route(whole, "ftree").orElseThrow();
    double changed = 0;
    double fresh = 0;
    double entries = 0;
    double freshEntries = 0;
    int taken = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      MinimalReroute.Report r = step(whole, old, RerouteLab.withoutLink(whole, seed)).report();
      changed += r.changed().paths();
      fresh += r.fresh().paths();
      entries += r.changed().entries();
      freshEntries += r.fresh().entries();
      taken += r.isFresh() ? 1 : 0;
    }
    row("first link", spec, changed, fresh, entries, freshEntries, "fresh " + taken);
    assertThat(100 * changed).isLessThanOrEqualTo((100 - percent) * fresh);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "8-ary-2-tree | true",
        "16-ary-2-tree | true",
        "4-ary-3-tree | true",
        "XGFT(2;16,8;1,8) | false",
        "XGFT(2;32,16;1,16) | false"
      })
  void tenHostShutdownsChangeNextToNothing(String spec, boolean mostlyZero) {
    Fabric tree = RerouteLab.tree(spec);
    tenHosts(spec, mostlyZero, tree);
    tenHosts(spec + SHUFFLED, mostlyZero, FabricShuffle.ports(tree, spec.length()));
  }

  private static void tenHosts(String spec, boolean mostlyZero, Fabric whole) {
    ForwardingTables first = RerouteLab.route(whole, "ftree").orElseThrow();
    double changed = 0;
    double fresh = 0;
    double entries = 0;
    double freshEntries = 0;
    int zero = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Fabric before = whole;
      ForwardingTables old = first;
      long sum = 0;
      Fabric freshBefore = whole;
      ForwardingTables freshOld = first;
      for (int k = 0; k < 10; k++) {
        Fabric now = RerouteLab.withoutHost(before, 100L * seed + k);
        MinimalReroute update = step(before, old, now);
        sum += update.report().changed().paths();
        changed += update.report().changed().paths();
        entries += update.report().changed().entries();
        // What ftree alone would change: from its own tables of the step before.
        MinimalReroute alone = RerouteLab.update(freshBefore, freshOld, now);
        fresh += alone.report().fresh().paths();
        freshEntries += alone.report().fresh().entries();
        before = now;
        old = update.tables();
        freshBefore = now;
        freshOld = RerouteLab.route(now, "ftree").orElseThrow();
      }
      zero += sum == 0 ? 1 : 0;
    }
    row("ten hosts", spec, changed, fresh, entries, freshEntries, "zero " + zero);
    assertThat(changed).isLessThanOrEqualTo(fresh);
    if (mostlyZero) {
      assertThat(2 * zero).isGreaterThan(SEEDS);
    }
  }

  private static void row(
      String what,
      String spec,
      double changed,
      double fresh,
      double entries,
      double freshEntries,
      String remark) {
    ROWS.add(
        String.format(
            Locale.ROOT,
            "| %s | %s | %.1f | %.1f | %.1f | %.1f | %.1f%% | %s |",
            what,
            spec,
            changed / SEEDS,
            fresh / SEEDS,
            entries / SEEDS,
            freshEntries / SEEDS,
            fresh == 0 ? 0 : 100 - 100 * changed / fresh,
            remark));
  }
}
