package org.heddle.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.Guid;
import org.heddle.topology.Recognition.Found;
import org.heddle.topology.Recognition.Refused;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.DamageSpec.Amount;
import org.heddle.topology.generate.FabricCopy;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FatTreeRecogniserTest {
  private static final String MIDDLE = "XGFT(3;4,4,4;1,4,4)";

  private static Fabric tree(String spec) {
    return TreeGenerator.generate(TreeSpec.parse(spec));
  }

  private static Found found(Fabric fabric) {
    return (Found) FatTreeRecogniser.recognise(fabric);
  }

  private static List<String> codes(Recognition recognition) {
    return recognition.findings().stream().map(TreeFinding::code).toList();
  }

  /** The level in the name the generator gave a switch. */
  private static int trueLevel(Fabric f, int sw) {
    return f.description(sw).charAt(1) - '0';
  }

  private static void assertTrueLevels(Fabric f, FatTree tree) {
    for (int sw = 0; sw < f.switchCount(); sw++) {
      assertThat(tree.level(sw)).as(f.description(sw)).isEqualTo(trueLevel(f, sw));
    }
  }

  private static Fabric edited(Fabric f, Set<String> dropNodes, String... cables) {
    boolean[] drop = new boolean[f.nodeCount()];
    int[] extra = new int[f.nodeCount()];
    for (int node = 0; node < drop.length; node++) {
      drop[node] = dropNodes.contains(f.description(node));
      extra[node] = f.isSwitch(node) ? 2 : 0;
    }
    FabricCopy copy = new FabricCopy(f, drop, new boolean[f.portIdLimit()], extra);
    FabricBuilder builder = copy.builder();
    for (int i = 0; i < cables.length; i += 2) {
      int a = copy.handle(byName(f, cables[i]));
      int b = copy.handle(byName(f, cables[i + 1]));
      int portA = freePort(builder, a, 0);
      builder.connect(a, portA, b, freePort(builder, b, a == b ? portA : 0));
    }
    return copy.build();
  }

  private static int freePort(FabricBuilder builder, int node, int after) {
    int port = after + 1;
    while (builder.isCabled(node, port)) {
      port++;
    }
    return port;
  }

  private static int byName(Fabric f, String name) {
    for (int node = 0; node < f.nodeCount(); node++) {
      if (f.description(node).equals(name)) {
        return node;
      }
    }
    throw new AssertionError("no node " + name);
  }

  // ---- undamaged

  @ParameterizedTest
  @ValueSource(
      strings = {
        "XGFT(2;18,18;1,18)",
        "XGFT(2;18,36;1,18)",
        "XGFT(3;6,6,6;1,6,6)",
        "XGFT(3;12,12,12;1,12,12)",
        "XGFT(3;16,16,16;1,16,16)",
        "XGFT(3;18,18,18;1,18,18)",
        "XGFT(3;18,18,36;1,18,18)",
        "XGFT(4;12,12,12,12;1,12,12,12)",
        "XGFT(2;8,4;1,4)",
        "XGFT(2;12,4;1,4)",
        "XGFT(2;16,4;1,4)",
        "XGFT(2;16,8;1,8)",
        "XGFT(2;64,16;1,16)",
        "XGFT(2;4,8;1,4)",
        "XGFT(3;2,2,2;1,2,2)",
        "XGFT(5;2,2,2,2,2;1,2,2,2,2)",
        "XGFT(3;6,4,3;1,2,5)",
        "XGFT(1;7;1)",
        "PGFT(2;4,5;1,2;1,3)",
        "PGFT(3;2,3,4;1,2,3;1,1,2)",
        "PGFT(3;6,3,4;1,3,2;2,2,3)",
        "XGFT(2;3,3;2,3)",
        "XGFT(3;3,3,3;2,2,3)",
        "PGFT(3;4,3,4;2,3,2;2,1,3)"
      })
  void recognises_every_generated_tree_exactly(String spec) {
    assertExact(spec, tree(spec));
    assertExact(spec, FabricShuffle.ports(tree(spec), spec.hashCode()));
  }

  private static void assertExact(String spec, Fabric f) {
    Found found = found(f);
    FatTree tree = found.tree();
    ShapeFit fit = tree.fit().orElseThrow();
    assertThat(fit.shape()).hasToString(spec);
    assertThat(fit.match()).isEqualTo(ShapeFit.Match.EXACT);
    assertTrueLevels(f, tree);
    assertThat(codes(found)).allMatch("plane"::equals);
    assertThat(tree.planeCount()).isEqualTo(fit.shape().w(1));
    for (int i = 1; i < tree.levels(); i++) {
      assertThat(tree.oversubscription(i)).isEqualTo(fit.shape().oversubscription(i));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {MIDDLE, "XGFT(4;2,3,2,3;1,2,3,2)", "PGFT(3;2,3,4;2,2,3;1,1,2)"})
  void orders_leaves_so_that_sub_trees_are_contiguous_at_every_level(String spec) {
    Fabric f = FabricShuffle.ports(tree(spec), 1);
    FatTree tree = found(f).tree();
    for (int i = 1; i <= tree.levels(); i++) {
      int last = -1;
      for (int l = 0; l < tree.leafCount(); l++) {
        int subtree = tree.subtreeOf(tree.leaf(l), i);
        assertThat(subtree).isIn(last, last + 1);
        last = subtree;
      }
      assertThat(tree.subtreeCount(i)).isEqualTo(last + 1);
    }
    for (int l = 0; l < tree.leafCount(); l++) {
      assertThat(tree.leafIndex(tree.leaf(l))).isEqualTo(l);
    }
  }

  @Test
  void keeps_sub_trees_together_even_if_guids_are_mixed() {
    Fabric f = tree(MIDDLE);
    FabricBuilder builder = new FabricBuilder();
    // Leaf s gets GUID 1000 + (7 s mod 16), other switches 2000 and up.
    for (int node = 0; node < f.nodeCount(); node++) {
      long guid = node < 16 ? 1000 + 7 * node % 16 : 2000 + node;
      builder.addNode(f.nodeType(node), guid, f.portCount(node), f.description(node));
    }
    for (int p = 0; p < f.portIdLimit(); p++) {
      if (f.peer(p) > p) {
        int far = f.peer(p);
        builder.connect(f.nodeOf(p), f.numberOf(p), f.nodeOf(far), f.numberOf(far));
      }
    }
    Fabric mixed = builder.build();
    FatTree tree = found(mixed).tree();
    for (int l = 0; l < 16; l++) {
      char pod = mixed.description(tree.leaf(l)).charAt(3);
      assertThat(pod).isEqualTo(mixed.description(tree.leaf(l / 4 * 4)).charAt(3));
    }
    assertThat(tree.leaf(0)).isZero();
    assertThat(tree.fit().orElseThrow().match()).isEqualTo(ShapeFit.Match.EXACT);
  }

  @Test
  void groups_parallel_links_up_and_down() {
    Fabric f = tree("PGFT(2;4,5;1,2;1,3)");
    FatTree tree = found(f).tree();
    int leaf = byName(f, "S1_2");
    assertThat(tree.upGroupCount(leaf)).isEqualTo(2);
    assertThat(tree.downGroupCount(leaf)).isZero();
    assertThat(f.description(tree.upGroupSwitch(leaf, 1))).isEqualTo("S2_1");
    assertThat(tree.upGroupSize(leaf, 1)).isEqualTo(3);
    assertThat(List.of(tree.upGroupPort(leaf, 1, 0), tree.upGroupPort(leaf, 1, 2)))
        .containsExactly(6, 10);
    int spine = byName(f, "S2_1");
    assertThat(tree.downGroupCount(spine)).isEqualTo(5);
    assertThat(tree.downGroupSwitch(spine, 2)).isEqualTo(leaf);
    assertThat(tree.downGroupSize(spine, 2)).isEqualTo(3);
    assertThat(tree.downGroupPort(spine, 2, 1)).isEqualTo(3 + 5);
    assertThat(tree.roots()).containsExactly(byName(f, "S2_0"), spine);
  }

  // ---- damaged

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "XGFT(3;4,4,4;1,4,4)|30",
        "XGFT(3;6,4,5;1,4,4)|30",
        "XGFT(3;12,12,12;1,12,12)|3",
        "PGFT(3;4,3,4;1,3,4;1,2,2)|20",
        "XGFT(4;4,4,4,4;1,4,4,4)|5",
        "XGFT(3;18,18,36;1,18,18)|1"
      })
  void recognises_damaged_trees_by_the_shape_they_had(String spec, int seeds) {
    Fabric f = tree(spec);
    for (long seed = 1; seed <= seeds; seed++) {
      DamageSpec damage =
          DamageSpec.none(seed)
              .withLinks(Amount.share(0.05))
              .withSwitches(Amount.of(1))
              .withHosts(Amount.share(0.1))
              .keepingConnected();
      Fabric left = FabricDamage.apply(f, damage).fabric();
      Found found = found(left);
      ShapeFit fit = found.tree().fit().orElseThrow();
      assertThat(fit.shape()).as("seed " + seed).hasToString(spec);
      assertThat(fit.match()).as("seed " + seed).isEqualTo(ShapeFit.Match.DAMAGED);
      assertTrueLevels(left, found.tree());
      int missing = 0;
      for (ShapeFit.LevelDamage level : fit.damage()) {
        missing += level.missingSwitches();
      }
      assertThat(missing).isEqualTo(1);
      assertThat(codes(found)).contains("missing-links", "missing-hosts", "missing-switches");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 20, 30})
  void gives_true_levels_even_to_badly_damaged_trees(int percent) {
    for (long seed = 1; seed <= 20; seed++) {
      Fabric f = FabricShuffle.ports(tree("XGFT(3;6,6,6;1,6,6)"), seed);
      DamageSpec damage =
          DamageSpec.none(seed)
              .withLinks(Amount.share(percent / 100.0))
              .withHosts(Amount.share(percent / 100.0))
              .keepingConnected();
      Fabric left = FabricDamage.apply(f, damage).fabric();
      assertTrueLevels(left, found(left).tree());
    }
  }

  /**
   * Like the storage network of a large site: most leaves half empty, eight cables from each line
   * switch to each of two cores, something missing everywhere, ports numbered as they came.
   */
  @ParameterizedTest
  @CsvSource({"1, false", "2, true", "3, true"})
  void a_large_uneven_fabric_has_the_levels_of_its_names(long seed, boolean managerOnTop) {
    Fabric f = tree("PGFT(3;24,16,4;1,16,2;1,1,8)");
    if (managerOnTop) {
      f = FabricExtras.withSmNode(f);
    }
    DamageSpec damage =
        DamageSpec.none(seed)
            .withHosts(Amount.share(0.55))
            .withLinks(Amount.share(0.02))
            .withSwitches(Amount.of(3))
            .keepingConnected();
    Fabric left = FabricDamage.apply(FabricShuffle.ports(f, seed), damage).fabric();
    FatTree tree = found(left).tree();
    assertTrueLevels(left, tree);
    assertThat(tree.leafCount()).isBetween(61, 64);
    assertThat(tree.roots()).hasSizeBetween(29, 32);
  }

  @Test
  void counts_what_is_missing_and_names_an_example() {
    Fabric f = tree("PGFT(2;4,5;1,2;1,3)");
    int leaf = byName(f, "S1_2");
    boolean[] cut = new boolean[f.portIdLimit()];
    cut[f.port(leaf, 6)] = true;
    boolean[] drop = new boolean[f.nodeCount()];
    drop[byName(f, "H_4_1")] = true;
    Fabric left = new FabricCopy(f, drop, cut, new int[f.nodeCount()]).build();
    Found found = found(left);
    ShapeFit fit = found.tree().fit().orElseThrow();
    assertThat(fit.damage().get(0).missingLinks()).isEqualTo(1);
    assertThat(fit.damage().get(1).missingLinks()).isEqualTo(1);
    assertThat(found.findings())
        .extracting(TreeFinding::message)
        .anyMatch(m -> m.contains("'S1_2'") && m.contains("5 of 6 links up, 2 of 3 to 'S2_1'"))
        .anyMatch(m -> m.contains("'S1_4'") && m.contains("3 of 4 host links"));
    assertThat(found.findings().getFirst().node()).isNotEqualTo(Fabric.NONE);
  }

  @Test
  void tells_a_tree_wired_differently_from_a_pgft() {
    // Two pods whose spines are crossed at one root: numbers fit, parents do not.
    Fabric f = tree("XGFT(3;2,2,2;1,2,2)");
    int a = byName(f, "S2_0_0");
    int b = byName(f, "S2_0_1");
    boolean[] cut = new boolean[f.portIdLimit()];
    cut[f.port(a, 3)] = true;
    cut[f.port(b, 3)] = true;
    int farA = f.peer(f.port(a, 3));
    int farB = f.peer(f.port(b, 3));
    FabricCopy copy = new FabricCopy(f, new boolean[f.nodeCount()], cut, new int[f.nodeCount()]);
    copy.builder().connect(copy.handle(a), 3, copy.handle(f.nodeOf(farB)), f.numberOf(farB));
    copy.builder().connect(copy.handle(b), 3, copy.handle(f.nodeOf(farA)), f.numberOf(farA));
    ShapeFit fit = found(copy.build()).tree().fit().orElseThrow();
    assertThat(fit.shape()).hasToString("XGFT(3;2,2,2;1,2,2)");
    assertThat(fit.match()).isEqualTo(ShapeFit.Match.APPROXIMATE);
  }

  // ---- extras and oddities

  @ParameterizedTest
  @ValueSource(strings = {"XGFT(2;8,4;1,4)", MIDDLE})
  void a_subnet_manager_on_a_spine_makes_it_no_leaf(String spec) {
    Fabric f = FabricShuffle.ports(FabricExtras.withSmNode(tree(spec)), 2);
    Found found = found(f);
    assertTrueLevels(f, found.tree());
    assertThat(codes(found)).containsExactly("upper-hosts");
    assertThat(found.findings().getFirst().message()).contains("'sm-node'").contains("port");
    int port = found.tree().upperHostPorts()[0];
    assertThat(f.description(f.nodeOf(port))).isEqualTo("sm-node");
    assertThat(found.tree().fit().orElseThrow().match()).isEqualTo(ShapeFit.Match.EXACT);
  }

  @Test
  void aggregation_nodes_and_storage_everywhere_do_not_confuse() {
    Fabric f = FabricExtras.withAggregationNodes(tree(MIDDLE));
    f = FabricExtras.withStorageHosts(f, 24, FabricExtras.Place.SPINES);
    f = FabricShuffle.ports(f, 3);
    Found found = found(f);
    assertTrueLevels(f, found.tree());
    assertThat(found.tree().upperHostPorts()).hasSize(24);
    assertThat(codes(found)).contains("aggregation-nodes", "upper-hosts-apart");
  }

  @Test
  void aggregation_nodes_alone_make_no_tree() {
    Set<String> hosts = new HashSet<>();
    Fabric f = tree("XGFT(2;2,2;1,2)");
    for (int node = f.switchCount(); node < f.nodeCount(); node++) {
      hosts.add(f.description(node));
    }
    Fabric bare = FabricExtras.withAggregationNodes(edited(f, hosts));
    Recognition refused = FatTreeRecogniser.recognise(bare);
    assertThat(refused).isInstanceOf(Refused.class);
    assertThat(codes(refused)).contains("no-hosts", "switch-without-hosts");
  }

  @Test
  void a_leaf_without_hosts_and_one_with_few_stay_leaves() {
    Set<String> gone =
        Set.of("H_0_0_0", "H_0_0_1", "H_0_0_2", "H_0_0_3", "H_1_0_0", "H_1_0_1", "H_1_0_2");
    Fabric f = edited(FabricExtras.withSmNode(tree(MIDDLE)), gone);
    Found found = found(f);
    assertTrueLevels(f, found.tree());
    assertThat(found.tree().leafCount()).isEqualTo(16);
    assertThat(codes(found)).contains("leaf-without-hosts", "upper-hosts", "missing-hosts");
  }

  @Test
  void a_whole_sub_tree_without_hosts_hangs_below_the_roots() {
    Set<String> gone = new HashSet<>();
    for (int i = 0; i < 16; i++) {
      gone.add("H_2_" + i / 4 + "_" + i % 4);
    }
    Fabric f = edited(tree(MIDDLE), gone);
    Found found = found(f);
    assertTrueLevels(f, found.tree());
    assertThat(codes(found)).contains("leaf-without-hosts");
  }

  @Test
  void a_spine_without_links_down_or_up_keeps_its_level() {
    Fabric f = tree(MIDDLE);
    int noDown = byName(f, "S2_0_1");
    int noUp = byName(f, "S2_1_2");
    boolean[] cut = new boolean[f.portIdLimit()];
    for (int k = 1; k <= 4; k++) {
      cut[f.port(noDown, k)] = true;
      cut[f.port(noUp, 4 + k)] = true;
    }
    Fabric left =
        new FabricCopy(f, new boolean[f.nodeCount()], cut, new int[f.nodeCount()]).build();
    assertTrueLevels(left, found(left).tree());
    Recognition rooted =
        FatTreeRecogniser.recognise(left, RecognitionOptions.ofRoots(roots(left, 3)));
    assertTrueLevels(left, ((Found) rooted).tree());
  }

  @ParameterizedTest
  @CsvSource({
    "S1_0_0, S1_0_1, same-level-link",
    "S1_0_0, S1_3_2, same-level-link",
    "S2_0_0, S2_0_1, same-level-link",
    "S3_0_0, S3_3_3, same-level-link",
    "S1_1_1, S3_2_0, level-skipping-link"
  })
  void a_stray_link_is_ignored_and_named(String a, String b, String code) {
    Fabric f = edited(tree(MIDDLE), Set.of(), a, b);
    Found found = found(f);
    assertTrueLevels(f, found.tree());
    List<TreeFinding> strays =
        found.findings().stream().filter(x -> x.code().equals(code)).toList();
    assertThat(strays).hasSize(1);
    assertThat(strays.getFirst().message()).contains("'" + a + "'").contains("'" + b + "'");
    assertThat(strays.getFirst().port()).isPositive();
    assertThat(found.tree().fit().orElseThrow().match()).isEqualTo(ShapeFit.Match.EXACT);
  }

  @Test
  void several_strays_of_all_kinds_and_damage_at_once() {
    Fabric f =
        edited(
            FabricShuffle.ports(FabricExtras.withSmNode(tree("XGFT(3;6,6,6;1,6,6)")), 4),
            Set.of("H_1_1_0", "S3_5_5"),
            "S1_0_0",
            "S1_1_1",
            "S1_2_2",
            "S3_1_1",
            "S2_3_3",
            "S2_4_4");
    Found found = found(f);
    assertTrueLevels(f, found.tree());
    assertThat(codes(found)).contains("same-level-link", "level-skipping-link", "upper-hosts");
  }

  @Test
  void self_cables_unlinked_switches_and_direct_cables_are_named() {
    Fabric f = edited(tree("XGFT(2;8,4;1,4)"), Set.of(), "S1_1", "S1_1");
    FabricCopy copy =
        new FabricCopy(
            f, new boolean[f.nodeCount()], new boolean[f.portIdLimit()], new int[f.nodeCount()]);
    copy.builder().addSwitch(7, 4, "lonely");
    int x = copy.builder().addCa(8, 1, "left");
    copy.builder().connect(x, 1, copy.builder().addCa(9, 1, "right"), 1);
    Fabric odd = copy.build();
    Found found = found(odd);
    assertThat(codes(found)).containsExactly("unlinked-switch", "self-cable", "host-to-host");
    assertThat(found.tree().level(byName(odd, "lonely"))).isZero();
    assertThat(found.tree().plane(byName(odd, "lonely"))).isEqualTo(Fabric.NONE);
    assertThat(found.findings().get(1).message()).contains("'S1_1'").contains("port 13");
  }

  @Test
  void planes_may_have_different_heights() {
    FabricBuilder builder = new FabricBuilder();
    int a = builder.addSwitch(1, 4, "alone");
    builder.connect(builder.addCa(100, 1, "x"), 1, a, 1);
    int b = builder.addSwitch(2, 4, "leaf");
    int c = builder.addSwitch(3, 4, "spine");
    builder.connect(b, 4, c, 1);
    builder.connect(builder.addCa(110, 1, "y"), 1, b, 1);
    Found found = found(builder.build());
    assertThat(found.tree().levels()).isEqualTo(2);
    assertThat(found.tree().planeCount()).isEqualTo(2);
    assertThat(found.tree().planeLevels(0)).isEqualTo(1);
    assertThat(found.tree().planeLevels(1)).isEqualTo(2);
    assertThat(found.tree().roots()).containsExactly(0, 2);
    assertThat(codes(found).stream().filter("plane"::equals)).hasSize(2);
  }

  // ---- roots and leaves given

  private static List<Guid> roots(Fabric f, int level) {
    List<Guid> out = new ArrayList<>();
    for (int sw = 0; sw < f.switchCount(); sw++) {
      if (trueLevel(f, sw) == level) {
        out.add(new Guid(f.nodeGuid(sw)));
      }
    }
    return out;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void roots_decide_the_levels(long seed) {
    Fabric f = FabricExtras.withStorageHosts(tree(MIDDLE), 64, FabricExtras.Place.SPINES);
    f = FabricShuffle.ports(f, seed);
    DamageSpec damage = DamageSpec.none(seed).withLinks(Amount.share(0.1)).keepingConnected();
    Fabric left = FabricDamage.apply(f, damage).fabric();
    Recognition found =
        FatTreeRecogniser.recognise(left, RecognitionOptions.ofRoots(roots(left, 3)));
    assertTrueLevels(left, ((Found) found).tree());
  }

  @Test
  void leaves_decide_the_levels() {
    Fabric f = FabricExtras.withStorageHosts(tree(MIDDLE), 64, FabricExtras.Place.SPINES);
    Recognition found = FatTreeRecogniser.recognise(f, RecognitionOptions.ofLeaves(roots(f, 1)));
    assertTrueLevels(f, ((Found) found).tree());
  }

  @Test
  void roots_that_are_not_there_are_named() {
    Fabric f = tree(MIDDLE);
    List<Guid> some = new ArrayList<>(roots(f, 3));
    some.add(new Guid(0xdead));
    some.add(new Guid(TreeGenerator.FIRST_HOST_GUID));
    Recognition found = FatTreeRecogniser.recognise(f, RecognitionOptions.ofRoots(some));
    assertTrueLevels(f, ((Found) found).tree());
    assertThat(codes(found)).containsExactly("root-not-found", "root-not-found");
    Recognition refused =
        FatTreeRecogniser.recognise(f, RecognitionOptions.ofRoots(List.of(new Guid(0xdead))));
    assertThat(refused).isInstanceOf(Refused.class);
    assertThat(codes(refused)).startsWith("no-valid-root");
  }

  // ---- refusals

  @Test
  void no_switches_no_tree() {
    Recognition refused = FatTreeRecogniser.recognise(new FabricBuilder().build());
    assertThat(codes(refused)).containsExactly("no-switches");
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 6, 9})
  void a_torus_is_refused_with_the_links_that_contradict(int side) {
    FabricBuilder builder = new FabricBuilder();
    int[] sw = new int[side * side];
    for (int i = 0; i < sw.length; i++) {
      sw[i] = builder.addSwitch(1000 + i, 8, "T" + i / side + "_" + i % side);
      for (int k = 5; k <= 6; k++) {
        builder.connect(builder.addCa(10_000 + 10L * i + k, 1, "h" + i + k), 1, sw[i], k);
      }
    }
    for (int i = 0; i < sw.length; i++) {
      int right = i / side * side + (i + 1) % side;
      builder.connect(sw[i], 1, sw[right], 2);
      builder.connect(sw[i], 3, sw[(i + side) % sw.length], 4);
    }
    Recognition refused = FatTreeRecogniser.recognise(builder.build());
    assertThat(refused).isInstanceOf(Refused.class);
    assertThat(codes(refused)).startsWith("too-many-stray-links", "same-level-link");
    assertThat(refused.findings().get(1).message()).contains("'T0_0'").contains(" port ");
  }

  @Test
  void a_chain_of_switches_with_hosts_is_rooted_at_its_centre() {
    FabricBuilder builder = new FabricBuilder();
    int[] hosts = {3, 9, 3, 7, 2};
    int last = -1;
    for (int i = 0; i < hosts.length; i++) {
      int sw = builder.addSwitch(10 + i, 16, "C" + i);
      for (int k = 1; k <= hosts[i]; k++) {
        builder.connect(builder.addCa(1000 + 100L * i + k, 1, "h" + i + k), 1, sw, k);
      }
      if (last >= 0) {
        builder.connect(last, 15, sw, 16);
      }
      last = sw;
    }
    Found found = found(builder.build());
    assertThat(codes(found)).startsWith("cascade");
    int[] levels = new int[5];
    for (int sw = 0; sw < 5; sw++) {
      levels[sw] = found.tree().level(sw);
    }
    assertThat(levels).containsExactly(1, 2, 3, 2, 1);
  }

  @Test
  void answers_the_same_for_the_same_fabric() {
    Fabric f =
        FabricDamage.apply(tree(MIDDLE), DamageSpec.none(3).withLinks(Amount.share(0.1))).fabric();
    assertThat(found(f).findings()).isEqualTo(found(f).findings());
  }
}
