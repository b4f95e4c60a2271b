package org.heddle.text.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.Plant;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.text.Mutations;
import org.heddle.text.Parsed;
import org.heddle.text.Problem;
import org.heddle.text.Source;
import org.heddle.text.StateSamples;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;

class StateFileTest {
  private static final Plant PLANT = Plant.of(TreeSpec.parse("XGFT(3;2,2,2;1,2,2)"));

  /** Four hosts in two sub-trees on position 0, with its first root. */
  private static Allocation wide(Plant plant) {
    AllocationBuilder b = new AllocationBuilder(plant, 4, 1, true);
    for (int t = 0; t < 2; t++) {
      for (int l = 0; l < 2; l++) {
        b.host(plant.firstLeaf(t) + l, 0).up(plant.firstLeaf(t) + l, 0);
      }
      b.root(t, plant.planeOf(0), 0).root(t, plant.planeOf(0), 1);
    }
    return b.build();
  }

  private static Allocation small(Plant plant) {
    return new AllocationBuilder(plant, 1, 2, false).host(0, 1).build();
  }

  private static StateFile state() {
    return StateFile.empty("s.json")
        .with(
            PLANT.fabric(),
            List.of(
                StateFile.Tenant.of("wide", 0, "exact", wide(PLANT)),
                StateFile.Tenant.of("small", 0, "unconstrained", small(PLANT))));
  }

  private static String text(StateFile state) {
    return new String(StateFileWriter.write(state), StandardCharsets.UTF_8);
  }

  private static Parsed<StateFile> read(String text) {
    return StateFileReader.read(Source.of("s.json", text));
  }

  private static Plant plant(Fabric fabric) {
    Recognition found = FatTreeRecogniser.recognise(fabric);
    return ((Plant.Outcome.Built) Plant.of(fabric, ((Recognition.Found) found).tree())).plant();
  }

  @Test
  void whatIsWrittenReadsBackTheSame() {
    Parsed<StateFile> back = read(text(state()));
    assertThat(back.problems()).isEmpty();
    assertThat(back.get().canonical()).isEqualTo(state().canonical());
    assertThat(text(back.get())).isEqualTo(text(state()));
    assertThat(read(text(StateFile.empty("s.json"))).get().canonical())
        .isEqualTo(StateFile.empty("").canonical());
  }

  @Test
  void aHostOrLinkHasALineOfItsOwn() {
    assertThat(text(state()).lines())
        .contains(
            "        {\"guid\": \"0x0000000000100000\", \"name\": \"H_0_0_0\"},",
            "  \"engine\": \"dmodk\",")
        .anyMatch(l -> l.contains("\"switch\": \"0x") && l.contains("\"to_port\": "));
  }

  @Test
  void oddNamesSurvive() {
    StateFile odd =
        new StateFile(
            "s.json",
            state().fabric(),
            "dmodk",
            List.of(
                new StateFile.Tenant(
                    0,
                    "a",
                    0,
                    1,
                    1,
                    "exact",
                    true,
                    List.of(
                        new StateFile.Host(
                            0, new Guid(7), " q\"b\\c\t\u0085\u2028\ufffe\ud83d\ude80 : # ")),
                    List.of())));
    assertThat(read(text(odd)).get().canonical()).isEqualTo(odd.canonical());
  }

  @Test
  void tenantsAreFoundAgainByGuid() {
    Parsed<BoundState> bound = StateBinder.bind(read(text(state())).get(), PLANT);
    assertThat(bound.problems()).isEmpty();
    assertThat(bound.get().sameFabric()).isTrue();
    assertThat(bound.get().allocations()).containsExactly(wide(PLANT), small(PLANT));
    assertThat(bound.get().occupancy().freeHosts()).isEqualTo(3);
    assertThat(bound.get().find("wide").orElseThrow().whole()).isTrue();
  }

  @Test
  void whatHasVanishedIsSaidTenantByTenant() {
    Fabric fabric = PLANT.fabric();
    int host = PLANT.host(0, 0);
    int link = PLANT.upPort(0, PLANT.firstLeaf(1), 0);
    Fabric damaged = StateSamples.without(fabric, host, link);
    BoundState bound = StateBinder.bind(read(text(state())).get(), plant(damaged)).get();
    assertThat(bound.sameFabric()).isFalse();
    BoundState.Held wide = bound.find("wide").orElseThrow();
    assertThat(wide.lost()).hasSize(2);
    assertThat(wide.lost().get(0)).isEqualTo("host 'H_0_0_0' (0x0000000000100000) is gone");
    assertThat(wide.lost().get(1)).startsWith("link from 'S1_").endsWith("is gone");
    assertThat(wide.allocation().hostCount()).isEqualTo(3);
    assertThat(wide.allocation().linkCount()).isEqualTo(7);
    assertThat(bound.find("small").orElseThrow().whole()).isTrue();
  }

  @Test
  void theStateOfAnotherFabricIsAnError() {
    StateFile other =
        read(text(state()).replace("\"guid\": \"0x00000000001", "\"guid\": \"0x00000000009")).get();
    assertThat(StateBinder.bind(other, PLANT).problems())
        .anyMatch(p -> p.message().contains("the state of another fabric"));
  }

  @Test
  void aHostOfTwoTenantsIsAnErrorAtItsLine() {
    StateFile twice =
        state()
            .with(
                PLANT.fabric(),
                List.of(
                    StateFile.Tenant.of("a", 0, "exact", small(PLANT)),
                    StateFile.Tenant.of("b", 0, "exact", small(PLANT))));
    assertThatThrownBy(() -> StateFileWriter.write(twice))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("s.json:26: 0x")
        .hasMessageContaining("see line 14");
  }

  @Test
  void mistakesArePositioned() {
    assertThat(read("[]").problems()).extracting(Problem::line).containsExactly(1);
    assertThat(read("{\"version\": 2, \"engine\": \"x\", \"tenants\": []}").problems())
        .extracting(Problem::toString)
        .containsExactly(
            "s.json:1: this is Heddle for version 1 of the format, the file says version 2");
    String wrong = text(state()).replace("\"port\": ", "\"prt\": ");
    assertThat(read(wrong).problems())
        .anyMatch(p -> p.message().startsWith("unknown key 'prt' of a link"));
  }

  @Test
  void anyBytesGiveAStateOrPositionedProblems() {
    byte[] bytes = StateFileWriter.write(state());
    int fine = 0;
    for (int i = 0; i < 4000; i++) {
      byte[] damaged = Mutations.mutate(bytes, new SplittableRandom(i));
      Parsed<StateFile> parsed = StateFileReader.read(new Source("s.json", damaged));
      int lines = 1;
      for (byte b : damaged) {
        lines += b == '\n' ? 1 : 0;
      }
      int last = lines;
      assertThat(parsed.problems())
          .as("mutation %d", i)
          .allMatch(p -> p.line() <= last && (p.line() >= 1 || p.message().contains("empty")))
          .allMatch(p -> !p.message().contains("Exception"));
      if (parsed.ok()) {
        fine++;
        assertThat(StateFileReader.read(new Source("", StateFileWriter.write(parsed.get()))).ok())
            .isTrue();
        assertThat(StateBinder.bind(parsed.get(), PLANT).problems()).isNotNull();
      } else {
        assertThat(parsed.problems()).isNotEmpty();
      }
    }
    assertThat(fine).isBetween(1, 3999);
  }

  @Test
  void aGeneratedFabricHasThePlantsHosts() {
    Fabric again = TreeGenerator.generate(TreeSpec.parse("XGFT(3;2,2,2;1,2,2)"));
    assertThat(again.fingerprint()).isEqualTo(PLANT.fabric().fingerprint());
  }
}
