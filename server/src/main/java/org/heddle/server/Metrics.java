package org.heddle.server;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.heddle.control.Controller;
import org.heddle.control.Reconciler;
import org.heddle.control.Stages;
import org.heddle.control.port.FabricAgent;
import org.heddle.plan.DesiredState;

/** Figures for Prometheus, in its text format. */
final class Metrics {
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final double[] BOUNDS = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};
  private static final int CLASSES = 6;
  private static final double NANOS = 1e9;
  private static final double WHOLE = 1e15;

  private final LongAdder[] byClass = adders(CLASSES);
  private final LongAdder[] byBound = adders(BOUNDS.length + 1);
  private final LongAdder nanos = new LongAdder();

  private static LongAdder[] adders(int count) {
    LongAdder[] out = new LongAdder[count];
    for (int i = 0; i < count; i++) {
      out[i] = new LongAdder();
    }
    return out;
  }

  /** Counts an answered request. */
  void answered(int status, long tookNanos) {
    byClass[Math.min(CLASSES - 1, status / 100)].increment();
    nanos.add(tookNanos);
    int i = 0;
    while (i < BOUNDS.length && tookNanos / NANOS > BOUNDS[i]) {
      i++;
    }
    byBound[i].increment();
  }

  /** Those of a process that stands by. */
  static String standby() {
    StringBuilder out = new StringBuilder();
    leads(out, 0);
    return out.toString();
  }

  private static void leads(StringBuilder out, int value) {
    gauge(out, "heddle_leads", "1 while changes are taken", value);
  }

  /**
   * All of them. What is of a fabric says of which.
   *
   * @param failing what keeps it from being ready
   * @param refused connections that were closed because their address had too many
   */
  String text(
      Controller controller,
      Reconciler reconciler,
      Set<Operations.Check> failing,
      int streams,
      long refused) {
    StringBuilder out = new StringBuilder();
    leads(out, controller.leads() ? 1 : 0);
    checks(out, failing);
    fabric(out, controller.view(), reconciler.status());
    stages(out, label(controller.view()), controller.stages());
    agent(out, label(controller.view()), reconciler.figures());
    gauge(out, "heddle_event_streams", "Readers of events", streams);
    Runtime r = Runtime.getRuntime();
    gauge(out, "heddle_heap_bytes", "Heap in use", r.totalMemory() - r.freeMemory());
    requests(out);
    head(
        out,
        "heddle_http_connections_refused_total",
        "counter",
        "Connections closed because their address had too many");
    line(out, "heddle_http_connections_refused_total", refused);
    ProcessFigures.add(out);
    return out.toString();
  }

  private static void checks(StringBuilder out, Set<Operations.Check> failing) {
    String name = "heddle_check_failed";
    head(out, name, "gauge", "1 for what keeps the controller from being ready");
    for (Operations.Check check : Operations.Check.values()) {
      line(out, name + "{check=\"" + check.word() + "\"}", failing.contains(check) ? 1 : 0);
    }
  }

  private static void stages(StringBuilder out, String of, Stages stages) {
    String name = "heddle_change_stage_seconds";
    head(out, name, "summary", "Time that changes spend in each stage");
    for (Stages.Stage stage : Stages.Stage.values()) {
      Stages.Figure figure = stages.figure(stage);
      String labels = of.replace("}", ",stage=\"" + stage.word() + "\"}");
      out.append(name).append("_sum").append(labels).append(' ');
      out.append(figure.nanos() / NANOS).append('\n');
      line(out, name + "_count" + labels, figure.count());
    }
  }

  private static String label(DesiredState v) {
    String name = v.name().replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    return "{fabric=\"" + name + "\"}";
  }

  private static void fabric(StringBuilder out, DesiredState v, Reconciler.Status s) {
    String of = label(v);
    gauge(out, "heddle_epoch", "Epoch of the desired state", of, v.epoch());
    gauge(out, "heddle_tenants", "Tenants", of, v.tenants().size());
    long broken = v.all().stream().filter(t -> !t.broken().isEmpty()).count();
    gauge(out, "heddle_tenants_broken", "Tenants whose promise does not hold", of, broken);
    gauge(out, "heddle_vms", "Virtual machines", of, v.vms().size());
    long stranded = v.vms().values().stream().filter(m -> !m.stranded().isEmpty()).count();
    gauge(out, "heddle_vms_stranded", "Virtual machines that are not reached", of, stranded);
    gauge(out, "heddle_hosts", "Hosts of the fabric", of, v.fabric().caCount());
    gauge(out, "heddle_machines", "Machines of the fabric", of, v.fabric().machines().count());
    int fallback = v.engine().fallback().isPresent() ? 1 : 0;
    gauge(
        out,
        "heddle_engine_fallback",
        "1 if another engine than the one wanted routes",
        of,
        fallback);
    gauge(out, "heddle_hosts_free", "Hosts that no tenant holds", of, v.freeHosts());
    gauge(out, "heddle_in_sync", "1 if the fabric is as desired", of, s.inSync() ? 1 : 0);
    gauge(out, "heddle_problems", "Sentences of trouble in the status", of, s.problems().size());
    int drained = v.drained().links().size() + v.drained().switches().size();
    gauge(out, "heddle_drained", "Links and switches taken out of service", of, drained);
    gauge(out, "heddle_fabric_epoch", "Epoch that was compared last", of, s.epoch());
    gauge(out, "heddle_blocks_differing", "Table blocks that differed", of, s.differing());
    head(out, "heddle_blocks_written_total", "counter", "Table blocks written");
    line(out, "heddle_blocks_written_total" + of, s.written());
  }

  /** What the reconciler and the agent count. */
  private static void agent(StringBuilder out, String of, List<FabricAgent.Figure> figures) {
    for (FabricAgent.Figure f : figures) {
      String name = "heddle_" + f.name();
      head(out, name, f.counter() ? "counter" : "gauge", f.help());
      boolean whole = f.value() == Math.rint(f.value()) && Math.abs(f.value()) < WHOLE;
      out.append(name).append(of).append(' ');
      (whole ? out.append((long) f.value()) : out.append(f.value())).append('\n');
    }
  }

  private void requests(StringBuilder out) {
    head(out, "heddle_http_requests_total", "counter", "Answered requests by class of status");
    for (int c = 1; c < CLASSES; c++) {
      line(out, "heddle_http_requests_total{status=\"" + c + "xx\"}", byClass[c].sum());
    }
    head(out, "heddle_http_request_seconds", "histogram", "Time to the answer");
    long sum = 0;
    for (int i = 0; i < BOUNDS.length; i++) {
      sum += byBound[i].sum();
      line(out, "heddle_http_request_seconds_bucket{le=\"" + BOUNDS[i] + "\"}", sum);
    }
    sum += byBound[BOUNDS.length].sum();
    line(out, "heddle_http_request_seconds_bucket{le=\"+Inf\"}", sum);
    out.append("heddle_http_request_seconds_sum ").append(nanos.sum() / NANOS).append('\n');
    line(out, "heddle_http_request_seconds_count", sum);
  }

  private static void gauge(StringBuilder out, String name, String help, long value) {
    gauge(out, name, help, "", value);
  }

  private static void gauge(
      StringBuilder out, String name, String help, String labels, long value) {
    head(out, name, "gauge", help);
    line(out, name + labels, value);
  }

  static void head(StringBuilder out, String name, String type, String help) {
    out.append("# HELP ").append(name).append(' ').append(help).append('\n');
    out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private static void line(StringBuilder out, String name, long value) {
    out.append(name).append(' ').append(value).append('\n');
  }
}
