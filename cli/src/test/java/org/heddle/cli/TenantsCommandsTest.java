package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code heddle tenants} on a small tree, as users type it. */
class TenantsCommandsTest {
  private static final String YAML =
      """
      version: 1
      sharing: [[blue, red]]
      tenants:
        - name: blue
          pkey: 0x0101
          policy: phy
          members: [H_0_0, H_0_1, 0x77]
        - name: green
          pkey: 0x8102
          policy: vlane
          members:
            - H_0_[2-3]
            - H_1_*
          weights:
            H_1_0: 20
        - name: red
          pkey: 0x103
          membership: limited
          members: [H_1_0, {hosts: H_1_1, membership: full}]
      """;

  @TempDir private Path dir;

  private String net;
  private String yaml;

  @BeforeEach
  void files() throws IOException {
    net = dir.resolve("a.net").toString();
    yaml = dir.resolve("t.yaml").toString();
    run(0, "fabric", "generate", "XGFT(2;4,4;1,4)", "-o", net);
    Files.writeString(Path.of(yaml), YAML);
  }

  private static Cli.Result run(int code, String... words) {
    Cli.Result result = Cli.run(words);
    assertThat(result.code())
        .as("%s: %s%s", List.of(words), result.out(), result.err())
        .isEqualTo(code);
    return result;
  }

  @Test
  void theExampleIsValidOnItsFabric() {
    String out = dir.resolve("new.yaml").toString();
    assertThat(run(0, "tenants", "init", net, "-o", out).out())
        .contains("2 tenants", "next: heddle tenants validate " + out + " " + net);
    assertThat(run(0, "tenants", "validate", out, net).out())
        .isEqualTo(out + " is valid: 2 tenants, 16 hosts, 0 pending\n");
    assertThat(run(0, "tenants", "init").out()).contains("version: 1", "- node[01-16]");
  }

  @Test
  void aPartitionsFileIsTakenOver() throws IOException {
    Path conf = dir.resolve("partitions.conf");
    Files.writeString(conf, "Default=0x7fff : ALL=limited ;\nA=0x8101 : 0x100001=full ;\n");
    String text = run(0, "tenants", "init", net, "--from", conf.toString()).out();
    assertThat(text).contains("  - name: A\n    pkey: 0x0101\n", "      - H_0_0\n");
    assertThat(run(1, "tenants", "validate", conf.toString()).out())
        .contains("this looks like an OpenSM partitions.conf");
    Files.writeString(conf, "A=0x8101 0x100001=full ;\n");
    assertThat(run(2, "tenants", "init", net, "--from", conf.toString()).err())
        .contains("correct it first");
  }

  @Test
  void validateListsEveryProblemAndExitsWithOne() throws IOException {
    Files.writeString(Path.of(yaml), YAML.replace("vlane", "vlan").replace("0x103", "0x0101"));
    assertThat(run(1, "tenants", "validate", yaml).out())
        .isEqualTo(
            yaml
                + ":10: error: 'policy' must be one of phy, vlane, def, got: vlan; did you mean"
                + " 'vlane'?\n"
                + yaml
                + ":17: error: P_Key 0x0101 (0x8101 with the membership bit) of 'red' belongs to"
                + " 'blue', line 5\n"
                + yaml
                + " is not valid: 2 errors\n");
    Files.writeString(Path.of(yaml), YAML.replace("H_0_1", "H_0_9"));
    assertThat(run(0, "tenants", "validate", yaml).out())
        .contains("hosts and P_Key tables are not checked without a fabric");
    assertThat(run(1, "tenants", "validate", yaml, net, "--json").out())
        .contains(
            "\"format\" : \"heddle.tenants-validate/1\"",
            "\"valid\" : false",
            "\"line\" : 7",
            "no host of the fabric is called H_0_9; did you mean 'H_0_0'?");
    assertThat(run(2, "tenants", "validate", dir.resolve("x").toString()).err())
        .contains("no such file");
  }

  @Test
  void explainTellsWhatTheFileMeans() {
    String out = run(0, "tenants", "explain", yaml, net).out();
    assertThat(out)
        .startsWith(
            yaml
                + " on "
                + net
                + ": 3 tenants; best-effort, 8 data lanes, phy tenants take at most 100% of the"
                + " channels\n")
        .contains(
            """

            blue  P_Key 0x0101, as full member 0x8101
              policy phy: its traffic shares no channel between switches with another tenant's
              may share channels and lanes with red
              2 hosts, 2 ports on one leaf: its traffic takes no link between switches
                LEAF  PORTS  HOSTS
                S1_0      2  H_0_[0-1]
              pending: 0x0000000000000077, full, not in the fabric (line 7)
                export UCX_IB_PKEY=0x0101
                export NCCL_IB_PKEY=0
                grep -iE '0x(0101|8101)' /sys/class/infiniband/*/ports/*/pkeys/*
                ip link add link ib0 name ib0.8101 type ipoib pkey 0x8101

            """)
        .contains("  weights: 20 for H_1_0; 1 for H_0_[2-3],H_1_[1-3]\n")
        .contains("  limited, talk to full members only: H_1_0\n")
        .contains("  green, red: H_1_[0-1]\n")
        .endsWith("8 hosts belong to no tenant: H_2_[0-3],H_3_[0-3]\n");
  }

  @Test
  void explainPrintsStableJson() {
    assertThat(run(0, "tenants", "explain", yaml, net, "--json").out())
        .contains(
            "\"format\" : \"heddle.tenants-explain/1\"",
            "\"pkey\" : \"0x0102\"",
            "\"pkey_full\" : \"0x8102\"",
            "\"policy\" : \"vlane\"",
            "\"reason\" : \"not-in-fabric\"",
            "\"may_share_with\" : [ \"blue\" ]");
  }

  @Test
  void weightsAreLearnedFromCounters() throws IOException {
    Path counters = dir.resolve("c.csv");
    Files.writeString(counters, "host,port,bytes\nH_1_1,1,900\nH_1_2,1,100\nH_1_3,1,500\n");
    String out = run(0, "tenants", "explain", yaml, net, "--counters", counters.toString()).out();
    // (500 - 100) * 99 / 800 + 1 = 50.5; H_1_0 was not measured and keeps its 20
    assertThat(out)
        .contains("weights: 51 for H_1_3; 50 for H_1_1; 20 for H_1_0; 1 for H_0_[2-3],H_1_2\n");
    Files.writeString(counters, "nobody,1,5\n");
    assertThat(run(2, "tenants", "explain", yaml, net, "--counters", counters.toString()).err())
        .contains("c.csv:1: error: 'nobody' has no linked port 1 in this fabric");
  }
}
