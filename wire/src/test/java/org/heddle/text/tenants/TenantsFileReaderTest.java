package org.heddle.text.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.heddle.fabric.Guid;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.text.Hostlist;
import org.heddle.text.Parsed;
import org.heddle.text.Problem;
import org.heddle.text.Source;
import org.heddle.text.tenants.TenantsFile.ByGuid;
import org.heddle.text.tenants.TenantsFile.Count;
import org.heddle.text.tenants.TenantsFile.Group;
import org.heddle.text.tenants.TenantsFile.HostWeight;
import org.heddle.text.tenants.TenantsFile.Hosts;
import org.heddle.text.tenants.TenantsFile.Member;
import org.heddle.text.tenants.TenantsFile.Rules;
import org.heddle.text.tenants.TenantsFile.Tenant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TenantsFileReaderTest {
  private static List<String> messages(String text) {
    return TenantsFileReader.read(Source.of("t.yaml", text)).problems().stream()
        .map(Problem::toString)
        .toList();
  }

  /** A file with one tenant whose lines, from line 4 on, are given. */
  private static String tenant(String... lines) {
    return "version: 1\ntenants:\n  - name: a\n    " + String.join("\n    ", lines) + "\n";
  }

  @Test
  void readsEverythingAFileCanSay() {
    String text =
        """
        version: 1
        mode: strict
        data_lanes: 4
        physical_share: 50%
        pkey_table: 64
        isolation: 75%
        sharing: [[a, b]]
        weights:
          store*: 50
        tenants:
          - name: a
            pkey: 0x8101
            policy: phy
            membership: limited
            weight: 3
            exclusive: true
            members:
              - node[01-16,20]
              - 0x0002c903007b78b0
              - hosts: [login1, "gpu* mlx5_0"]
                membership: full
                weight: 9
                ports: [2, 1]
                hca: mlx5_*
              - count: 16
            weights:
              node01: 7
          - name: b
            pkey: auto
        """;
    Parsed<TenantsFile> parsed = TenantsFileReader.read(Source.of("t.yaml", text));
    assertThat(parsed.problems())
        .extracting(Problem::toString)
        .containsExactly("t.yaml:28: note: tenant 'b' has no members; OpenSM deletes its key");
    assertThat(parsed.get())
        .isEqualTo(
            new TenantsFile(
                "t.yaml",
                new Rules(
                    true,
                    4,
                    0.5,
                    64,
                    List.of(new Group(7, List.of("a", "b"))),
                    OptionalDouble.of(0.75)),
                List.of(new HostWeight(9, "store*", 50)),
                List.of(
                    new Tenant(
                        11,
                        "a",
                        0x101,
                        12,
                        IsolationPolicy.PHY,
                        false,
                        3,
                        true,
                        List.of(
                            new Member(
                                18,
                                new Hosts(List.of("node[01-16,20]")),
                                Optional.empty(),
                                0,
                                List.of(),
                                ""),
                            new Member(
                                19,
                                new ByGuid(new Guid(0x0002c903007b78b0L)),
                                Optional.empty(),
                                0,
                                List.of(),
                                ""),
                            new Member(
                                20,
                                new Hosts(List.of("login1", "gpu* mlx5_0")),
                                Optional.of(true),
                                9,
                                List.of(1, 2),
                                "mlx5_*"),
                            new Member(25, new Count(16), Optional.empty(), 0, List.of(), "")),
                        List.of(new HostWeight(27, "node01", 7))),
                    new Tenant(
                        28,
                        "b",
                        0,
                        29,
                        IsolationPolicy.DEF,
                        true,
                        0,
                        false,
                        List.of(),
                        List.of()))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "polcy: phy | t.yaml:4: unknown key 'polcy' of a tenant; did you mean 'policy'?",
        "policy: physical | t.yaml:4: 'policy' must be one of phy, vlane, def, got: physical",
        "policy: vlan | t.yaml:4: 'policy' must be one of phy, vlane, def, got: vlan; did you mean",
        "pkey: 0x0000 | t.yaml:4: 0x0000 is not a P_Key: 0x0000 is reserved as invalid",
        "pkey: 0x8000 | t.yaml:4: 0x8000 is not a P_Key: 0x0000 is reserved as invalid",
        "pkey: 0x7fff | t.yaml:4: 0x7fff is the default partition, 0x7fff, in which every port is",
        "pkey: 65535 | t.yaml:4: 65535 is the default partition, 0x7fff, in which every port is",
        "pkey: 0x10000 | t.yaml:4: 'pkey' must be a P_Key such as 0x0101, or auto, 16 bits; got",
        "pkey: 0101 | t.yaml:4: 'pkey' must be a P_Key such as 0x0101, or auto, 16 bits; got: 0101",
        "pkey: [1] | t.yaml:4: 'pkey' must be a P_Key such as 0x0101, or auto, got: a list",
        "weight: 0 | t.yaml:4: 'weight' must be a whole number from 1 to 100, got: 0",
        "weight: 101 | t.yaml:4: 'weight' must be a whole number from 1 to 100, got: 101",
        "exclusive: yes | t.yaml:4: 'exclusive' must be one of true, false, got: yes",
        "membership: ful | t.yaml:4: 'membership' must be one of full, limited, got: ful; did you",
        "members: node01 | t.yaml:4: 'members' must be a list of members, got: node01",
        "members: [[a]] | t.yaml:4: a member must be a host name, a hostlist such as node[01-16]",
        "members: ['a[3-1]'] | t.yaml:4: hostlist a[3-1]: the range 3-1 runs backwards",
        "members: ['a[1'] | t.yaml:4: hostlist a[1: a ] is missing",
        "members: ['a[x]'] | t.yaml:4: hostlist a[x]: numbers or ranges such as 01-16 are expected",
        "members: ['a[1-99999]'] | t.yaml:4: hostlist a[1-99999]: more than 49151 names",
        "members: ['a,,b'] | t.yaml:4: hostlist a,,b: an empty name",
        "members: [0x0] | t.yaml:4: 0 is not a GUID: the port (a virtual function?) does not have one",
        "members: [0xzz] | t.yaml:4: a GUID is 0x and up to 16 hexadecimal digits, got: 0xzz",
        "members: [{count: 0}] | t.yaml:4: 'count' must be a whole number from 1 to 49151, got: 0",
        "members: [{weight: 2}] | t.yaml:4: a member needs exactly one of hosts, guid and count",
        "members: [{count: 2, hosts: a}] | t.yaml:4: a member needs exactly one of hosts, guid",
        "members: [{host: a}] | t.yaml:4: unknown key 'host' of a member; did you mean 'hosts'?",
        "members: [{hosts: a, ports: [0]}] | t.yaml:4: 'ports' must be port numbers from 1",
        "members: [*x] | t.yaml:4: *x names no earlier &x; a name with wildcards needs quotes: '*x'",
        "weights: [a] | t.yaml:4: 'weights' must be a map from hosts to 1..100",
        "weights: {a: 1, a: 2} | t.yaml:4: 'a' is here twice; the first is in line 4",
        "weights: {a: x} | t.yaml:4: a weight must be a whole number from 1 to 100, got: x",
      })
  void saysWhatIsWrongWithATenantAndWhere(String line, String message) {
    assertThat(messages(tenant(line))).first().asString().startsWith(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mod: strict | t.yaml:2: unknown key 'mod' at the top level; did you mean 'mode'?",
        "mode: loose | t.yaml:2: 'mode' must be one of strict, best-effort, got: loose",
        "data_lanes: 16 | t.yaml:2: 'data_lanes' must be a whole number from 1 to 15, got: 16",
        "physical_share: 120% | t.yaml:2: 'physical_share' must be 0 to 1, or 0% to 100%, got",
        "physical_share: much | t.yaml:2: 'physical_share' must be 0 to 1, or 0% to 100%, got",
        "isolation: 1.5 | t.yaml:2: 'isolation' must be 0 to 1, or 0% to 100%, got: 1.5",
        "isolation: | t.yaml:2: 'isolation' must be a share such as 0.5 or 50%",
        "pkey_table: 1 | t.yaml:2: 'pkey_table' must be a whole number from 2 to 65535, got: 1",
        "sharing: [a] | t.yaml:2: 'sharing' must be a list of lists of tenant names",
        "sharing: [[a, b]] | t.yaml:2: 'sharing' names 'a', which is not a tenant",
        "tenants: x | t.yaml:2: 'tenants' must be a list of tenants, got: x",
        "tenants: [x] | t.yaml:2: a tenant must be a map of keys (name, members, ...), got: x",
        "tenants: [{}] | t.yaml:2: a tenant without 'name'",
        "tenants: [{name: a b}] | t.yaml:2: a name is 1 to 31 letters, digits, '_', '-' or '.'",
        "tenants: [{name: Default}] | t.yaml:2: 'Default' is the name of the default partition",
        "tenants: [{name: a}, {name: a}] | t.yaml:2: a second tenant 'a'; the first is in line 2",
        "version: 1 | t.yaml:2: 'version' is here twice; the first is in line 1",
        "'[a]: b' | t.yaml:2: a key must be a word, got: a list",
      })
  void saysWhatIsWrongAtTheTopLevelAndWhere(String line, String message) {
    assertThat(messages("version: 1\n" + line + "\n")).first().asString().startsWith(message);
  }

  @Test
  void aKeyWithAndWithoutMembershipBitIsOneKey() {
    String text =
        "version: 1\ntenants:\n- {name: a, pkey: 0x0101, members: [x]}\n"
            + "- {name: b, pkey: 0x8101, members: [y]}\n";
    assertThat(messages(text))
        .containsExactly(
            "t.yaml:4: P_Key 0x0101 (0x8101 with the membership bit) of 'b' belongs to 'a', line 3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | t.yaml: an empty file; 'version: 1' and a list of 'tenants:' are expected",
        "'tenants: []' | t.yaml:1: 'version: 1' is missing",
        "'version: 2' | t.yaml:1: this is Heddle for version 1 of the format, the file says version",
        "'- a' | t.yaml:1: a tenants file is a map of keys (version, mode, ",
        "'a: [' | t.yaml:1: not valid YAML: expected the node content",
        "'{a: 1}}' | t.yaml:1: not valid YAML: ",
      })
  void otherFilesAreRefusedWithAReason(String text, String message) {
    assertThat(messages(text)).first().asString().startsWith(message);
  }

  @Test
  void yamlErrorsHaveTheirLine() {
    assertThat(messages("version: 1\ntenants:\n\t- name: a\n"))
        .singleElement()
        .asString()
        .startsWith("t.yaml:3: not valid YAML: ")
        .endsWith("YAML indents with spaces, never with tabs");
    assertThat(messages("version: 1\n--- \nversion: 1\n"))
        .containsExactly("t.yaml:3: a second document (---); a tenants file has one");
    assertThat(messages("version: 1\nmode: \u0007\n"))
        .containsExactly("t.yaml:2: character U+0007 is not allowed here");
    assertThat(
            TenantsFileReader.read(
                    new Source("t.yaml", new byte[] {'a', ':', '\n', 'b', (byte) 0xff}))
                .problems())
        .extracting(Problem::toString)
        .containsExactly("t.yaml:2: a byte that is not UTF-8 text");
  }

  @Test
  void deepNestingAndAliasFloodsAreRefused() {
    assertThat(messages("a: " + "[".repeat(100_000)))
        .containsExactly("t.yaml:1: nested deeper than 32 levels");
    assertThat(messages("version: &v 1\nweights:\n" + "  a: *v\n".repeat(2000)))
        .containsExactly("t.yaml:1003: more than 1000 aliases (*name)");
  }

  @Test
  void byteOrderMarkCrlfAndUtf16AreRead() {
    String text = tenant("members: [x]");
    assertThat(messages("\ufeff" + text.replace("\n", "\r\n"))).isEmpty();
    Source wide = new Source("t", text.getBytes(java.nio.charset.StandardCharsets.UTF_16));
    assertThat(TenantsFileReader.read(wide).problems()).isEmpty();
  }

  @Test
  void anchorsSaveRepetition() {
    String text =
        "version: 1\ntenants:\n- name: a\n  members: &m [x, y]\n- name: b\n  members: *m\n";
    TenantsFile file = TenantsFileReader.read(Source.of("t", text)).get();
    assertThat(file.tenants().get(1).members()).hasSize(2);
    assertThat(file.tenants().get(1).members()).isEqualTo(file.tenants().get(0).members());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a[1-3] | a1 a2 a3",
        "a[08-10,2] | a08 a09 a10 a2",
        "a[1-2]b[3-4]c | a1b3c a1b4c a2b3c a2b4c",
        "a1,b[1,2],c | a1 b1 b2 c",
        "a[1]*,? | a1* ?",
      })
  void hostlistsExpandAsInSlurm(String expression, String names) {
    assertThat(Hostlist.expand(expression))
        .isEqualTo(new Hostlist.Expansion(List.of(names.split(" ")), null));
  }

  @Test
  void hostlistsCompressAndExpandBack() {
    List<String> names =
        List.of("a01", "a02", "a03", "a9", "a10", "b", "c7x", "n_1_2", "n_1_3", "1", "02");
    List<String> compressed = Hostlist.compress(names);
    assertThat(compressed).containsExactly("1", "02", "b", "a9", "a[01-03,10]", "c7x", "n_1_[2-3]");
    assertThat(compressed.stream().flatMap(e -> Hostlist.expand(e).names().stream()))
        .containsExactlyInAnyOrderElementsOf(names);
  }

  @ParameterizedTest
  @CsvSource({
    "a*,abc,true",
    "a*c,abc,true",
    "a?c,abc,true",
    "*b*,abc,true",
    "a*d,abc,false",
    "*,'',true",
    "a**c,abbc,true",
    "?,'',false",
    "abc,ab,false",
    "ab,abc,false"
  })
  void wildcardsMatchWholeNames(String pattern, String text, boolean matches) {
    assertThat(TenantsHosts.matches(pattern, text)).isEqualTo(matches);
  }
}
