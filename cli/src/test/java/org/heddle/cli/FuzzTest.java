package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.heddle.cli.shell.ExitCode;
import org.heddle.text.TextOut;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damaged files through whole commands: no uncaught exception, no hang, and no output file where
 * the exit code is 2.
 *
 * <p>Takes the fixtures of the readers' tests and files made here. {@code -Dheddle.fuzz=N} sets the
 * number of mutations (250; 10,000 in CI), {@code -Dheddle.mutation=I} plays one again.
 */
class FuzzTest {
  private static final int MUTATIONS = Integer.getInteger("heddle.fuzz", 250);
  private static final int ONLY = Integer.getInteger("heddle.mutation", -1);
  private static final String METRICS =
      "hist_max_cong,hist_acc_band,sum_max_cong,dep_max_delay,channel_load";

  /** A file to damage, and the fabric it belongs to if it is none itself. */
  private record Seed(String name, Kind kind, byte[] bytes, Path fabric) {}

  private enum Kind {
    FABRIC,
    TABLES,
    PARTITIONS,
    GUIDS,
    TENANTS,
    COUNTERS,
    REQUESTS,
    STATE,
    FLOWS,
    PART,
    MACHINES,
    MOVES
  }

  @TempDir Path dir;

  @Test
  void damagedFilesNeverBreakACommand() throws IOException {
    List<Seed> seeds = seeds();
    List<String> wrong = new ArrayList<>();
    int[] codes = new int[3];
    int from = Math.max(ONLY, 0);
    int to = ONLY < 0 ? MUTATIONS : ONLY + 1;
    for (int i = from; i < to && wrong.size() < 10; i++) {
      SplittableRandom random = new SplittableRandom(i);
      Seed seed = seeds.get(random.nextInt(seeds.size()));
      Path file = dir.resolve("damaged");
      Files.write(file, mutate(seed.bytes(), random));
      Path out = dir.resolve("out");
      List<String> words = command(seed, file, out, random);
      Cli.Result result = Cli.run(Map.of("HEDDLE_DEBUG", "1"), "", words.toArray(new String[0]));
      String which = "mutation " + i + " of " + seed.name() + ", " + words + ": ";
      if (result.code() < ExitCode.OK || result.code() > ExitCode.BAD_INPUT) {
        wrong.add(which + "exit " + result.code() + "\n" + result.err());
        continue;
      }
      codes[result.code()]++;
      if (!(result.out() + result.err())
          .replaceAll("[\n\t]", "")
          .chars()
          .allMatch(FuzzTest::isSeen)) {
        wrong.add(which + "prints what a terminal obeys:\n" + result.out() + result.err());
      }
      if (result.code() == ExitCode.BAD_INPUT && Files.exists(out)) {
        wrong.add(which + "exit 2, but wrote an output file");
      }
      if (result.code() == ExitCode.BAD_INPUT && !isPositioned(seed, file, result)) {
        wrong.add(which + "exit 2 without a position:\n" + result.err());
      }
      if (result.code() == ExitCode.BAD_INPUT && result.err().isBlank()) {
        wrong.add(which + "exit 2 without a word");
      }
      remove(out);
    }
    assertThat(wrong).isEmpty();
    if (ONLY >= 0) {
      return;
    }
    // Some damage does not matter and some does: otherwise the mutations test nothing.
    assertThat(codes[ExitCode.OK]).isPositive();
    assertThat(codes[ExitCode.BAD_INPUT]).isPositive();
  }

  private static boolean isSeen(int c) {
    return TextOut.isPrintable((char) c);
  }

  private List<String> command(Seed seed, Path file, Path out, SplittableRandom random) {
    String f = file.toString();
    String o = out.toString();
    String fabric = String.valueOf(seed.fabric());
    return switch (seed.kind()) {
      case FABRIC ->
          switch (random.nextInt(6)) {
            case 5 -> reroute(f, dir.resolve("own.net.lfts").toString(), o);
            case 0 -> List.of("fabric", "check", f);
            case 1 -> List.of("fabric", "convert", f, "-o", o, "--to", "ibnetdiscover");
            case 2 -> List.of("fabric", "draw", f, "-o", o);
            case 3 -> List.of("route", f, "--engine", "updn", "-o", o, "--format", "hlft");
            default -> List.of("route", f, "--engine", "ftree", "-o", o, "--format", "hlft");
          };
      case TABLES ->
          switch (random.nextInt(4)) {
            case 0 -> List.of("apply", fabric, f, o, "--to", "opensm-files", "--force");
            case 1 -> reroute(fabric, f, o);
            default -> List.of("audit", fabric, f);
          };
      case PARTITIONS -> partitionsCommand(fabric, f, random);
      case TENANTS ->
          switch (random.nextInt(4)) {
            case 0 -> List.of("tenants", "validate", f, fabric);
            case 1 -> List.of("tenants", "explain", f, fabric, "--json");
            case 2 -> List.of("audit", fabric, fabric + ".lfts", "--tenants", f);
            default -> List.of("plan", fabric, f, "-o", o);
          };
      case STATE ->
          random.nextBoolean()
              ? List.of("allocate", fabric, "--state", f, "check")
              : List.of("allocate", fabric, "--state", f, "add", "new", "-n", "2", "-o", o);
      case MACHINES -> machinesCommand(fabric, f, o, random);
      case MOVES ->
          random.nextBoolean()
              ? moves(fabric, fabric + ".vms", f)
              : List.of("vm", "start", fabric, "--state", o, "--list", f);
      case COUNTERS ->
          random.nextBoolean()
              ? subtree(fabric, "--counters", f, o)
              : List.of("tenants", "explain", fabric + ".yaml", fabric, "--counters", f);
      case FLOWS ->
          List.of("simulate", "congestion", fabric, fabric + ".lfts", "--flows", f, "-o", o);
      case PART -> List.of("simulate", "merge", fabric + ".part2", f, "-m", METRICS, "-o", o);
      case REQUESTS ->
          List.of("simulate", "schedule", "--fabric", fabric, "-r", f, "-o", o, "--csv");
      case GUIDS ->
          switch (random.nextInt(3)) {
            case 0 -> List.of("fabric", "check", fabric, "--roots", f);
            case 1 -> subtree(fabric, "--order", f, o);
            default ->
                List.of(
                    "route",
                    fabric,
                    "--engine",
                    "noftree",
                    "--order",
                    f,
                    "-o",
                    o,
                    "--format",
                    "hlft");
          };
    };
  }

  private static List<String> reroute(String fabric, String tables, String out) {
    return List.of("reroute", fabric, tables, "--minimal", "-o", out, "--format", "hlft");
  }

  private static List<String> subtree(String fabric, String option, String file, String out) {
    String tables = fabric + ".lfts";
    String hosts = "H_0_0,H_2_1";
    return List.of("reroute", fabric, tables, "--subtree-of", hosts, option, file, "-o", out);
  }

  private static List<String> moves(String fabric, String vms, String list) {
    String tables = fabric + ".vms.hlft";
    return List.of("migrate", "plan", fabric, tables, "--vms", vms, "--moves", list, "--json");
  }

  private static List<String> machinesCommand(
      String fabric, String f, String out, SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> List.of("vm", "list", fabric, "--state", f);
      case 1 -> List.of("route", fabric, "--vms", f, "-e", "updn", "-o", out, "--format", "hlft");
      case 2 -> List.of("audit", fabric, fabric + ".vms.hlft", "--vms", f);
      default -> moves(fabric, f, fabric + ".moves");
    };
  }

  private static List<String> partitionsCommand(String fabric, String f, SplittableRandom random) {
    String tables = fabric + ".lfts";
    return switch (random.nextInt(3)) {
      case 0 -> List.of("audit", fabric, tables, "--partitions", f);
      case 1 -> List.of("tenants", "init", fabric, "--from", f);
      default -> List.of("audit", fabric, tables, "--tenants", fabric + ".yaml", "--partitions", f);
    };
  }

  /** Whether a message of a damaged file of text says on which line it is damaged. */
  private static boolean isPositioned(Seed seed, Path file, Cli.Result result) {
    String name = file.toString();
    return switch (seed.kind()) {
      case TENANTS, PARTITIONS, FLOWS ->
          Pattern.compile(Pattern.quote(name) + "(:\\d+)?: ").matcher(result.err()).find();
      case MACHINES -> result.err().contains(name); // or: there is no machine 'a' in FILE
      default -> true;
    };
  }

  /** Cut, line swapped, chunk duplicated, bytes replaced: one to three times. */
  private static byte[] mutate(byte[] bytes, SplittableRandom random) {
    byte[] out = bytes;
    for (int n = 1 + random.nextInt(3); n > 0 && out.length > 0; n--) {
      int at = random.nextInt(out.length);
      int length = Math.min(out.length - at, 1 + random.nextInt(200));
      switch (random.nextInt(5)) {
        case 0 -> out = Arrays.copyOf(out, at);
        case 1 -> out = join(out, 0, at, out, at + length, out.length);
        case 2 -> out = join(out, 0, at + length, out, at, out.length);
        case 3 -> out = swapLines(out, random);
        default -> {
          out = out.clone();
          for (int k = 1 + random.nextInt(8); k > 0; k--) {
            out[random.nextInt(out.length)] = (byte) random.nextInt(256);
          }
        }
      }
    }
    return out;
  }

  private static byte[] join(byte[] a, int fromA, int toA, byte[] b, int fromB, int toB) {
    byte[] out = Arrays.copyOf(Arrays.copyOfRange(a, fromA, toA), toA - fromA + toB - fromB);
    System.arraycopy(b, fromB, out, toA - fromA, toB - fromB);
    return out;
  }

  private static byte[] swapLines(byte[] bytes, SplittableRandom random) {
    String[] lines = new String(bytes, StandardCharsets.ISO_8859_1).split("\n", -1);
    int a = random.nextInt(lines.length);
    int b = random.nextInt(lines.length);
    String line = lines[a];
    lines[a] = lines[b];
    lines[b] = line;
    return String.join("\n", lines).getBytes(StandardCharsets.ISO_8859_1);
  }

  private List<Seed> seeds() throws IOException {
    List<Seed> seeds = new ArrayList<>();
    Path fabric = dir.resolve("own.net");
    Path tables = dir.resolve("own.net.lfts");
    ok("fabric", "generate", "PGFT(2;4,3;1,2;1,2)", "--sm-on-spine", "-o", fabric.toString());
    ok("route", fabric.toString(), "--engine", "ftree", "-o", tables.toString());
    ok("route", fabric.toString(), "--engine", "ftree", "-o", tables + ".hlft");
    seeds.add(new Seed("own fabric", Kind.FABRIC, Files.readAllBytes(fabric), null));
    seeds.add(new Seed("own tables", Kind.TABLES, Files.readAllBytes(tables), fabric));
    seeds.add(
        new Seed("own hlft", Kind.TABLES, Files.readAllBytes(Path.of(tables + ".hlft")), fabric));
    String partitions = "Default=0x7fff,ipoib : ALL=limited, SELF=full ;\nA=0x0101 : 0x100001 ;\n";
    seeds.add(new Seed("own partitions", Kind.PARTITIONS, bytes(partitions), fabric));
    seeds.add(new Seed("own GUIDs", Kind.GUIDS, bytes("0x200003\n0x100002\n# x\n"), fabric));
    String yaml = fabric + ".yaml";
    ok("tenants", "init", fabric.toString(), "-o", yaml);
    byte[] tenants = Files.readAllBytes(Path.of(yaml));
    seeds.add(new Seed("own tenants", Kind.TENANTS, tenants, fabric));
    String state = fabric + ".json";
    ok("allocate", fabric.toString(), "--state", state, "add", "a", "--hosts", "5");
    ok("allocate", fabric.toString(), "--state", state, "add", "b", "--hosts", "3");
    seeds.add(new Seed("own state", Kind.STATE, Files.readAllBytes(Path.of(state)), fabric));
    String counters = "host,port,bytes\n0x100002,0,500\n0x100003,,700\n";
    seeds.add(new Seed("own counters", Kind.COUNTERS, bytes(counters), fabric));
    String requests = "id,size,arrival,length\n1,3,0,40\n2,9,0,30\n3,1,5,10\n";
    seeds.add(new Seed("own requests", Kind.REQUESTS, bytes(requests), fabric));
    String flows = "from,to,level\nH_0_0,H_1_0,0\n0x100003,H_2_1,0\nH_2_1,5,1 # by LID\n";
    seeds.add(new Seed("own flows", Kind.FLOWS, bytes(flows), fabric));
    for (int part = 1; part <= 2; part++) {
      String file = fabric + ".part" + part;
      ok(
          "simulate",
          "congestion",
          fabric.toString(),
          tables.toString(),
          "--ranks",
          "6",
          "-n",
          "40",
          "-m",
          METRICS,
          "--shard",
          part + "/2",
          "-o",
          file);
    }
    byte[] one = Files.readAllBytes(Path.of(fabric + ".part1"));
    seeds.add(new Seed("own part of a run", Kind.PART, one, fabric));
    addMachines(seeds, fabric);
    addFixtures(seeds, fabric);
    return seeds;
  }

  private void addMachines(List<Seed> seeds, Path fabric) throws IOException {
    String vms = fabric + ".vms";
    Path list = Path.of(fabric + ".list");
    Files.writeString(list, "vm,host\na,H_0_0\nb,H_0_1 # of two\nc,H_2_1\n");
    ok("vm", "start", fabric.toString(), "--state", vms, "--list", list.toString());
    ok("route", fabric.toString(), "--vms", vms, "-e", "vswitch-ftree", "-o", vms + ".hlft");
    Path moves = Path.of(fabric + ".moves");
    Files.writeString(moves, "a,H_1_1\nb,H_1_0\nc,H_0_2\n");
    seeds.add(new Seed("own machines", Kind.MACHINES, Files.readAllBytes(Path.of(vms)), fabric));
    seeds.add(new Seed("own moves", Kind.MOVES, Files.readAllBytes(moves), fabric));
    seeds.add(new Seed("own list", Kind.MOVES, Files.readAllBytes(list), fabric));
  }

  /** The readers' fixtures, in every dialect. */
  private void addFixtures(List<Seed> seeds, Path own) throws IOException {
    Path fixtures = Path.of("..", "wire", "src", "test", "resources");
    for (Path file : files(fixtures.resolve("fabrics"))) {
      seeds.add(new Seed(file.toString(), Kind.FABRIC, Files.readAllBytes(file), null));
    }
    for (Path file : files(fixtures.resolve("partitions"))) {
      seeds.add(new Seed(file.toString(), Kind.PARTITIONS, Files.readAllBytes(file), own));
    }
    for (Path set : files(fixtures.resolve("opensm"))) {
      Path fabric = dir.resolve(set.getFileName() + ".net");
      for (Path file : files(set)) {
        byte[] bytes = unpacked(file);
        String name = file.getFileName().toString();
        if (name.startsWith("ibnetdiscover")) {
          Files.write(fabric, bytes);
        }
        boolean isFabric = name.startsWith("ibnetdiscover") || name.startsWith("opensm-subnet");
        Kind kind = isFabric ? Kind.FABRIC : Kind.TABLES;
        seeds.add(new Seed(file.toString(), kind, bytes, isFabric ? null : fabric));
      }
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> list = Files.list(folder)) {
      return list.sorted().toList();
    }
  }

  private static byte[] unpacked(Path file) throws IOException {
    if (!file.toString().endsWith(".gz")) {
      return Files.readAllBytes(file);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPInputStream in =
        new GZIPInputStream(new ByteArrayInputStream(Files.readAllBytes(file)))) {
      in.transferTo(out);
    }
    return out.toByteArray();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void ok(String... words) {
    Cli.Result result = Cli.run(words);
    assertThat(result.code()).as("%s: %s", List.of(words), result.err()).isEqualTo(ExitCode.OK);
  }

  private static void remove(Path path) {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> walk = Files.walk(path)) {
      walk.sorted(java.util.Comparator.reverseOrder())
          .forEach(
              p -> {
                try {
                  Files.delete(p);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
