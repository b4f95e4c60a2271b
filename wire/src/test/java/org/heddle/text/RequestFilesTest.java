package org.heddle.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.text.scheduler.RequestCsvReader;
import org.heddle.text.scheduler.RequestTrace;
import org.heddle.text.scheduler.SwfReader;
import org.junit.jupiter.api.Test;

/** Requests from CSV and from the Standard Workload Format. */
class RequestFilesTest {

  private static Parsed<RequestTrace> csv(String text) {
    return RequestCsvReader.read(Source.of("r.csv", text));
  }

  private static Parsed<RequestTrace> swf(String text, int processors) {
    return SwfReader.read(Source.of("r.swf", text), processors);
  }

  private static List<String> messages(Parsed<?> parsed) {
    return parsed.problems().stream().map(Problem::toString).toList();
  }

  @Test
  void aCsvWithoutHeadingHasTheFourColumnsInOrder() {
    RequestTrace trace = csv("1, 11, 0, 1916\n2, 20, 5, 2131\r\n").get();
    assertThat(trace.ids()).containsExactly(1, 2);
    assertThat(trace.sizes()).containsExactly(11, 20);
    assertThat(trace.arrivals()).containsExactly(0, 5);
    assertThat(trace.lengths()).containsExactly(1916, 2131);
  }

  @Test
  void aHeadingSaysWhereTheColumnsAre() {
    RequestTrace trace = csv("# jobs\n\narrival,Length,user,size,ID\n7,30,x,4,9 # late\n").get();
    assertThat(trace.ids()).containsExactly(9);
    assertThat(trace.sizes()).containsExactly(4);
    assertThat(trace.arrivals()).containsExactly(7);
    assertThat(trace.lengths()).containsExactly(30);
  }

  @Test
  void everyBadLineOfACsvIsNamed() {
    Parsed<RequestTrace> parsed =
        csv("1,2,0,3\n2,0,0,3\n3,x,0,3\n4,2\n1,2,0,3\n6,2,-1,3\n7,2,0,9999999999999\n");
    assertThat(parsed.ok()).isFalse();
    assertThat(messages(parsed))
        .containsExactly(
            "r.csv:2: size '0', a whole number from 1 to 1000000000 is expected",
            "r.csv:3: size 'x', a whole number from 1 to 1000000000 is expected",
            "r.csv:4: 2 columns, id,size,arrival,length is expected",
            "r.csv:5: a second request with the id 1",
            "r.csv:6: arrival '-1', a whole number from 0 to 1000000000000 is expected",
            "r.csv:7: length '9999999999999', a whole number from 0 to 1000000000000 is expected");
  }

  @Test
  void aJobNumberThatComesAgainInALogIsWarnedOfOnce() {
    String line = " 0 -1 60 4 -1 -1 4 60 -1 1\n";
    Parsed<RequestTrace> parsed = swf("1" + line + "2" + line + "1" + line + "2" + line, 1);
    assertThat(parsed.get().ids()).containsExactly(1, 2, 1, 2);
    assertThat(messages(parsed))
        .containsExactly(
            "r.swf:3: warning: a job number that occurs above already, the first of 2; each line "
                + "is taken as a job of its own");
  }

  @Test
  void aHeadingWithoutAColumnIsAnError() {
    assertThat(messages(csv("id,hosts,arrival,length\n1,2,0,3\n")))
        .containsExactly(
            "r.csv:1: no column 'size' in the heading; id,size,arrival,length is expected");
  }

  @Test
  void aFileWithoutRequestsIsAnError() {
    assertThat(messages(csv("# nothing\n")))
        .containsExactly("r.csv: no request; lines of id,size,arrival,length are expected");
    assertThat(messages(csv("SwitchName=a Nodes=b\n1,2,3,4\n")))
        .containsExactly(
            "r.csv:1: no request; id,size,arrival,length is expected, but this looks like a Slurm"
                + " topology.conf");
  }

  private static final String SWF =
      """
      ; Version: 2
      ; MaxNodes: 100
      ; MaxProcs: 800
        1 1000  5 60  16 -1 -1  16 100 -1 1 1 1 1 1 -1 -1 -1
        2 1010 -1 30   9 -1 -1  -1 100 -1 1 1 1 1 1 -1 -1 -1
        3 1020 -1 -1  -1 -1 -1   8 100 -1 5 1 1 1 1 -1 -1 -1
        4 1030 -1 10   8 -1 -1   8 100 -1 2 1 1 1 1 -1 -1 -1
        5 1040 -1  0   1 50.5 -1 1 100 -1 0 1 1 1 1 -1 -1 -1
      """;

  @Test
  void jobsOfALogAreScaledToHostsAndMovedToTimeZero() {
    // 800 / 100 processors a host: 16 are 2 hosts, 9 are 2, 1 is 1. Job 3 never ran, job 4's line
    // is about a part of a job.
    Parsed<RequestTrace> parsed = swf(SWF, SwfReader.FROM_HEADER);
    RequestTrace trace = parsed.get();
    assertThat(trace.ids()).containsExactly(1, 2, 5);
    assertThat(trace.sizes()).containsExactly(2, 2, 1);
    assertThat(trace.arrivals()).containsExactly(0, 10, 40);
    assertThat(trace.lengths()).containsExactly(60, 30, 0);
    assertThat(trace.expected()).containsExactly(100, 100, 100); // field 9
    assertThat(messages(parsed))
        .containsExactly(
            "r.swf: note: left out: 1 job without a size or a run time",
            "r.swf: note: left out: 1 line about parts of jobs (status 2, 3 or 4)");
  }

  @Test
  void aJobThatRanLongerThanRequestedWasExpectedToRunAsLongAsItDid() {
    String log =
        "1 0 0 60 1 -1 -1 1 30 -1 1\n2 0 0 60 1 -1 -1 1 -1 -1 1\n3 0 0 60 1 -1 -1 1 90 -1 1\n";
    assertThat(swf(log, 1).get().expected()).containsExactly(60, 60, 90);
  }

  @Test
  void theProcessorsOfAHostCanBeGiven() {
    assertThat(swf(SWF, 1).get().sizes()).containsExactly(16, 9, 1);
    assertThat(swf(SWF, 5).get().sizes()).containsExactly(4, 2, 1);
  }

  @Test
  void badLinesOfALogAreNamed() {
    assertThat(messages(swf("1 2 3\n1 a 5 60 16 -1 -1 16 100 -1 1\n", 1)))
        .containsExactly(
            "r.swf:1: 3 fields; a line of the Standard Workload Format has 18 numbers",
            "r.swf:2: field 2 is 'a', a whole number from -1 to 1000000000000 is expected");
    assertThat(messages(swf("; nothing\n", 1)).getFirst()).startsWith("r.swf: no job with a size");
  }

  @Test
  void damagedFilesGiveProblemsOrRequestsInRange() {
    int usable = 0;
    for (int seed = 0; seed < 2000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] bytes = (seed % 2 == 0 ? "1,2,0,3\n2,3,4,5\n" : SWF).getBytes();
      for (int k = random.nextInt(4); k >= 0; k--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      Source source = new Source("r", bytes);
      Parsed<RequestTrace> parsed =
          seed % 2 == 0 ? RequestCsvReader.read(source) : SwfReader.read(source, 0);
      assertThat(parsed.ok() || !parsed.problems().isEmpty()).isTrue();
      if (parsed.ok()) {
        usable++;
        assertThat(Arrays.stream(parsed.get().sizes())).allMatch(s -> s >= 1);
        assertThat(Arrays.stream(parsed.get().arrivals()))
            .allMatch(t -> t >= 0 && t <= RequestTrace.MAX_TIME);
        assertThat(Arrays.stream(parsed.get().lengths()))
            .allMatch(t -> t >= 0 && t <= RequestTrace.MAX_TIME);
      }
    }
    assertThat(usable).isBetween(100, 1900);
  }
}
