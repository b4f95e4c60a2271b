package org.heddle.server.ufm;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.zip.CRC32;
import org.heddle.control.Controller;
import org.heddle.control.Reconciler;
import org.heddle.control.port.Part;
import org.heddle.fabric.Fabric;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.Breach;
import org.heddle.plan.model.Event;
import org.heddle.plan.model.EventKind;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.Vm;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What programs that watch a fabric through UFM ask for: events, alarms, and versions by which they
 * see whether anything has changed. An alarm is something that is wrong at present: it ends by
 * itself when that does. Types are the words of {@link EventKind}, not UFM's numbers. Thread-safe.
 */
final class UfmWatch {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Events that a list is made from, the last ones. */
  static final int MOST = 10_000;

  private final Controller controller;
  private final Supplier<Reconciler.Status> status;
  private Fabric fabric;
  private long fabricSince;

  UfmWatch(Controller controller, Supplier<Reconciler.Status> status) {
    this.controller = controller;
    this.status = status;
    fabricSince();
  }

  /** The epoch at which the fabric was first seen to be as it is; another one for every fabric. */
  private synchronized long fabricSince() {
    DesiredState view = controller.view();
    if (view.fabric() != fabric) {
      fabric = view.fabric();
      fabricSince = view.epoch();
    }
    return fabricSince;
  }

  private List<Event> lastEvents() {
    return controller
        .store()
        .events(controller.view().name(), new Part(Long.MAX_VALUE, true, MOST));
  }

  /** {@code GET /app/events}, the oldest first, and {@code /app/events/ID}. */
  ArrayNode events(UfmCall call) {
    ArrayNode out = JSON.arrayNode();
    for (Event e : lastEvents().reversed()) {
      ObjectNode event = event(e);
      if (UfmViews.matches(call, event, "object_name", "type", "category", "severity")) {
        out.add(event);
      }
    }
    return out;
  }

  UfmAnswer event(String id) {
    Optional<Event> found =
        id.matches("\\d{1,18}")
            ? controller
                .store()
                .events(controller.view().name(), Part.after(Long.parseLong(id) - 1, 1))
                .stream()
                .filter(e -> Long.toString(e.id()).equals(id))
                .findFirst()
            : Optional.empty();
    return found
        .map(e -> UfmAnswer.ok(event(e)))
        .orElseGet(() -> UfmAnswer.error(404, "no event " + id));
  }

  private static ObjectNode event(Event e) {
    return JSON.objectNode()
        .put("id", e.id())
        .put("name", name(e.kind()))
        .put("type", e.kind().word())
        .put("category", category(e.kind()))
        .put("severity", severity(e.kind()))
        .put("timestamp", UfmText.time(e.at()))
        .put("object_name", e.subject())
        .put("object_path", path(e.kind(), e.subject()))
        .put("description", e.text())
        .put("write_to_syslog", false)
        .set("counter", JSON.nullNode());
  }

  private static String name(EventKind kind) {
    String words = kind.word().replace('-', ' ');
    return capital(words.startsWith("vm ") ? "VM " + words.substring(3) : words);
  }

  private static String capital(String words) {
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }

  private static String category(EventKind kind) {
    return switch (kind.about()) {
      case TENANT, VM -> "Logical Model";
      case LINK, NODE, FABRIC -> "Fabric Notification";
    };
  }

  private static String severity(EventKind kind) {
    return switch (kind.severity()) {
      case INFO -> "Info";
      case WARNING -> "Warning";
      case TROUBLE -> "Critical";
    };
  }

  private static String path(EventKind kind, String subject) {
    String about = kind.about() == EventKind.About.VM ? "VM" : capital(kind.about().word());
    return about + ": " + subject;
  }

  /** Something that is wrong at present. */
  private record Alarm(EventKind kind, String object, String reason) {
    /** The same as long as it lasts. */
    long id() {
      return checksum(kind + "\n" + object + "\n" + reason) & 0x7fff_ffffL;
    }
  }

  private static long checksum(String text) {
    CRC32 sum = new CRC32();
    sum.update(text.getBytes(StandardCharsets.UTF_8));
    return sum.getValue();
  }

  private List<Alarm> alarms() {
    DesiredState view = controller.view();
    List<Alarm> out = new ArrayList<>();
    for (String problem : status.get().problems()) {
      out.add(new Alarm(EventKind.TROUBLE, view.name(), problem));
    }
    for (Tenant tenant : view.all()) {
      for (Breach breach : tenant.broken()) {
        out.add(new Alarm(EventKind.PROMISE_BROKEN, tenant.name(), breach.sentence()));
      }
    }
    for (Vm vm : view.vms().values()) {
      if (!vm.stranded().isEmpty()) {
        out.add(new Alarm(EventKind.VM_STRANDED, vm.name(), vm.stranded()));
      }
    }
    return out;
  }

  /** {@code GET /app/alarms}. */
  ArrayNode alarms(UfmCall call) {
    List<Alarm> now = alarms();
    List<Event> events = now.isEmpty() ? List.of() : lastEvents();
    ArrayNode out = JSON.arrayNode();
    for (Alarm alarm : now) {
      ObjectNode shown = alarm(alarm, events);
      if (UfmViews.matches(call, shown, "related_object_name", "type", "severity")) {
        out.add(shown);
      }
    }
    return out;
  }

  /** {@code GET /app/alarms/ID}. */
  UfmAnswer alarm(UfmCall call, String id) {
    for (JsonNode alarm : alarms(call)) {
      if (alarm.get("id").asString().equals(id)) {
        return UfmAnswer.ok(alarm);
      }
    }
    return UfmAnswer.error(404, "no alarm " + id + " at present");
  }

  /**
   * @param events the last ones, the newest first: that of the alarm says since when
   */
  private ObjectNode alarm(Alarm alarm, List<Event> events) {
    List<Event> told =
        events.stream()
            .filter(e -> e.kind() == alarm.kind && e.subject().equals(alarm.object))
            .toList();
    Optional<Instant> since = told.stream().map(Event::at).findFirst();
    ObjectNode out =
        JSON.objectNode()
            .put("id", alarm.id())
            .put("name", name(alarm.kind))
            .put("type", alarm.kind.word())
            .put("event_type", alarm.kind.word())
            .put("severity", severity(alarm.kind))
            .put("related_object_name", alarm.object)
            .put("related_object_path", path(alarm.kind, alarm.object))
            .put("reason", alarm.reason)
            .put("summary", alarm.reason)
            .put("event_count", told.size())
            .put("timestamp", since.map(UfmText::time).orElse(null))
            .put(
                "duration",
                since.map(at -> Duration.between(at, controller.now()).toSeconds()).orElse(null));
    out.set("counter", JSON.nullNode());
    return out;
  }

  /** {@code GET /app/versioning}: each number is another one when what it counts is another. */
  UfmAnswer versioning() {
    long since = fabricSince();
    return UfmAnswer.ok(
        JSON.objectNode()
            .put("alarms_version", checksum(alarms().toString()))
            .put("traps_version", controller.store().lastEvent(controller.view().name()))
            .put("servers_version", since)
            .put("switches_version", since)
            .put("ports_version", since)
            .put("links_version", since));
  }
}
