package org.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.heddle.catalog.Catalog;
import org.heddle.routing.RoutingEngine;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Small fabrics wired as large real ones are, through every command. */
class LookAlikesTest {
  @TempDir Path dir;

  private Cli.Result run(String... words) {
    Cli.Result r = Cli.run(words);
    assertThat(r.code()).as("%s: %s", String.join(" ", words), r.err()).isLessThan(2);
    return r;
  }

  private Cli.Result ok(String... words) {
    Cli.Result r = run(words);
    assertThat(r.code()).as("%s: %s", String.join(" ", words), r.err()).isZero();
    return r;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "XGFT(2;4,8;1,4) --rails 4 --sharp",
        "XGFT(3;4,4,2;1,4,4) --rails 4 --sm-on-spine --slow-hosts 5%",
        "XGFT(3;4,4,2;1,4,4) --rails 2 --adapters-on-leaf 2 --management-leaves 2 --sharp",
        "PGFT(2;8,4;1,4;1,2) --adapters-on-leaf 2 --storage 3",
        "XGFT(2;4,8;1,4) --rails 4 --break-links 3% --keep-connected"
      })
  void throughEveryCommand(String what) throws IOException {
    String net = dir.resolve("a.net").toString();
    List<String> words = new ArrayList<>(List.of("fabric", "generate"));
    words.addAll(List.of(what.split(" ")));
    words.addAll(List.of("--shuffle-ports", "3", "-o", net));
    String said = ok(words.toArray(String[]::new)).out();
    boolean grouped = what.contains("--rails") || what.contains("--adapters");
    assertThat(said).contains(grouped ? " machines with " : " hosts");
    run("fabric", "check", net);
    String tables = dir.resolve("t.hlft").toString();
    for (RoutingEngine engine : Catalog.engines()) {
      ok("route", net, "-e", engine.name(), "-o", tables);
      run("audit", net, tables);
    }
    ok("fabric", "draw", net, "-o", dir.resolve("a.svg").toString());
    String state = dir.resolve("s.json").toString();
    ok("allocate", net, "--state", state, "add", "blue", "-n", "3");
    run("allocate", net, "--state", state, "add", "red", "-n", "2", "--rails", "joined");
    run("allocate", net, "--state", state, "add", "all", "-n", "4");
    ok("allocate", net, "--state", state, "check");
    ok("allocate", net, "--state", state, "export", dir.resolve("files").toString());
    Path tenants = dir.resolve("tenants.yaml");
    Files.writeString(
        tenants,
        """
        version: 1
        tenants:
          - name: blue
            links: exclusive
            members: [{count: 2}]
          - name: red
            members: [{count: 1}]
        """);
    ok("tenants", "validate", tenants.toString(), net);
    run("plan", net, tenants.toString(), "-o", dir.resolve("plan").toString());
    Path blue = dir.resolve("files/slurm/topology.conf");
    assertThat(Files.readString(blue)).contains("SwitchName=Tblue");
  }
}
