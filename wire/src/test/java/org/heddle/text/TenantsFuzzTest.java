package org.heddle.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.heddle.fabric.Fabric;
import org.heddle.text.tenants.ResolvedTenants;
import org.heddle.text.tenants.TenantsFile;
import org.heddle.text.tenants.TenantsFileReader;
import org.heddle.text.tenants.TenantsFileWriter;
import org.heddle.text.tenants.TenantsFiles;
import org.heddle.text.tenants.TenantsResolver;
import org.heddle.text.tenants.TenantsResolverTest;
import org.junit.jupiter.api.Test;

/** Whatever bytes come, the answer is a tenancy or problems with positions. */
class TenantsFuzzTest {
  private static final String FILE =
      """
      # a comment
      version: 1
      mode: strict
      data_lanes: 4
      physical_share: 50%
      isolation: 0.25
      sharing: [[blue, green]]
      weights: {g1: 50}
      tenants:
        - name: blue
          pkey: 0x0101
          policy: phy
          members: &m
            - n1[1-3]
            - 0x0002c903007b78b0
        - name: green
          policy: vlane
          membership: limited
          members:
            - hosts: [n21, "n2[2-4]"]
              membership: full
              weight: 9
              ports: [1]
              hca: HCA-*
            - count: 2
          weights:
            n21: 7
      """;

  private static final Fabric FABRIC = TenantsResolverTest.fabric();

  private static int lines(byte[] bytes) {
    int lines = 1;
    for (byte b : bytes) {
      lines += b == '\n' ? 1 : 0;
    }
    return lines;
  }

  private static boolean survives(byte[] bytes, String what) {
    Parsed<TenantsFile> file = TenantsFileReader.read(new Source("t", bytes));
    List<Problem> problems = file.problems();
    boolean ok = file.ok();
    if (ok) {
      Parsed<ResolvedTenants> resolved = TenantsResolver.resolve(file.get(), FABRIC);
      ok = resolved.ok();
      assertThat(resolved.problems())
          .as(what)
          .allMatch(p -> p.line() >= 1 && p.line() <= lines(bytes));
      problems = resolved.problems();
      // what can be read can be written
      byte[] written = TenantsFileWriter.write(file.get());
      assertThat(
              TenantsFileWriter.canonical(TenantsFileReader.read(new Source("t", written)).get()))
          .as(what)
          .isEqualTo(TenantsFileWriter.canonical(file.get()));
    }
    assertThat(ok || problems.stream().anyMatch(p -> p.severity() == Problem.Severity.ERROR))
        .as(what)
        .isTrue();
    assertThat(problems)
        .as(what)
        .allMatch(p -> p.line() <= lines(bytes))
        .allMatch(p -> p.line() >= 1 || p.message().startsWith("an empty file") || isWhole(p))
        .allMatch(p -> !p.message().contains("Exception") && p.message().indexOf('\n') < 0);
    return ok;
  }

  /** Problems of the file as a whole have no line. */
  private static boolean isWhole(Problem p) {
    return p.message().startsWith("no tenant in the file");
  }

  @Test
  void theSeedItselfIsClean() {
    assertThat(survives(FILE.getBytes(StandardCharsets.UTF_8), "seed")).isTrue();
  }

  @Test
  void twoThousandMutationsGivePositionedProblemsOnly() {
    byte[] example = TenantsFiles.example(Optional.of(FABRIC));
    byte[] seed = FILE.getBytes(StandardCharsets.UTF_8);
    int good = 0;
    int bad = 0;
    for (int i = 0; i < 2000; i++) {
      SplittableRandom random = new SplittableRandom(i);
      byte[] bytes = Mutations.mutate(i % 4 == 0 ? example : seed, random);
      if (survives(bytes, "mutation " + i)) {
        good++;
      } else {
        bad++;
      }
    }
    // some damage does not matter and some does: otherwise the mutations test nothing
    assertThat(good).isGreaterThan(20);
    assertThat(bad).isGreaterThan(1000);
  }

  @Test
  void everyTruncationGivesPositionedProblemsOnly() {
    byte[] seed = FILE.getBytes(StandardCharsets.UTF_8);
    for (int n = 0; n < seed.length; n++) {
      survives(Arrays.copyOf(seed, n), "truncated to " + n);
    }
  }

  @Test
  void mutatedWordsGivePositionedProblemsOnly() {
    String[] words = FILE.split("(?<=[ :\\n\\[\\],])");
    for (int i = 0; i < 500; i++) {
      SplittableRandom random = new SplittableRandom(i);
      String[] mutated = words.clone();
      for (int k = 0; k < 2; k++) {
        mutated[random.nextInt(mutated.length)] = words[random.nextInt(words.length)];
      }
      survives(String.join("", mutated).getBytes(StandardCharsets.UTF_8), "words " + i);
    }
  }
}
