package org.heddle.server.v1;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.fabric.PathRate;
import org.heddle.server.TestServer;
import org.heddle.topology.generate.FabricCopy;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * IP over InfiniBand that tenants ask for, on fabrics whose hosts have links of all kinds: whoever
 * gets it can join its group with every host, and it is shown, exported and read back as asked.
 */
class IpOverIbTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final LinkSpeed[] SPEEDS = {
    LinkSpeed.QDR, LinkSpeed.EDR, LinkSpeed.HDR, LinkSpeed.NDR, LinkSpeed.XDR, LinkSpeed.UNKNOWN
  };
  private static final int REQUESTS = 8;

  @TempDir Path directory;

  /** A tree whose hosts' links have speeds and widths by chance. */
  private static Fabric fabric(SplittableRandom random) {
    Fabric plain = TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,4;1,4)"));
    int nodes = plain.nodeCount();
    FabricCopy copy =
        new FabricCopy(plain, new boolean[nodes], new boolean[plain.portIdLimit()], new int[nodes]);
    for (int host = plain.switchCount(); host < nodes; host++) {
      int port = plain.port(host, 1);
      int leaf = plain.peer(port);
      LinkSpeed speed = SPEEDS[random.nextInt(SPEEDS.length)];
      LinkWidth width = random.nextInt(4) == 0 ? LinkWidth.X1 : LinkWidth.X4;
      for (int end : new int[] {port, leaf}) {
        int at = copy.handle(plain.nodeOf(end));
        copy.builder().setLink(at, plain.numberOf(end), width, speed);
      }
    }
    return copy.build().withAssignedLids();
  }

  private static JsonNode read(String text) {
    return JSON.readTree(text);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void whoHasItCanJoinItsGroup(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    Fabric fabric = fabric(random);
    try (TestServer at = TestServer.start(directory, fabric, Clock.systemUTC(), TestServer.ROOT)) {
      int accepted = 0;
      int refused = 0;
      for (int i = 0; i < REQUESTS; i++) {
        ObjectNode body = request(random, "t" + i);
        var answer = at.send("root", "POST", "/v1/tenants", body.toString());
        if (answer.statusCode() == 201) {
          JsonNode tenant = read(answer.body()).get("tenant");
          assertThat(asked(tenant)).isEqualTo(asked(body));
          assertThat(stranded(fabric, tenant)).as(body + " on " + tenant).isEmpty();
          accepted++;
        } else {
          assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
          assertThat(answer.body()).contains("'rate' ", "could not join the group");
          refused++;
        }
      }
      assertThat(accepted).isPositive();
      assertThat(refused + accepted).isEqualTo(REQUESTS);
      roundTrip(at);
    }
  }

  private static ObjectNode request(SplittableRandom random, String name) {
    ObjectNode body =
        JSON.createObjectNode().put("name", name).put("policy", "def").put("hosts", 2);
    boolean wanted = random.nextInt(3) > 0;
    body.put("ipoib", wanted);
    if (wanted && random.nextBoolean()) {
      List<PathRate> all = PathRate.all();
      body.put("rate", all.get(random.nextInt(all.size())).gigabits());
    }
    if (wanted && random.nextBoolean()) {
      body.put("mtu", random.nextBoolean() ? 2048 : 4096);
    }
    return body;
  }

  private static List<Object> asked(JsonNode of) {
    return List.of(
        of.path("ipoib").asBoolean(false), of.path("mtu").asInt(0), of.path("rate").asDouble(0));
  }

  /** Members that cannot join the group that was asked for. */
  private static List<String> stranded(Fabric fabric, JsonNode tenant) {
    List<String> out = new ArrayList<>();
    if (!tenant.get("ipoib").booleanValue()) {
      return out;
    }
    for (JsonNode m : tenant.get("members")) {
      int port = fabric.findPort(Guid.parse(m.get("guid").stringValue()).value());
      double link =
          PathRate.ofLink(fabric.speed(port), fabric.width(port)).orElse(Double.MAX_VALUE);
      if (link < tenant.path("rate").asDouble(0)) {
        out.add(m.get("guid").stringValue());
      }
    }
    return out;
  }

  /** The exported file says what there is: applied where it came from, it changes nothing. */
  private static void roundTrip(TestServer at) throws Exception {
    String file = at.send("root", "GET", "/v1/export?format=tenants", "").body();
    String text = read(file).isObject() ? read(file).path("text").asString(file) : file;
    ObjectNode plan = JSON.createObjectNode();
    plan.putArray("changes").addObject().put("op", "tenants-file").put("text", text);
    JsonNode result = read(at.send("root", "POST", "/v1/plans", plan.toString()).body());
    assertThat(result.toString()).contains("\"proven\":true");
    assertThat(result.at("/result/tenants")).isEmpty();
    String other =
        text.replaceFirst("ipoib: true\n( +mtu: \\d+\n)?( +rate: [0-9.]+\n)?", "ipoib: false\n");
    if (!other.equals(text)) {
      plan.putArray("changes").addObject().put("op", "tenants-file").put("text", other);
      JsonNode less = read(at.send("root", "POST", "/v1/plans", plan.toString()).body());
      assertThat(less.at("/result/tenants")).hasSize(1);
      assertThat(less.at("/result/tenants/0/before/ipoib").booleanValue()).isTrue();
      assertThat(less.at("/result/tenants/0/after/ipoib").booleanValue()).isFalse();
    }
  }
}
