package org.heddle.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.heddle.server.Vitals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What systemd hears of {@code heddle serve}. */
class ServiceManagerTest {
  private static final long PID = 4711;

  @TempDir Path directory;

  private final AtomicReference<Vitals> vitals = new AtomicReference<>(Vitals.well("leads"));

  private ServiceManager manager(String socket, String... more) {
    Map<String, String> env = new HashMap<>(Map.of("NOTIFY_SOCKET", socket));
    for (int i = 0; i < more.length; i += 2) {
      env.put(more[i], more[i + 1]);
    }
    return new ServiceManager(env, PID, vitals::get);
  }

  /** Of a directory and of the abstract name space. */
  @ParameterizedTest
  @ValueSource(strings = {"", "@heddle-test-"})
  void startReloadAndEndAreTold(String prefix) throws Throwable {
    String name =
        prefix.isEmpty() ? directory.resolve("notify").toString() : prefix + directory.hashCode();
    try (NotifyPeer peer = new NotifyPeer(name);
        ServiceManager manager = manager(name)) {
      manager.ready();
      assertThat(peer.waiting()).isEqualTo("READY=1\nSTATUS=leads");
      long before = System.nanoTime() / 1000;
      manager.reloading();
      String[] reloading = peer.waiting().split("\nMONOTONIC_USEC=");
      assertThat(reloading[0]).isEqualTo("RELOADING=1");
      assertThat(Long.parseLong(reloading[1])).isBetween(before, System.nanoTime() / 1000);
      manager.ready();
      assertThat(peer.waiting()).startsWith("READY=1\n");
      manager.stopping();
      assertThat(peer.waiting()).startsWith("STOPPING=1\n");
      assertThat(peer.waiting()).isEmpty();
    }
  }

  @Test
  void theStatusIsSaidWhenItIsAnotherAndIsOneLine() throws Throwable {
    String name = directory.resolve("notify").toString();
    try (NotifyPeer peer = new NotifyPeer(name);
        ServiceManager manager = manager(name)) {
      manager.ready();
      assertThat(peer.waiting()).endsWith("STATUS=leads");
      manager.beat();
      assertThat(peer.waiting()).isEmpty();
      vitals.set(Vitals.well("leads\nWATCHDOG=1"));
      manager.beat();
      assertThat(peer.waiting()).isEqualTo("STATUS=leads WATCHDOG=1");
    }
  }

  /** A process that hangs falls silent, so that it is ended; one that goes on is heard again. */
  @Test
  void theWatchdogHearsNothingWhileTheProcessIsStuck() throws Throwable {
    String name = directory.resolve("notify").toString();
    try (NotifyPeer peer = new NotifyPeer(name);
        ServiceManager manager = manager(name, "WATCHDOG_USEC", "3000000")) {
      assertThat(manager.interval()).isEqualTo(Duration.ofMillis(1500));
      manager.ready();
      peer.waiting();
      manager.beat();
      assertThat(peer.waiting()).isEqualTo("WATCHDOG=1");
      vitals.set(new Vitals("leads", Optional.of("a look has been under way for 301 s")));
      manager.beat();
      assertThat(peer.waiting()).isEqualTo("STATUS=stuck: a look has been under way for 301 s");
      manager.beat();
      assertThat(peer.waiting()).isEmpty();
      vitals.set(Vitals.well("leads"));
      manager.beat();
      assertThat(peer.waiting()).isEqualTo("STATUS=leads");
      assertThat(peer.waiting()).isEqualTo("WATCHDOG=1");
    }
  }

  /** By itself, in its own thread. */
  @Test
  void itSaysSoAgainAndAgain() throws Throwable {
    String name = directory.resolve("notify").toString();
    try (NotifyPeer peer = new NotifyPeer(name);
        ServiceManager manager = manager(name, "WATCHDOG_USEC", "20000")) {
      manager.start();
      assertThat(peer.next()).isEqualTo("STATUS=leads");
      assertThat(peer.next()).isEqualTo("WATCHDOG=1");
      assertThat(peer.next()).isEqualTo("WATCHDOG=1");
    }
  }

  /** The variables are inherited by what a service starts. */
  @Test
  void theWatchdogOfAnotherProcessIsNone() throws Throwable {
    String name = directory.resolve("notify").toString();
    try (NotifyPeer peer = new NotifyPeer(name);
        ServiceManager manager = manager(name, "WATCHDOG_USEC", "3000000", "WATCHDOG_PID", "1")) {
      manager.ready();
      peer.waiting();
      manager.beat();
      assertThat(peer.waiting()).isEmpty();
    }
  }

  /** Nobody listens, the name is none, or the numbers are none: the service goes on. */
  @ParameterizedTest
  @ValueSource(strings = {"", "vsock:2:1234", "@", "notify", "/nowhere/notify"})
  void nothingThatIsWrongWithTheSocketEndsTheService(String name) {
    try (ServiceManager manager = manager(name, "WATCHDOG_USEC", "many")) {
      manager.start();
      manager.ready();
      manager.reloading();
      manager.beat();
      manager.stopping();
      assertThat(manager.interval()).isEqualTo(Duration.ofSeconds(5));
    }
  }
}
