package org.heddle.server.jobs;

import java.lang.System.Logger.Level;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.heddle.control.Controller;
import org.heddle.control.LogContext;
import org.heddle.control.Reconciler;
import org.heddle.control.model.Job;
import org.heddle.control.port.JobStore;
import org.heddle.control.port.Part;
import org.heddle.control.port.StoreException;
import org.heddle.plan.Progress;
import org.heddle.server.http.Call;
import org.heddle.server.http.Cut;
import org.heddle.server.http.Documents;
import org.heddle.server.http.ErrorAnswers;
import org.heddle.server.http.Problem;
import org.heddle.server.http.Reply;
import org.heddle.server.http.Route;
import org.heddle.server.v1.ApiV1;
import org.heddle.server.v1.PlanApi;
import tools.jackson.databind.JsonNode;

/**
 * Calls that are answered before they are decided. Each waits in a queue in the order of its
 * coming, is handled like any other call, and is followed until the fabric has what it made. Plans
 * are worked out one at a time, in a queue of their own.
 *
 * <p>A job is durable before its answer. That it is decided is not written in the transaction that
 * decides it; instead it goes out under a key, and after a restart its epoch is that of the answer
 * remembered under this key, so that what is said of it is true wherever the process ended.
 */
public final class Jobs implements AutoCloseable {
  /** Jobs that are kept. */
  static final int KEEP = 10_000;

  /** Jobs of one tenant's credentials that are not decided yet. */
  static final int OF_A_TENANT = 100;

  /** Characters of what a job is about that are kept: it may be no name at all. */
  private static final int SUBJECT = 100;

  /** Jobs that are not at their end, of everybody. */
  static final int OPEN = 2_000;

  /** As many as the controller makes durable together. */
  private static final int AT_ONCE = 64;

  private static final System.Logger LOG = System.getLogger(Jobs.class.getName());

  private final Controller controller;
  private final Reconciler reconciler;
  private final Clock clock;
  private final JobStore store;
  private final String fabric;
  private final JobLedger ledger;
  private final BlockingQueue<Waiting> changes = new LinkedBlockingQueue<>();
  private final BlockingQueue<Waiting> plans = new LinkedBlockingQueue<>();
  private final Semaphore running = new Semaphore(AT_ONCE);
  private final List<Thread> threads = new ArrayList<>();
  private Thread saving;
  private volatile boolean closed;

  /** A job that waits; {@code request} is the id of the request that asked for it, for the log. */
  private record Waiting(long id, Call call, Route route, String request) {}

  public Jobs(Controller controller, Reconciler reconciler, Clock clock) {
    this.controller = controller;
    this.reconciler = reconciler;
    this.clock = clock;
    this.store = controller.store().jobs();
    this.fabric = controller.view().name();
    this.ledger = new JobLedger(store, fabric, clock);
    ledger.recover(this::answered);
    reconciler.onStatus(ledger::seen);
    reconciler.onFiled(ledger::filed);
    ledger.seen(reconciler.status());
  }

  public void start() {
    threads.add(Thread.ofPlatform().name("heddle-jobs").daemon().start(this::startChanges));
    threads.add(Thread.ofPlatform().name("heddle-planner").daemon().start(this::runPlans));
    saving = Thread.ofPlatform().name("heddle-job-ledger").daemon().start(ledger::run);
  }

  /** True if the sender prefers not to wait, and the call can be made later. */
  public static boolean wanted(Route route, Call call) {
    return route.later().isPresent()
        && !ApiV1.dry(call)
        && Arrays.stream(call.header("prefer").orElse("").split("[,;]"))
            .anyMatch(p -> p.strip().equalsIgnoreCase("respond-async"));
  }

  /** Takes a call in; the answer says where to ask about it. */
  public Reply accept(Route route, Call call) {
    Route.Later later = route.later().orElseThrow();
    var request = ApiV1.request(call);
    Job asked =
        Job.queued(
            later.kind().apply(call),
            subject(call),
            call.actor(),
            request.key(),
            request.digest(),
            clock.instant());
    if (closed || !controller.leads()) {
      throw new Problem(503, "unavailable", "this process takes no changes");
    }
    JobStore.Added added = ledger.add(asked, OF_A_TENANT, OPEN, KEEP);
    if (!added.job().digest().equals(request.digest())) {
      throw new Problem(422, "key-reused", "the key was used for another request");
    }
    if (added.fresh()) {
      Map<String, String> headers = new HashMap<>(call.headers());
      headers.put("idempotency-key", added.job().key());
      Waiting waiting =
          new Waiting(
              added.job().id(),
              call.withHeaders(headers),
              route,
              LogContext.current().getOrDefault(LogContext.REQUEST, ""));
      (added.job().kind().equals(Job.PLAN) ? plans : changes).add(waiting);
    }
    Job now = job(added.job().id()).orElse(added.job());
    return new Reply(
        202,
        JobDocument.of(now),
        Map.of("Location", "/v1/jobs/" + now.id(), "Preference-Applied", "respond-async"));
  }

  private static String subject(Call call) {
    return Cut.to(SUBJECT, named(call));
  }

  private static String named(Call call) {
    if (!call.variables().isEmpty()) {
      return call.variables().values().iterator().next();
    }
    try {
      JsonNode body = call.json();
      String name = body.path("name").asString("");
      return name.isEmpty() && body.has("epoch") ? "epoch " + body.get("epoch").asString("") : name;
    } catch (Problem _) {
      return ""; // the job will say what is wrong
    }
  }

  private void startChanges() {
    while (!closed) {
      try {
        Waiting next = changes.take();
        running.acquire();
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    run(next);
                  } finally {
                    running.release();
                  }
                });
      } catch (InterruptedException _) {
        return;
      }
    }
  }

  private void runPlans() {
    while (!closed) {
      try {
        run(plans.take());
      } catch (InterruptedException _) {
        return;
      }
    }
  }

  private void run(Waiting w) {
    Map<String, String> context =
        Map.of(LogContext.REQUEST, w.request, LogContext.JOB, Long.toString(w.id));
    LogContext.run(context, () -> decide(w));
  }

  private void decide(Waiting w) {
    if (closed || !ledger.begin(w.id)) {
      return; // what was not begun is found at the next start
    }
    Progress progress = (what, done, total) -> ledger.progress(w.id, what, done, total);
    try {
      Reply reply = w.route.later().orElseThrow().work().run(w.call, progress);
      JsonNode said = Documents.JSON.valueToTree(reply.body());
      String path = path(w, reply);
      if (w.route.path().equals(PlanApi.PLANS)) {
        ledger.ended(w.id, Job.State.DONE, path, "");
      } else {
        ledger.decided(w.id, said.path("epoch").asLong(0), path, reconciler.status());
      }
    } catch (Problem p) {
      if (p.status() != 503 || controller.leads()) { // else it may have been decided
        failed(w, p);
      }
    } catch (java.util.concurrent.CancellationException _) {
      ledger.ended(w.id, Job.State.CANCELLED, "", "");
    } catch (StoreException e) {
      if (!e.unknown()) { // else found out at the next start
        failed(w, Problem.database(e.getMessage()));
      }
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "a job failed: " + w.route.method() + " " + w.call.path(), e);
      failed(w, ErrorAnswers.problem(500, ""));
    }
  }

  private void failed(Waiting w, Problem why) {
    String document = Documents.JSON.writeValueAsString(why.document());
    ledger.ended(w.id, Job.State.FAILED, "", document);
  }

  /** Where what was made is. */
  private static String path(Waiting w, Reply reply) {
    String location = reply.headers().get("Location");
    if (location != null) {
      return location;
    }
    return switch (w.call.method()) {
      case "DELETE" -> "";
      case "PUT" -> w.call.path();
      default -> {
        if (w.route.path().endsWith("/apply")) {
          yield w.call.path().replaceFirst("/apply$", "");
        }
        String name = subject(w.call);
        String path = w.route.path();
        boolean named = path.equals("/v1/tenants") || path.equals("/v1/vms");
        yield named ? path + "/" + name : "";
      }
    };
  }

  /** What became of a job of another process, if anything did. */
  private Optional<Job> answered(Job job) {
    if (job.kind().equals(Job.PLAN)) {
      return controller
          .store()
          .planOfKey(fabric, job.actor(), job.key())
          .map(p -> job.ended(Job.State.DONE, "/v1/plans/" + p.id(), "", clock.instant()));
    }
    return controller
        .store()
        .answer(job.actor(), job.key())
        .map(a -> job.decided(a.epoch(), a.tenant().isEmpty() ? "" : "/v1/tenants/" + a.tenant()));
  }

  /** A job as it is now. */
  Optional<Job> job(long id) {
    return ledger.live(id).or(() -> store.job(fabric, id));
  }

  /** Jobs after an id as they are now. */
  List<Job> part(Part part, Optional<String> owner) {
    return store.jobs(fabric, part, owner).stream()
        .map(j -> ledger.live(j.id()).orElse(j))
        .toList();
  }

  /** Jobs of a part that are not at their end; does not ask the store. */
  List<Job> underWay(Part part, Optional<String> owner) {
    List<Job> all = ledger.live();
    return (part.descending() ? all.reversed() : all)
        .stream()
            .filter(j -> part.holds(j.id()) && !j.state().isLast())
            .filter(j -> owner.isEmpty() || owner.get().equals(j.owner()))
            .toList();
  }

  /** Withdraws a job if it is not decided; returns it as it is now. */
  Job cancel(Job job) {
    return ledger.cancel(job.id()).orElseGet(() -> job(job.id()).orElse(job));
  }

  /** Takes no more; what is not decided is found by the next process. */
  @Override
  public void close() {
    closed = true;
    threads.forEach(Thread::interrupt);
    threads.forEach(Jobs::join);
    ledger.close();
    if (saving != null) {
      join(saving); // it saves what there is to save
    }
  }

  private static void join(Thread t) {
    try {
      t.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
