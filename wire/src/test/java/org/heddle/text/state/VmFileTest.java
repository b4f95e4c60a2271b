package org.heddle.text.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.addressing.AddressingOptions;
import org.heddle.addressing.AddressingScheme;
import org.heddle.addressing.VirtualMachine;
import org.heddle.addressing.VmPlacement;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.text.Parsed;
import org.heddle.text.Problem;
import org.heddle.text.Source;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The state file of virtual machines: written, read, wrong, and found again in a fabric. */
class VmFileTest {
  private static final Fabric FABRIC =
      TreeGenerator.generate(TreeSpec.parse("XGFT(2;2,2;1,2)")).withAssignedLids();
  private static final int FIRST = FABRIC.port(FABRIC.switchCount(), 1);
  private static final int LAST = FABRIC.port(FABRIC.nodeCount() - 1, 1);

  /** Three machines on two hosts, one of which has moved. */
  private static VmPlacement placement(AddressingScheme scheme) {
    AddressingOptions options = AddressingOptions.of(scheme).withFunctions(3);
    VmPlacement out = VmPlacement.empty(FABRIC, options).orElseThrow();
    out = start(out, new VirtualMachine.Request("web1", true, 1, List.of(5, 0x7fff)), FIRST);
    out = start(out, new VirtualMachine.Request("a.b:c", false, 4, List.of()), FIRST);
    out = start(out, VirtualMachine.Request.of("web2"), FIRST);
    return ((VmPlacement.Done) out.move("web1", LAST)).placement();
  }

  private static VmPlacement start(VmPlacement p, VirtualMachine.Request request, int port) {
    return ((VmPlacement.Done) p.start(request, port)).placement();
  }

  private static VmFile file(AddressingScheme scheme) {
    return VmFile.of("vms.json", FABRIC, placement(scheme));
  }

  private static String text(VmFile file) {
    return new String(VmFileWriter.write(file), StandardCharsets.UTF_8);
  }

  private static String text() {
    return text(file(AddressingScheme.DYNAMIC));
  }

  private static Parsed<VmFile> read(String text) {
    return VmFileReader.read(Source.of("vms.json", text));
  }

  private static List<String> problems(String text) {
    return read(text).problems().stream().map(Problem::toString).toList();
  }

  @ParameterizedTest
  @EnumSource(AddressingScheme.class)
  void whatIsWrittenReadsBackAndIsFoundAgain(AddressingScheme scheme) {
    Parsed<VmFile> back = read(text(file(scheme)));
    assertThat(back.problems()).isEmpty();
    assertThat(back.get().canonical()).isEqualTo(file(scheme).canonical());
    assertThat(text(back.get())).isEqualTo(text(file(scheme)));
    VmPlacement found = VmBinder.bind(back.get(), FABRIC).get();
    VmPlacement expected = placement(scheme);
    assertThat(found.machines()).isEqualTo(expected.machines());
    assertThat(found.functionLids()).isEqualTo(expected.functionLids());
    assertThat(found.nextVguid()).isEqualTo(expected.nextVguid());
    assertThat(found.options()).isEqualTo(expected.options());
  }

  @Test
  void theBytesAreThese() {
    assertThat(text())
        .isEqualTo(
            """
            {
              "version": 1,
              "fabric": {"fingerprint": "0x%s", "switches": 4, "hosts": 4},
              "scheme": "dynamic",
              "lid_order": "up",
              "functions": 3,
              "table_entries": 49152,
              "pkey_table": 128,
              "gid_prefix": "0xfe80000000000000",
              "first_vguid": "0x0200000000000001",
              "next_vguid": "0x0200000000000004",
              "hypervisors": [
                {"port": "0x0000000000100001", "name": "H_0_0", "lids": [0, 10, 11]},
                {"port": "0x0000000000100007", "name": "H_1_1", "lids": [9]}
              ],
              "machines": [
                {"id": "a.b:c", "vguid": "0x0200000000000002", "host": "0x0000000000100001", \
            "function": 1, "lid": 10, "own_lid": true, "weight": 4, "pkeys": []},
                {"id": "web1", "vguid": "0x0200000000000001", "host": "0x0000000000100007", \
            "function": 0, "lid": 9, "own_lid": true, "weight": 1, "pkeys": [5, 32767]},
                {"id": "web2", "vguid": "0x0200000000000003", "host": "0x0000000000100001", \
            "function": 2, "lid": 11, "own_lid": true, "weight": 1, "pkeys": []}
              ]
            }
            """
                .formatted(Guid.hex16(FABRIC.fingerprint())));
  }

  @Test
  void aFileWithoutMachinesAndWithoutAFabricIsAFile() {
    AddressingOptions options = AddressingOptions.of(AddressingScheme.SHARED_PORT);
    VmFile empty = new VmFile("v", Optional.empty(), options, 7, List.of(), List.of());
    Parsed<VmFile> back = read(text(empty));
    assertThat(back.problems()).isEmpty();
    assertThat(back.get().canonical()).isEqualTo(empty.canonical());
    assertThat(VmBinder.bind(back.get(), FABRIC).get().machines()).isEmpty();
  }

  @Test
  void oddNamesOfHypervisorsSurvive() {
    VmFile.Hypervisor odd =
        new VmFile.Hypervisor(
            0, new Guid(1), " q\"b\\c\t\u0085\u2028\ufffe\ud83d\ude80 : # ", List.of());
    AddressingOptions options = AddressingOptions.of(AddressingScheme.DYNAMIC);
    VmFile file = new VmFile("v", Optional.empty(), options, 1, List.of(odd), List.of());
    assertThat(read(text(file)).get().canonical()).isEqualTo(file.canonical());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'\"version\": 1'|'\"version\": 2'|'vms.json:2: this is Heddle for version 1'",
        "'  \"version\": 1,\n'|''|'vms.json:1: \"version\": 1 is missing'",
        "'  \"scheme\": \"dynamic\",\n'|''|\"vms.json:1: 'scheme' is missing\"",
        "'\"dynamic\"'|'\"dynamik\"'|\"vms.json:4: 'scheme' must be one of\"",
        "'\"up\"'|'\"left\"'|\"vms.json:5: 'lid_order' must be one of\"",
        "'\"functions\": 3'|'\"functions\": 0'|\"vms.json:6: 'functions' must be a whole number\"",
        "'\"switches\": 4, '|''|\"vms.json:3: 'switches' is missing of 'fabric'\"",
        "'\"scheme\"'|'\"schema\"'|\"vms.json:4: unknown key 'schema' of a file of VMs\"",
        "'\"0xfe80'|'\"fe80'|\"vms.json:9: 'gid_prefix' must be 0x and up to 16\"",
        "'[0, 10, 11]'|'[0, 9, 11]'|'vms.json:14: LID 9 is here twice; the first is in line 13'",
        "'[0, 10, 11]'|'[0, 1, 2, 3]'|'vms.json:13: 4 LIDs, but a port has 3 functions'",
        "'[0, 10, 11]'|'[0, x, 11]'|\"vms.json:13: 'lids' holds numbers from 0 to\"",
        "'\"web2\"'|'\"web1\"'|'vms.json:19: VM web1 is here twice; the first is in line 18'",
        "'\"a.b:c\"'|'\"-x\"'|'vms.json:17: an id is 1 to 63 letters'",
        "'\"function\": 2'|'\"function\": 1'|'vms.json:19: function 1 of 0x'",
        "'\"function\": 2'|'\"function\": 3'|\"vms.json:19: 'function' must be a whole number\"",
        "'0000004\",'|'0000003\",'|'vms.json:19: vGUID 0x0200000000000003 has not been given out'",
        "'\"pkeys\": [5, 32767]'|'\"pkeys\": [65535]'|\"vms.json:18: 'pkeys' holds numbers\"",
        "'\"weight\": 4'|'\"weight\": 0'|\"vms.json:17: 'weight' must be a whole number\"",
        "'\"own_lid\": true, \"weight\": 4'|'\"weight\": 4'|\"vms.json:17: 'own_lid' is missing\"",
      })
  void whatIsWrongIsSaidWithItsLine(String part, String instead, String message) {
    String expected =
        message.startsWith("\"") ? message.substring(1, message.length() - 1) : message;
    assertThat(text()).contains(part);
    assertThat(
            problems(text().replaceFirst(Pattern.quote(part), Matcher.quoteReplacement(instead))))
        .anyMatch(p -> p.contains(expected));
  }

  @Test
  void whatIsNoObjectIsRefused() {
    assertThat(problems("[1, 2]")).anyMatch(p -> p.contains("a file of VMs is a JSON object"));
    assertThat(problems(text().replaceFirst("\\{\"fing.*\\}", "7")))
        .anyMatch(p -> p.contains("vms.json:3: 'fabric' must be an object"));
    assertThat(problems(text().replaceFirst("\\{\"port\".*\\},", "7,")))
        .anyMatch(p -> p.contains("vms.json:13: 'hypervisors' holds objects"));
  }

  @Test
  void contentThatBreaksARuleIsNotWritten() {
    VmFile good = file(AddressingScheme.DYNAMIC);
    VmFile twice =
        new VmFile(
            "vms.json",
            good.fabric(),
            good.options(),
            good.nextVguid(),
            good.hypervisors(),
            List.of(good.machines().get(0), good.machines().get(0)));
    assertThatThrownBy(() -> VmFileWriter.write(twice))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("VM a.b:c is here twice");
  }

  @Test
  void hypervisorsThatAreGoneAreErrorsAtTheirLines() {
    String other = text().replace("0x0000000000100007", "0x0000000000900007");
    assertThat(VmBinder.bind(read(other).get(), FABRIC).problems())
        .extracting(Problem::toString)
        .anyMatch(p -> p.contains("vms.json:14: port 0x0000000000900007 is not in the fabric"))
        .anyMatch(p -> p.contains("vms.json:18: port 0x0000000000900007 is not in the fabric"));
    Guid ofSwitch = new Guid(FABRIC.portGuid(FABRIC.port(0, 0)));
    String onSwitch = text().replace("0x0000000000100007", ofSwitch.toString());
    assertThat(VmBinder.bind(read(onSwitch).get(), FABRIC).problems())
        .extracting(Problem::toString)
        .anyMatch(p -> p.contains("cannot run VMs"));
  }

  @Test
  void aMachineWhoseLidIsNotThatOfItsFunctionIsAContradiction() {
    String wrong = text().replace("\"lid\": 9", "\"lid\": 12");
    assertThat(VmBinder.bind(read(wrong).get(), FABRIC).problems())
        .extracting(Problem::toString)
        .anyMatch(p -> p.contains("VM web1: name, function or LID does not go with"));
    String taken = text().replace("[9]", "[1]").replace("\"lid\": 9", "\"lid\": 1");
    assertThat(VmBinder.bind(read(taken).get(), FABRIC).problems())
        .extracting(Problem::toString)
        .anyMatch(p -> p.contains("LID 1 is out of range or used twice"));
  }

  @Test
  void aSharedLidIsThatOfTheHypervisorToday() {
    VmFile file = read(text(file(AddressingScheme.SHARED_PORT))).get();
    int[] lids = new int[FABRIC.portIdLimit()];
    for (int p = 0; p < lids.length; p++) {
      lids[p] = FABRIC.lid(p) == 0 ? 0 : FABRIC.lid(p) + 100;
    }
    Fabric renumbered = FABRIC.withLids(lids, new byte[lids.length]);
    VmPlacement found = VmBinder.bind(file, renumbered).get();
    assertThat(found.find("web1").orElseThrow().lid()).isEqualTo(FABRIC.lid(LAST) + 100);
  }

  @Test
  void damagedFilesAreErrorsOrFilesButNeverExceptions() {
    byte[] bytes = VmFileWriter.write(file(AddressingScheme.PREPOPULATED));
    int good = 0;
    for (int i = 0; i < 3000; i++) {
      SplittableRandom random = new SplittableRandom(i);
      byte[] damaged = bytes.clone();
      for (int k = 1 + random.nextInt(3); k > 0; k--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(32, 127);
      }
      Parsed<VmFile> read = VmFileReader.read(new Source("v", damaged));
      if (read.ok()) {
        good++;
        VmBinder.bind(read.get(), FABRIC);
        assertThat(
                VmFileReader.read(new Source("v", VmFileWriter.write(read.get())))
                    .get()
                    .canonical())
            .isEqualTo(read.get().canonical());
      } else {
        assertThat(read.problems()).isNotEmpty();
      }
    }
    assertThat(good).isBetween(1, 2999);
  }

  @Test
  void listsOfMachinesAndHostsAreRead() {
    Parsed<List<VmListReader.Pair>> list =
        VmListReader.read(Source.of("l", "vm,host\n# x\nweb1, node 7 # y\n\nweb2,0x12\n"));
    assertThat(list.get())
        .containsExactly(
            new VmListReader.Pair(3, "web1", "node 7"), new VmListReader.Pair(5, "web2", "0x12"));
    assertThat(VmListReader.read(Source.of("l", "web1\n-x,h\nok,h\n")).problems())
        .extracting(Problem::toString)
        .anyMatch(p -> p.contains("l:1: ID,HOST is expected, got: web1"))
        .anyMatch(p -> p.contains("l:2: ID,HOST is expected"));
  }
}
