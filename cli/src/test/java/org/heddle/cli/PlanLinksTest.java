package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.heddle.text.Source;
import org.heddle.text.opensm.PartitionsConf;
import org.heddle.text.opensm.PartitionsConfReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code links: exclusive} in a tenants file. */
class PlanLinksTest {
  @TempDir Path dir;

  @BeforeEach
  void fabric() {
    Cli.run(
        "fabric", "generate", "XGFT(2;12,12;1,12)", "--shuffle-ports", "3", "-o", path("f.net"));
  }

  private String path(String name) {
    return dir.resolve(name).toString();
  }

  private Cli.Result plan(String tenants) throws IOException {
    Files.writeString(dir.resolve("t.yaml"), "version: 1\nmode: strict\ntenants:\n" + tenants);
    return Cli.run("plan", path("f.net"), path("t.yaml"), "-o", path("plan"));
  }

  private List<PartitionsConf.Definition> partitions() throws IOException {
    byte[] bytes = Files.readAllBytes(dir.resolve("plan/partitions.conf"));
    return PartitionsConfReader.read(new Source("p", bytes)).get().definitions();
  }

  @Test
  void countedTenantsGetHostsAndLinksThatNobodyElseHas() throws IOException {
    Cli.Result result =
        plan(
            """
              - {name: ml, pkey: 0x0101, links: exclusive, members: [{count: 30}]}
              - {name: bio, pkey: 0x0102, links: exclusive, members: [{count: 17}, {count: 3}]}
              - {name: web, pkey: 0x0103, members: ["H_3_[0-3]", {count: 9}]}
            """);
    assertThat(result.err()).isEmpty();
    assertThat(result.code()).isZero();
    assertThat(result.out())
        .contains("ml has links of its own: 30 hosts on 3 leaves, 30 links")
        .contains("bio has links of its own: 20 hosts on");
    assertThat(partitions()).extracting(d -> d.members().size()).containsExactly(3, 30, 20, 13);
    Cli.Result audit =
        Cli.run(
            "audit",
            path("f.net"),
            path("plan/tables.hlft"),
            "--partitions",
            path("plan/partitions.conf"),
            "--json");
    assertThat(audit.code()).isZero();
    assertThat(Cli.run("tenants", "explain", path("t.yaml"), path("f.net")).out())
        .contains("30 hosts");
  }

  @Test
  void namedHostsThatConformGetLinks() throws IOException {
    Cli.Result result =
        plan(
            """
              - {name: ml, pkey: 0x0101, links: exclusive, members: ["H_[0-1]_[0-5]", "H_2_[0-1]"]}
              - {name: web, pkey: 0x0103, members: ["H_2_[2-9]", "H_3_[0-3]"]}
            """);
    assertThat(result.err()).isEmpty();
    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("ml has links of its own: 14 hosts on 3 leaves, 14 links");
  }

  @Test
  void namedHostsThatDoNotConformAreRefusedWithAWayOut() throws IOException {
    Cli.Result result =
        plan(
            """
              - {name: a, links: exclusive, members: ["H_[0-1]_[0-6]"]}
              - {name: b, links: exclusive, members: ["H_[0-1]_[7-11]", "H_2_[0-11]", "H_3_[0-11]"]}
            """);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err())
        .contains("t.yaml:5: no links for tenant 'b'")
        .contains("hosts by leaf:")
        .contains("'members: [{count: 34}]' lets Heddle choose");
    assertThat(dir.resolve("plan")).doesNotExist();
  }

  @Test
  void whatContradictsLinksIsAnErrorAtItsLine() throws IOException {
    Cli.Result result =
        plan(
            """
              - name: a
                policy: vlane
                links: exclusive
                members: [H_0_0, {count: 3}]
              - name: b
                exclusive: false
                links: exclusive
                members: [{count: 3}]
            """);
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err())
        .contains("t.yaml:5: error: 'links: exclusive' implies 'policy: phy'")
        .contains("t.yaml:6: error: 'links: exclusive' needs members that are all named or all")
        .contains("t.yaml:9: error: 'links: exclusive' implies 'exclusive: true'");
  }

  @Test
  void aHostOfATenantWithLinksIsInNoOther() throws IOException {
    Cli.Result result =
        plan(
            """
              - {name: a, links: exclusive, members: ["H_0_[0-6]"]}
              - {name: b, members: [H_0_3]}
            """);
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("H_0_3 of 'b' belongs to 'a' alone");
  }
}
