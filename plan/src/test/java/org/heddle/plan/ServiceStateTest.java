package org.heddle.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.plan.model.Drained;
import org.heddle.plan.model.LinkRef;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.Severity;
import org.junit.jupiter.api.Test;

/** Whatever is drained, on whatever damage: what is left has tables, and all of it is reached. */
class ServiceStateTest {
  private static final int CASES = Integer.getInteger("heddle.drains", 400);

  private static final List<String> TREES =
      List.of(
          "XGFT(2;4,4;1,4)",
          "XGFT(2;3,6;1,3)",
          "PGFT(2;4,4;1,2;1,2)",
          "XGFT(3;2,3,3;1,2,3)",
          "XGFT(3;3,2,2;1,3,2)",
          "PGFT(3;2,3,3;1,2,2;1,1,2)");

  @Test
  void whatIsDrainedIsReachedWithoutLoopsAndDeadlocks() {
    List<String> wrong = new ArrayList<>();
    int drained = 0;
    int split = 0;
    for (long seed = 0; seed < CASES && wrong.size() < 3; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      String tree = TREES.get(random.nextInt(TREES.size()));
      Fabric fabric = damaged(tree, random);
      Drained drain = drain(fabric, random);
      ServiceState out = ServiceState.of(fabric, drain);
      Recognition found = FatTreeRecogniser.recognise(out.used());
      String engine = random.nextBoolean() ? "dmodk" : "updn";
      RoutingResult routed =
          Catalog.engine(engine).orElseThrow().route(RoutingRequest.of(out.used(), found));
      String which = "seed " + seed + ", " + tree + ", " + engine + ", " + drain + ": ";
      if (!(routed instanceof RoutingResult.Routed yes)) {
        wrong.add(which + routed);
        continue;
      }
      AuditOptions options = AuditOptions.defaults().withThreads(1);
      if (!Audit.run(out.used(), yes.tables(), options).clean()) {
        continue; // the engine's own fault, and its own test
      }
      drained += out.isEmpty() ? 0 : 1;
      split += out.switches().cardinality() > drain.switches().size() ? 1 : 0;
      ForwardingTables tables = out.complete(yes.tables());
      Audit.run(fabric, tables, options).findings().stream()
          .filter(f -> f.severity() == Severity.ERROR)
          .forEach(f -> wrong.add(which + f.message()));
      String trouble = out.trouble(fabric, tables);
      if (trouble != null) {
        wrong.add(which + trouble);
      }
    }
    assertThat(wrong).as(String.join("\n", wrong)).isEmpty();
    assertThat(drained).isGreaterThan(CASES / 2);
    assertThat(split).isGreaterThan(CASES / 20);
  }

  /** A tree with other port numbers, of which everything is still connected, or may not be. */
  private static Fabric damaged(String tree, SplittableRandom random) {
    Fabric whole = TreeGenerator.generate(TreeSpec.parse(tree));
    boolean mayFallApart = random.nextInt(3) == 0;
    int links = mayFallApart ? 2 + random.nextInt(whole.switchCount()) : random.nextInt(4);
    DamageSpec damage = DamageSpec.none(random.nextLong()).withLinks(DamageSpec.Amount.of(links));
    damage = mayFallApart ? damage : damage.keepingConnected();
    Fabric left = FabricDamage.apply(whole, damage).fabric();
    return FabricShuffle.ports(left, random.nextLong()).withAssignedLids();
  }

  private static Drained drain(Fabric fabric, SplittableRandom random) {
    List<LinkRef> links = new ArrayList<>();
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      int peer = fabric.peer(port);
      if (peer > port && fabric.isSwitch(fabric.nodeOf(port)) && random.nextInt(5) == 0) {
        links.add(
            new LinkRef(
                fabric.nodeGuid(fabric.nodeOf(port)),
                fabric.numberOf(port),
                fabric.nodeGuid(fabric.nodeOf(peer)),
                fabric.numberOf(peer)));
      }
    }
    List<Long> switches = new ArrayList<>();
    for (int n = random.nextInt(3); n > 0; n--) {
      switches.add(fabric.nodeGuid(random.nextInt(fabric.switchCount())));
    }
    return new Drained(links, switches);
  }
}
