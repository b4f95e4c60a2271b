package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.heddle.fabric.Fabric;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import org.heddle.server.TestServer;
import org.heddle.text.Source;
import org.heddle.text.topology.FabricFormats;
import org.heddle.text.topology.IbnetdiscoverWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever a controller's tenants have been through, their file changes nothing there, and makes
 * the same keys, hosts, links and members on an empty controller of the same fabric. {@code
 * -Dheddle.exchange=N} tries N histories, {@code -Dheddle.exchange.seed=S} from another seed on.
 */
class ExchangePropertyTest {
  private static final int CASES =
      Integer.getInteger("heddle.exchange", Boolean.getBoolean("heddle.sweep") ? 12 : 5);
  private static final long FIRST = Long.getLong("heddle.exchange.seed", 1);

  @TempDir Path dir;

  @Test
  void filesOfRandomStatesGoBothWays() throws IOException {
    int tenants = 0;
    int states = 0;
    for (long seed = FIRST; seed < FIRST + CASES; seed++) {
      Random random = new Random(seed);
      Path place = Files.createDirectory(dir.resolve("c" + seed));
      Fabric fabric = fabric(place, random);
      try (TestServer one = TestServer.of(Files.createDirectory(place.resolve("one")), fabric);
          TestServer two = TestServer.of(Files.createDirectory(place.resolve("two")), fabric)) {
        history(one, fabric, random);
        tenants += one.view().tenants().size();
        String file = place.resolve("x.yaml").toString();
        assertThat(OnServer.run(one, "tenants", "export", "-o", file).err()).isEmpty();
        exchange(seed, file, one, two);
        boolean plain =
            one.view().all().stream()
                .allMatch(
                    t ->
                        (t.spec().policy() == Policy.LINKS || t.spec().policy() == Policy.DEF)
                            && !t.hosts().isEmpty()
                            && t.spec().members().isEmpty());
        if (plain) {
          states++;
          String state = place.resolve("x.json").toString();
          assertThat(OnServer.run(one, "tenants", "export", "--format", "state", "-o", state).err())
              .isEmpty();
          try (TestServer three =
              TestServer.of(Files.createDirectory(place.resolve("three")), fabric)) {
            exchange(seed, state, one, three);
          }
        }
      }
    }
    assertThat(tenants).as("tenants").isGreaterThan(CASES);
    assertThat(states).as("states that a state file can say").isPositive();
  }

  private static void exchange(long seed, String file, TestServer one, TestServer two) {
    Cli.Result same = OnServer.run(one, "tenants", "apply", file, "--yes");
    assertThat(same.out() + same.err()).as("seed %d", seed).startsWith("nothing to do");
    Cli.Result made = OnServer.run(two, "tenants", "apply", file, "--yes");
    assertThat(made.code()).as("seed %d: %s", seed, made.err()).isZero();
    assertThat(held(two)).as("seed %d", seed).isEqualTo(held(one));
    Cli.Result again = OnServer.run(two, "tenants", "apply", file, "--yes");
    assertThat(again.out() + again.err()).as("seed %d", seed).startsWith("nothing to do");
  }

  private static List<String> held(TestServer server) {
    List<String> out = new ArrayList<>();
    for (Tenant t : server.view().all()) {
      out.add(
          t.name()
              + " "
              + t.spec().policy()
              + " "
              + t.pkey()
              + " "
              + t.hosts()
              + t.links()
              + server.view().members(t).stream()
                  .sorted((a, b) -> Long.compare(a.guid(), b.guid()))
                  .toList());
    }
    Collections.sort(out); // tenants of one epoch are in the order of their names
    return out;
  }

  private static Fabric fabric(Path place, Random random) throws IOException {
    Path file = place.resolve("f.net");
    try (OutputStream out = Files.newOutputStream(file)) {
      IbnetdiscoverWriter.write(RandomFabrics.tree(random), out);
    }
    return FabricFormats.read(new Source("f.net", Files.readAllBytes(file)))
        .get()
        .withAssignedLids();
  }

  /** Tenants come, some of them go, others come in their place; some have members besides. */
  private static void history(TestServer server, Fabric fabric, Random random) {
    List<DoorsAgreeTest.Ask> asks = DoorsAgreeTest.asks(fabric, random);
    List<DoorsAgreeTest.Ask> later = DoorsAgreeTest.asks(fabric, random);
    for (DoorsAgreeTest.Ask ask : asks) {
      TenantSpec spec = DoorsAgreeTest.spec(fabric, ask);
      boolean members = random.nextInt(4) == 0;
      server.submit(new Change.Create(members ? withMembers(spec, fabric, random) : spec));
    }
    for (DoorsAgreeTest.Ask ask : asks) {
      if (random.nextInt(3) == 0) {
        server.submit(new Change.Delete(ask.name(), java.util.OptionalLong.empty()));
      }
    }
    for (DoorsAgreeTest.Ask ask : later) {
      server.submit(new Change.Create(DoorsAgreeTest.spec(fabric, ask)));
    }
  }

  private static TenantSpec withMembers(TenantSpec spec, Fabric fabric, Random random) {
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int node = fabric.switchCount() + random.nextInt(fabric.nodeCount() - fabric.switchCount());
      long guid = fabric.portGuid(fabric.port(node, 1));
      if (members.stream().noneMatch(m -> m.guid() == guid)) {
        members.add(new Member(guid, random.nextBoolean(), false));
      }
    }
    members.add(new Member(0xdead0000L + random.nextInt(100), true, false));
    return spec.withMembers(members);
  }
}
