package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class FabricExportTest {
  @TempDir Path dir;

  private String net;

  @BeforeEach
  void generate() {
    net = dir.resolve("f.net").toString();
    Cli.run("fabric", "generate", "XGFT(2;2,4;1,2)", "--rails", "2", "-o", net);
  }

  @Test
  void theJsonIsNodeLinkData() {
    Cli.Result r = Cli.run("fabric", "export", net, "--to", "json");
    assertThat(r.code()).as(r.err()).isZero();
    JsonNode graph = JsonMapper.builder().build().readTree(r.out());
    assertThat(graph.get("nodes")).hasSize(8 + 4 + 2);
    assertThat(graph.get("links")).hasSize(8 + 8);
    assertThat(graph.get("links").get(0).has("source_port")).isTrue();
    assertThat(graph.get("multigraph").booleanValue()).isTrue();
  }

  @Test
  void everyFormatIsWritten() throws Exception {
    for (String format : "slurm-tree slurm-block slurm-yaml nodes links graphml json".split(" ")) {
      Path out = dir.resolve(format);
      Cli.Result r = Cli.run("fabric", "export", net, "--to", format, "-o", out.toString());
      assertThat(r.code()).as(r.err()).isZero();
      assertThat(r.out()).isEqualTo("wrote " + out + " (" + format + ")\n");
      assertThat(Cli.run("fabric", "export", net, "--to", format).out())
          .isEqualTo(Files.readString(out));
    }
  }

  @Test
  void whatDoesNotGoTogetherIsRefused() {
    for (String[] words :
        new String[][] {
          {},
          {"--to", "nope"},
          {"--to", "nodes", "--json"},
          {"--to", "links", "--hosts", "gpu0000"},
          {"--to", "slurm-tree", "--hosts", "gpu[3-"},
          {"--to", "slurm-tree", "--hosts", "nobody"}
        }) {
      String[] all = new String[words.length + 3];
      System.arraycopy(new String[] {"fabric", "export", net}, 0, all, 0, 3);
      System.arraycopy(words, 0, all, 3, words.length);
      Cli.Result r = Cli.run(all);
      assertThat(r.code()).as(String.join(" ", words)).isEqualTo(2);
      assertThat(r.err()).startsWith("heddle: ");
    }
    Cli.Result some =
        Cli.run("fabric", "export", net, "--to", "slurm-tree", "--hosts", "gpu0000,gpu9");
    assertThat(some.err())
        .contains("1 machine of --hosts is not in the fabric, the first is 'gpu9'");
    assertThat(some.out()).contains("Nodes=gpu0000");
  }
}
