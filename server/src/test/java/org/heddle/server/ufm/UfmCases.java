package org.heddle.server.ufm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.util.BitSet;
import java.util.List;
import org.heddle.control.Controller;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Request;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.NodeType;
import org.heddle.fabric.PathRate;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.JournalEntry;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import org.heddle.server.store.SqlStore;
import org.heddle.text.opensm.PartitionsConf;
import org.heddle.topology.generate.FabricCut;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Recorded calls of the API's known clients, in their own spelling, whatever way they come in. */
abstract class UfmCases {
  @TempDir Path directory;

  final Fabric fabric =
      TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,4;1,4)")).withAssignedLids();
  SqlStore store;
  Controller controller;

  /** An answer as it arrives. */
  record Answer(int status, String text) {}

  abstract Answer call(String line, String body) throws Exception;

  @BeforeEach
  void open() throws Exception {
    store = SqlStore.sqlite(directory.resolve("s.db"));
    if (store.load("f").isEmpty()) {
      store.create("f", fabric, "dmodk");
    }
    controller = Controller.open(store, Clock.systemUTC(), "f");
  }

  @AfterEach
  void close() throws Exception {
    controller.close();
    store.close();
  }

  private JsonNode ok(String line, String body) throws Exception {
    Answer answer = call(line, body);
    assertThat(answer.status()).as(line + " " + answer.text()).isEqualTo(200);
    return JsonMapper.builder().build().readTree(answer.text());
  }

  private int status(String line, String body) throws Exception {
    Answer answer = call(line, body);
    assertThat(JsonMapper.builder().build().readTree(answer.text()).isContainer()).isTrue();
    return answer.status();
  }

  @Test
  void kubernetesAddsAndRemovesVirtualFunctionsThatAreNotUpYet() throws Exception {
    assertThat(ok("GET /app/ufm_version", "").get("ufm_release_version").stringValue())
        .matches("\\d+\\.\\d+\\.\\d+-\\d+");
    String add =
        "{\"pkey\": \"0x1234\", \"index0\": true, \"ip_over_ib\": true, \"membership\": \"full\","
            + " \"guids\": [\"0200000000000000\",\"02000FF000FF0009\"]}";
    ok("POST /resources/pkeys", add);
    ok("POST /resources/pkeys", add);
    JsonNode all = ok("GET /resources/pkeys/?guids_data=true", "");
    assertThat(all.get("0x1234").get("guids").toString())
        .isEqualTo(
            "[{\"guid\":\"0200000000000000\",\"index0\":true,\"membership\":\"full\"},"
                + "{\"guid\":\"02000ff000ff0009\",\"index0\":true,\"membership\":\"full\"}]");
    ok(
        "POST /actions/remove_guids_from_pkey",
        "{\"pkey\": \"0x1234\", \"guids\": [\"0200000000000000\"]}");
    ok(
        "POST /actions/remove_guids_from_pkey",
        "{\"pkey\": \"0x1234\", \"guids\": [\"02000ff000ff0009\"]}");
    assertThat(call("GET /resources/pkeys/0x1234?guids_data=true&qos_conf=true", "").text())
        .isEqualTo("{}");
    assertThat(controller.store().journal("f", 0, 10))
        .extracting(JournalEntry::actor)
        .containsOnly("somebody");
  }

  @Test
  void newerKubernetesMakesAnEmptyPartitionFirst() throws Exception {
    ok(
        "POST /resources/pkeys",
        "{\"pkey\": \"0x0A1B\", \"index0\": true, \"ip_over_ib\": false, \"mtu_limit\": 4,"
            + " \"service_level\": 0, \"rate_limit\": 300, \"guids\": [], \"membership\":"
            + " \"full\"}");
    ok(
        "POST /resources/pkeys",
        "{\"pkey\": \"0x0A1B\", \"guids\": [\"1122334455667788\"], \"membership\": \"limited\"}");
    assertThat(call("GET /resources/pkeys/0x0A1B?guids_data=true&qos_conf=true", "").text())
        .isEqualTo(
            "{\"guids\":[{\"guid\":\"1122334455667788\",\"index0\":false,\"membership\":\"limited\"}],"
                + "\"ip_over_ib\":false,\"partition\":\"api_pkey_0xa1b\","
                + "\"qos_conf\":{\"mtu_limit\":4,\"rate_limit\":300,\"service_level\":0}}");
  }

  @Test
  void provisioningToolsBindSetQualityAndReadItBackFlat() throws Exception {
    ok(
        "POST /resources/pkeys/",
        "{\"pkey\":\"0x31a\",\"index0\":true,\"ip_over_ib\":true,"
            + "\"memberships\":[\"full\",\"limited\"],"
            + "\"guids\":[\"946DAE03005975C8\",\"946dae03005975cc\"],\"unknown\":1}");
    ok(
        "PUT /resources/pkeys/qos_conf",
        "{\"pkey\":\"0x31a\",\"mtu_limit\":4,\"service_level\":0,\"rate_limit\":200.0}");
    assertThat(call("GET /resources/pkeys?qos_conf=true", "").text())
        .contains(
            "\"0x31a\":{\"ip_over_ib\":true,\"partition\":\"api_pkey_0x31a\","
                + "\"qos_conf\":{\"mtu_limit\":4,\"rate_limit\":200,\"service_level\":0}}");
    JsonNode keys = ok("GET /app/smconf", "");
    for (String name : List.of("subnet_prefix", "m_key", "sm_key", "sa_key")) {
      assertThat(keys.get(name).isString()).as(name).isTrue();
    }
    assertThat(keys.get("m_key_per_port").isBoolean()).isTrue();
  }

  @Test
  void operatorScriptsSetListAndDelete() throws Exception {
    ok(
        "PUT /resources/pkeys",
        "{\"pkey\":\"0x12\",\"index0\":false,\"ip_over_ib\":true,\"membership\":\"full\","
            + "\"guids\":[\"1122334455667788\",\"1122334455667789\"]}");
    ok(
        "PUT /resources/pkeys",
        "{\"pkey\":\"18\",\"ip_over_ib\":true,\"membership\":\"full\","
            + "\"guids\":[\"112233445566778a\"]}");
    JsonNode all = ok("GET /resources/pkeys?guids_data=True", "");
    assertThat(all.get("0x12").get("guids")).hasSize(1);
    assertThat(all.get("0x7fff").get("partition").stringValue()).isEqualTo("management");
    assertThat(call("GET /resources/pkeys?guids_data=False", "").text())
        .isEqualTo("[\"0x12\",\"0x7fff\"]");
    ok("DELETE /resources/pkeys/0x12/guids/112233445566778a,00000000000000ff", "");
    assertThat(call("GET /resources/pkeys/0x12", "").text()).isEqualTo("{}");
    assertThat(status("DELETE /resources/pkeys/0x12", "{}")).isEqualTo(404);
  }

  @Test
  void anEmptyPartitionMadeOnPurposeIsMadeOnce() throws Exception {
    String make =
        "{\"pkey\":\"0x12\",\"index0\":false,\"ip_over_ib\":true,\"mtu_limit\":2,"
            + "\"service_level\":0,\"rate_limit\":2.5,\"partition_name\":\"blue\"}";
    ok("POST /resources/pkeys/add", make);
    Answer again = call("POST /resources/pkeys/add", make);
    assertThat(again.status()).isEqualTo(400);
    assertThat(again.text()).contains("exist"); // by which a client knows that all is well
    assertThat(ok("GET /resources/pkeys/0x12?qos_conf=true", "").get("qos_conf").toString())
        .isEqualTo("{\"mtu_limit\":2,\"rate_limit\":2.5,\"service_level\":0}");
    ok("DELETE /resources/pkeys/0x12", "");
  }

  @Test
  void slurmsPrologAndEpilogNameHostsByACompressedList() throws Exception {
    String host = hostName(0);
    String other = hostName(5);
    ok(
        "POST /resources/pkeys/hosts",
        "{\"hosts_names\":\"" + host + "," + other + "\",\"pkey\":\"0x12\"}");
    assertThat(ok("GET /resources/pkeys/0x12?guids_data=true", "").get("guids")).hasSize(2);
    ok("DELETE /resources/pkeys/0x12/hosts/" + host + "," + other, "");
    assertThat(call("GET /resources/pkeys/0x12", "").text()).isEqualTo("{}");
    Answer wrong =
        call("POST /resources/pkeys/hosts", "{\"hosts_names\":\"nope[1-2]\",\"pkey\":\"0x12\"}");
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.text()).contains("nope[1-2]");
  }

  @Test
  void twoJobsWithOneKeyAreKeptApart() throws Exception {
    ok("POST /resources/pkeys/hosts", hosts("0x12", hostName(0)));
    ok("POST /resources/pkeys/hosts", hosts("0x12", hostName(0)));
    ok("POST /resources/pkeys/hosts", hosts("0x14", hostName(2))); // keys are job numbers
    Answer second = call("POST /resources/pkeys/hosts", hosts("0x12", hostName(1)));
    assertThat(second.status()).isEqualTo(409);
    assertThat(second.text()).contains("remainder");
    ok("POST /resources/pkeys/add", "{\"pkey\":\"0x13\"}");
    ok("POST /resources/pkeys/hosts", hosts("0x13", hostName(0)));
    ok("POST /resources/pkeys/hosts", hosts("0x13", hostName(1)));
  }

  /** As ufm-slurm is shipped: pkey_allocation_mode=static. */
  @Test
  void jobsWithOneKeyForAllOfThemShareIt() throws Exception {
    for (int i = 0; i < 4; i++) {
      ok("POST /resources/pkeys/hosts", hosts("0x12", hostName(i)));
    }
    assertThat(ok("GET /resources/pkeys/0x12?guids_data=true", "").get("guids")).hasSize(4);
    ok("DELETE /resources/pkeys/0x12/hosts/" + hostName(0), "");
    ok("POST /resources/pkeys/hosts", hosts("0x12", hostName(5)));
    assertThat(ok("GET /resources/pkeys/0x12?guids_data=true", "").get("guids")).hasSize(4);
  }

  /** A job number or a client's key that meets a tenant's. */
  @Test
  void nobodyJoinsATenantByItsKey() throws Exception {
    controller
        .submit(
            new Change.Create(
                TenantSpec.links("a", "", 2).withPartition(PartitionOptions.ofKey(0x12))),
            Request.of(Actor.SYSTEM))
        .join();
    Tenant before = controller.view().tenant("a").orElseThrow();
    for (String[] call :
        new String[][] {
          {"POST /resources/pkeys/hosts", hosts("0x12", hostName(9))},
          {"POST /resources/pkeys", "{\"pkey\":\"0x12\",\"guids\":[\"1122334455667788\"]}"},
          {"PUT /resources/pkeys", "{\"pkey\":\"0x8012\",\"guids\":[\"1122334455667788\"]}"},
          {"PUT /resources/pkeys/qos_conf", "{\"pkey\":\"0x12\",\"mtu_limit\":4}"},
          {"DELETE /resources/pkeys/0x12", ""},
        }) {
      Answer answer = call(call[0], call[1]);
      assertThat(answer.status()).as(call[0]).isEqualTo(409);
      assertThat(answer.text()).contains("'a'", "operator");
    }
    assertThat(controller.view().tenant("a").orElseThrow()).isEqualTo(before);
  }

  @Test
  void hostsAreAddedWithFlagsAsTextsAndAJobThatCanBeAskedFor() throws Exception {
    // flags as they stand in Slurm's configuration file; a Go client waits for the job
    JsonNode job =
        ok(
            "POST /resources/pkeys/hosts",
            "{\"hosts_names\": \""
                + hostName(0)
                + "\", \"pkey\": \"0x8012\", \"ip_over_ib\": \"False\", \"index0\": \"true\","
                + " \"membership\": \"limited\"}");
    String id = job.get("ID").stringValue();
    assertThat(ok("GET /jobs/" + id, "").get("Status").stringValue()).isEqualTo("Completed");
    JsonNode made = ok("GET /resources/pkeys/0x12?guids_data=true", "");
    assertThat(made.get("ip_over_ib").booleanValue()).isFalse();
    assertThat(made.get("guids").get(0).get("index0").booleanValue()).isTrue();
    assertThat(made.get("guids").get(0).get("membership").stringValue()).isEqualTo("limited");
  }

  @Test
  void aNameAndQualityOfServiceCountWhereMembersAreSet() throws Exception {
    String body =
        "{\"guids\":[\"1122334455667788\"],\"pkey\":\"0x12\",\"partition_name\":\"blue\","
            + "\"ip_over_ib\":true,\"index0\":false,\"memberships\":null,\"mtu_limit\":%d}";
    ok("PUT /resources/pkeys/", body.formatted(4));
    ok("PUT /resources/pkeys/", body.formatted(2));
    JsonNode made = ok("GET /resources/pkeys/0x12?qos_conf=true", "");
    assertThat(made.get("partition").stringValue()).isEqualTo("blue");
    assertThat(made.get("qos_conf").get("mtu_limit").intValue()).isEqualTo(2);
  }

  private static String hosts(String key, String host) {
    return "{\"hosts_names\":\"" + host + "\",\"pkey\":\"" + key + "\"}";
  }

  private String hostName(int index) {
    return fabric.description(adapter(index)).split(" ")[0];
  }

  private int adapter(int index) {
    return fabric.switchCount() + index;
  }

  @Test
  void portsHaveEveryFieldThatSomeClientInsistsOn() throws Exception {
    JsonNode ports = ok("GET /resources/ports?sys_type=Computer", "");
    assertThat(ports).hasSize(16);
    for (JsonNode port : ports) {
      for (String name :
          List.of("guid", "name", "systemID", "dname", "system_name", "peer_node_name")) {
        assertThat(port.get(name).stringValue()).as(name).isNotEmpty();
      }
      assertThat(port.get("lid").isInt()).isTrue();
      assertThat(port.get("tier").intValue()).isEqualTo(1);
      assertThat(port.get("physical_state").stringValue()).isEqualTo("Link Up");
      assertThat(port.get("logical_state").stringValue()).isEqualTo("Active");
      assertThat(port.get("description").stringValue()).contains("Computer");
    }
    String guid = Guid.hex16(fabric.nodeGuid(adapter(3)));
    assertThat(ok("GET /resources/ports?system=" + guid, "")).hasSize(1);
    // 16 host links and 4 x 4 between switches, two ports each
    assertThat(ok("GET /resources/ports", "")).hasSize(64);
    assertThat(ok("GET /resources/ports?sys_type=Switch", "")).hasSize(48);
    String first = ports.get(0).get("name").stringValue();
    String other = ports.get(3).get("name").stringValue();
    JsonNode named = ok("GET /resources/ports/" + first, "");
    assertThat(named).hasSize(1);
    assertThat(named.get(0)).isEqualTo(ports.get(0));
    assertThat(ok("GET /resources/ports/" + first + "," + other, "")).hasSize(2);
    assertThat(status("GET /resources/ports/" + first + ",nothing_1", "")).isEqualTo(404);
  }

  @Test
  void systemsAndLinksAreListed() throws Exception {
    assertThat(ok("GET /resources/systems", "")).hasSize(24);
    assertThat(ok("GET /resources/systems?type=switch", "")).hasSize(8);
    assertThat(ok("GET /resources/links", "")).hasSize(32);
    JsonNode one = ok("GET /resources/systems", "").get(20);
    String guid = one.get("guid").stringValue();
    assertThat(ok("GET /resources/systems/" + guid, "")).isEqualTo(one);
    JsonNode links = ok("GET /resources/links?system=" + guid, "");
    assertThat(links).hasSize(1); // a host with one cable
    assertThat(links.get(0).get("destination_guid").stringValue()).isNotEqualTo(guid);
    assertThat(links.get(0).get("source_port").stringValue()).matches("\\d+");
    for (String none : List.of("systems/0000000000000bad", "links/x", "systems/" + guid + "/x")) {
      assertThat(status("GET /resources/" + none, "")).isEqualTo(404);
    }
    JsonNode page = ok("GET /resources/links?page_number=2&rpp=20", "");
    assertThat(page.get("data")).hasSize(12);
    assertThat(ok("GET /resources/links?page_number=1&rpp=1000000000", "").get("data")).hasSize(32);
    assertThat(status("GET /resources/links?page_number=0&rpp=5", "")).isEqualTo(400);
    assertThat(fabric.nodeType(adapter(0))).isEqualTo(NodeType.CA);
  }

  @Test
  void jobsAnswerWithTheirState() throws Exception {
    ok("POST /resources/pkeys/add", "{\"pkey\":\"0x12\"}");
    assertThat(call("GET /jobs/1", "").text())
        .contains("\"ID\":\"1\",\"Status\":\"Completed\",\"Progress\":100,\"Summary\":\"done\"")
        .contains("\"CreatedBy\":\"somebody\"", "\"RelatedObjects\":[\"api_pkey_0x12\"]");
    assertThat(ok("GET /jobs", "")).hasSize(1);
    assertThat(status("GET /jobs/2", "")).isEqualTo(404);
    assertThat(status("GET /jobs/x", "")).isEqualTo(404);
  }

  @Test
  void everyRateOfInfinibandIsReadBackAsItWasSet() throws Exception {
    ok("POST /resources/pkeys/add", "{\"pkey\":\"0x12\",\"ip_over_ib\":false}");
    assertThat(PathRate.all()).extracting(PathRate::gigabits).contains(400.0, 800.0);
    for (PathRate rate : PathRate.all()) {
      String text = PathRate.text(rate.gigabits());
      for (String method : List.of("POST", "PUT")) {
        ok(
            method + " /resources/pkeys/qos_conf",
            "{\"pkey\":\"0x12\",\"rate_limit\":" + text + "}");
        assertThat(call("GET /resources/pkeys/0x12?qos_conf=true", "").text())
            .contains("\"rate_limit\":" + text + ",");
      }
    }
    assertThat(status("PUT /resources/pkeys/qos_conf", "{\"pkey\":\"0x12\",\"rate_limit\":401}"))
        .isEqualTo(400);
  }

  /** Whoever sets one part of quality of service leaves the others as they are in force. */
  @Test
  void settingTheMtuLeavesTheRateThatIsInForce() throws Exception {
    ok("POST /resources/pkeys/add", "{\"pkey\":\"0x12\"}");
    String before = call("GET /resources/pkeys/0x12?qos_conf=true", "").text();
    ok("PUT /resources/pkeys/qos_conf", "{\"pkey\":\"0x12\",\"mtu_limit\":4}");
    assertThat(call("GET /resources/pkeys/0x12?qos_conf=true", "").text())
        .isEqualTo(before.replace("\"mtu_limit\":2", "\"mtu_limit\":4"));
    assertThat(PathRate.of(UfmQuality.DEFAULT.rateLimit()).orElseThrow().code())
        .isEqualTo(PartitionsConf.GroupFlags.DEFAULT.rate());
  }

  @Test
  void namesThatTenantsCannotHaveAreReadBack() throws Exception {
    int key = 0x20;
    for (String name : List.of("a b", "team blue 1", "ünder", "x".repeat(64), "default", "a,b")) {
      String body = "{\"pkey\":\"0x%x\",\"partition_name\":\"%s\"}".formatted(++key, name);
      ok("POST /resources/pkeys/add", body);
      String path = "/resources/pkeys/0x%x".formatted(key);
      assertThat(ok("GET " + path, "").get("partition").stringValue()).isEqualTo(name);
      ok("POST " + "/resources/pkeys", body.replace("}", ",\"guids\":[\"1122334455667788\"]}"));
      assertThat(ok("GET " + path, "").get("partition").stringValue()).isEqualTo(name);
      ok("DELETE " + path, "");
    }
    for (String name : List.of("x".repeat(65), "a\\u0007b")) {
      assertThat(
              status(
                  "POST /resources/pkeys/add",
                  "{\"pkey\":\"0x19\",\"partition_name\":\"" + name + "\"}"))
          .isEqualTo(400);
    }
  }

  /** By versions and times programs see whether they have to read again. */
  @Test
  void versionsAndTimesChangeWithWhatTheyTellOf() throws Exception {
    JsonNode before = ok("GET /app/versioning", "");
    assertThat(ok("GET /app/versioning", "")).isEqualTo(before);
    assertThat(ok("GET /resources/pkeys/last_updated", "").get("last_updated").isNull()).isTrue();
    ok("POST /resources/pkeys/add", "{\"pkey\":\"0x12\"}");
    JsonNode made = ok("GET /app/versioning", "");
    assertThat(made.get("traps_version")).isNotEqualTo(before.get("traps_version"));
    assertThat(made.get("ports_version")).isEqualTo(before.get("ports_version"));
    String updated = ok("GET /resources/pkeys/last_updated", "").get("last_updated").stringValue();
    assertThat(updated).matches("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3}");
    BitSet cut = new BitSet();
    cut.set(fabric.port(adapter(0), 1));
    Fabric less = FabricCut.without(fabric, new BitSet(), cut);
    controller.submit(new Change.FabricChanged(less, "a link"), Request.of(Actor.SYSTEM)).join();
    JsonNode after = ok("GET /app/versioning", "");
    for (String name : List.of("servers", "switches", "ports", "links")) {
      assertThat(after.get(name + "_version")).isNotEqualTo(made.get(name + "_version"));
    }
    assertThat(ok("GET /resources/pkeys/last_updated", "").get("last_updated").stringValue())
        .isEqualTo(updated);
  }

  @Test
  void whatUfmHasAndHeddleHasNotIsSaidToBeSo() throws Exception {
    for (String path :
        List.of(
            "/monitoring/sessions",
            "/telemetry",
            "/resources/modules",
            "/app/events_policy/1",
            "/actions/provisioning/Show-Health-Report",
            "/plugin/ndt/list")) {
      Answer answer = call("GET " + path, "");
      assertThat(answer.status()).as(path).isEqualTo(501);
      assertThat(answer.text()).contains("docs/ufm.md");
    }
  }

  @Test
  void whatCannotBeUsedIsRefusedAndChangesNothing() throws Exception {
    for (String body :
        List.of(
            "",
            "[]",
            "{",
            "{\"pkey\":\"0x12\"}",
            "{\"guids\":[\"1122334455667788\"]}",
            "{\"pkey\":\"0x0\",\"guids\":[\"1122334455667788\"]}",
            "{\"pkey\":\"0x12\",\"guids\":[\"zz\"]}",
            "{\"pkey\":\"0x12\",\"guids\":[7]}",
            "{\"pkey\":\"0x12\",\"guids\":[\"1122334455667788\"],\"membership\":\"half\"}",
            "{\"pkey\":\"0x12\",\"guids\":[\"1122334455667788\"],\"memberships\":[]}",
            "{\"pkey\":\"0x12\",\"guids\":[\"1122334455667788\"],\"index0\":\"yes\"}",
            "{\"pkey\":\"0x12\",\"guids\":[\"1122334455667788\"],\"mtu_limit\":3}",
            "{\"pkey\":\"0x12\",\"guids\":[\"1122334455667788\"],\"service_level\":16}",
            "{\"pkey\":\"0x12\",\"guids\":[\"1122334455667788\"],\"rate_limit\":7}")) {
      assertThat(status("POST /resources/pkeys", body)).as(body).isEqualTo(400);
    }
    assertThat(status("GET /resources/pkeys/0x10000", "")).isEqualTo(400);
    assertThat(status("DELETE /resources/pkeys/0x7fff", "")).isEqualTo(400);
    assertThat(status("GET /resources/other", "")).isEqualTo(404);
    assertThat(status("PATCH /resources/pkeys", "{}")).isEqualTo(405);
    assertThat(status("POST /app/smconf", "{}")).isEqualTo(405);
    assertThat(controller.view().epoch()).isZero();
  }

  @Test
  void aKeyMadeHereIsATenantThatOutlivesTheProcess() throws Exception {
    ok("POST /resources/pkeys", "{\"pkey\":\"0x12\",\"guids\":[\"0200000000000001\"]}");
    Tenant made = controller.view().tenant("api_pkey_0x12").orElseThrow();
    assertThat(made.spec().policy()).isEqualTo(Policy.DEF);
    assertThat(made.hosts()).isEmpty();
    close();
    open();
    assertThat(controller.view().tenantOfKey(0x8012)).contains(made);
    assertThat(ok("GET /resources/pkeys/0x12?guids_data=true", "").get("guids")).hasSize(1);
  }

  @Test
  void nobodyTalksAManagementPartitionAway() throws Exception {
    String guid = "\"guids\":[\"1122334455667788\"]";
    ok("POST /resources/pkeys", "{\"pkey\":\"0x7fff\",\"membership\":\"full\"," + guid + "}");
    assertThat(ok("GET /resources/pkeys/0x7fff?guids_data=true", "").get("guids")).hasSize(1);
    ok("POST /actions/remove_guids_from_pkey", "{\"pkey\":\"0x7fff\"," + guid + "}");
    assertThat(ok("GET /resources/pkeys/0x7fff?guids_data=true", "").toString())
        .isEqualTo(
            "{\"guids\":[],\"ip_over_ib\":true,\"partition\":\"management\","
                + "\"index0\":false,\"membership\":\"limited\"}");
    assertThat(status("POST /resources/pkeys/add", "{\"pkey\":\"0x7fff\"}")).isEqualTo(400);
  }

  @Test
  void replacingByNobodyTakesAnUnkeptPartitionAway() throws Exception {
    ok("PUT /resources/pkeys", "{\"pkey\":\"0x12\",\"guids\":[\"1122334455667788\"]}");
    ok("PUT /resources/pkeys", "{\"pkey\":\"0x12\",\"guids\":[],\"ip_over_ib\":false}");
    ok("PUT /resources/pkeys", "{\"pkey\":\"0x12\",\"guids\":[]}");
    assertThat(controller.view().tenants()).isEmpty();
    assertThat(controller.view().epoch()).isEqualTo(2);
  }

  @Test
  void aNameIsTakenOnce() throws Exception {
    ok("POST /resources/pkeys/add", "{\"pkey\":\"0x12\",\"partition_name\":\"blue\"}");
    assertThat(
            status("POST /resources/pkeys/add", "{\"pkey\":\"0x13\",\"partition_name\":\"blue\"}"))
        .isEqualTo(409);
    assertThat(status("PUT /resources/pkeys/qos_conf", "{\"pkey\":\"0x14\",\"mtu_limit\":4}"))
        .isEqualTo(404);
  }

  private static final String NETWORK = "43a0f1c4-8bf5-4d69-8775-fe7c35549b91";
  private static final String PORT = "a0b1c2d3-1111-2222-3333-444455556666";

  private static String network(int segment) {
    return "{\"id\": \""
        + NETWORK
        + "\", \"name\": \"private\", \"admin_state_up\": true, \"mtu\": 1500, \"subnets\": [],"
        + " \"provider:network_type\": \"vlan\", \"provider:physical_network\": \"fabric\","
        + " \"provider:segmentation_id\": "
        + segment
        + ", \"network_qos_policy\": null}";
  }

  private static String port(String tail) {
    return "{\"id\": \""
        + PORT
        + "\", \"network_id\": \""
        + NETWORK
        + "\", \"device_owner\": \"baremetal:none\", \"binding:vnic_type\": \"baremetal\","
        + " \"binding:host_id\": \"node-7\", \"network_qos_policy\": null, \"extra_dhcp_opts\":"
        + " [{\"opt_name\": \"bootfile-name\", \"opt_value\": \"x\"},"
        + " {\"opt_name\": \"client-id\", \"opt_value\":"
        + " \"ff:00:00:00:00:00:02:00:00:02:c9:00:11:22:33:44:55:66:77:"
        + tail
        + "\"}]}";
  }

  /** Accepted, and the job that the body names has come to its end. */
  private void accepted(String line, String body) throws Exception {
    Answer answer = call(line, body);
    assertThat(answer.status()).as(line + " " + answer.text()).isEqualTo(202);
    assertThat(answer.text()).matches("\"jobs/\\d+\"");
    String job = answer.text().replace("\"", "");
    assertThat(ok("GET /" + job, "").get("Status").stringValue()).isEqualTo("Completed");
  }

  @Test
  void openStackMakesANetworkBindsPortsAndLetsBothGo() throws Exception {
    accepted("POST /cloudx/Network", network(103));
    accepted("POST /cloudx/Network", network(103));
    accepted("PUT /cloudx/Network/" + NETWORK, network(103));
    accepted("POST /cloudx/Port", port("88"));
    accepted("POST /cloudx/Port", port("88"));
    accepted("PUT /cloudx/Port/" + PORT, port("88"));
    assertThat(call("GET /resources/pkeys/0x67?guids_data=true", "").text())
        .isEqualTo(
            "{\"guids\":[{\"guid\":\"1122334455667788\",\"index0\":true,\"membership\":\"full\"}],"
                + "\"ip_over_ib\":true,\"partition\":\"api_pkey_0x67\"}");
    accepted("DELETE /cloudx/Port/" + PORT, port("88"));
    assertThat(ok("GET /resources/pkeys/0x67?guids_data=true", "").get("guids")).isEmpty();
    accepted("DELETE /cloudx/Network/" + NETWORK, network(103));
    assertThat(call("GET /resources/pkeys/0x67", "").text()).isEqualTo("{}");
    assertThat(status("DELETE /cloudx/Port/" + PORT, port("88"))).isEqualTo(404);
    assertThat(status("DELETE /cloudx/Network/" + NETWORK, network(103))).isEqualTo(404);
  }

  @Test
  void openStackMayDeleteByNothingButAnIdInThePath() throws Exception {
    accepted("POST /cloudx/Network", network(103));
    accepted("POST /cloudx/Port", port("88"));
    accepted("DELETE /cloudx/Port/" + PORT, "");
    accepted("DELETE /cloudx/Network/" + NETWORK, "");
    assertThat(controller.view().tenants()).isEmpty();
    assertThat(status("DELETE /cloudx/Network/" + NETWORK, "")).isEqualTo(404);
    assertThat(status("DELETE /cloudx/Network", "")).isEqualTo(400);
    assertThat(status("POST /cloudx/Network/" + NETWORK, "")).isEqualTo(400);
  }

  @Test
  void openStackMayDeleteByNothingButAnIdInTheBodyAlsoAfterARestart() throws Exception {
    accepted("POST /cloudx/Network", network(103));
    accepted("POST /cloudx/Port", port("88"));
    close();
    open();
    accepted("DELETE /cloudx/Port", "{\"id\":\"" + PORT + "\"}");
    assertThat(ok("GET /resources/pkeys/0x67?guids_data=true", "").get("guids")).isEmpty();
    accepted("DELETE /cloudx/Network", "{\"id\":\"" + NETWORK + "\"}");
    assertThat(controller.view().tenants()).isEmpty();
  }

  @Test
  void aPortOfOpenStackThatComesWithAnotherGuidLosesTheOldOne() throws Exception {
    accepted("POST /cloudx/Network", network(103));
    accepted("POST /cloudx/Port", port("88"));
    accepted("POST /cloudx/Port", port("99"));
    assertThat(ok("GET /resources/pkeys/0x67?guids_data=true", "").get("guids").toString())
        .contains("1122334455667799")
        .doesNotContain("1122334455667788");
    // somebody names the same GUID by the other interface, which knows no ids
    ok("POST /resources/pkeys", "{\"pkey\":\"0x67\",\"guids\":[\"1122334455667799\"]}");
    accepted("DELETE /cloudx/Port/" + PORT, port("99"));
    assertThat(ok("GET /resources/pkeys/0x67?guids_data=true", "").get("guids")).isEmpty();
    // an Ethernet port has no client id: nothing to do, and no reason to fail
    accepted("POST /cloudx/Port", "{\"id\":\"x\",\"network_id\":\"" + NETWORK + "\"}");
  }

  @Test
  void networksOfOpenStackTakeNobodysKey() throws Exception {
    ok("POST /resources/pkeys/add", "{\"pkey\":\"0x67\"}");
    assertThat(status("POST /cloudx/Network", network(103))).isEqualTo(409);
    accepted("POST /cloudx/Network", network(104));
    assertThat(status("POST /cloudx/Network", network(105))).isEqualTo(409);
    assertThat(controller.view().tenants()).hasSize(2);
  }

  @Test
  void whatOpenStackCannotMeanIsRefused() throws Exception {
    for (String body :
        List.of(
            "",
            "{}",
            "{\"id\":\"\"}",
            "{\"id\":\"n\"}",
            "{\"id\":\"n\",\"provider:segmentation_id\":\"103\"}",
            "{\"id\":\"n\",\"provider:segmentation_id\":0}",
            "{\"id\":\"n\",\"provider:segmentation_id\":32767}",
            "{\"id\":7,\"provider:segmentation_id\":103}")) {
      assertThat(status("POST /cloudx/Network", body)).as(body).isEqualTo(400);
    }
    assertThat(status("PUT /cloudx/Network/other", network(103))).isEqualTo(400);
    assertThat(status("POST /cloudx/Port", port("88"))).isEqualTo(404);
    assertThat(status("POST /cloudx/Port", "{\"id\":\"p\"}")).isEqualTo(404);
    assertThat(status("GET /cloudx/Network", "{\"id\":\"n\"}")).isEqualTo(405);
    assertThat(status("POST /cloudx/Subnet", "{\"id\":\"n\"}")).isEqualTo(404);
    accepted("POST /cloudx/Network", network(103));
    String dhcp = "[{\"opt_name\":\"61\",\"opt_value\":\"01:02\"}]";
    assertThat(
            status(
                "POST /cloudx/Port",
                "{\"id\":\"p\",\"network_id\":\""
                    + NETWORK
                    + "\",\"extra_dhcp_opts\":"
                    + dhcp
                    + "}"))
        .isEqualTo(400);
    assertThat(status("POST /cloudx/Port", port("zz"))).isEqualTo(400);
  }

  @Test
  void keysComeWithTheMembershipBitAndFlagsInAnyCase() throws Exception {
    ok("POST /resources/pkeys", "{\"pkey\":\"0x8012\",\"guids\":[\"0x1122334455667788\"]}");
    JsonNode one = ok("GET /resources/pkeys/0x8012?guids_data=TRUE&qos_conf=False", "");
    assertThat(one.get("guids")).hasSize(1);
    assertThat(one.has("qos_conf")).isFalse();
    ok("DELETE /resources/pkeys/32786", "{}");
  }

  @Test
  void monitoringToolsReadSwitchPortsByTheirDescription() throws Exception {
    JsonNode ports = ok("GET /resources/ports", "");
    int ofSwitches = 0;
    for (JsonNode port : ports) {
      if (port.get("tier").intValue() > 1) {
        String[] parts = port.get("node_description").stringValue().split(":");
        assertThat(parts).hasSize(2);
        assertThat(parts[1]).isEqualTo(port.get("dname").stringValue());
        assertThat(port.get("description").stringValue()).doesNotContain("Computer");
        ofSwitches++;
      }
    }
    assertThat(ofSwitches).isEqualTo(48);
  }
}
