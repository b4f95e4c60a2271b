package org.heddle.routing.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.heddle.fabric.Fabric;
import org.heddle.routing.RoutingOption;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Tenancy;
import org.heddle.verify.isolation.IsolationReport;
import org.junit.jupiter.api.Test;

/** The combined engine: A = 0 is pFTree-Wt, A = 1 keeps what pFTree-Ext keeps. */
class PFTreeMixTest extends RoutingEngineContract {
  @Override
  protected String name() {
    return "pftree-mix";
  }

  @Override
  protected boolean routesAnything() {
    return false;
  }

  private RoutingResult.Routed route(Tenants tenants, Tenancy tenancy, double a) {
    return tenants.route(name(), tenancy, r -> r.withIsolation(a)).orElseThrow();
  }

  private static Tenancy draw(
      Tenants tenants, TableThree table, int seed, int victims, IsolationPolicy policy) {
    SplittableRandom random = new SplittableRandom(seed);
    return table.draw(tenants.fabric(), policy, victims, 1, random);
  }

  @Test
  void zeroIsTheWeightedEngine() {
    for (int seed = 0; seed < 10; seed++) {
      TableThree table = TableThree.topologies().get(seed % 6);
      Tenants tenants = Tenants.on(table.fabric());
      Tenancy tenancy = draw(tenants, table, seed, table.victimsPerLeaf(), IsolationPolicy.PHY);
      assertThat(route(tenants, tenancy, 0).tables())
          .isEqualTo(tenants.route("pftree-wt", tenancy).tables());
    }
  }

  @Test
  void fromTwoThirdsOnPromisesAreKeptThatExtKeeps() {
    int kept = 0;
    for (TableThree table : TableThree.topologies().subList(0, 6)) {
      Tenants tenants = Tenants.on(table.fabric());
      for (int victims = 1; victims <= table.victimsPerLeaf(); victims++) {
        Tenancy tenancy = draw(tenants, table, victims, victims, IsolationPolicy.PHY);
        assertThat(tenants.audit("pftree-ext", tenancy).kept()).isTrue();
        for (double a : new double[] {0.67, 0.8, 1}) {
          assertThat(tenants.audit(route(tenants, tenancy, a), tenancy).kept())
              .as("%s, %d victims a leaf, A = %s", table.spec(), victims, a)
              .isTrue();
          kept++;
        }
      }
    }
    assertThat(kept).isPositive();
  }

  /**
   * All victims receive. The more isolation, the less do the two partitions interfere, and the more
   * do receivers meet on the channels that are left to them than without; summed over 20 tenancies.
   */
  @Test
  void isolationIsTradedForBalance() {
    TableThree table = TableThree.topologies().get(3);
    Tenants tenants = Tenants.on(table.fabric());
    double[] steps = {0, 0.25, 0.5, 0.75, 1};
    long[] interference = new long[steps.length];
    long[] contention = new long[steps.length];
    for (int seed = 0; seed < 20; seed++) {
      int victims = 1 + seed % table.victimsPerLeaf();
      SplittableRandom random = new SplittableRandom(seed);
      Tenancy tenancy = table.draw(tenants.fabric(), IsolationPolicy.PHY, victims, victims, random);
      for (int i = 0; i < steps.length; i++) {
        IsolationReport report = tenants.audit(route(tenants, tenancy, steps[i]), tenancy);
        interference[i] += report.interference().all();
        contention[i] += report.receiverContention().orElseThrow().all().total();
      }
    }
    // Where a promise fails at some A the search steps in, so contention need not rise evenly.
    for (int i = 1; i < steps.length; i++) {
      assertThat(interference[i]).as("A = %s", steps[i]).isLessThanOrEqualTo(interference[i - 1]);
      assertThat(contention[i]).as("A = %s", steps[i]).isGreaterThan(contention[0]);
    }
    assertThat(interference[1]).isLessThan(interference[0]);
    assertThat(interference[steps.length - 1]).isZero();
  }

  @Test
  void anIsolationOutsideOfZeroToOneIsRefused() {
    Fabric fabric = Fabrics.tree("XGFT(2;4,4;1,4)");
    RoutingRequest request = RoutingRequest.of(fabric, recognise(fabric));
    assertThat(request.isolation()).isEqualTo(RoutingRequest.DEFAULT_ISOLATION);
    for (double a : new double[] {-0.1, 1.1, Double.NaN}) {
      assertThatThrownBy(() -> request.withIsolation(a))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(request.withTenancy(Tenancy.NONE).withIsolation(1).isolation()).isEqualTo(1);
    assertThat(engine().uses()).contains(RoutingOption.ISOLATION);
  }
}
