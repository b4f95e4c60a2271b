package org.heddle.text.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationBinder;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.Holder;
import org.heddle.allocation.Plant;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.MachineList;
import org.heddle.plan.DraftState;
import org.heddle.plan.FabricChange;
import org.heddle.plan.PhysicalFabric;
import org.heddle.plan.model.Breach;
import org.heddle.text.Mutations;
import org.heddle.text.Parsed;
import org.heddle.text.Problem;
import org.heddle.text.Source;
import org.heddle.text.StateSamples;
import org.heddle.topology.FatTreeRecogniser;
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

  private static StateFile.Tenant tenant(String name, String allocator, Allocation a) {
    Fabric fabric = a.plant().fabric();
    List<StateFile.Host> hosts = new ArrayList<>();
    for (int node : a.hosts()) {
      hosts.add(new StateFile.Host(0, new Guid(fabric.nodeGuid(node)), fabric.description(node)));
    }
    List<StateFile.Link> links = new ArrayList<>();
    for (AllocationBinder.Link l : AllocationBinder.links(a)) {
      links.add(new StateFile.Link(0, new Guid(l.from()), l.port(), new Guid(l.to()), l.toPort()));
    }
    return new StateFile.Tenant(
        0, name, 0, a.requested(), a.oversubscription(), allocator, a.guaranteed(), hosts, links);
  }

  /** A state with the tenants of a file, on a fabric; what they have not is in the map. */
  private static DraftState desired(StateFile state, Fabric on, Map<String, List<Breach>> lost) {
    Fabric fabric = on.withAssignedLids();
    PhysicalFabric.Outcome site =
        PhysicalFabric.unrouted(fabric, FatTreeRecogniser.recognise(fabric), state.engine());
    DraftState w = new DraftState(((PhysicalFabric.Outcome.Built) site).site(), state.engine());
    for (StateFile.Tenant t : state.tenants()) {
      w.add(StateTenants.of(t, w.tenants.size()), null);
    }
    lost.putAll(FabricChange.take(w, w.tenants.values()));
    return w;
  }

  private static StateFile state() {
    return StateFile.empty("s.json")
        .with(
            PLANT.fabric(),
            List.of(
                tenant("wide", "exact", wide(PLANT)),
                tenant("small", "unconstrained", small(PLANT))));
  }

  private static String text(StateFile state) {
    return new String(StateFileWriter.write(state), StandardCharsets.UTF_8);
  }

  private static Parsed<StateFile> read(String text) {
    return StateFileReader.read(Source.of("s.json", text));
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
    Map<Long, String> odd = new LinkedHashMap<>();
    odd.put(0xfff0_0000_0000_0009L, "gpu-1");
    odd.put(7L, "gpu-1");
    odd.put(8L, "a: b");
    StateFile file =
        new StateFile(
            "s.json",
            state().fabric(),
            "dmodk",
            MachineList.of(odd),
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
    assertThat(read(text(file)).get().canonical()).isEqualTo(file.canonical());
  }

  @Test
  void tenantsAreFoundAgainByGuid() {
    Map<String, List<Breach>> lost = new HashMap<>();
    StateFile state = read(text(state())).get();
    DraftState w = desired(state, PLANT.fabric(), lost);
    assertThat(lost).containsOnly(Map.entry("wide", List.of()), Map.entry("small", List.of()));
    assertThat(w.holders()).extracting(Holder::name).containsExactly("wide", "small");
    assertThat(w.holders())
        .extracting(h -> h.allocation().linkCount())
        .containsExactly(wide(PLANT).linkCount(), 0);
    assertThat(w.holders())
        .extracting(h -> h.allocation().guaranteed())
        .containsExactly(true, false);
    assertThat(w.holdings.freeHosts()).isEqualTo(3);
    assertThat(
            state.with(PLANT.fabric(), w.tenants.values().stream().map(StateTenants::of).toList()))
        .extracting(StateFile::canonical)
        .isEqualTo(state.canonical());
  }

  @Test
  void whatHasVanishedIsSaidTenantByTenant() {
    Fabric fabric = PLANT.fabric();
    int host = PLANT.host(0, 0);
    int link = PLANT.upPort(0, PLANT.firstLeaf(1), 0);
    Map<String, List<Breach>> lost = new HashMap<>();
    Fabric damaged = StateSamples.without(fabric, host, link);
    DraftState w = desired(read(text(state())).get(), damaged, lost);
    List<String> wide = Breach.sentences(lost.get("wide"));
    assertThat(wide).hasSize(2);
    assertThat(wide.get(0)).isEqualTo("host H_0_0_0 is gone");
    assertThat(wide.get(1)).startsWith("link from 'S1_").endsWith("is gone");
    assertThat(w.holders().getFirst().allocation().hostCount()).isEqualTo(3);
    assertThat(w.holders().getFirst().allocation().linkCount()).isEqualTo(7);
    assertThat(lost.get("small")).isEmpty();
  }

  @Test
  void aHostOfTwoTenantsIsAnErrorAtItsLine() {
    StateFile twice =
        state()
            .with(
                PLANT.fabric(),
                List.of(tenant("a", "exact", small(PLANT)), tenant("b", "exact", small(PLANT))));
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
        assertThat(desired(parsed.get(), PLANT.fabric(), new HashMap<>())).isNotNull();
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
