package org.heddle.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.text.Parsed;
import org.heddle.text.Source;
import org.heddle.text.opensm.EffectivePartitions;
import org.heddle.text.opensm.PartitionsConf;
import org.heddle.text.opensm.PartitionsConf.Definition;
import org.heddle.text.opensm.PartitionsConf.Member;
import org.heddle.text.opensm.PartitionsConf.MemberKind;
import org.heddle.text.opensm.PartitionsConf.Membership;
import org.heddle.text.opensm.PartitionsConfReader;
import org.heddle.text.opensm.PartitionsConfWriter;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What OpenSM writes into the P_Key tables of all endports for a partitions.conf, against what
 * Heddle says the file means. Hosts of the fabric have the port GUIDs 0x100001, 0x100003 ..
 * 0x10000f.
 */
class PartitionsIT {
  private static final Fabric FABRIC = TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,2;1,2)"));

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  @BeforeAll
  static void peers() {
    Peers.need();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "# nothing but a comment\n",
        "Default=0x7fff, ipoib : ALL=full ;",
        "Default=0x7fff : ALL, ALL_SWITCHES=full, SELF=full ;",
        // Two tenants; the second has a limited member by default and one by name.
        """
        Default=0x7fff, ipoib : ALL=limited, ALL_SWITCHES=full, SELF=full ;
        red=0x0101, ipoib, defmember=full : 0x100003, 0x100005 ;
        blue=0x0102 : 0x100007=full, 0x100009=limited, 0x10000b ;
        """,
        // One key in several definitions: the last word on a port counts.
        """
        io = 0x80 , defmember=full : 0x100003, 0x100005;
        # a comment in between
        io = 0x80 : 0x100005, 0x100007=full;
        io = 0x8080 , defmember=limited : 0x100003, 0x100009;
        """,
        // No key: OpenSM takes the next free one, from the top.
        "first : 0x100003=full ;\nsecond, ipoib : 0x100005=full, 0x100003 ;",
        // A definition over many lines, blanks wherever, keys in decimal and octal.
        "\n wide \t= 257 ,\n defmember = full\n:\n 0x100003 ,\n0x100005\n,0x100007=limited;\n"
            + "octal=0402:0x100009=full;",
        "everything=0x200 : ALL_CAS=limited, ALL_SWITCHES=full ;\nall=0x201 : ALL=full ;",
        "nobody=0x300 : 0xdeadbeef=full ;\nrouters=0x301 : ALL_ROUTERS=full ;\n"
            + "manager=0x302 : SELF=full ;",
        "zero=0x400, indx0 : 0x100003=full ;\nother=0x401 : 0x100003=full, 0x100005 ;",
        // Not a definition: OpenSM drops the whole file.
        "red=0x0101 : 0x100003=full ;\nblue=0x0102 0x100005=full ;\n",
        "red=0x0101 : 0x100003=everything ;\n",
        "red=0x0101 : 0x100003=full\n",
        "red=0x12345 : 0x100003=full ;\ngreen=0x103 : 0x100005=full ;",
        "red=0x0101, nonsense=7 : 0x100003=full ;",
        "red=0x0101 : 0x100003=full ; blue=0x0102 : 0x100003=full ;"
      })
  void key_tables_are_what_heddle_reads_from_the_file(String text) throws IOException {
    compare(new Source("partitions.conf", text.getBytes(StandardCharsets.UTF_8)), false);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "red=0x0101 : 0x100003=both, 0x100005=full, 0x100007 ;",
        "red=0x0101, defmember=both : 0x100003, ALL_SWITCHES ;\nDefault=0x7fff : ALL=both ;"
      })
  void both_memberships_are_two_keys_if_opensm_allows_them(String text) throws IOException {
    Source source = new Source("partitions.conf", text.getBytes(StandardCharsets.UTF_8));
    compare(source, true);
    compare(source, false);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void what_heddle_writes_is_what_opensm_programs(long seed) throws IOException {
    PartitionsConf conf = random(new SplittableRandom(seed));
    compare(new Source("partitions.conf", PartitionsConfWriter.write(conf)), false);
  }

  static Stream<Path> files() throws IOException {
    try (Stream<Path> found = Files.list(Path.of("../wire/src/test/resources/partitions"))) {
      return found.sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void files_of_every_form_mean_the_same_to_both(Path file) throws IOException {
    compare(new Source(file.getFileName().toString(), Files.readAllBytes(file)), false);
  }

  private void compare(Source source, boolean allowBoth) throws IOException {
    Path file = directory.resolve("partitions.conf");
    Files.write(file, source.bytes());
    List<String> options = new ArrayList<>(List.of("-R", "minhop", "-P", file.toString()));
    if (allowBoth) {
      options.add("--allow_both_pkeys");
    }
    int self = FABRIC.switchCount();
    String host = IbsimFabric.idOf(FABRIC, self);
    try (IbsimFabric ibsim = IbsimFabric.start(directory, FABRIC)) {
      OpenSm.oneSweep(ibsim, host, options.toArray(String[]::new));
      Fabric live = ibsim.discover(host);
      long smPort = FABRIC.portGuid(FABRIC.port(self, 1));
      EffectivePartitions meant = read(source, live, smPort, allowBoth);
      assertThat(programmed(ibsim, host, live)).isEqualTo(expected(meant, live));
    }
  }

  private static EffectivePartitions read(
      Source source, Fabric live, long smPort, boolean allowBoth) {
    Parsed<PartitionsConf> parsed = PartitionsConfReader.read(source);
    return parsed.ok()
        ? parsed.get().members(live, new PartitionsConf.Options(smPort, allowBoth))
        : EffectivePartitions.withoutFile(live);
  }

  private static List<String> programmed(IbsimFabric ibsim, String host, Fabric live) {
    List<String> lines = new ArrayList<>();
    for (int port : endports(live)) {
      String lid = String.valueOf(live.lid(port));
      String number = String.valueOf(live.numberOf(port));
      List<Integer> keys = PkeyTables.parse(ibsim.run(host, "smpquery", "pkeys", lid, number));
      lines.add(line(live, port, keys.stream().mapToInt(k -> k).toArray()));
    }
    return lines;
  }

  private static List<String> expected(EffectivePartitions meant, Fabric live) {
    List<String> lines = new ArrayList<>();
    for (int port : endports(live)) {
      lines.add(line(live, port, meant.keysOf(port)));
    }
    return lines;
  }

  private static int[] endports(Fabric fabric) {
    return IntStream.range(0, fabric.portIdLimit()).filter(fabric::isEndport).toArray();
  }

  private static String line(Fabric fabric, int port, int[] keys) {
    int[] sorted = keys.clone();
    Arrays.sort(sorted);
    StringBuilder out = new StringBuilder(Guid.format(fabric.portGuid(port)));
    for (int key : sorted) {
      out.append(String.format(" 0x%04x", key));
    }
    return out.toString();
  }

  private static PartitionsConf random(SplittableRandom random) {
    List<Definition> definitions = new ArrayList<>();
    for (int d = random.nextInt(1, 7); d > 0; d--) {
      List<Member> members = new ArrayList<>();
      for (int m = random.nextInt(0, 6); m > 0; m--) {
        Membership membership = random.nextBoolean() ? Membership.FULL : Membership.LIMITED;
        members.add(
            random.nextInt(4) == 0
                ? Member.of(MemberKind.values()[random.nextInt(1, 6)], membership)
                : Member.of(0x100001 + 2 * random.nextInt(9), membership));
      }
      int pkey = random.nextInt(5) == 0 ? PartitionsConf.DEFAULT_PKEY : random.nextInt(1, 5);
      definitions.add(Definition.of("p" + d, pkey, random.nextBoolean(), members));
    }
    return new PartitionsConf(definitions);
  }
}
