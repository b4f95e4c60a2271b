package org.heddle.verify;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.routing.ForwardingTables;
import org.junit.jupiter.api.Assumptions;

/**
 * Just enough reading of OpenSM's {@code opensm-subnet.lst} and {@code opensm-lfts.dump} for tests
 * of this package; the real readers are elsewhere.
 */
record OpenSmSample(Fabric fabric, ForwardingTables tables) {
  private static final Pattern END =
      Pattern.compile(
          "\\{ (\\S+) Ports:(\\w+) SystemGUID:\\w+ NodeGUID:(\\w+) PortGUID:(\\w+) .*?"
              + "\\{(.*?)\\} LID:(\\w+) PN:(\\w+) \\}");
  private static final Pattern ROW = Pattern.compile("Unicast lids .* guid 0x(\\w+) .*");
  private static final Pattern ENTRY = Pattern.compile("0x(\\w+) (\\d+) .*");

  /** Reads one directory of samples, or skips the test if the samples are not there. */
  static OpenSmSample read(String name) {
    Path directory = directory().resolve("opensm").resolve(name);
    Assumptions.assumeTrue(
        Files.isDirectory(directory), "no sample files at " + directory + " (HEDDLE_SAMPLES)");
    FabricBuilder builder = new FabricBuilder();
    for (String line : lines(directory.resolve("opensm-subnet.lst.gz"))) {
      Matcher end = END.matcher(line);
      if (end.find()) {
        int a = node(builder, end);
        int portA = Integer.parseInt(end.group(7), 16);
        end.find();
        int b = node(builder, end);
        if (!builder.isCabled(a, portA)) {
          builder.connect(a, portA, b, Integer.parseInt(end.group(7), 16));
        }
      }
    }
    Fabric fabric = builder.build();
    return new OpenSmSample(
        fabric, tables(fabric, lines(directory.resolve("opensm-lfts.dump.gz"))));
  }

  private static Path directory() {
    String named = System.getenv("HEDDLE_SAMPLES");
    return named != null ? Path.of(named) : Path.of("../../shared/samples"); // from core/
  }

  private static List<String> lines(Path file) {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      return reader.lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int node(FabricBuilder builder, Matcher end) {
    long guid = Long.parseUnsignedLong(end.group(3), 16);
    int ports = Integer.parseInt(end.group(2), 16);
    int lid = Integer.parseInt(end.group(6), 16);
    boolean isSwitch = end.group(1).startsWith("SW");
    int node = builder.find(guid);
    if (node == Fabric.NONE) {
      node =
          isSwitch
              ? builder.addSwitch(guid, ports, end.group(5))
              : builder.addCa(guid, ports, end.group(5));
    }
    int port = isSwitch ? 0 : Integer.parseInt(end.group(7), 16);
    builder.setLid(node, port, lid, 0);
    if (!isSwitch) {
      builder.setPortGuid(node, port, Long.parseUnsignedLong(end.group(4), 16));
    }
    return node;
  }

  private static ForwardingTables tables(Fabric fabric, List<String> lines) {
    byte[][] rows = new byte[fabric.switchCount()][fabric.topLid() + 1];
    for (byte[] row : rows) {
      Arrays.fill(row, (byte) ForwardingTables.NO_PORT);
    }
    byte[] row = null;
    for (String line : lines) {
      Matcher start = ROW.matcher(line);
      Matcher entry = ENTRY.matcher(line);
      if (start.matches()) {
        row = rows[fabric.findNode(Long.parseUnsignedLong(start.group(1), 16))];
      } else if (entry.matches()) {
        row[Integer.parseInt(entry.group(1), 16)] = (byte) Integer.parseInt(entry.group(2));
      }
    }
    return ForwardingTables.ofRows(rows, fabric.topLid());
  }
}
