package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.heddle.fabric.FabricBuilder;
import org.heddle.text.topology.IbnetdiscoverWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the audit says of whose tables it is given. */
class TableOriginTest {
  private static final String FALL_BACK = "if opensm.conf says routing_engine ftree";

  @TempDir Path dir;

  private String path(String name) {
    return dir.resolve(name).toString();
  }

  private static String ok(String... words) {
    Cli.Result result = Cli.run(words);
    assertThat(result.code()).as("%s: %s", String.join(" ", words), result).isZero();
    return result.out();
  }

  private void fabric(String net, String... more) {
    String[] words = new String[7 + more.length];
    System.arraycopy(
        new String[] {
          "fabric", "generate", "XGFT(2;4,6;1,3)", "--shuffle-ports", "3", "-o", path(net)
        },
        0,
        words,
        0,
        7);
    System.arraycopy(more, 0, words, 7, more.length);
    ok(words);
  }

  private String audit(String net, String engine, String... more) {
    String tables = path(net + "-" + engine + ".lfts");
    ok("route", path(net), "-e", engine, "-o", tables);
    String[] words = new String[4 + more.length];
    words[0] = "audit";
    words[1] = path(net);
    words[2] = tables;
    words[3] = "--fail-on=error";
    System.arraycopy(more, 0, words, 4, more.length);
    return ok(words);
  }

  @Test
  void aFallBackToMinhopIsTold() {
    fabric("whole.net");
    assertThat(audit("whole.net", "ftree"))
        .contains("note: the tables are those of Heddle's ftree")
        .doesNotContain(FALL_BACK);
    assertThat(audit("whole.net", "minhop")).doesNotContain(FALL_BACK);
    fabric("damaged.net", "--break-links", "2", "--keep-connected");
    assertThat(ok("fabric", "check", path("damaged.net"), "--fail-on=error"))
        .contains("OpenSM's ftree would refuse it and route minhop");
    assertThat(audit("damaged.net", "minhop"))
        .contains("note: the tables are those of Heddle's minhop")
        .contains("note: OpenSM's ftree refuses this fabric (", FALL_BACK);
    assertThat(audit("damaged.net", "ftree"))
        .contains("note: the tables are those of Heddle's ftree")
        .doesNotContain(FALL_BACK);
  }

  /**
   * On a ring of which each lane has a part only, no lane can deadlock although all together can.
   */
  @Test
  void creditLoopsAreToldLaneByLane() throws IOException {
    FabricBuilder b = new FabricBuilder();
    int n = 6;
    for (int sw = 0; sw < n; sw++) {
      b.addSwitch(0x1000 + sw, 4, "s" + sw);
    }
    for (int sw = 0; sw < n; sw++) {
      b.connect(sw, 1, (sw + 1) % n, 2);
      int host = b.addCa(0x2000 + 4 * sw, 1, "h" + sw);
      b.setPortGuid(host, 1, 0x2001 + 4 * sw);
      b.connect(sw, 3, host, 1);
    }
    Path net = dir.resolve("ring.net");
    try (OutputStream out = Files.newOutputStream(net)) {
      IbnetdiscoverWriter.write(b.build().withAssignedLids(), out);
    }
    String tables = path("ring.lfts");
    assertThat(Cli.run("route", net.toString(), "-e", "minhop", "-o", tables).code())
        .isBetween(0, 1);
    Path conf = dir.resolve("partitions.conf");
    Files.writeString(
        conf,
        "Default=0x7fff : ALL=limited, SELF=full ;\n"
            + "red=0x0101, sl=1, defmember=full : 0x2001, 0x2005, 0x2009 ;\n"
            + "blue=0x0102, sl=2, defmember=full : "
            + "0x2001, 0x2005, 0x2009, 0x200d, 0x2011, 0x2015 ;\n");
    Cli.Result text = Cli.run("audit", net.toString(), tables, "--partitions", conf.toString());
    assertThat(text.out())
        .contains("credit-loop")
        .contains("note: on lane 1 (red) the routes between its 3 hosts cannot deadlock")
        .contains("note: on lane 2 (blue) the routes between its 6 hosts can: ")
        .doesNotContain("on lane 0");
    JsonNode lanes =
        JsonMapper.shared()
            .readTree(
                Cli.run("audit", net.toString(), tables, "--partitions", conf.toString(), "--json")
                    .out())
            .path("credit_loops_by_lane");
    assertThat(lanes.size()).isEqualTo(2);
    assertThat(lanes.path(0).path("cyclic").asInt()).isZero();
    assertThat(lanes.path(1).path("cyclic").asInt()).isPositive();
  }

  @Test
  void programsAreToldToo() {
    fabric("f.net", "--break-links", "1", "--keep-connected");
    JsonNode origin = JsonMapper.shared().readTree(audit("f.net", "updn", "--json")).path("origin");
    JsonNode first = origin.path("engines").path(0);
    assertThat(first.path("engine").asString()).isIn("updn", "minhop");
    assertThat(first.path("share").asDouble()).isEqualTo(1);
    assertThat(first.path("equal").asLong()).isEqualTo(first.path("entries").asLong()).isPositive();
    assertThat(origin.path("engines").size()).isGreaterThan(2);
    assertThat(origin.path("notes").path(0).asString()).contains("the tables are those of");
    JsonNode none =
        JsonMapper.shared()
            .readTree(audit("f.net", "updn", "--json", "--no-engines"))
            .path("origin");
    assertThat(none.path("engines").isEmpty()).isTrue();
    assertThat(none.path("notes").isEmpty()).isTrue();
  }
}
