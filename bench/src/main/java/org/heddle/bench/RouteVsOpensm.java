package org.heddle.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.text.Source;
import org.heddle.text.lft.CompactTables;
import org.heddle.text.lft.OpensmLftsWriter;
import org.heddle.text.topology.IbsimNetlistWriter;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;

/**
 * Heddle's side of {@code bench/route-vs-opensm}: rows of its table.
 *
 * <pre>
 *   netlist SPEC FILE            writes the fabric for ibsim
 *   measure SPEC OPENSM_SECONDS  prints rows; ratios are OpenSM's time over the median, if not 0
 * </pre>
 */
public final class RouteVsOpensm {
  private static final long DAMAGE_SEED = 1;

  private final Fabric fabric;
  private final double opensmSeconds;

  private RouteVsOpensm(Fabric fabric, double opensmSeconds) {
    this.fabric = fabric;
    this.opensmSeconds = opensmSeconds;
  }

  /** Entry point. */
  public static void main(String[] args) throws IOException {
    Fabric fabric = TreeGenerator.generate(TreeSpec.parse(args[1]));
    switch (args[0]) {
      case "netlist" -> {
        try (OutputStream out = Files.newOutputStream(Path.of(args[2]))) {
          IbsimNetlistWriter.write(fabric, out);
        }
      }
      case "measure" ->
          new RouteVsOpensm(fabric.withAssignedLids(), Double.parseDouble(args[2]))
              .measure(args[3]);
      default -> throw new IllegalArgumentException("netlist or measure, not " + args[0]);
    }
  }

  /** One group of rows. Each has a JVM of its own, so that none is compiled for another's sake. */
  private void measure(String group) {
    RoutingRequest request = request(fabric);
    switch (group) {
      case "floors" -> floors(fabric.switchCount(), fabric.topLid() + 1);
      case "ftree" -> {
        row("recognition of the tree alone", () -> FatTreeRecogniser.recognise(fabric), true);
        row("ftree, tables from the recognised tree", () -> route("ftree", request), true);
        row("ftree with recognition", () -> route("ftree", request(fabric)), true);
        damaged("ftree");
      }
      case "dmodk" -> {
        row("dmodk, tables from the recognised tree", () -> route("dmodk", request), true);
        damaged("dmodk");
      }
      case "audit" -> {
        ForwardingTables tables = route("ftree", request);
        AuditOptions one = options(request).withThreads(1);
        row("audit, all checks, 1 thread", () -> Audit.run(fabric, tables, one), false);
        AuditOptions two = options(request).withThreads(2);
        row("audit, all checks, 2 threads", () -> Audit.run(fabric, tables, two), false);
      }
      case "files" -> {
        ForwardingTables tables = route("ftree", request);
        files(tables, (long) tables.switchCount() * (tables.topLid() + 1));
      }
      default -> throw new IllegalArgumentException("no group of rows is called " + group);
    }
  }

  private void damaged(String engine) {
    DamageSpec spec =
        DamageSpec.none(DAMAGE_SEED).withLinks(DamageSpec.Amount.share(0.05)).keepingConnected();
    RoutingRequest request = request(FabricDamage.apply(fabric, spec).fabric());
    row(engine + ", 5 % of the links missing", () -> route(engine, request), true);
  }

  /** What filling the memory costs, which no engine can undercut by much. */
  private void floors(int rows, int length) {
    byte[][] existing = new byte[rows][length];
    row(
        "floor: Arrays.fill of existing rows",
        () -> {
          for (byte[] row : existing) {
            Arrays.fill(row, (byte) 7);
          }
          return existing;
        },
        true);
    row(
        "floor: allocate rows and Arrays.fill",
        () -> {
          byte[][] fresh = new byte[rows][];
          for (int i = 0; i < rows; i++) {
            fresh[i] = new byte[length];
            Arrays.fill(fresh[i], (byte) 7);
          }
          return fresh;
        },
        true);
  }

  private void files(ForwardingTables tables, long bytes) {
    ByteArrayOutputStream compact = new ByteArrayOutputStream((int) bytes + (1 << 20));
    Stopwatch write =
        row(
            "compact tables (.hlft), write to memory",
            () -> {
              compact.reset();
              return run(() -> CompactTables.write(fabric, tables, compact));
            },
            false);
    rate(write, compact.size());
    Source source = new Source("memory", compact.toByteArray());
    Stopwatch read =
        row(
            "compact tables (.hlft), read and check",
            () -> CompactTables.read(source, fabric).get(),
            false);
    rate(read, compact.size());
    Counting counter = new Counting();
    Stopwatch text =
        row(
            "tables as OpenSM text, write to nowhere",
            () -> {
              counter.bytes = 0;
              return run(() -> OpensmLftsWriter.write(fabric, tables, counter));
            },
            false);
    rate(text, counter.bytes);
  }

  private Stopwatch row(String what, Supplier<?> work, boolean comparable) {
    Stopwatch times = Stopwatch.of(work);
    String ratio =
        comparable && opensmSeconds > 0
            ? String.format(Locale.ROOT, "%.0f", opensmSeconds / times.median())
            : "";
    System.out.println("| " + what + " | " + times.columns() + " | " + ratio + " |");
    return times;
  }

  private static void rate(Stopwatch times, long bytes) {
    System.out.printf(
        Locale.ROOT,
        "| &nbsp;&nbsp;%.1f MB, %.0f MB/s in the median | | | | |%n",
        bytes / 1e6,
        bytes / 1e6 / times.median());
  }

  private static RoutingRequest request(Fabric fabric) {
    return RoutingRequest.of(fabric, FatTreeRecogniser.recognise(fabric));
  }

  private static AuditOptions options(RoutingRequest request) {
    Recognition.Found found = (Recognition.Found) request.recognition();
    return AuditOptions.defaults().withTree(found.tree());
  }

  private static ForwardingTables route(String name, RoutingRequest request) {
    RoutingEngine engine = Catalog.engine(name).orElseThrow();
    return switch (engine.route(request)) {
      case RoutingResult.Routed routed -> routed.tables();
      case RoutingResult.Unsupported no -> throw new IllegalStateException(no.toString());
    };
  }

  /** Work that writes. */
  private interface Writing {
    void run() throws IOException;
  }

  private static Object run(Writing writing) {
    try {
      writing.run();
      return writing;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Counts bytes and keeps none. */
  private static final class Counting extends OutputStream {
    private long bytes;

    @Override
    public void write(int b) {
      bytes++;
    }

    @Override
    public void write(byte[] buffer, int from, int length) {
      bytes += length;
    }
  }
}
