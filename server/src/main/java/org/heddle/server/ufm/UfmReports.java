package org.heddle.server.ufm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.heddle.control.Controller;
import org.heddle.control.Reconciler;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.plan.DesiredState;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditFinding;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.Severity;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * UFM's health reports, each made while its request waits. What a client asks to be checked and
 * Heddle cannot know (firmware, cables, bit errors) is said to be unchecked, never passed. The
 * forwarding tables are always audited. The last reports are kept until the controller restarts.
 * Thread-safe; one report at a time.
 */
final class UfmReports {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Reports that are kept. */
  static final int KEPT = 10;

  private static final int EXAMPLES = 5;
  private static final int MESSAGES = 100;

  private static final String FABRIC = "Fabric_Health";
  private static final String CONTROLLER = "UFM_Health";
  private static final String TOPOLOGY = "Topology_Compare";

  private final Controller controller;
  private final Supplier<Reconciler.Status> status;
  private final UfmWatch watch;
  private final Supplier<List<String>> health;
  private final Map<Long, ObjectNode> kept = new LinkedHashMap<>();
  private long last;

  UfmReports(
      Controller controller,
      Supplier<Reconciler.Status> status,
      UfmWatch watch,
      Supplier<List<String>> health) {
    this.controller = controller;
    this.status = status;
    this.watch = watch;
    this.health = health;
  }

  UfmAnswer answer(UfmCall call) throws UfmBody.Wrong {
    if (call.path().size() != 2) {
      return UfmAnswer.error(
          404, "no such resource: reports are started by POST /reports/" + FABRIC);
    }
    String name = call.path().get(1);
    return switch (call.method()) {
      case "POST" -> start(call, name);
      case "GET" -> kept(name, false);
      case "DELETE" -> kept(name, true);
      default -> UfmAnswer.error(405, call.method() + " is not for reports");
    };
  }

  private synchronized UfmAnswer kept(String id, boolean remove) {
    Long number = id.matches("\\d{1,18}") ? Long.valueOf(id) : null;
    ObjectNode report = number == null ? null : remove ? kept.remove(number) : kept.get(number);
    return report == null
        ? UfmAnswer.error(
            404, "no report " + id + ": the last " + KEPT + " since the start are kept")
        : remove ? UfmAnswer.done() : UfmAnswer.ok(report);
  }

  private synchronized UfmAnswer start(UfmCall call, String type) throws UfmBody.Wrong {
    List<Section> sections =
        switch (type) {
          case FABRIC -> fabric(call, call.body().length == 0 ? null : UfmBody.read(call.body()));
          case CONTROLLER -> List.of(Section.of("controller", Severity.ERROR, health.get()));
          case TOPOLOGY -> null;
          default -> List.of();
        };
    if (sections == null) {
      return UfmAnswer.error(
          501,
          "topologies are not compared here; 'heddle fabric status' says what tenants have lost");
    }
    if (sections.isEmpty()) {
      return UfmAnswer.error(
          404, "no report " + type + ": there are " + FABRIC + " and " + CONTROLLER);
    }
    long id = ++last;
    kept.put(id, document(id, type, sections));
    if (kept.size() > KEPT) {
      kept.remove(kept.keySet().iterator().next());
    }
    return UfmAnswer.of(202, JSON.objectNode().put("report_id", Long.toString(id)));
  }

  private ObjectNode document(long id, String type, List<Section> sections) {
    ObjectNode out =
        JSON.objectNode()
            .put("report_id", Long.toString(id))
            .put("report_type", type)
            .put("timestamp", UfmText.time(controller.now()))
            .put("status", "Completed")
            .put("severity", worst(sections));
    ArrayNode all = out.putArray("sections");
    for (Section s : sections) {
      all.addObject()
          .put("name", s.name)
          .put("result", s.result())
          .put("severity", s.severity())
          .put("count", s.count)
          .set("messages", UfmViews.texts(s.messages));
    }
    return out;
  }

  private static String worst(List<Section> sections) {
    List<String> all = sections.stream().map(Section::severity).toList();
    return all.contains("Critical") ? "Critical" : all.contains("Warning") ? "Warning" : "Info";
  }

  /**
   * One check.
   *
   * @param checked false if nobody here can know
   * @param worst of what was found; empty if that is nothing
   * @param messages what was found, the first of it; or why it was not checked
   */
  private record Section(
      String name, boolean checked, Optional<Severity> worst, long count, List<String> messages) {
    static Section of(String name, Severity bad, List<String> found) {
      return new Section(
          name,
          true,
          found.isEmpty() ? Optional.empty() : Optional.of(bad),
          found.size(),
          found.subList(0, Math.min(MESSAGES, found.size())));
    }

    static Section unchecked(String name, String why) {
      return new Section(name, false, Optional.empty(), 0, List.of(why));
    }

    String result() {
      return !checked ? "Not checked" : severity().equals("Info") ? "Passed" : "Failed";
    }

    String severity() {
      return switch (worst.orElse(Severity.INFO)) {
        case ERROR -> "Critical";
        case WARNING -> "Warning";
        case INFO -> "Info";
      };
    }
  }

  private List<Section> fabric(UfmCall call, UfmBody body) throws UfmBody.Wrong {
    DesiredState view = controller.view();
    List<Section> out = new ArrayList<>();
    out.add(tables(view));
    for (Map.Entry<String, JsonNode> asked : asked(body)) {
      String name = asked.getKey();
      JsonNode value = asked.getValue();
      if (value.isBoolean() && value.booleanValue()) {
        out.add(section(call, view, name, body));
      }
    }
    return out;
  }

  private static List<Map.Entry<String, JsonNode>> asked(UfmBody body) {
    return body == null ? List.of() : body.fields();
  }

  private Section section(UfmCall call, DesiredState view, String name, UfmBody body)
      throws UfmBody.Wrong {
    return switch (name) {
      case "duplicate_nodes" -> Section.of(name, Severity.WARNING, sameNames(view.fabric()));
      case "duplicate_zero_and_lids" -> Section.of(name, Severity.ERROR, addresses(view.fabric()));
      case "non_opt_speed_width" ->
          otherLinks(
              name, view.fabric(), body.text("link_speed", "ALL"), body.text("link_width", "ALL"));
      case "sm_state" -> Section.of(name, Severity.ERROR, status.get().problems());
      case "ufm_alarms" -> {
        List<String> reasons = new ArrayList<>();
        watch
            .alarms(new UfmCall("GET", call.path(), Map.of(), new byte[0], call.actor()))
            .forEach(
                a ->
                    reasons.add(
                        a.get("related_object_path").stringValue()
                            + ": "
                            + a.get("reason").stringValue()));
        yield Section.of(name, Severity.ERROR, reasons);
      }
      default -> Section.unchecked(name, "Heddle does not read what this needs");
    };
  }

  private static Section tables(DesiredState view) {
    List<AuditFinding> findings =
        Audit.run(
                view.fabric(),
                view.tables(),
                AuditOptions.defaults().withTree(view.tree()).withExamples(EXAMPLES))
            .findings();
    List<String> messages = new ArrayList<>();
    Severity worst = Severity.INFO;
    for (AuditFinding f : findings) {
      worst = f.severity().compareTo(worst) < 0 ? f.severity() : worst;
      messages.add(
          f.severity().name().toLowerCase(Locale.ROOT) + ": " + f.code() + ": " + f.message());
    }
    return new Section(
        "forwarding_tables",
        true,
        findings.isEmpty() ? Optional.empty() : Optional.of(worst),
        findings.size(),
        messages);
  }

  private static List<String> sameNames(Fabric fabric) {
    Map<String, List<String>> guids = new TreeMap<>();
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      guids
          .computeIfAbsent(fabric.description(node), _ -> new ArrayList<>())
          .add(Guid.format(fabric.nodeGuid(node)));
    }
    List<String> out = new ArrayList<>();
    guids.forEach(
        (name, all) -> {
          if (all.size() > 1) {
            out.add("'" + name + "' is the description of " + String.join(", ", all));
          }
        });
    return out;
  }

  private static List<String> addresses(Fabric fabric) {
    List<String> out = new ArrayList<>();
    Map<Integer, String> owner = new HashMap<>();
    for (int node = 0; node < fabric.nodeCount(); node++) {
      int first = fabric.isSwitch(node) ? 0 : 1;
      int end = fabric.isSwitch(node) ? 0 : fabric.portCount(node);
      for (int number = first; number <= end; number++) {
        int port = fabric.port(node, number);
        if (port == Fabric.NONE || number > 0 && fabric.peer(port) == Fabric.NONE) {
          continue;
        }
        String name = fabric.description(node) + " port " + number;
        int lid = fabric.lid(port);
        String other = lid == 0 ? null : owner.putIfAbsent(lid, name);
        if (lid == 0) {
          out.add(name + " has no LID");
        } else if (other != null) {
          out.add("LID " + lid + " is that of " + other + " and of " + name);
        }
      }
    }
    return out;
  }

  /** Links at another speed or width than the client expects; "ALL" expects nothing. */
  private static Section otherLinks(String name, Fabric fabric, String speed, String width)
      throws UfmBody.Wrong {
    boolean anySpeed = speed.equalsIgnoreCase("ALL");
    boolean anyWidth = width.equalsIgnoreCase("ALL");
    if (anySpeed && anyWidth) {
      return Section.unchecked(
          name,
          "Heddle knows what links run at, not what their ports could: say link_speed or link_width");
    }
    Optional<LinkSpeed> wantedSpeed = anySpeed ? Optional.empty() : LinkSpeed.ofName(speed);
    if (!anySpeed && wantedSpeed.isEmpty()) {
      throw new UfmBody.Wrong("link_speed '" + speed + "' is none: expected one like NDR, or ALL");
    }
    List<String> out = new ArrayList<>();
    for (int node = 0; node < fabric.nodeCount(); node++) {
      for (int number = 1; number <= fabric.portCount(node); number++) {
        int port = fabric.port(node, number);
        if (port == Fabric.NONE || fabric.peer(port) < port) {
          continue;
        }
        LinkWidth w = fabric.width(port);
        boolean slow = wantedSpeed.isPresent() && fabric.speed(port) != wantedSpeed.get();
        boolean narrow = !anyWidth && !w.text().equalsIgnoreCase(width);
        if (slow || narrow) {
          out.add(
              "%s port %d runs at %s %s"
                  .formatted(fabric.description(node), number, w.text(), fabric.speed(port)));
        }
      }
    }
    return Section.of(name, Severity.WARNING, out);
  }
}
