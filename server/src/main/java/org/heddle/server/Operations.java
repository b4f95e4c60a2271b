package org.heddle.server;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.heddle.control.Controller;
import org.heddle.control.Reconciler;
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
    List<String> problems = new ArrayList<>();
    if (!controller.leads()) {
      problems.add("this process takes no changes");
    }
    if (!controller.store().healthy()) {
      problems.add("the database does not answer, or its files are gone");
    } else {
      controller.store().refusesWrites().ifPresent(problems::add);
    }
    controller.failing().ifPresent(_ -> problems.add("changes fail again and again; see the log"));
    reconciler
        .failing()
        .ifPresent(
            _ -> problems.add("the fabric is not followed: it fails again and again; see the log"));
    if (reconciler.refusesFabric().isPresent()) {
      problems.add(
          "the fabric has changed, and there is no plan for it: see the status of the fabric");
    }
    if (reconciler.cannotWrite().isPresent()) {
      problems.add(
          "the files for the subnet manager cannot be written: see the status of the fabric");
    }
    if (stuck(controller.busyFor())) {
      problems.add("a change has been under way for " + said(controller.busyFor()));
    }
    if (stuck(reconciler.underWay())) {
      problems.add("a look at the fabric has been under way for " + said(reconciler.underWay()));
    }
    return problems;
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
    String text = metrics.text(controller, reconciler, streams.count(), refused.getAsLong());
    return new Reply(
        200, text.getBytes(StandardCharsets.UTF_8), Map.of("Content-Type", Metrics.CONTENT_TYPE));
  }
}
