package org.heddle.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.heddle.control.emulator.Emulator;
import org.heddle.control.port.FabricAgent;
import org.heddle.fabric.Fabric;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an agent notices between and during looks, and what it says of what it has written. */
class NoticedTest {
  private final Fabric fabric =
      TreeGenerator.generate(TreeSpec.parse("XGFT(2;4,4;1,4)")).withAssignedLids();
  private final MemoryStore store = new MemoryStore();
  private final Watching agent = new Watching(new Emulator(fabric));
  private final Controller controller;
  private final Reconciler reconciler;

  NoticedTest() {
    store.create("f", fabric, "dmodk");
    controller = Controller.open(store, Clock.systemUTC(), "f");
    reconciler = new Reconciler(controller, agent, true, Duration.ofHours(1));
    reconciler.listen();
    for (int i = 0; i < 5 && !reconciler.pass().settled(); i++) {
      assertThat(reconciler.status().problems()).isEmpty();
    }
    assertThat(reconciler.status().inSync()).isTrue();
  }

  @AfterEach
  void close() {
    controller.close();
  }

  /** An emulator that has files. */
  private static final class Watching implements FabricAgent {
    private final Emulator emulator;
    private Consumer<String> listener = _ -> {};
    private List<String> astray = List.of();
    private String full = "";
    private Runnable during = () -> {};
    private int applied;

    Watching(Emulator emulator) {
      this.emulator = emulator;
    }

    @Override
    public String kind() {
      return emulator.kind();
    }

    @Override
    public Observation observe() {
      Observation seen = emulator.observe();
      during.run();
      return seen;
    }

    @Override
    public List<String> astray() {
      return astray;
    }

    @Override
    public Optional<String> cannotWrite() {
      return Optional.of(full).filter(w -> !w.isEmpty());
    }

    @Override
    public Applied apply(Target target) {
      applied++;
      if (!full.isEmpty()) {
        return new Applied(0, List.of(full), false);
      }
      astray = List.of();
      return emulator.apply(target);
    }

    @Override
    public void onChange(Consumer<String> told) {
      listener = told;
    }

    @Override
    public void close() {
      emulator.close();
    }
  }

  private List<String> events(String kind) {
    return store.events("f", 0, 100).stream()
        .filter(e -> e.kind().word().equals(kind))
        .map(e -> e.text())
        .toList();
  }

  @Test
  void whatIsNoticedIsInTheStatusAtOnce() {
    agent.listener.accept("a file is gone");
    assertThat(reconciler.status().inSync()).isFalse();
    assertThat(reconciler.status().problems()).containsExactly("a file is gone");
    assertThat(reconciler.pass().settled()).isTrue();
    assertThat(reconciler.status().inSync()).isTrue();
    assertThat(reconciler.status().problems()).isEmpty();
  }

  /** The look may have been past that already. */
  @Test
  void whatIsNoticedDuringALookIsNotTakenBackByIt() {
    int events = events("in-sync").size();
    agent.during =
        () -> {
          agent.during = () -> {};
          agent.listener.accept("a file is gone");
        };
    PassResult overtaken = reconciler.pass();
    assertThat(overtaken.settled()).isFalse();
    assertThat(overtaken.comeBack()).isZero();
    assertThat(reconciler.status().inSync()).isFalse();
    assertThat(reconciler.pass().settled()).isTrue();
    assertThat(reconciler.status().inSync()).isTrue();
    assertThat(events("in-sync")).as("it was never out of it").hasSize(events);
  }

  @Test
  void whatIsAstrayIsDriftByItsName() {
    agent.astray = List.of("a file is gone");
    agent.listener.accept("a file is gone");
    reconciler.pass();
    assertThat(events("drift")).containsExactly("a file is gone");
    assertThat(agent.applied).isPositive();
    reconciler.pass();
    assertThat(reconciler.status().inSync()).isTrue();
    assertThat(events("trouble")).isEmpty();
  }

  @Test
  void whatCannotBeWrittenIsTriedAgainAndToldOnce() {
    int before = agent.applied;
    agent.astray = List.of("a file is gone");
    agent.full = "no room";
    for (int i = 0; i < 3; i++) {
      assertThat(reconciler.pass().settled()).isFalse();
      assertThat(reconciler.status().inSync()).isFalse();
      assertThat(reconciler.status().problems()).containsExactly("no room");
      assertThat(reconciler.cannotWrite()).contains("no room");
    }
    assertThat(agent.applied).isEqualTo(before + 3);
    assertThat(events("drift")).hasSize(1);
    agent.full = "";
    reconciler.pass();
    assertThat(reconciler.pass().settled()).isTrue();
    assertThat(reconciler.cannotWrite()).isEmpty();
  }

  @Test
  void looksCostTheSameShareOfTimeInFabricsOfAllSizes() {
    Pace pace = new Pace(Duration.ofMillis(200), Duration.ofSeconds(2), 4);
    assertThat(pace.after(0)).isEqualTo(Duration.ofMillis(200));
    assertThat(pace.after(100_000_000)).isEqualTo(Duration.ofMillis(400));
    assertThat(pace.after(60_000_000_000L)).isEqualTo(Duration.ofSeconds(2));
    assertThat(pace).hasToString("200 to 2000 ms");
    assertThat(Pace.every(Duration.ofSeconds(3)).after(60_000_000_000L)).hasSeconds(3);
    assertThat(Pace.every(Duration.ofSeconds(3))).hasToString("3000 ms");
  }
}
