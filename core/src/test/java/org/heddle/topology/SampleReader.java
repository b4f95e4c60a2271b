package org.heddle.topology;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.NodeType;
import org.junit.jupiter.api.Assumptions;

/**
 * Just enough of the ibnetdiscover and ibsim formats for these tests; the real reader lives in a
 * module that this one must not depend on.
 */
final class SampleReader {
  private static final Pattern NODE =
      Pattern.compile("(Switch|Ca|Hca|Rt)\\s+(\\d+)\\s+\"([^\"]+)\"(?:\\s*#\\s*\"([^\"]*)\".*)?.*");
  private static final Pattern LINE =
      Pattern.compile("\\[(\\d+)\\]\\S*\\s+\"([^\"]+)\"\\s*\\[(\\d+)\\].*");

  private SampleReader() {}

  /** The fabric of a sample file; skips the test if there are no samples. */
  static Fabric read(String name) throws IOException {
    Path file = directory().resolve("fabrics").resolve(name);
    Assumptions.assumeTrue(Files.exists(file), "no sample " + file + ": set HEDDLE_SAMPLES");
    FabricBuilder builder = new FabricBuilder();
    Map<String, Integer> nodes = new HashMap<>();
    List<String[]> cables = new ArrayList<>();
    String current = "";
    for (String line : Files.readAllLines(file, java.nio.charset.StandardCharsets.ISO_8859_1)) {
      Matcher node = NODE.matcher(line);
      Matcher port = LINE.matcher(line);
      if (node.matches()) {
        current = node.group(3);
        NodeType type =
            switch (node.group(1)) {
              case "Switch" -> NodeType.SWITCH;
              case "Rt" -> NodeType.ROUTER;
              default -> NodeType.CA;
            };
        String text = node.group(4) == null ? current : node.group(4);
        int ports = Integer.parseInt(node.group(2));
        nodes.put(current, builder.addNode(type, guid(current, nodes.size()), ports, text));
      } else if (port.matches()) {
        cables.add(new String[] {current, port.group(1), port.group(2), port.group(3)});
      }
    }
    for (String[] c : cables) {
      Integer a = nodes.get(c[0]);
      Integer b = nodes.get(c[2]);
      if (b != null && !builder.isCabled(a, Integer.parseInt(c[1]))) {
        builder.connect(a, Integer.parseInt(c[1]), b, Integer.parseInt(c[3]));
      }
    }
    return builder.build();
  }

  private static long guid(String id, int position) {
    return id.matches("[SHR]-[0-9a-f]{16}")
        ? Long.parseUnsignedLong(id.substring(2), 16)
        : 1000L + 100L * position;
  }

  private static Path directory() {
    String named = System.getenv("HEDDLE_SAMPLES");
    if (named != null) {
      return Path.of(named);
    }
    Path here = Path.of("").toAbsolutePath();
    while (here != null && !Files.exists(here.resolve("../shared/samples"))) {
      here = here.getParent();
    }
    Assumptions.assumeTrue(here != null, "no samples directory: set HEDDLE_SAMPLES");
    return here.resolve("../shared/samples");
  }
}
