package org.heddle.cli.serve;

import java.lang.System.Logger.Level;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.heddle.cli.shell.Failure;

/**
 * Has the server take other certificates when their files change, and at once at SIGHUP, which ends
 * nothing. Files that cannot be used, as when one of two is new, leave all as it is.
 */
final class CertificateWatch implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(CertificateWatch.class.getName());

  private static final Duration EVERY = Duration.ofSeconds(5);

  private final ServeSettings settings;
  private final Runnable reload;
  private final ServiceManager manager;
  private final Semaphore asked = new Semaphore(0);
  private final Thread thread;
  private Optional<List<ByteBuffer>> content;

  /**
   * A watch that has begun.
   *
   * @param reload has the server take the certificates
   * @param manager is told when SIGHUP has come, and when all is done
   */
  CertificateWatch(ServeSettings settings, Runnable reload, ServiceManager manager) {
    this.settings = settings;
    this.manager = manager;
    this.reload = reload;
    this.content = content();
    this.thread = Thread.ofPlatform().name("heddle-certificates").daemon().start(this::run);
    onHangup();
  }

  /**
   * By name: not every runtime has the class, and then SIGHUP ends the process as it always did.
   */
  private void onHangup() {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object mine =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (self, method, arguments) ->
                  switch (method.getName()) {
                    case "handle" -> {
                      asked.release();
                      yield null;
                    }
                    case "equals" -> self == arguments[0];
                    case "hashCode" -> System.identityHashCode(self);
                    default -> "SIGHUP";
                  });
      Object hangup = signal.getConstructor(String.class).newInstance("HUP");
      signal.getMethod("handle", signal, handler).invoke(null, hangup, mine);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      LOG.log(Level.DEBUG, "SIGHUP is not heard", e);
    }
  }

  private Optional<List<ByteBuffer>> content() {
    try {
      return Optional.of(settings.tlsContent());
    } catch (Failure _) {
      return Optional.empty(); // one of them is being replaced
    }
  }

  private void run() {
    try {
      while (true) {
        boolean hangup = asked.tryAcquire(EVERY.toMillis(), TimeUnit.MILLISECONDS);
        Optional<List<ByteBuffer>> now = content();
        if (hangup) {
          manager.reloading();
        }
        if (hangup || now.isPresent() && !now.equals(content)) {
          content = now.isPresent() ? now : content;
          again(hangup);
        }
        if (hangup) {
          manager.ready();
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void again(boolean hangup) {
    String why = hangup ? "SIGHUP" : "its file changed";
    if (settings.file().tlsKeystore().isEmpty()) {
      LOG.log(Level.INFO, why + ": there is no certificate to read again");
      return;
    }
    try {
      reload.run();
      LOG.log(Level.INFO, why + ": the certificate was read again");
    } catch (Failure e) {
      LOG.log(Level.WARNING, why + ": the certificate stays as it was: " + e.getMessage());
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, why + ": the certificate stays as it was", e);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
