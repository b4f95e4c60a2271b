package org.heddle.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.heddle.addressing.AddressingScheme;
import org.heddle.migrate.MovePatterns.Move;
import org.heddle.traffic.TrialRandom;
import org.junit.jupiter.api.Test;

class MovePatternsTest {
  private static TrialRandom random(long seed) {
    TrialRandom random = new TrialRandom();
    random.start(seed, 0, 0);
    return random;
  }

  private static Machines place(Layout layout, int population, int hosts, long seed) {
    Layout other = layout == Layout.RANDOM ? Layout.UNIFORM : Layout.RANDOM;
    MigrationScenario scenario = MigrationScenario.of(layout, other, population);
    return Machines.place(scenario, hosts, random(seed), random(seed + 100));
  }

  private static Machines after(Machines start, List<Move> moves) {
    Machines now = start.copy();
    for (Move move : moves) {
      assertThat(now.hostOf[move.machine()]).isNotEqualTo(move.to());
      assertThat(now.isFree(move.to())).isTrue();
      now.move(move.machine(), move.to());
    }
    return now;
  }

  @Test
  void consolidationFillsFromTheLeftWithTheRightmost() {
    // hypervisors 0 1 2 3 with one machine each and two functions: 3 goes to 0, 2 to 1
    Machines start = Machines.at(4, 2, 0, 1, 2, 3);
    assertThat(MovePatterns.of(start, Layout.CONSOLIDATE, random(1)))
        .containsExactly(new Move(3, 0), new Move(2, 1));
    assertThat(start.hostOf).containsExactly(0, 1, 2, 3);
  }

  @Test
  void consolidationOfThePackedMovesNothing() {
    Machines packed = Machines.at(4, 2, 0, 0, 1);
    assertThat(MovePatterns.of(packed, Layout.CONSOLIDATE, random(1))).isEmpty();
  }

  @Test
  void theFullestGivesToTheEmptiest() {
    // 3 1 0 0 machines, 1 each is even: two too many on 0, one too few on 2 and on 3
    Machines start = Machines.at(4, 4, 0, 0, 0, 1);
    assertThat(MovePatterns.of(start, Layout.UNIFORM, random(1)))
        .containsExactly(new Move(0, 2), new Move(1, 3));
  }

  @Test
  void groupsThatBlockEachOtherMakeRoomBehindThemAll() {
    // two functions; group 0 belongs on hypervisor 0, group 1 on 1, and each has half of the other:
    // the stranger on 1 steps aside to the far right, the machine of group 1 takes its place
    Machines start = Machines.grouped(4, 2, new int[] {0, 0, 1, 1}, new int[] {0, 1, 0, 1});
    assertThat(MovePatterns.of(start, Layout.GROUPING, random(1)))
        .containsExactly(new Move(2, 3), new Move(1, 1), new Move(2, 0));
  }

  @Test
  void everyPatternEndsInItsLayoutFromEveryOther() {
    for (Layout from : Layout.values()) {
      for (int population : new int[] {25, 50, 75}) {
        Machines start = place(from, population, 32, population);
        assertThat(start.size()).isEqualTo(32 * 4 * population / 100);
        assertThat(Arrays.stream(start.count).max().orElseThrow()).isLessThanOrEqualTo(4);
        assertUniform(after(start, MovePatterns.of(start, Layout.UNIFORM, random(2))));
        assertPacked(after(start, MovePatterns.of(start, Layout.CONSOLIDATE, random(2))));
        assertGrouped(after(start, MovePatterns.of(start, Layout.GROUPING, random(2))));
        List<Move> moves = MovePatterns.of(start, Layout.RANDOM, random(2));
        assertThat(moves).hasSize(64);
        after(start, moves);
      }
    }
  }

  private static void assertUniform(Machines m) {
    assertThat(m.count).containsOnly(m.size() / m.hosts());
  }

  private static void assertPacked(Machines m) {
    int full = m.size() / m.functions;
    assertThat(Arrays.copyOf(m.count, full)).containsOnly(m.functions);
    assertThat(Arrays.copyOfRange(m.count, full, m.hosts())).containsOnly(0);
  }

  private static void assertGrouped(Machines m) {
    assertThat(m.groups()).isEqualTo(2);
    for (int i = 0; i < m.size(); i++) {
      int g = m.group[i];
      assertThat(m.hostOf[i]).isBetween(m.zoneStart(g), m.zoneStart(g + 1) - 1);
    }
  }

  @Test
  void machinesStartInTheLayoutAskedFor() {
    assertUniform(place(Layout.UNIFORM, 50, 32, 1));
    assertPacked(place(Layout.CONSOLIDATE, 50, 32, 1));
    assertGrouped(place(Layout.GROUPING, 50, 32, 1));
    assertThat(place(Layout.RANDOM, 50, 32, 1).hostOf)
        .isEqualTo(place(Layout.RANDOM, 50, 32, 1).hostOf)
        .isNotEqualTo(place(Layout.RANDOM, 50, 32, 2).hostOf);
  }

  @Test
  void whatDoesNotDivideIsSpreadAsEvenlyAsCanBe() {
    // 7 machines on 3 hypervisors: 7/3 = 2, 14/3 - 2 = 2, 7 - 4 = 3
    assertThat(new int[] {Machines.even(7, 3, 0), Machines.even(7, 3, 1), Machines.even(7, 3, 2)})
        .containsExactly(2, 2, 3);
  }

  @Test
  void wherePlacesAreMissingTheReasonIsGiven() {
    Machines full = Machines.at(2, 1, 0, 1);
    assertThatThrownBy(() -> MovePatterns.of(full, Layout.RANDOM, random(1)))
        .hasMessageContaining("no other hypervisor has a free function");
    // three machines each, two functions: two hypervisors for either group, and there are three
    Machines six =
        Machines.grouped(3, 2, new int[] {0, 0, 1, 1, 2, 2}, new int[] {0, 1, 0, 1, 0, 1});
    assertThatThrownBy(() -> MovePatterns.of(six, Layout.GROUPING, random(1)))
        .hasMessageContaining("need 4 hypervisors");
    Machines mixed = Machines.grouped(2, 2, new int[] {0, 0, 1, 1}, new int[] {0, 1, 0, 1});
    assertThatThrownBy(() -> MovePatterns.of(mixed, Layout.GROUPING, random(1)))
        .hasMessageContaining("no room");
  }

  @Test
  void scenariosThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> MigrationScenario.of(Layout.UNIFORM, Layout.UNIFORM, 25))
        .hasMessageContaining("nothing moves");
    assertThatThrownBy(() -> MigrationScenario.of(Layout.RANDOM, Layout.UNIFORM, 0))
        .hasMessageContaining("1 to 100");
    MigrationScenario fine = MigrationScenario.of(Layout.RANDOM, Layout.UNIFORM, 25);
    assertThatThrownBy(() -> fine.withFunctions(127)).hasMessageContaining("1 to 126");
    assertThatThrownBy(() -> fine.withScheme(AddressingScheme.SHARED_PORT))
        .hasMessageContaining("own LIDs");
    assertThat(Layout.named("grouping")).contains(Layout.GROUPING);
    assertThat(Layout.named("grouped")).isEmpty();
  }
}
