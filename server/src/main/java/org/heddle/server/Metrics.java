package org.heddle.server;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.heddle.control.Controller;
import org.heddle.control.Reconciler;
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

  /** All of them. */
  String text(Controller controller, Reconciler reconciler, int streams) {
    DesiredState v = controller.view();
    Reconciler.Status s = reconciler.status();
    StringBuilder out = new StringBuilder();
    gauge(out, "heddle_epoch", "Epoch of the desired state", v.epoch());
    leads(out, controller.leads() ? 1 : 0);
    gauge(out, "heddle_tenants", "Tenants", v.tenants().size());
    long broken = v.all().stream().filter(t -> !t.broken().isEmpty()).count();
    gauge(out, "heddle_tenants_broken", "Tenants whose promise does not hold", broken);
    gauge(out, "heddle_vms", "Virtual machines", v.vms().size());
    long stranded = v.vms().values().stream().filter(m -> !m.stranded().isEmpty()).count();
    gauge(out, "heddle_vms_stranded", "Virtual machines that are not reached", stranded);
    gauge(out, "heddle_hosts", "Hosts of the fabric", v.fabric().caCount());
    gauge(out, "heddle_machines", "Machines of the fabric", v.fabric().machines().count());
    int fallback = v.engine().fallback().isPresent() ? 1 : 0;
    gauge(
        out, "heddle_engine_fallback", "1 if another engine than the one wanted routes", fallback);
    gauge(out, "heddle_hosts_free", "Hosts that no tenant holds", v.freeHosts());
    gauge(out, "heddle_in_sync", "1 if the fabric is as desired", s.inSync() ? 1 : 0);
    gauge(out, "heddle_fabric_epoch", "Epoch that was compared last", s.epoch());
    gauge(out, "heddle_blocks_differing", "Table blocks that differed", s.differing());
    head(out, "heddle_blocks_written_total", "counter", "Table blocks written");
    line(out, "heddle_blocks_written_total", s.written());
    agent(out, reconciler.figures());
    gauge(out, "heddle_event_streams", "Readers of events", streams);
    Runtime r = Runtime.getRuntime();
    gauge(out, "heddle_heap_bytes", "Heap in use", r.totalMemory() - r.freeMemory());
    requests(out);
    return out.toString();
  }

  /** What the reconciler and the agent count. */
  private static void agent(StringBuilder out, List<FabricAgent.Figure> figures) {
    for (FabricAgent.Figure f : figures) {
      String name = "heddle_" + f.name();
      head(out, name, f.counter() ? "counter" : "gauge", f.help());
      boolean whole = f.value() == Math.rint(f.value()) && Math.abs(f.value()) < WHOLE;
      out.append(name).append(' ');
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
    head(out, name, "gauge", help);
    line(out, name, value);
  }

  private static void head(StringBuilder out, String name, String type, String help) {
    out.append("# HELP ").append(name).append(' ').append(help).append('\n');
    out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private static void line(StringBuilder out, String name, long value) {
    out.append(name).append(' ').append(value).append('\n');
  }
}
