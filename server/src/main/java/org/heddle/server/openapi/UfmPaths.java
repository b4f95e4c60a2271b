package org.heddle.server.openapi;

import java.util.List;

/** The calls of UFM's interface, for the description. */
final class UfmPaths {
  /**
   * A call.
   *
   * @param status of a good answer
   * @param query names that its query may have
   * @param body names of what a JSON body may say; empty if it has none
   */
  record Call(
      String method,
      String path,
      String id,
      String summary,
      int status,
      List<String> query,
      List<String> body) {}

  private static final List<String> NONE = List.of();
  private static final List<String> PARTS = List.of("guids_data", "qos_conf");
  private static final List<String> MEMBERS =
      List.of("pkey", "guids", "membership", "index0", "ip_over_ib", "partition_name", "mtu_limit");
  private static final List<String> PAGE = List.of("page_number", "rpp");

  /** All of them, under the base {@code /ufmRest}. */
  static final List<Call> ALL =
      List.of(
          get("/app/ufm_version", "Version", "The release", NONE),
          get("/app/smconf", "SmConf", "The subnet manager's keys", NONE),
          get("/app/versioning", "Versioning", "Numbers that change with what they count", NONE),
          get(
              "/app/events",
              "Events",
              "The last 10,000 events",
              List.of("object_name", "type", "category", "severity", "page_number", "rpp")),
          get("/app/events/{id}", "Event", "An event", NONE),
          get(
              "/app/alarms",
              "Alarms",
              "What is wrong at present",
              List.of("related_object_name", "type", "severity", "page_number", "rpp")),
          get("/app/alarms/{id}", "Alarm", "An alarm, as long as it lasts", NONE),
          get("/app/tokens", "Tokens", "The caller's tokens, without secrets", NONE),
          call("POST", "/app/tokens", "createToken", "A token for the caller", 200, NONE),
          call(
              "PUT",
              "/app/users/{name}",
              "setPassword",
              "Another password",
              200,
              List.of("password")),
          get("/resources/pkeys", "Pkeys", "Partitions", PARTS),
          call("POST", "/resources/pkeys", "addGuids", "Add members", 200, MEMBERS),
          call("PUT", "/resources/pkeys", "setGuids", "Replace members", 200, MEMBERS),
          call(
              "POST",
              "/resources/pkeys/add",
              "createPkey",
              "An empty partition that stays",
              200,
              MEMBERS),
          call(
              "PUT",
              "/resources/pkeys/qos_conf",
              "setQos",
              "Quality of service",
              200,
              List.of("pkey", "mtu_limit", "service_level", "rate_limit")),
          call(
              "POST",
              "/resources/pkeys/qos_conf",
              "addQos",
              "Quality of service",
              200,
              List.of("pkey", "mtu_limit", "service_level", "rate_limit")),
          get(
              "/resources/pkeys/last_updated",
              "PkeysLastUpdated",
              "When a partition last changed",
              NONE),
          call(
              "POST",
              "/resources/pkeys/hosts",
              "addHosts",
              "Add hosts, as Slurm's prolog does",
              202,
              List.of("pkey", "hosts_names", "membership", "index0", "ip_over_ib")),
          get("/resources/pkeys/{pkey}", "Pkey", "A partition", PARTS),
          call("DELETE", "/resources/pkeys/{pkey}", "deletePkey", "Remove a partition", 200, NONE),
          call(
              "DELETE",
              "/resources/pkeys/{pkey}/guids/{list}",
              "removeGuids",
              "Remove members",
              200,
              NONE),
          call(
              "DELETE",
              "/resources/pkeys/{pkey}/hosts/{list}",
              "removeHosts",
              "Remove hosts",
              202,
              NONE),
          call(
              "POST",
              "/actions/remove_guids_from_pkey",
              "removeGuidsFromPkey",
              "Remove members",
              200,
              List.of("pkey", "guids")),
          get(
              "/resources/ports",
              "Ports",
              "Ports",
              List.of("system", "sys_type", "page_number", "rpp")),
          get("/resources/ports/{names}", "PortsNamed", "Ports of these names", NONE),
          get("/resources/systems", "Systems", "Switches and hosts", List.of("type")),
          get("/resources/systems/{guid}", "System", "A switch or host", NONE),
          get("/resources/links", "Links", "Links", List.of("system", "page_number", "rpp")),
          get(
              "/resources/vports",
              "Vports",
              "Virtual ports: those of VMs",
              List.of("system", "port", "page_number", "rpp")),
          get("/jobs", "Jobs", "The last 1,000 jobs", List.of("status", "operation", "object_ids")),
          get("/jobs/{epoch}", "Job", "A job: always completed", NONE),
          get("/jobs/{epoch}/info", "JobInfo", "The same", NONE),
          call(
              "POST",
              "/reports/{report}",
              "startReport",
              "Make a report: Fabric_Health or UFM_Health",
              202,
              List.of(
                  "duplicate_nodes",
                  "duplicate_zero_and_lids",
                  "non_opt_speed_width",
                  "link_speed",
                  "link_width",
                  "sm_state",
                  "ufm_alarms")),
          get("/reports/{report}", "Report", "A report", NONE),
          call("DELETE", "/reports/{report}", "deleteReport", "Forget a report", 200, NONE),
          call(
              "POST",
              "/cloudx/Network",
              "createNetwork",
              "OpenStack's network",
              202,
              List.of("network")),
          call(
              "PUT",
              "/cloudx/Network",
              "updateNetwork",
              "OpenStack's network",
              202,
              List.of("network")),
          call("DELETE", "/cloudx/Network", "deleteNetwork", "OpenStack's network", 202, NONE),
          call("POST", "/cloudx/Port", "createPort", "OpenStack's port", 202, List.of("port")),
          call("PUT", "/cloudx/Port", "updatePort", "OpenStack's port", 202, List.of("port")),
          call("DELETE", "/cloudx/Port", "deletePort", "OpenStack's port", 202, NONE));

  private UfmPaths() {}

  private static Call get(String path, String noun, String summary, List<String> query) {
    return new Call("GET", path, "get" + noun, summary, 200, query, NONE);
  }

  private static Call call(
      String method, String path, String id, String summary, int status, List<String> body) {
    return new Call(method, path, id, summary, status, NONE, body);
  }
}
