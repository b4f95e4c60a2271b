package org.heddle.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.heddle.control.Reconciler;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Job;
import org.heddle.control.port.JobStore;
import org.heddle.server.http.Problem;
import org.heddle.server.store.SqlStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobLedgerTest {
  @TempDir Path directory;

  private SqlStore database;
  private JobStore store;
  private JobLedger ledger;

  @BeforeEach
  void open() {
    database = SqlStore.sqlite(directory.resolve("s.db"));
    store = database.jobs();
    ledger = new JobLedger(store, "f", Clock.systemUTC());
  }

  @AfterEach
  void close() {
    database.close();
  }

  private static Job asked(String kind, String tenant) {
    Actor.Role role = tenant.isEmpty() ? Actor.Role.PROVIDER : Actor.Role.TENANT;
    return Job.queued(kind, "x", new Actor("me", role, tenant), "", "", Instant.EPOCH);
  }

  private long add(String kind, String tenant) {
    return ledger.add(asked(kind, tenant), 2, 4, 100).job().id();
  }

  private Job.State state(long id) {
    return ledger.live(id).orElseThrow().state();
  }

  @Test
  void whatWaitsIsWithdrawnAndNotBegun() {
    long id = add("tenant-created", "");
    assertThat(ledger.cancel(id)).map(Job::state).contains(Job.State.CANCELLED);
    assertThat(ledger.begin(id)).isFalse();
    assertThat(ledger.cancel(id)).map(Job::state).contains(Job.State.CANCELLED);
  }

  @Test
  void aChangeThatIsBeingDecidedIsNotWithdrawnAndAPlanIs() {
    long change = add("tenant-created", "");
    long plan = add(Job.PLAN, "");
    assertThat(ledger.begin(change)).isTrue();
    assertThat(ledger.begin(plan)).isTrue();
    ledger.progress(plan, "changes", 1, 3);
    assertThat(ledger.live(plan).orElseThrow().done()).isEqualTo(1);
    assertThat(ledger.cancel(change)).map(Job::state).contains(Job.State.RUNNING);
    assertThat(ledger.cancel(plan)).map(Job::state).contains(Job.State.CANCELLED);
    assertThatThrownBy(() -> ledger.progress(plan, "changes", 2, 3))
        .isInstanceOf(CancellationException.class);
    ledger.ended(plan, Job.State.DONE, "/v1/plans/1", "");
    assertThat(state(plan)).isEqualTo(Job.State.CANCELLED);
  }

  @Test
  void jobsThatWaitAreBounded() {
    add("tenant-created", "red");
    long second = add("tenant-created", "red");
    assertThatThrownBy(() -> add("tenant-created", "red"))
        .isInstanceOfSatisfying(
            Problem.class,
            p -> {
              assertThat(p.status()).isEqualTo(429);
              assertThat(p.headers()).containsEntry("Retry-After", "1");
            });
    add("tenant-created", "blue");
    add("tenant-created", "");
    assertThatThrownBy(() -> add("tenant-created", ""))
        .isInstanceOfSatisfying(Problem.class, p -> assertThat(p.status()).isEqualTo(503));
    ledger.cancel(second);
    assertThatThrownBy(() -> add("tenant-created", "red"))
        .as("its end is not durable yet")
        .isInstanceOfSatisfying(Problem.class, p -> assertThat(p.status()).isEqualTo(503));
    ledger.close();
    ledger.run(); // saves what there is
    assertThat(ledger.live(second)).isEmpty();
    assertThat(store.job("f", second).orElseThrow().state()).isEqualTo(Job.State.CANCELLED);
    assertThat(add("tenant-created", "red")).isEqualTo(5);
  }

  @Test
  void aJobWhoseEpochOnlyFilesSayIsAtItsEndToo() {
    long first = add("tenant-created", "");
    long second = add("tenant-created", "");
    ledger.begin(first);
    ledger.decided(first, 7, "/v1/tenants/x", new Reconciler.Status(6, true, 0, List.of(), 0));
    ledger.filed(6);
    assertThat(state(first)).isEqualTo(Job.State.APPLYING);
    ledger.seen(new Reconciler.Status(7, false, 3, List.of("dry run"), 0));
    ledger.filed(8);
    assertThat(state(first)).isEqualTo(Job.State.WRITTEN);
    assertThat(state(second)).as("it is not decided").isEqualTo(Job.State.QUEUED);
    ledger.begin(second);
    ledger.decided(second, 8, "", new Reconciler.Status(7, false, 3, List.of(), 0));
    assertThat(state(second)).as("files said it before").isEqualTo(Job.State.WRITTEN);
    ledger.close();
    ledger.run();
    assertThat(store.job("f", first)).map(Job::state).contains(Job.State.WRITTEN);
    assertThat(store.open("f")).isEmpty();
  }

  @Test
  void aDecidedJobFollowsTheFabricAndATenantIsToldNoNumbersOfOthers() {
    long mine = add("tenant-created", "");
    long reds = add("tenant-created", "red");
    for (long id : new long[] {mine, reds}) {
      ledger.begin(id);
      ledger.decided(id, 7, "/v1/tenants/x", new Reconciler.Status(6, true, 0, List.of(), 100));
    }
    ledger.seen(new Reconciler.Status(6, true, 0, List.of(), 100));
    assertThat(state(mine)).isEqualTo(Job.State.APPLYING);
    ledger.seen(new Reconciler.Status(6, false, 12, List.of(), 100));
    assertThat(ledger.live(mine)).map(Job::total).contains(12L);
    assertThat(ledger.live(reds)).map(Job::total).contains(1L);
    ledger.seen(new Reconciler.Status(7, false, 12, List.of("a write was lost"), 109));
    assertThat(ledger.live(mine)).map(Job::done).contains(9L);
    assertThat(ledger.live(mine)).map(Job::what).contains("a write was lost");
    assertThat(ledger.live(reds)).map(Job::what).contains("blocks");
    ledger.seen(new Reconciler.Status(8, true, 0, List.of(), 112));
    assertThat(state(mine)).isEqualTo(Job.State.DONE);
    assertThat(state(reds)).isEqualTo(Job.State.DONE);
    assertThat(store.open("f")).as("not saved yet").hasSize(2);
    JobLedger next = new JobLedger(store, "f", Clock.systemUTC());
    next.recover(job -> Optional.of(job.decided(7, "")));
    next.seen(new Reconciler.Status(8, true, 0, List.of(), 0));
    assertThat(next.live(mine)).map(Job::state).contains(Job.State.DONE);
  }
}
