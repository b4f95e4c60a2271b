package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.TenantSpec;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingOption;
import org.heddle.server.TestServer;
import org.heddle.text.topology.IbnetdiscoverWriter;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tenants files and state files into a controller and out of it: XGFT(2;4,8;1,4). */
class TenantsExchangeTest {
  private static final String FILE =
      """
      version: 1
      tenants:
        - {name: ml, pkey: 0x0101, links: exclusive, members: [{count: 10}]}
        - {name: bio, links: exclusive, oversubscription: 2, members: ["H_7_[0-3]"]}
        - {name: web, exclusive: true, members: ["H_6_[0-1]", {hosts: H_6_3, guest: true, membership: limited}]}
        - {name: test, members: [{count: 3}]}
        - {name: spare, members: ["0x00000000deadbeef", {hosts: H_5_0, membership: limited}]}
      """;

  @TempDir Path dir;

  private TestServer at;

  @BeforeEach
  void start() throws IOException {
    at = TestServer.start(Files.createDirectory(dir.resolve("one")));
    Files.writeString(dir.resolve("t.yaml"), FILE);
  }

  @AfterEach
  void stop() {
    at.close();
  }

  private String path(String name) {
    return dir.resolve(name).toString();
  }

  /** What everybody has: key, hosts, links, members. */
  private static Map<String, String> state(TestServer server) {
    Map<String, String> out = new HashMap<>();
    for (JsonNode t :
        OnServer.json(OnServer.run(server, "tenants", "list", "--json")).get("tenants")) {
      out.put(
          t.get("name").stringValue(),
          t.get("policy")
              + " "
              + t.get("pkey")
              + t.get("oversubscription")
              + t.get("hosts")
              + t.get("links")
              + t.get("members").valueStream().map(JsonNode::toString).sorted().toList());
    }
    return out;
  }

  private JsonNode apply(TestServer server, String file, String... more) {
    String[] words = new String[more.length + 4];
    System.arraycopy(new String[] {"tenants", "apply", path(file), "--json"}, 0, words, 0, 4);
    System.arraycopy(more, 0, words, 4, more.length);
    return OnServer.json(OnServer.run(server, words));
  }

  @Test
  void aFileBecomesTenantsAndAppliedAgainChangesNothing() {
    JsonNode tried = apply(at, "t.yaml", "--dry-run");
    assertThat(tried.get("outcome").stringValue()).isEqualTo("would-be");
    assertThat(tried.get("tenants")).hasSize(5);
    assertThat(state(at)).isEmpty();
    JsonNode done = apply(at, "t.yaml", "--yes");
    assertThat(done.get("outcome").stringValue()).isEqualTo("applied");
    assertThat(state(at)).containsOnlyKeys("ml", "bio", "web", "test", "spare");
    assertThat(at.view().tenant("ml").orElseThrow().hosts()).hasSize(10);
    assertThat(at.view().tenant("spare").orElseThrow().hosts()).isEmpty();
    Map<String, String> before = state(at);
    JsonNode again = apply(at, "t.yaml", "--yes");
    assertThat(again.get("outcome").stringValue()).isEqualTo("unchanged");
    assertThat(again.get("tenants")).isEmpty();
    assertThat(state(at)).isEqualTo(before);
    assertThat(OnServer.run(at, "tenants", "apply", path("t.yaml"), "--dry-run").out())
        .isEqualTo("nothing to do: the controller's tenants are what the file says\n");
  }

  @Test
  void whatIsExportedMakesTheSameOnAnEmptyControllerAndNothingOnTheSame() throws IOException {
    apply(at, "t.yaml", "--yes");
    // a history: what is held is not what a fresh search would find
    OnServer.run(at, "tenants", "delete", "ml");
    OnServer.run(at, "tenants", "create", "new", "-n", "5");
    OnServer.run(at, "tenants", "create", "phys", "-n", "2", "--policy", "phy");
    OnServer.run(at, "tenants", "create", "lane", "-n", "2", "--policy", "vlane");
    assertThat(OnServer.run(at, "tenants", "export", "-o", path("x.yaml")).err()).isEmpty();
    assertThat(apply(at, "x.yaml", "--yes").get("outcome").stringValue()).isEqualTo("unchanged");
    try (TestServer other = TestServer.start(Files.createDirectory(dir.resolve("two")))) {
      assertThat(apply(other, "x.yaml", "--yes").get("outcome").stringValue()).isEqualTo("applied");
      assertThat(state(other)).isEqualTo(state(at));
      assertThat(other.view().tables()).isEqualTo(at.view().tables());
    }
  }

  /** Whoever has whichever port of whoever's host: the controller takes the file that it wrote. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void whatIsExportedIsTaken(int seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = at.view().fabric();
    for (int i = 0; i < 6; i++) {
      Policy policy = Policy.values()[random.nextInt(4)];
      List<Member> members = new ArrayList<>();
      for (int k = random.nextInt(4); k > 0; k--) {
        int node = fabric.switchCount() + random.nextInt(fabric.caCount());
        long guid = fabric.portGuid(fabric.port(node, 1));
        long other = random.nextInt(5) == 0 ? 0xdead0000 + k : guid;
        members.add(new Member(other, random.nextBoolean(), false));
      }
      int hosts = policy == Policy.DEF ? random.nextInt(2) * 2 : 1 + random.nextInt(4);
      TenantSpec spec =
          new TenantSpec(
              "t" + i,
              "",
              policy,
              hosts,
              List.of(),
              1,
              "exact",
              PartitionOptions.AUTOMATIC,
              members.stream().filter(distinct()).toList());
      at.submit(new Change.Create(spec, List.of()));
    }
    assertThat(state(at)).isNotEmpty();
    assertThat(OnServer.run(at, "tenants", "export", "-o", path("x.yaml")).err()).isEmpty();
    assertThat(taken(at)).isEqualTo("unchanged");
    try (TestServer other = TestServer.start(Files.createDirectory(dir.resolve("two")))) {
      assertThat(taken(other)).isEqualTo("applied");
      assertThat(state(other)).isEqualTo(state(at));
    }
  }

  /** What becomes of the exported file; that a tenant has no members yet may be noted. */
  private String taken(TestServer server) {
    Cli.Result r = OnServer.run(server, "tenants", "apply", path("x.yaml"), "--yes", "--json");
    assertThat(r.err().lines().filter(l -> !l.contains("has no members"))).isEmpty();
    return JsonMapper.builder().build().readTree(r.out()).get("outcome").stringValue();
  }

  private static Predicate<Member> distinct() {
    Set<Long> seen = new HashSet<>();
    return m -> seen.add(m.guid());
  }

  @Test
  void planTakesWhatIsExported() throws IOException {
    apply(at, "t.yaml", "--yes");
    OnServer.run(at, "tenants", "export", "-o", path("x.yaml"));
    try (var out = Files.newOutputStream(dir.resolve("f.net"))) {
      IbnetdiscoverWriter.write(TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,8;1,4)")), out);
    }
    Cli.Result plan =
        Cli.run(
            "plan",
            path("f.net"),
            path("x.yaml"),
            "-e",
            "dmodk",
            "-o",
            path("p"),
            "--json",
            "--no-picture");
    assertThat(plan.err()).isEmpty();
    for (JsonNode t :
        tools.jackson.databind.json.JsonMapper.builder()
            .build()
            .readTree(plan.out())
            .get("tenants")) {
      var tenant = at.view().tenant(t.get("name").stringValue()).orElseThrow();
      assertThat(t.get("pkey").stringValue()).isEqualTo("0x%04x".formatted(tenant.pkey()));
      assertThat(t.get("links")).hasSize(tenant.links().size());
    }
  }

  /** The tables of a file are one engine's in a plan and in a controller, or it is refused. */
  @Test
  void aFileThatWantsAnotherEngineIsRefused() throws IOException {
    String here = at.view().engine().wanted();
    for (RoutingEngine engine : Catalog.engines()) {
      Files.writeString(
          dir.resolve("e.yaml"),
          FILE.replace("version: 1", "version: 1\nengine: " + engine.name()));
      Cli.Result done = OnServer.run(at, "tenants", "apply", path("e.yaml"), "--dry-run");
      boolean partitions = engine.uses().contains(RoutingOption.PARTITIONS);
      if (engine.name().equals(here) || partitions) {
        assertThat(done.code()).as(done.err()).isZero();
      } else {
        assertThat(done.code()).isNotZero();
        assertThat(done.err())
            .contains("e.yaml:2: the file wants tables of the engine '" + engine.name())
            .contains("restart it with --engine " + engine.name());
      }
    }
    Files.writeString(dir.resolve("e.yaml"), FILE.replace("version: 1", "version: 1\nengine: x"));
    assertThat(OnServer.run(at, "tenants", "apply", path("e.yaml"), "--yes").code()).isNotZero();
    assertThat(state(at)).isEmpty();
  }

  @Test
  void whoIsNotInTheFileGoesUnlessKept() throws IOException {
    apply(at, "t.yaml", "--yes");
    Files.writeString(
        dir.resolve("less.yaml"),
        "version: 1\n"
            + "tenants:\n"
            + "  - {name: ml, pkey: 0x0102, links: exclusive, members: [{count: 10}]}\n");
    Cli.Result kept =
        OnServer.run(at, "tenants", "apply", path("less.yaml"), "--keep", "--dry-run");
    assertThat(kept.out()).contains("~ ml is changed").doesNotContain("let go");
    Cli.Result less = OnServer.run(at, "tenants", "apply", path("less.yaml"), "--yes");
    assertThat(less.err()).isEmpty();
    assertThat(less.out())
        .contains("- bio is deleted: policy links, 4 hosts")
        .contains("~ ml is changed: policy links, 10 hosts")
        .contains("routed and proven")
        .contains("applied at epoch 2");
    assertThat(state(at)).containsOnlyKeys("ml");
    assertThat(at.view().tenant("ml").orElseThrow().pkey()).isEqualTo(0x102);
  }

  @Test
  void partitionsOfClientsAndManagementAreNobodysToApply() throws IOException {
    at.ask("POST", "/ufmRest/resources/pkeys/add", "{\"pkey\":\"0x777\"}");
    at.ask(
        "POST",
        "/ufmRest/resources/pkeys",
        "{\"pkey\":\"0x778\",\"guids\":[\"00000000deadbeef\"],\"ip_over_ib\":false,\"index0\":false}");
    Map<String, String> before = state(at);
    assertThat(before).hasSize(2);
    OnServer.run(at, "tenants", "export", "-o", path("x.yaml"));
    assertThat(Files.readString(dir.resolve("x.yaml"))).contains("0x0777").doesNotContain("0x0778");
    assertThat(OnServer.run(at, "tenants", "apply", path("x.yaml"), "--yes").out())
        .startsWith("nothing to do");
    assertThat(state(at)).isEqualTo(before);
  }

  @Test
  void whatDoesNotFitIsRefusedWithHintsAndChangesNothing() throws IOException {
    OnServer.run(at, "tenants", "create", "big", "-n", "20");
    Files.writeString(
        dir.resolve("more.yaml"),
        "version: 1\ntenants:\n  - {name: huge, links: exclusive, members: [{count: 13}]}\n");
    Cli.Result no = OnServer.run(at, "tenants", "apply", path("more.yaml"), "--keep", "--yes");
    assertThat(no.code()).isEqualTo(1);
    assertThat(no.err())
        .contains("the controller cannot do that: huge: not enough free hosts")
        .contains("free hosts: 12")
        .contains("it would fit without tenant big");
    assertThat(state(at)).containsOnlyKeys("big");
  }

  @Test
  void somebodyElsesChangeMeanwhileMakesThePlanStale() {
    Cli.Result no =
        OnServer.answering(
            at,
            "y\n",
            () -> OnServer.run(at, "tenants", "create", "first", "-n", "1"),
            "tenants",
            "apply",
            path("t.yaml"));
    assertThat(no.code()).isEqualTo(1);
    assertThat(no.out()).contains("+ ml is admitted").contains("apply? [y/N]");
    assertThat(no.err()).contains("epoch 0, is gone");
    assertThat(state(at)).containsOnlyKeys("first");
  }

  @Test
  void whereNobodyCanBeAskedItMustBeSaid() {
    Cli.Result no = OnServer.run(at, "tenants", "apply", path("t.yaml"));
    assertThat(no.code()).isEqualTo(2);
    assertThat(no.err()).contains("--yes applies the changes, --dry-run only shows them");
    Cli.Result declined =
        OnServer.answering(at, "\n", () -> {}, "tenants", "apply", path("t.yaml"));
    assertThat(declined.code()).isZero();
    assertThat(declined.out()).endsWith("apply? [y/N] nothing was changed\n");
    assertThat(state(at)).isEmpty();
  }

  @Test
  void aStateFileGoesIntoAControllerAndComesBack() throws IOException {
    try (var out = Files.newOutputStream(dir.resolve("f.net"))) {
      IbnetdiscoverWriter.write(TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,8;1,4)")), out);
    }
    for (String[] t : new String[][] {{"a", "10"}, {"b", "7"}, {"c", "3"}}) {
      assertThat(
              Cli.run("allocate", path("f.net"), "--state", path("s.json"), "add", t[0], "-n", t[1])
                  .err())
          .isEmpty();
    }
    Cli.run("allocate", path("f.net"), "--state", path("s.json"), "remove", "a");
    Cli.run(
        "allocate",
        path("f.net"),
        "--state",
        path("s.json"),
        "add",
        "d",
        "-n",
        "2",
        "--no-links",
        "--pkey",
        "0x0009");
    assertThat(apply(at, "s.json", "--yes").get("outcome").stringValue()).isEqualTo("applied");
    assertThat(state(at)).containsOnlyKeys("b", "c", "d");
    assertThat(at.view().tenant("d").orElseThrow().pkey()).isEqualTo(9);
    assertThat(apply(at, "s.json", "--yes").get("outcome").stringValue()).isEqualTo("unchanged");
    Cli.Result back =
        OnServer.run(at, "tenants", "export", "--format", "state", "-o", path("back.json"));
    assertThat(back.err()).isEmpty();
    assertThat(Files.readString(dir.resolve("back.json")))
        .isEqualTo(Files.readString(dir.resolve("s.json")));
    assertThat(Cli.run("allocate", path("f.net"), "--state", path("back.json"), "check").code())
        .isZero();
    OnServer.run(at, "tenants", "create", "p", "-n", "1", "--policy", "phy");
    Cli.Result no = OnServer.run(at, "tenants", "export", "--format", "state");
    assertThat(no.code()).isEqualTo(1);
    assertThat(no.err()).contains("'p' has policy phy");
  }

  @Test
  void errorsOfTheFileAreSaidAtTheirLines() throws IOException {
    Files.writeString(
        dir.resolve("bad.yaml"),
        "version: 1\ntenants:\n  - {name: a, exclusive: true, members: [H_9_9]}\n");
    Cli.Result no = OnServer.run(at, "tenants", "apply", path("bad.yaml"), "--yes");
    assertThat(no.code()).isEqualTo(2);
    assertThat(no.err()).contains("bad.yaml:3: ").contains("no host of the fabric is called H_9_9");
    Files.writeString(
        dir.resolve("bad.yaml"), "version: 1\ntenants:\n  - {name: a, own_links: [\"0x1:2\"]}\n");
    assertThat(OnServer.run(at, "tenants", "apply", path("bad.yaml"), "--yes").err())
        .contains("bad.yaml:3: error: 'own_links' goes with 'links: exclusive'");
  }
}
