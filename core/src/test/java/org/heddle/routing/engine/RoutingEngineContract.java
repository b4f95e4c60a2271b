package org.heddle.routing.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.routing.tree.TreeGraph;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.RecognitionOptions;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditCode;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.AuditReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every routing engine promises, checked by the independent verifier. The test of an engine
 * extends this class and says which engine and which promises; {@code heddle-core}'s test jar has
 * it for engines of others ({@code docs/plugins.md}).
 */
public abstract class RoutingEngineContract {
  /** Name of the engine under test. */
  protected abstract String name();

  /** True if the engine routes fabrics that are no trees. */
  protected abstract boolean routesAnything();

  /** False for an engine that may close credit loops. */
  protected boolean freeOfCreditLoops() {
    return true;
  }

  static List<String> specs() {
    return Fabrics.specs();
  }

  protected final RoutingEngine engine() {
    return Catalog.engine(name()).orElseThrow();
  }

  public static Recognition recognise(Fabric fabric) {
    return FatTreeRecogniser.recognise(fabric, RecognitionOptions.NONE);
  }

  public static Optional<FatTree> treeOf(Recognition recognition) {
    return recognition instanceof Recognition.Found found
        ? Optional.of(found.tree())
        : Optional.empty();
  }

  protected final RoutingResult route(Fabric fabric) {
    return engine().route(RoutingRequest.of(fabric, recognise(fabric)));
  }

  protected final ForwardingTables tables(Fabric fabric) {
    RoutingResult result = route(fabric);
    assertThat(result).isInstanceOf(RoutingResult.Routed.class);
    return ((RoutingResult.Routed) result).tables();
  }

  public static AuditReport audit(Fabric fabric, ForwardingTables tables) {
    AuditOptions options = AuditOptions.defaults();
    Optional<FatTree> tree = treeOf(recognise(fabric));
    return Audit.run(fabric, tables, tree.isPresent() ? options.withTree(tree.get()) : options);
  }

  /** No error, and no destination anywhere without an entry. */
  protected final void assertSound(Fabric fabric, ForwardingTables tables) {
    AuditReport report = audit(fabric, tables);
    List<AuditCode> allowed = new ArrayList<>();
    if (!freeOfCreditLoops()) {
      allowed.add(AuditCode.CREDIT_LOOP);
    }
    assertThat(
            report.findings().stream()
                .filter(f -> allowed.stream().noneMatch(c -> c.key().equals(f.code())))
                .filter(f -> f.severity() == org.heddle.verify.Severity.ERROR))
        .isEmpty();
    for (AuditReport.PairKind kind : AuditReport.PairKind.values()) {
      assertThat(report.reachability(kind).unreachable()).as("unreached: %s", kind).isZero();
    }
    assertThat(report.loopCount()).isZero();
    if (freeOfCreditLoops()) {
      assertThat(report.creditLoops().cyclic()).isZero();
      assertThat(report.creditLoopsWithSwitches().cyclic()).as("with switches").isZero();
    }
  }

  /** Sound tables for the fabric, and for the same with its ports shuffled. */
  protected final void assertRoutes(Fabric fabric) {
    assertSound(fabric, tables(fabric));
    Fabric shuffled = Fabrics.shuffled(fabric);
    assertSound(shuffled, tables(shuffled));
  }

  @ParameterizedTest
  @MethodSource("specs")
  void routesEveryRegularTree(String spec) {
    Fabric fabric = Fabrics.tree(spec);
    assertRoutes(fabric);
  }

  @Test
  void routesOneSwitchAndOneHost() {
    for (int hosts : new int[] {1, 2, 36}) {
      Fabric fabric = Fabrics.star(hosts);
      assertRoutes(fabric);
    }
  }

  @Test
  void routesEveryLidOfAPort() {
    Fabric fabric = Fabrics.withLmc(Fabrics.tree("XGFT(2;4,8;1,4)"), 2);
    assertThat(fabric.topLid()).isGreaterThanOrEqualTo(4 * 32 + 12);
    assertRoutes(fabric);
  }

  @Test
  void routesPlanesByThemselves() {
    Fabric fabric = Fabrics.twoPlanes();
    assertRoutes(fabric);
  }

  @Test
  void copesWithLinksBetweenLeavesAndToItself() {
    Fabric fabric = Fabrics.treeWithLeafLinks();
    assertRoutes(fabric);
  }

  @Test
  void tellsSwitchesApartThatDivideTheSamePortsDifferently() {
    Fabric fabric = StrangeFabrics.samePortsDividedDifferently();
    assertRoutes(fabric);
  }

  @Test
  void acceptsHostsOfUpperSwitchesOnAnyPort() {
    Fabric fabric = StrangeFabrics.upperHostOnALowPort();
    assertRoutes(fabric);
  }

  @Test
  void routesALongChainOfSwitches() {
    for (int length : new int[] {2, 3, 30, 31, 64}) {
      Fabric fabric = StrangeFabrics.chain(length);
      assertRoutes(fabric);
    }
  }

  @Test
  void connectsHostsOnAllSwitchesWherePlanesAreMerged() {
    // One merged plane, two, and three: with more than one, a leaf becomes a gate.
    int[][] shapes = {{3, 3, 4, 1, 4}, {2, 4, 8, 2, 4}, {4, 3, 6, 3, 2}, {5, 2, 6, 3, 4}};
    for (int[] s : shapes) {
      Fabric fabric = StrangeFabrics.pods(s[0], s[1], s[2], s[3], s[4]);
      assertRoutes(fabric);
      for (int seed = 0; seed < 4; seed++) {
        DamageSpec damage = DamageSpec.none(seed).withLinks(DamageSpec.Amount.of(3));
        Fabric damaged = FabricDamage.apply(fabric, damage).fabric();
        if (route(damaged) instanceof RoutingResult.Routed ok) {
          assertSound(damaged, ok.tables());
        }
      }
    }
  }

  @Test
  void routesDirectorSwitchesWhoseBoardsShareLeaves() {
    Fabric fabric = StrangeFabrics.directors(2, 12, 6, 3);
    assertThat(treeOf(recognise(fabric)).orElseThrow().levels()).isEqualTo(3);
    assertRoutes(fabric);
  }

  @Test
  void routesPartsWithoutHosts() {
    Fabric fabric = StrangeFabrics.treeAndHostlessRing();
    RoutingResult.Routed result = (RoutingResult.Routed) route(fabric);
    if (freeOfCreditLoops()) {
      assertSound(fabric, result.tables());
    }
  }

  @Test
  void doesNotTakePlanesForHostsWithoutCommonAncestor() {
    Fabric fabric = Fabrics.twoPlanes();
    assertThat(((RoutingResult.Routed) route(fabric)).notes()).isEmpty();
  }

  @Test
  void copesWithFarMoreSlotsThanASwitchHasLinks() {
    Fabric fabric = StrangeFabrics.mixedRoots();
    TreeGraph graph = new TreeGraph(fabric, treeOf(recognise(fabric)).orElseThrow());
    assertThat(graph.slots[2]).isEqualTo(80);
    assertRoutes(fabric);
    DamageSpec damage = DamageSpec.none(3).withLinks(DamageSpec.Amount.of(20));
    Fabric damaged = FabricDamage.apply(fabric, damage).fabric();
    assertRoutes(damaged);
  }

  @Test
  void routesOrRefusesARing() {
    Fabric fabric = Fabrics.ring(6);
    RoutingResult result = route(fabric);
    if (routesAnything()) {
      assertSound(fabric, ((RoutingResult.Routed) result).tables());
    } else {
      assertThat(((RoutingResult.Unsupported) result).reason()).isNotBlank();
      assertThat(((RoutingResult.Unsupported) result).details()).isNotEmpty();
    }
  }

  @Test
  void givesTheSameTablesEveryTime() {
    for (int seed : new int[] {11, 12}) {
      Fabric fabric = Fabrics.damaged(seed);
      RoutingResult first = route(fabric);
      assertThat(route(fabric)).isEqualTo(first);
    }
  }

  @Test
  void saysWhatItIs() {
    assertThat(engine().name()).matches("[a-z][a-z0-9-]*");
    assertThat(engine().description()).isNotBlank().doesNotContain("\n");
    assertThat(engine().source()).isNotBlank();
  }
}
