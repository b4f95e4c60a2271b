package org.heddle.server.ufm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.heddle.control.Controller;
import org.heddle.control.port.Part;
import org.heddle.plan.model.JournalEntry;
import org.heddle.plan.model.Tenant;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The journal of the desired state as UFM's jobs: changes are made before their answer, so every
 * epoch is a job that has come to its end. Thread-safe.
 */
final class UfmJournal {
  /** Jobs of a list, the last ones. */
  static final int MOST = 1000;

  private static final String COMPLETED = "Completed";

  private final Controller controller;

  UfmJournal(Controller controller) {
    this.controller = controller;
  }

  /** {@code GET /jobs}, {@code /jobs/ID}, {@code /jobs/ID,ID} and {@code /jobs/ID/info}. */
  UfmAnswer jobs(UfmCall call) {
    int depth = call.path().size();
    if (!call.method().equals("GET")) {
      return UfmAnswer.error(
          501,
          "jobs have ended when they are answered: nothing can be stopped, changed or removed");
    }
    if (depth == 1) {
      return UfmAnswer.ok(list(call));
    }
    String ids = call.path().get(1);
    if (depth > 3 || depth == 3 && !call.path().get(2).equals("info")) {
      return UfmAnswer.error(404, "no such resource: /" + String.join("/", call.path()));
    }
    if (!ids.contains(",")) {
      return job(ids).map(UfmAnswer::ok).orElseGet(() -> UfmAnswer.error(404, "no job " + ids));
    }
    ArrayNode out = JsonNodeFactory.instance.arrayNode();
    Arrays.stream(ids.split(",")).distinct().forEach(id -> job(id).ifPresent(out::add));
    return UfmAnswer.ok(out);
  }

  /** The last jobs, the oldest first. */
  private ArrayNode list(UfmCall call) {
    Predicate<JournalEntry> wanted = e -> true;
    String status = call.query().get("status");
    String operation = call.query().get("operation");
    String objects = call.query().get("object_ids");
    if (status != null) {
      wanted = wanted.and(e -> status.equalsIgnoreCase(COMPLETED));
    }
    if (operation != null) {
      wanted = wanted.and(e -> operation.equalsIgnoreCase(e.kind().word()));
    }
    if (objects != null) {
      List<String> names = List.of(objects.split(","));
      wanted = wanted.and(e -> related(e).stream().anyMatch(names::contains));
    }
    List<JournalEntry> entries =
        controller.store().journal(controller.view().name(), new Part(Long.MAX_VALUE, true, MOST));
    ArrayNode out = JsonNodeFactory.instance.arrayNode();
    entries.reversed().stream().filter(wanted).map(UfmJournal::job).forEach(out::add);
    return out;
  }

  /** The job of an epoch; of one that the journal has forgotten only that it ended. */
  private Optional<ObjectNode> job(String id) {
    if (!id.matches("\\d{1,18}") || Long.parseLong(id) > controller.view().epoch()) {
      return Optional.empty();
    }
    long epoch = Long.parseLong(id);
    return controller.store().journal(controller.view().name(), epoch - 1, 1).stream()
        .filter(e -> e.epoch() == epoch)
        .findFirst()
        .map(UfmJournal::job)
        .or(() -> Optional.of(UfmViews.job(epoch)));
  }

  private static ObjectNode job(JournalEntry e) {
    String at = UfmText.time(e.at());
    ObjectNode out = UfmViews.job(e.epoch());
    out.put("Foreground", true)
        .put("Description", e.kind().word() + " " + e.subject())
        .put("Operation", e.kind().word())
        .put("CreatedBy", e.actor())
        .put("Created", at)
        .put("LastUpdated", at);
    out.set("RelatedObjects", UfmViews.texts(related(e)));
    return out;
  }

  private static List<String> related(JournalEntry e) {
    List<String> out = new ArrayList<>(List.of(e.subject()));
    e.effects().stream()
        .map(JournalEntry.Effect::name)
        .filter(n -> !out.contains(n))
        .forEach(out::add);
    return out;
  }

  /** When a partition was last made, changed or removed; null if the journal tells of none. */
  UfmAnswer lastUpdated() {
    String fabric = controller.view().name();
    long from = Long.MAX_VALUE;
    List<JournalEntry> part;
    do {
      part = controller.store().journal(fabric, new Part(from, true, MOST));
      for (JournalEntry e : part) {
        if (e.effects().stream().anyMatch(UfmJournal::changesPartition)) {
          return lastUpdated(UfmText.time(e.at()));
        }
        from = e.epoch();
      }
    } while (part.size() == MOST);
    return lastUpdated(null);
  }

  private static UfmAnswer lastUpdated(String time) {
    return UfmAnswer.ok(JsonNodeFactory.instance.objectNode().put("last_updated", time));
  }

  private static boolean changesPartition(JournalEntry.Effect e) {
    if (e.before().isEmpty() || e.after().isEmpty()) {
      return true;
    }
    Tenant before = e.before().get();
    Tenant after = e.after().get();
    return !before.spec().partition().equals(after.spec().partition())
        || !before.spec().members().equals(after.spec().members())
        || !before.hosts().equals(after.hosts());
  }
}
