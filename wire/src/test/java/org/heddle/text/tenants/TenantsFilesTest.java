package org.heddle.text.tenants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.PartitionMember;
import org.heddle.text.Fixtures;
import org.heddle.text.Parsed;
import org.heddle.text.Source;
import org.heddle.text.TenantsSchema;
import org.heddle.text.opensm.EffectivePartitions;
import org.heddle.text.opensm.PartitionsConf;
import org.heddle.text.opensm.PartitionsConfReader;
import org.heddle.text.tenants.TenantsFile.Tenant;
import org.heddle.text.yaml.YamlNode;
import org.heddle.text.yaml.YamlNode.Mapping;
import org.heddle.text.yaml.YamlNode.Pair;
import org.junit.jupiter.api.Test;

class TenantsFilesTest {
  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static String fromPartitions(String conf, Optional<Fabric> fabric) {
    Parsed<PartitionsConf> parsed = PartitionsConfReader.read(Source.of("p.conf", conf));
    return text(TenantsFiles.fromPartitions(parsed.get(), fabric));
  }

  @Test
  void aPartitionsFileBecomesATenantsFile() {
    String conf =
        """
        Default=0x7fff, ipoib : ALL=limited, SELF=full ;
        blue=0x8101, ipoib, mtu=5, rate=16 : 0x1111=full, 0x1121=full, 0x1131=limited, 0x77=full ;
        green=0x102 : ALL=full, 0x1111=limited ;
        9lives=0x103, sl=3 : 0x2011, 0x2021, SELF=full ;
        """;
    assertThat(fromPartitions(conf, Optional.of(TenantsResolverTest.fabric())))
        .isEqualTo(
            """
            # Made of a partitions.conf. Every policy is def: choose phy or vlane where wanted.
            # The default partition, 0x7fff, is not a tenant and is left out.
            # green: ALL has become all hosts, without switches and routers.
            # 9lives: SELF is not a host and is left out.
            # 9lives: sl=3 is left out; Heddle assigns the lanes itself.
            version: 1
            mode: best-effort
            tenants:
              - name: blue
                pkey: 0x0101
                policy: def
                ipoib: true
                mtu: 4096
                rate: 100
                members:
                  - n[11-12]
                  - 0x0000000000000077
                  - hosts: n13
                    membership: limited
              - name: green
                pkey: 0x0102
                policy: def
                ipoib: false
                members:
                  - "*"
                  - hosts: n11
                    membership: limited
              - name: 9lives
                pkey: 0x0103
                policy: def
                membership: limited
                ipoib: false
                members:
                  - g1
            """);
    assertThat(fromPartitions(conf, Optional.empty())).contains("- 0x0000000000001111\n");
  }

  @Test
  void whatAPartitionsFileSaysOnAFabricIsKept() {
    String conf =
        "a=0x5 : 0x1111=full, 0x1211=limited ;\nb c=0x6 : ALL_CAS=limited, 0x2031=full ;\n"
            + "a=0x5 : 0x1121=full, 0x1111=limited ;\na=0x7 : 0x2061=full, 0x2041=full ;\n";
    Fabric fabric = TenantsResolverTest.fabric();
    PartitionsConf parsed = PartitionsConfReader.read(Source.of("p.conf", conf)).get();
    Source made = new Source("t", TenantsFiles.fromPartitions(parsed, Optional.of(fabric)));
    ResolvedTenants r = TenantsResolver.resolve(TenantsFileReader.read(made).get(), fabric).get();
    EffectivePartitions effective = parsed.members(fabric);
    assertThat(r.tenancy().partitions()).hasSize(3);
    for (org.heddle.tenancy.Partition p : r.tenancy().partitions()) {
      EffectivePartitions.Partition e = effective.find(p.pkey());
      assertThat(p.members().stream().filter(PartitionMember::full).mapToInt(m -> m.port()))
          .containsExactly(
              java.util.Arrays.stream(e.fullMembers()).boxed().toArray(Integer[]::new));
      // ALL_CAS covers the aggregation node, a tenants file's "*" does not
      int[] limited =
          java.util.Arrays.stream(e.limitedMembers())
              .filter(port -> fabric.portGuid(port) != 0x2061)
              .toArray();
      assertThat(p.members().stream().filter(m -> !m.full()).mapToInt(m -> m.port()))
          .containsExactly(java.util.Arrays.stream(limited).boxed().toArray(Integer[]::new));
    }
  }

  @Test
  void partitionFilesOfEveryFormGiveValidTenantsFiles() throws IOException {
    List<Path> files = Fixtures.files("partitions");
    assertThat(files).hasSize(4);
    for (Path file : files) {
      Parsed<PartitionsConf> conf = PartitionsConfReader.read(Fixtures.source(file));
      byte[] text = TenantsFiles.fromPartitions(conf.get(), Optional.empty());
      assertThat(TenantsFileReader.read(new Source("t", text)).ok()).as("%s", file).isTrue();
    }
  }

  /** Whoever makes a partition chooses its name; the file that tells of it must stay a file. */
  @Test
  void aPartitionMayBeNamedWithAnyCharacter() {
    StringBuilder conf = new StringBuilder();
    int key = 1;
    for (int c = 1; c < 0x10000; c++) {
      boolean syntax = c < 0x20 || c == ',' || c == ':' || c == ';' || c == '=' || c == '#';
      boolean telling = c < 0x3000 || c >= 0xe000 && c < 0xe010 || c >= 0xfe00;
      if (!syntax && telling) {
        conf.append("a").append((char) c).append("b=0x%04x : 0x1111 ;\n".formatted(key++));
      }
    }
    Parsed<TenantsFile> back =
        TenantsFileReader.read(Source.of("t", fromPartitions(conf.toString(), Optional.empty())));
    assertThat(back.problems()).isEmpty();
    assertThat(back.get().tenants()).hasSize(key - 1);
  }

  @Test
  void everythingWrittenIsReadBack() {
    String full =
        """
        version: 1
        mode: strict
        data_lanes: 3
        physical_share: 0.125
        pkey_table: 64
        isolation: 0.6
        sharing:
          - [a, "null"]
        weights:
          "*": 50
        tenants:
          - name: a
            pkey: 0x0101
            policy: phy
            membership: limited
            weight: 3
            exclusive: true
            members:
              - node[01-16,20]
              - 0x0002c903007b78b0
              - "a \\"b\\" \\\\ \\u2028é"
              - hosts:
                  - login1
                  - "node01 HCA-1"
                membership: full
                weight: 9
                ports: [1, 2]
                hca: mlx5_*
              - count: 16
            weights:
              node01: 7
          - name: "null"
            pkey: auto
            policy: def
            members: []
        """;
    TenantsFile file = TenantsFileReader.read(Source.of("t", full)).get();
    assertThat(text(TenantsFileWriter.write(file))).isEqualTo(full);
  }

  @Test
  void contentThatBreaksTheRulesIsNotWritten() {
    Tenant tenant = Tenant.of("a", 5, IsolationPolicy.DEF, List.of());
    TenantsFile file =
        new TenantsFile("t", TenantsFile.Rules.DEFAULT, List.of(), List.of(tenant, tenant));
    assertThatThrownBy(() -> TenantsFileWriter.write(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a second tenant 'a'");
  }

  @Test
  void theExampleIsValidWithAndWithoutAFabric() {
    Source bare = new Source("t", TenantsFiles.example(Optional.empty()));
    assertThat(TenantsFileReader.read(bare).problems()).isEmpty();
    assertThat(TenantsSchema.violations(bare)).isEmpty();
    Fabric fabric = TenantsResolverTest.fabric();
    Source own = new Source("t", TenantsFiles.example(Optional.of(fabric)));
    Parsed<TenantsFile> parsed = TenantsFileReader.read(own);
    assertThat(parsed.problems()).isEmpty();
    Parsed<ResolvedTenants> resolved = TenantsResolver.resolve(parsed.get(), fabric);
    assertThat(resolved.problems()).isEmpty();
    assertThat(resolved.get().tenants()).allMatch(t -> t.hosts().size() > 5);
  }

  @Test
  void theWorkedExampleOfTheManualIsValid() throws IOException {
    StringBuilder yaml = new StringBuilder();
    String rest =
        Files.readString(Path.of("../docs/tenants.md")).split("## A worked example\n\n", 2)[1];
    for (String line : rest.split("\n", -1)) {
      if (!line.isEmpty() && !line.startsWith("    ")) {
        break;
      }
      yaml.append(line.isEmpty() ? line : line.substring(4)).append('\n');
    }
    Source source = Source.of("manual", yaml.toString());
    Parsed<TenantsFile> parsed = TenantsFileReader.read(source);
    assertThat(parsed.problems()).isEmpty();
    assertThat(parsed.get().names()).containsExactly("ml", "ml-dev", "web", "test");
    assertThat(TenantsSchema.violations(source)).isEmpty();
  }

  @Test
  void anExampleForAFabricWithoutHostsIsStillValid() {
    Fabric empty = new org.heddle.fabric.FabricBuilder().build();
    Source source = new Source("t", TenantsFiles.example(Optional.of(empty)));
    assertThat(TenantsFileReader.read(source).ok()).isTrue();
  }

  // ---- the schema

  @Test
  void thePublishedSchemaIsTheOneInTheJar() throws IOException {
    assertThat(Files.readString(Path.of("../docs/schema/tenants.schema.json")))
        .isEqualTo(TenantsFiles.schema());
  }

  private static List<String> keys(String... path) {
    YamlNode node = TenantsSchema.ROOT;
    for (String key : path) {
      node = TenantsSchema.get(node, key);
    }
    return ((Mapping) node).pairs().stream().map(Pair::key).toList();
  }

  @Test
  void schemaAndReaderKnowTheSameKeys() {
    assertThat(keys("properties")).isEqualTo(TenantsFileReader.TOP_KEYS);
    assertThat(keys("$defs", "tenant", "properties")).isEqualTo(TenantsTenantReader.TENANT_KEYS);
    YamlNode map = TenantsSchema.items(TenantsSchema.ROOT, "$defs", "member", "anyOf").get(1);
    assertThat(((Mapping) TenantsSchema.get(map, "properties")).pairs().stream().map(Pair::key))
        .isEqualTo(TenantsTenantReader.MEMBER_KEYS);
  }

  @Test
  void whatTheReaderTakesTheSchemaTakesAndWhatTheSchemaRefusesTheReaderRefuses() {
    for (String line :
        List.of(
            "pkey: 0x0101",
            "pkey: 257",
            "pkey: auto",
            "policy: phy",
            "policy: hard",
            "weight: 100",
            "weight: 101",
            "weight: '7x'",
            "membership: full",
            "membership: none",
            "exclusive: true",
            "exclusive: 3",
            "members: []",
            "members: [a, 0x17, {count: 3}, {hosts: [a, b], ports: [1], hca: x}, {guid: 0x17}]",
            "members: [{count: 3, hosts: a}]",
            "members: [{count: 0}]",
            "members: [{hosts: a, ports: 0}]",
            "members: {}",
            "weights: {a: 3}",
            "weights: {a: 0}",
            "colour: blue")) {
      Source source = Source.of("t", "version: 1\ntenants:\n- name: a\n  " + line + "\n");
      boolean reader = TenantsFileReader.read(source).ok();
      assertThat(TenantsSchema.violations(source).isEmpty()).as(line).isEqualTo(reader);
    }
  }
}
