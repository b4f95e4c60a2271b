package org.heddle.text.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.Guid;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.text.Parsed;
import org.heddle.text.Problem;
import org.heddle.text.Source;
import org.heddle.text.tenants.ResolvedTenants.Reason;
import org.junit.jupiter.api.Test;

public class TenantsResolverTest {
  static final long SPINE = 0x100;

  /**
   * Leaves 0x201, 0x202, 0x203 under one spine. On leaf i hosts n(i)1 .. n(i)4, one port; g1 on
   * leaf 1 and 2 with two adapters; f.example.com on leaf 3 with a second port that has no cable;
   * two adapters on leaf 3 that both say "same"; a dark host; an aggregation node.
   */
  public static Fabric fabric() {
    FabricBuilder b = new FabricBuilder();
    int spine = b.addSwitch(SPINE, 8, "spine");
    for (int i = 1; i <= 3; i++) {
      int leaf = b.addSwitch(0x200 + i, 10, "leaf" + i);
      b.connect(leaf, 10, spine, i);
      for (int k = 1; k <= 4; k++) {
        host(b, 0x1000 + 0x100 * i + 0x10 * k, 1, "n" + i + k + " HCA-1", leaf, k);
      }
    }
    host(b, 0x2010, 1, "g1 mlx5_0", b.find(0x201), 5);
    host(b, 0x2020, 1, "g1 mlx5_1", b.find(0x202), 5);
    host(b, 0x2030, 2, "f.example.com mlx5_0", b.find(0x203), 5);
    host(b, 0x2040, 1, "same", b.find(0x203), 6);
    host(b, 0x2050, 1, "same", b.find(0x203), 7);
    host(b, 0x2060, 1, "Mellanox Technologies Aggregation Node", b.find(0x203), 8);
    b.addCa(0x2070, 1, "dark HCA-1");
    b.setPortGuid(b.find(0x2070), 1, 0x2071);
    return b.build();
  }

  private static void host(
      FabricBuilder b, long guid, int ports, String description, int leaf, int leafPort) {
    int node = b.addCa(guid, ports, description);
    for (int k = 1; k <= ports; k++) {
      b.setPortGuid(node, k, guid + k);
    }
    b.connect(node, 1, leaf, leafPort);
  }

  private static Parsed<ResolvedTenants> resolve(String yaml) {
    Parsed<TenantsFile> file = TenantsFileReader.read(Source.of("t", "version: 1\n" + yaml));
    assertThat(file.ok()).as("%s", file.problems()).isTrue();
    return TenantsResolver.resolve(file.get(), fabric());
  }

  private static List<String> messages(String yaml) {
    return resolve(yaml).problems().stream().map(Problem::toString).toList();
  }

  private static ResolvedTenants clean(String yaml) {
    assertThat(messages(yaml)).isEmpty();
    return resolve(yaml).get();
  }

  /** Members as {@code portguid}, with {@code -} for limited and {@code *w} for a weight. */
  private static List<String> members(Partition p) {
    List<String> out = new ArrayList<>();
    for (PartitionMember m : p.members()) {
      out.add(
          Long.toHexString(fabric().portGuid(m.port()))
              + (m.full() ? "" : "-")
              + (m.weight() == 1 ? "" : "*" + m.weight()));
    }
    return out;
  }

  private static List<String> members(String memberLines) {
    return members(
        clean("tenants:\n- name: a\n  members:\n" + memberLines).tenancy().partitions().get(0));
  }

  @Test
  void namesHostlistsAndWildcardsFindTheLinkedPorts() {
    assertThat(members("  - n11")).containsExactly("1111");
    assertThat(members("  - n1[1-3],n24")).containsExactly("1111", "1121", "1131", "1241");
    assertThat(members("  - n?1")).containsExactly("1111", "1211", "1311");
    assertThat(members("  - f.example.com")).containsExactly("2031");
    assertThat(members("  - f")).containsExactly("2031");
    assertThat(members("  - n11 HCA-1")).containsExactly("1111");
  }

  @Test
  void aHostNameStandsForAllAdaptersUnlessOneIsAskedFor() {
    assertThat(members("  - g1")).containsExactly("2011", "2021");
    assertThat(members("  - {hosts: g1, hca: mlx5_1}")).containsExactly("2021");
    assertThat(members("  - g1 mlx5_0")).containsExactly("2011");
    assertThat(members("  - {hosts: [g1, n11], ports: 1}")).containsExactly("1111", "2011", "2021");
  }

  @Test
  void aGuidNamesAPortOrAnAdapter() {
    assertThat(members("  - 0x1111")).containsExactly("1111");
    assertThat(members("  - 0x1110")).containsExactly("1111");
    assertThat(members("  - 0x2060")).containsExactly("2061");
  }

  @Test
  void wildcardsAndCountsLeaveAggregationNodesOut() {
    String all = "tenants:\n- {name: a, members: ['?*']}\n";
    assertThat(members(resolve(all).get().tenancy().partitions().get(0)))
        .doesNotContain("2061")
        .contains("2041", "1111");
    // 12 n hosts, g1 and f: "same" may be two hosts, dark has no cable
    assertThat(messages("tenants:\n- name: a\n  members:\n  - count: 15"))
        .containsExactly("t:5: 'a' wants 15 hosts that no tenant names; 14 are left");
  }

  @Test
  void laterEntriesOverrideWhatTheyState() {
    assertThat(
            members(
                "  - n1[1-4]\n  - {hosts: n11, membership: limited}\n"
                    + "  - {hosts: 'n1[1-2]', weight: 5}"))
        .containsExactly("1111-*5", "1121*5", "1131", "1141");
  }

  @Test
  void theMostSpecificWeightWins() {
    String yaml =
        """
        weights: {n1*: 2, n2*: 3}
        tenants:
        - name: a
          weight: 7
          members: [n11, n12, {hosts: n13, weight: 9}, n14]
          weights: {n1[1,3]: 20}
        - name: b
          membership: limited
          members: [n11, n21, n31, {hosts: n12, membership: full}]
        """;
    ResolvedTenants r = clean(yaml.replace("{n1[1,3]: 20}", "{'n1[1,3]': 20}"));
    assertThat(members(r.tenancy().partitions().get(0)))
        .containsExactly("1111*20", "1121*7", "1131*20", "1141*7");
    assertThat(members(r.tenancy().partitions().get(1)))
        .containsExactly("1111-*2", "1121*2", "1211-*3", "1311-");
  }

  @Test
  void unknownNamesAreErrorsWithTheNearest() {
    assertThat(messages("tenants:\n- name: a\n  members:\n  - n15\n  - n1[4-8]\n  - x*\n"))
        .containsExactly(
            "t:5: no host of the fabric is called n15; did you mean 'n11'?",
            "t:6: the fabric has no hosts n15, n16, n17, n18; did you mean 'n11'?",
            "t:7: no host name matches 'x*'");
    assertThat(messages("tenants:\n- name: a\n  members:\n  - n11\n  weights: {n19: 3}\n"))
        .containsExactly(
            "t:6: a weight for 'n19', which is not a host of the fabric; did you mean 'n11'?");
    assertThat(messages("tenants:\n- name: a\n  members: [0002c903007b78b0]\n"))
        .containsExactly(
            "t:4: no host of the fabric is called 0002c903007b78b0; a GUID starts with 0x");
  }

  @Test
  void aNameThatMayBeSeveralHostsIsAnError() {
    assertThat(messages("tenants:\n- name: a\n  members: [same]\n"))
        .containsExactly(
            "t:4: 'same' is the description of several adapters that are not one card; name them"
                + " by GUID");
  }

  @Test
  void aSwitchIsNoMember() {
    assertThat(messages("tenants:\n- name: a\n  members: [0x201]\n"))
        .containsExactly(
            "t:4: 0x0000000000000201 is a switch, 'leaf1'; members are ports of hosts");
  }

  @Test
  void unknownGuidsArePendingWithoutAProblem() {
    ResolvedTenants r =
        clean("tenants:\n- name: a\n  members: [n11, {guid: 0x77, membership: limited}]\n");
    assertThat(r.tenancy().partitions().get(0).pending()).containsExactly(new Guid(0x77));
    assertThat(r.tenants().get(0).pending())
        .containsExactly(
            new ResolvedTenants.Pending(4, new Guid(0x77), false, Reason.NOT_IN_FABRIC));
    assertThat(r.tenants().get(0).hosts()).containsExactly("n11");
  }

  @Test
  void portsWithoutCableArePendingWithAWarning() {
    String yaml = "tenants:\n- name: a\n  members: [n11, dark, {hosts: f, ports: 2}]\n";
    assertThat(messages(yaml))
        .containsExactly(
            "t:4: note: 'dark HCA-1' (0x0000000000002070) port 1 has no cable; kept as a pending"
                + " member",
            "t:4: note: 'f.example.com mlx5_0' (0x0000000000002030) port 2 has no cable; kept as"
                + " a pending member");
    assertThat(resolve(yaml).get().tenancy().partitions().get(0).pending())
        .containsExactly(new Guid(0x2071), new Guid(0x2032));
  }

  @Test
  void tenantsThatCannotTalkAreWarnedOf() {
    assertThat(
            messages(
                "tenants:\n- {name: a, members: [0x77]}\n"
                    + "- {name: b, membership: limited, members: [n11, n12]}\n"
                    + "- {name: c, members: [n13, n13]}\n"))
        .containsExactly(
            "t:3: note: tenant 'a' has no member in this fabric; OpenSM deletes the key until"
                + " there is one",
            "t:4: warning: tenant 'b' has limited members only: none can talk to another",
            "t:5: note: says nothing new: 'c' has these ports already");
  }

  @Test
  void anExclusiveHostBelongsToOneTenant() {
    String yaml =
        """
        tenants:
        - name: a
          exclusive: true
          members: [{hosts: g1, hca: mlx5_0}, "n1[1-4]"]
        - name: b
          members:
          - n21
          - n1[3-4]
          - {hosts: g1, hca: mlx5_1}
        """;
    assertThat(messages(yaml))
        .containsExactly(
            "t:9: n13 and 1 more host of 'b' belong to 'a' alone (exclusive, line 3)",
            "t:10: g1 of 'b' belongs to 'a' alone (exclusive, line 3)");
  }

  @Test
  void aFullKeyTableIsAnError() {
    String yaml =
        "pkey_table: 3\ntenants:\n- {name: a, members: [n11]}\n- {name: b, members: [n11]}\n"
            + "- {name: c, members: [n11, n12]}\n";
    assertThat(messages(yaml))
        .containsExactly(
            "t:6: the P_Key table of n11 port 1 is full: with 'c' it needs 4 entries (3 tenants and"
                + " the default key), it has 3 (pkey_table)");
    assertThat(messages(yaml.replace(": 3", ": 4"))).isEmpty();
  }

  @Test
  void countsTakeFreeHostsCloseTogether() {
    String yaml =
        """
        tenants:
        - {name: a, members: [{count: 3}]}
        - {name: b, members: [n11, n12, n31]}
        - {name: c, members: [{count: 2, weight: 4}]}
        - {name: d, members: [{count: 4, ports: 1}]}
        """;
    ResolvedTenants r = clean(yaml);
    // free: leaf 1 n13 n14 g1, leaf 2 n21-n24, leaf 3 n32-n34 f; three fit leaf 1 exactly
    assertThat(r.tenants().get(0).hosts()).containsExactly("n13", "n14", "g1");
    // leaf 2 and 3 have four each: the lower GUID
    assertThat(r.tenants().get(2).hosts()).containsExactly("n21", "n22");
    assertThat(members(r.tenancy().partitions().get(2))).containsExactly("1211*4", "1221*4");
    assertThat(r.tenants().get(3).hosts()).containsExactly("n32", "n33", "n34", "f.example.com");
  }

  @Test
  void countsBeyondALeafGoToTheNearest() {
    ResolvedTenants r = clean("tenants:\n- {name: a, members: [{count: 6}]}\n");
    // leaf 1 and 3 have five (g1 is on leaf 1 first), leaf 2 four: leaf 1, then best fit of one
    assertThat(r.tenants().get(0).hosts()).containsExactly("n11", "n12", "n13", "n14", "n21", "g1");
  }

  @Test
  void automaticKeysDoNotDependOnTheOrder() {
    String a = "- {name: alpha, members: [n11]}\n";
    String b = "- {name: beta, members: [n12]}\n";
    ResolvedTenants ab = clean("tenants:\n" + a + b);
    ResolvedTenants ba = clean("tenants:\n- {name: c, pkey: 0x1, members: [n13]}\n" + b + a);
    int alpha = ab.tenancy().partitions().get(0).pkey();
    int beta = ab.tenancy().partitions().get(1).pkey();
    assertThat(alpha).isBetween(0x4000, 0x7ffe).isNotEqualTo(beta);
    assertThat(ba.tenancy().partitions())
        .extracting(Partition::pkey)
        .containsExactly(1, beta, alpha);
    assertThat(ab.tenants()).allMatch(ResolvedTenants.Details::automaticKey);
    // an operator's key in the way moves the automatic one, never the other way round
    String taken = "- {name: c, pkey: 0x%x, members: [n13]}\n".formatted(alpha);
    assertThat(clean("tenants:\n" + a + taken).tenancy().partitions())
        .extracting(Partition::pkey)
        .containsExactly(alpha == 0x7ffe ? 0x4000 : alpha + 1, alpha);
  }

  @Test
  void rulesAndSharingGroupsArrive() {
    ResolvedTenants r =
        clean(
            "mode: strict\ndata_lanes: 3\nphysical_share: 0.25\nsharing: [[c, a]]\ntenants:\n"
                + "- {name: a, members: [n11]}\n- {name: b, members: [n12]}\n"
                + "- {name: c, members: [n13]}\n");
    assertThat(r.tenancy().rules().strict()).isTrue();
    assertThat(r.tenancy().rules().dataLanes()).isEqualTo(3);
    assertThat(r.tenancy().rules().physicalShare()).isEqualTo(0.25);
    assertThat(r.tenancy().rules().sharing()).containsExactly(Set.of(0, 2));
    assertThat(r.tenancy().mayShare(0, 2)).isTrue();
    assertThat(r.tenancy().mayShare(0, 1)).isFalse();
  }

  @Test
  void aFileThatNoReaderCheckedIsChecked() {
    TenantsFile file =
        new TenantsFile(
            "made",
            TenantsFile.Rules.DEFAULT,
            List.of(),
            List.of(
                TenantsFile.Tenant.of("a", 5, org.heddle.tenancy.IsolationPolicy.DEF, List.of()),
                TenantsFile.Tenant.of("a", 5, org.heddle.tenancy.IsolationPolicy.DEF, List.of())));
    assertThat(TenantsResolver.resolve(file, fabric()).problems())
        .extracting(Problem::message)
        .anyMatch(m -> m.startsWith("a second tenant 'a'"))
        .anyMatch(m -> m.startsWith("P_Key 0x0005"));
  }
}
