package org.heddle.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PatternsTest {
  private static List<String> level(TrafficPattern pattern, int ranks, int level) {
    TrialRandom random = new TrialRandom();
    random.start(7, 3, 0);
    Flows flows = new Flows(0);
    pattern.flows(ranks, level, random, flows);
    List<String> out = new ArrayList<>();
    for (int f = 0; f < flows.count(); f++) {
      out.add(flows.from(f) + ">" + flows.to(f));
    }
    return out;
  }

  @Test
  void everyPatternKeepsToItsRanksItsSizeAndSendsNothingToItself() {
    List<String> all = new ArrayList<>(Patterns.names());
    all.addAll(List.of("neighbor:4", "neighbor:6", "shift:3", "stencil2d:3x2", "stencil3d:2x2x2"));
    for (String name : all) {
      TrafficPattern pattern = Patterns.parse(name);
      for (int ranks = 0; ranks < 40; ranks++) {
        if (!pattern.refusal(ranks).isEmpty() || ranks == 0 && name.startsWith("shift:")) {
          continue;
        }
        for (int l = 0; l < pattern.levels(ranks); l++) {
          List<String> flows = level(pattern, ranks, l);
          assertThat((long) flows.size()).as(name + ranks).isEqualTo(pattern.size(ranks, l));
          assertThat(new HashSet<>(flows)).as(name + ranks).hasSameSizeAs(flows);
          for (String flow : flows) {
            String[] ends = flow.split(">");
            assertThat(ends[0]).as(name + ranks).isNotEqualTo(ends[1]);
            assertThat(Integer.parseInt(ends[0])).isBetween(0, ranks - 1);
            assertThat(Integer.parseInt(ends[1])).isBetween(0, ranks - 1);
          }
        }
      }
    }
  }

  @Test
  void levelsAreThoseOfTheDefinitions() {
    assertThat(level(new Bisect(), 5, 0)).containsExactly("1>0", "3>2");
    assertThat(level(new BisectBothWays(), 4, 0)).containsExactly("0>1", "1>0", "2>3", "3>2");
    assertThat(level(new Gather(), 3, 0)).containsExactly("1>0", "2>0");
    assertThat(level(new Scatter(), 3, 0)).containsExactly("0>1", "0>2");
    assertThat(level(new Silence(), 9, 0)).isEmpty();
    assertThat(level(new Ring(), 3, 2)).containsExactly("2>0");
    assertThat(level(new Bruck(), 5, 2)).containsExactly("0>4", "1>0", "2>1", "3>2", "4>3");
    assertThat(level(new RecursiveDoubling(), 5, 2)).containsExactly("0>4");
    assertThat(level(new RecursiveDoubling(), 5, 1)).containsExactly("0>2", "1>3", "2>0", "3>1");
    assertThat(level(new TreeBroadcast(), 6, 2)).containsExactly("0>4", "1>5");
    assertThat(level(new TreeReduce(), 6, 0)).containsExactly("4>0", "5>1");
    assertThat(level(new Shift(0), 3, 1)).containsExactly("0>2", "1>0", "2>1");
    assertThat(level(new Neighbours(2), 4, 0)).hasSize(6).contains("0>2", "2>1");
    assertThat(level(new Stencil(3, 2, 1, 2), 6, 0)).hasSize(18).contains("0>1", "0>2", "0>3");
  }

  @Test
  void everyRankSendsAndReceivesOnceInAPermutation() {
    for (int trial = 0; trial < 200; trial++) {
      TrialRandom random = new TrialRandom();
      random.start(1, trial, 0);
      Flows flows = new Flows(0);
      new RandomPermutation().flows(17, 0, random, flows);
      Set<Integer> receivers = new HashSet<>();
      for (int f = 0; f < flows.count(); f++) {
        receivers.add(flows.to(f));
        assertThat(flows.to(f)).isNotEqualTo(flows.from(f));
      }
      assertThat(receivers).hasSize(17);
    }
  }

  @Test
  void permutationsWithoutFixedPointsAreEquallyLikely() {
    // Of four ranks there are nine.
    java.util.Map<String, Integer> seen = new java.util.TreeMap<>();
    for (int trial = 0; trial < 90_000; trial++) {
      TrialRandom random = new TrialRandom();
      random.start(5, trial, 0);
      Flows flows = new Flows(4);
      new RandomPermutation().flows(4, 0, random, flows);
      String key = "" + flows.to(0) + flows.to(1) + flows.to(2) + flows.to(3);
      seen.merge(key, 1, Integer::sum);
    }
    assertThat(seen).hasSize(9);
    assertThat(seen.values()).allMatch(n -> Math.abs(n - 10_000) < 500);
  }

  @Test
  void boundedNumbersAreUniformAndTheSameForTheSameTrial() {
    int[] seen = new int[7];
    TrialRandom random = new TrialRandom();
    random.start(1, 2, 3);
    for (int i = 0; i < 70_000; i++) {
      seen[random.below(7)]++;
    }
    assertThat(java.util.Arrays.stream(seen)).allMatch(n -> Math.abs(n - 10_000) < 500);
    TrialRandom again = new TrialRandom();
    again.start(1, 2, 3);
    random.start(1, 2, 3);
    assertThat(random.next()).isEqualTo(again.next());
    again.start(1, 3, 3);
    assertThat(random.next()).isNotEqualTo(again.next());
  }

  @Test
  void flowListsAreSortedByLevelAndCheckTheirRanks() {
    int[] level = {9, 0, 9};
    FlowList list = new FlowList("mine", 3, level, new int[] {0, 1, 2}, new int[] {1, 2, 0});
    assertThat(list.levels(3)).isEqualTo(2);
    assertThat(level(list, 3, 0)).containsExactly("1>2");
    assertThat(level(list, 3, 1)).containsExactly("0>1", "2>0");
    assertThat(list.refusal(4)).contains("3 ranks");
    assertThatThrownBy(() -> new FlowList("x", 2, new int[] {0}, new int[] {1}, new int[] {1}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void namesAreReadWithTheirArgumentsAndOthersRefused() {
    for (String name : Patterns.names()) {
      assertThat(Patterns.parse(name).name()).startsWith(name);
    }
    assertThat(Patterns.parse("bisect_fb_sym")).isEqualTo(new BisectBothWays());
    assertThat(Patterns.parse("neighbor:6")).isEqualTo(new Neighbours(6));
    assertThat(Patterns.parse("stencil3d:2x3x4")).isEqualTo(new Stencil(2, 3, 4, 3));
    for (String bad :
        List.of("bisekt", "gather:3", "neighbor:x", "neighbor:0", "shift:-1", "stencil2d:3", "")) {
      assertThatThrownBy(() -> Patterns.parse(bad))
          .as(bad)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
