package org.heddle.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.Plant;
import org.heddle.catalog.Catalog;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;

/** Disciplines and measures on four leaves of two hosts, computed by hand. */
class SimulationTest {
  private static final Plant EIGHT_HOSTS = Plant.of(TreeSpec.parse("XGFT(2;2,4;1,2)"));
  private static final Allocator UNCONSTRAINED = Catalog.allocator("unconstrained").orElseThrow();

  /** Start times by request, and how often a tenant was seen to leave. */
  private static final class Starts implements Watcher {
    private final long[] at;
    private final List<Integer> order = new ArrayList<>();
    private int ended;

    Starts(Workload work) {
      at = new long[work.count()];
      java.util.Arrays.fill(at, -1);
    }

    @Override
    public void started(long time, int request, Allocation allocation) {
      at[request] = time;
      order.add(request);
    }

    @Override
    public void ended(long time, int request, Allocation allocation) {
      ended++;
    }
  }

  /** Rows of size, arrival, length. */
  private static Workload work(long[]... rows) {
    int n = rows.length;
    long[] id = new long[n];
    int[] size = new int[n];
    long[] arrival = new long[n];
    long[] length = new long[n];
    for (int i = 0; i < n; i++) {
      id[i] = i + 1;
      size[i] = (int) rows[i][0];
      arrival[i] = rows[i][1];
      length[i] = rows[i][2];
    }
    return Workload.of(id, size, arrival, length);
  }

  /** Rows of size, arrival, length, announced length. */
  private static Workload announced(long[]... rows) {
    Workload work = work(rows);
    long[] expected = new long[rows.length];
    for (int i = 0; i < rows.length; i++) {
      expected[i] = rows[i][3];
    }
    return Workload.of(
        column(work::id, rows.length),
        IntStream.range(0, rows.length).map(work::size).toArray(),
        column(work::arrival, rows.length),
        column(work::length, rows.length),
        expected);
  }

  private static long[] column(IntToLongFunction of, int n) {
    return IntStream.range(0, n).mapToLong(of).toArray();
  }

  @Test
  void easyGoesByAnnouncedRunTimesAndTheFirstStartsWhenAllHaveLeftEarly() {
    // A takes 6 of 8 until 4, but said 10. B wants all 8: reserved at 10. C wants 2 until 8, which
    // is before 10: starts at 0. A leaves at 4, C at 8, B starts at 8 rather than at 10.
    Workload work =
        announced(new long[] {6, 0, 4, 10}, new long[] {8, 0, 1, 1}, new long[] {2, 0, 8, 8});
    Starts told = new Starts(work);
    run(work, ScheduleOptions.EASY, told);
    assertThat(told.at).containsExactly(0, 8, 0);
    // Were run times known, B would be reserved at 4, and C would have to wait until B is done.
    Starts known = new Starts(work);
    run(work.withKnownRunTimes(), ScheduleOptions.EASY, known);
    assertThat(known.at).containsExactly(0, 4, 5);
  }

  private static long[] row(long size, long arrival, long length) {
    return new long[] {size, arrival, length};
  }

  private static ScheduleResult run(Workload work, ScheduleOptions options, Watcher watcher) {
    return Simulation.run(EIGHT_HOSTS, work, UNCONSTRAINED, options, watcher, () -> 0);
  }

  @Test
  void fifoLetsNobodyPassTheFirst() {
    // t=0: A takes 6 of 8 until 10. B wants 4: waits. C wants 2, which are free, but B is before
    // it.
    // t=10: A leaves, B (until 15) and C (until 13) start. D wants 8: at 15.
    Workload work = work(row(6, 0, 10), row(4, 0, 5), row(2, 0, 3), row(8, 0, 1));
    Starts starts = new Starts(work);
    ScheduleResult result = run(work, ScheduleOptions.FIFO, starts);
    assertThat(starts.at).containsExactly(0, 10, 10, 15);
    assertThat(starts.ended).isEqualTo(4);
    assertThat(result.started()).isEqualTo(4);
    assertThat(result.overtook()).isZero();
    assertThat(result.lastStart()).isEqualTo(15);
    assertThat(result.end()).isEqualTo(16);
  }

  @Test
  void utilisationIsTakenFromTheFirstBlockedRequestToTheEmptyQueue() {
    // From 0 (B waits) to 15 (D starts and nobody waits): 6 hosts * 10 + 4 * 5 + 2 * 3 = 86 of
    // 8 * 15 = 120. D's own unit of time is not counted.
    // Free hosts: 2 for 10 while B, who wants 4, is first: shortage 20. Then 2 for 3 and 4 for 2
    // while D, who wants 8, is first: shortage 6 + 8 = 14. Nothing else.
    Workload work = work(row(6, 0, 10), row(4, 0, 5), row(2, 0, 3), row(8, 0, 1));
    ScheduleResult.Steady steady = run(work, ScheduleOptions.FIFO, Watcher.NONE).steady().get();
    assertThat(steady.from()).isZero();
    assertThat(steady.to()).isEqualTo(15);
    assertThat(steady.utilisation()).isCloseTo(86.0 / 120, within(1e-12));
    assertThat(steady.shortage()).isCloseTo(34.0 / 120, within(1e-12));
    assertThat(steady.rounding() + steady.fragmentation() + steady.lull()).isZero();
  }

  @Test
  void waitingTimesRunFromArrivalToStart() {
    // A at once; B arrives at 2 and starts at 10: 8; C arrives at 4 and starts at 10: 6.
    Workload work = work(row(6, 0, 10), row(4, 2, 5), row(4, 4, 5));
    ScheduleResult.Waits waits = run(work, ScheduleOptions.FIFO, Watcher.NONE).waits();
    assertThat(waits.mean()).isCloseTo(14.0 / 3, within(1e-12));
    assertThat(waits.p50()).isEqualTo(6); // the 2nd of 0, 6, 8
    assertThat(waits.p90()).isEqualTo(8);
    assertThat(waits.max()).isEqualTo(8);
  }

  @Test
  void easyStartsWhoeverIsDoneBeforeTheReservation() {
    // A holds 6 until 10, so B (4 hosts) is reserved for 10. C (2 hosts, 3 long) is done by 3; D
    // (2 hosts, 7 long) is done by 10, starting at 3; E (2 hosts, 8 long) would be on hosts beside
    // B's at 10: at time 3 D has them, at 10 B takes 4, E 2 of the 4 left.
    Workload work = work(row(6, 0, 10), row(4, 0, 5), row(2, 0, 3), row(2, 0, 7), row(2, 0, 8));
    Starts starts = new Starts(work);
    ScheduleResult result = run(work, ScheduleOptions.EASY, starts);
    assertThat(starts.at).containsExactly(0, 10, 0, 3, 10);
    assertThat(result.overtook()).isEqualTo(2);
  }

  @Test
  void easyStartsALongOneBesideTheReservedPlace() {
    // A holds 6 until 10; B wants 4 and is reserved for 10. C wants 2 for 100: 2 are free now, and
    // at 10 there are 8, of which B needs 4: C may have the 2, unless B's place includes both. The
    // unconstrained allocator packs the fullest leaf first, and at 10 all leaves are empty, so B's
    // place is the first two leaves, which A has; C gets the last leaf at once.
    Workload work = work(row(6, 0, 10), row(4, 0, 5), row(2, 0, 100));
    Starts starts = new Starts(work);
    run(work, ScheduleOptions.EASY, starts);
    assertThat(starts.at).containsExactly(0, 10, 0);
  }

  @Test
  void easyNeverDelaysTheFirst() {
    // A holds 6 until 10; B wants all 8: reserved for 10. C wants 2 for 11 and would be in the way.
    Workload work = work(row(6, 0, 10), row(8, 0, 5), row(2, 0, 11));
    Starts starts = new Starts(work);
    ScheduleResult result = run(work, ScheduleOptions.EASY, starts);
    assertThat(starts.at).containsExactly(0, 10, 15);
    assertThat(result.overtook()).isZero();
  }

  @Test
  void backfillingLooksNoFurtherThanItsDepth() {
    // B (8 hosts) waits for A; C (4 hosts) is too large for the 2 free ones, D is not. With depth 1
    // only C is looked at.
    Workload work = work(row(6, 0, 10), row(8, 0, 5), row(4, 0, 1), row(2, 0, 1));
    Starts shallow = new Starts(work);
    run(work, ScheduleOptions.EASY.withDepth(1), shallow);
    Starts deep = new Starts(work);
    run(work, ScheduleOptions.EASY.withDepth(2), deep);
    assertThat(shallow.at[3]).isEqualTo(15);
    assertThat(deep.at[3]).isZero();
  }

  @Test
  void aRequestLargerThanTheFabricIsRefusedWhenItsTurnComes() {
    // B wants 9 of 8 hosts. C starts at once, as if B had not been there.
    Workload work = work(row(4, 0, 10), row(9, 0, 5), row(4, 0, 10));
    Starts starts = new Starts(work);
    ScheduleResult result = run(work, ScheduleOptions.FIFO, starts);
    assertThat(starts.at).containsExactly(0, -1, 0);
    assertThat(result.refused()).isEqualTo(1);
    assertThat(result.started()).isEqualTo(2);
    assertThat(result.steady()).isEmpty(); // nobody had to wait
  }

  @Test
  void arrivalsFindWhatIsFreeAtThatTime() {
    // A leaves at 5, the moment B arrives: B starts at once. C arrives at 6 and waits until 9.
    Workload work = work(row(8, 0, 5), row(8, 5, 4), row(1, 6, 1));
    Starts starts = new Starts(work);
    ScheduleResult result = run(work, ScheduleOptions.FIFO, starts);
    assertThat(starts.at).containsExactly(0, 5, 9);
    // From 6 to 9 all 8 hosts are in use.
    assertThat(result.steady().get().utilisation()).isEqualTo(1.0);
    assertThat(result.steady().get().from()).isEqualTo(6);
  }

  @Test
  void hostsIdleBetweenTwoQueuesAreALull() {
    // A and B fill the fabric one after the other (B waits from 0 to 2, runs until 4). Nothing
    // until C at 6; D waits from 6 to 8. From 0 to 8: 8 * 2 + 8 * 2 + 0 * 2 + 8 * 2 = 48 of 64.
    Workload work = work(row(8, 0, 2), row(8, 0, 2), row(8, 6, 2), row(8, 6, 2));
    ScheduleResult.Steady steady = run(work, ScheduleOptions.FIFO, Watcher.NONE).steady().get();
    assertThat(steady.utilisation()).isCloseTo(48.0 / 64, within(1e-12));
    assertThat(steady.lull()).isCloseTo(16.0 / 64, within(1e-12));
  }

  @Test
  void failedAttemptsAreCountedOncePerChange() {
    // A is placed, B tried and refused at 0. The arrivals at 1 and 2 change nothing for B. At 10 A
    // leaves: B, C, D are placed. 5 attempts, 1 of them in vain.
    Workload work = work(row(6, 0, 10), row(4, 0, 5), row(2, 1, 1), row(1, 2, 1));
    ScheduleResult result = run(work, ScheduleOptions.FIFO, Watcher.NONE);
    assertThat(result.attempts()).isEqualTo(new ScheduleResult.Attempts(5, 4, 1, 0, 0, 0));
  }

  @Test
  void attemptsAreTimedByTheClockThatIsPassedIn() {
    // The clock moves by 7 at every look: each attempt takes 7.
    Workload work = work(row(6, 0, 10), row(4, 0, 5));
    AtomicLong clock = new AtomicLong();
    ScheduleResult result =
        Simulation.run(
            EIGHT_HOSTS,
            work,
            UNCONSTRAINED,
            ScheduleOptions.FIFO,
            Watcher.NONE,
            () -> clock.addAndGet(7));
    assertThat(result.allTimes()).isEqualTo(new ScheduleResult.Times(7, 7, 7, 7));
    assertThat(clock.get()).isEqualTo(2 * 7 * 3); // A placed, B in vain, B placed
  }

  @Test
  void theTimelineHasOneStepForEveryTimeSomethingHappens() {
    Workload work = work(row(6, 0, 10), row(4, 0, 5));
    Timeline t = run(work, ScheduleOptions.FIFO, Watcher.NONE).timeline();
    assertThat(t.count()).isEqualTo(3);
    assertThat(new long[] {t.time(0), t.time(1), t.time(2)}).containsExactly(0, 10, 15);
    assertThat(t.requestedHosts(0)).isEqualTo(6);
    assertThat(t.waiting(0)).isEqualTo(1);
    assertThat(t.requestedHosts(1)).isEqualTo(4);
    assertThat(t.running(2)).isZero();
  }

  @Test
  void aWatcherCanStopIt() {
    Workload work = work(row(6, 0, 10), row(4, 0, 5), row(8, 0, 5));
    Watcher impatient =
        new Watcher() {
          @Override
          public boolean goOn(int started, int total) {
            return started < 2;
          }
        };
    ScheduleResult result = run(work, ScheduleOptions.FIFO, impatient);
    assertThat(result.cancelled()).isTrue();
    assertThat(result.started()).isEqualTo(2);
  }

  @Test
  void percentilesAreNearestRanks() {
    long[] ten = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    assertThat(ScheduleResult.percentile(ten, 50)).isEqualTo(5);
    assertThat(ScheduleResult.percentile(ten, 99)).isEqualTo(10);
    assertThat(ScheduleResult.percentile(ten, 0)).isEqualTo(1);
    assertThat(ScheduleResult.percentile(new long[0], 50)).isZero();
  }
}
