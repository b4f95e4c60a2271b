package org.heddle.server;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.heddle.control.Controller;
import org.heddle.control.Reconciler;
import org.heddle.fabric.Counted;
import org.heddle.plan.DesiredState;
import org.heddle.server.http.Call;
import org.heddle.server.http.Problem;
import org.heddle.server.http.Reply;
import org.heddle.server.http.Route;
import org.heddle.server.v1.EventStreams;

/** What those who run the controller ask: is it alive, does it take work, how does it do. */
final class Operations {
  /** Changes and looks take seconds, on the largest fabrics minutes. */
  static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Controller controller;
  private final Reconciler reconciler;
  private final Metrics metrics;
  private final EventStreams streams;
  private final LongSupplier refused;
  private volatile Duration patience = PATIENCE;

  /**
   * What is asked of these.
   *
   * @param refused connections that were closed because their address had too many
   */
  Operations(
      Controller controller,
      Reconciler reconciler,
      Metrics metrics,
      EventStreams streams,
      LongSupplier refused) {
    this.refused = refused;
    this.controller = controller;
    this.reconciler = reconciler;
    this.metrics = metrics;
    this.streams = streams;
  }

  /** What has to be right for the controller to be ready; the metrics name them. */
  enum Check {
    LEADS,
    DATABASE,
    DATABASE_WRITES,
    CHANGES,
    LOOKS,
    PLAN,
    FILES,
    CHANGES_STUCK,
    LOOKS_STUCK;

    String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  record Health(String status, List<String> problems) {}

  List<Route> routes() {
    return List.of(new Route("GET", "/metrics", false, "Figures for Prometheus", this::metrics));
  }

  /** Answers to everybody; they say nothing of the fabric. */
  Optional<Reply> open(String method, List<String> segments) {
    if (!method.equals("GET") || segments.size() != 1) {
      return Optional.empty();
    }
    return switch (segments.getFirst()) {
      case "healthz" -> Optional.of(Reply.ok(new Health("ok", List.of())));
      case "readyz" -> Optional.of(ready());
      default -> Optional.empty();
    };
  }

  private Reply ready() {
    List<String> problems = problems();
    boolean ready = problems.isEmpty();
    return new Reply(ready ? 200 : 503, new Health(ready ? "ok" : "not-ready", problems), Map.of());
  }

  /** What keeps the controller from its work, a sentence each. */
  List<String> problems() {
    return List.copyOf(failed().values());
  }

  /** The same by what is wrong. */
  private Map<Check, String> failed() {
    Map<Check, String> problems = new EnumMap<>(Check.class);
    if (!controller.leads()) {
      problems.put(Check.LEADS, "this process takes no changes");
    }
    if (!controller.store().healthy()) {
      problems.put(Check.DATABASE, "the database does not answer, or its files are gone");
    } else {
      controller.store().refusesWrites().ifPresent(why -> problems.put(Check.DATABASE_WRITES, why));
    }
    controller
        .failing()
        .ifPresent(_ -> problems.put(Check.CHANGES, "changes fail again and again; see the log"));
    reconciler
        .failing()
        .ifPresent(
            _ ->
                problems.put(
                    Check.LOOKS,
                    "the fabric is not followed: it fails again and again; see the log"));
    if (reconciler.refusesFabric().isPresent()) {
      problems.put(
          Check.PLAN,
          "the fabric has changed, and there is no plan for it: see the status of the fabric");
    }
    if (reconciler.cannotWrite().isPresent()) {
      problems.put(
          Check.FILES,
          "the files for the subnet manager cannot be written: see the status of the fabric");
    }
    problems.putAll(stuck());
    return problems;
  }

  /** What a supervisor wants to know. */
  Vitals vitals() {
    DesiredState state = controller.view();
    Reconciler.Status status = reconciler.status();
    String sync =
        status.inSync() && status.epoch() == state.epoch()
            ? "in sync"
            : status.problems().stream().findFirst().orElse("not in sync");
    String summary =
        "%s, epoch %d, %s, %s, %s"
            .formatted(
                controller.leads() ? "leads" : "takes no changes",
                state.epoch(),
                Counted.of(state.tenants().size(), "tenant", "tenants"),
                Counted.of(state.fabric().caCount(), "host", "hosts"),
                sync);
    return new Vitals(summary, stuck().values().stream().findFirst());
  }

  private Map<Check, String> stuck() {
    Map<Check, String> out = new EnumMap<>(Check.class);
    if (stuck(controller.busyFor())) {
      out.put(Check.CHANGES_STUCK, "a change has been under way for " + said(controller.busyFor()));
    }
    if (stuck(reconciler.underWay())) {
      out.put(
          Check.LOOKS_STUCK,
          "a look at the fabric has been under way for " + said(reconciler.underWay()));
    }
    return out;
  }

  private boolean stuck(Duration underWay) {
    return underWay.compareTo(patience) > 0;
  }

  private static String said(Duration d) {
    return d.toSeconds() + " s: whatever it waits for does not come; see the log, or restart";
  }

  /** How long a change, or a look at the fabric, may take before it is said to hang. */
  void patience(Duration longest) {
    patience = longest;
  }

  private Reply metrics(Call call) {
    if (!call.actor().sees("")) {
      throw Problem.notFound();
    }
    String text =
        metrics.text(
            controller, reconciler, failed().keySet(), streams.count(), refused.getAsLong());
    return new Reply(
        200, text.getBytes(StandardCharsets.UTF_8), Map.of("Content-Type", Metrics.CONTENT_TYPE));
  }
}
