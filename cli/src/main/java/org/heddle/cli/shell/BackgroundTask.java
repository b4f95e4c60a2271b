package org.heddle.cli.shell;

import java.util.function.Supplier;

/**
 * A computation that runs in a thread of its own beside what the command does meanwhile. It must be
 * pure: streams, files and the session are the command's. A command that ends early does not wait.
 *
 * @param <T> what is computed
 */
public final class BackgroundTask<T> {
  private final Thread thread;
  private T result;
  private Throwable failure;

  private BackgroundTask(String name, Supplier<T> work) {
    thread =
        Thread.ofPlatform()
            .name(name)
            .daemon()
            .unstarted(
                () -> {
                  try {
                    result = work.get();
                  } catch (RuntimeException | Error e) {
                    failure = e;
                  }
                });
  }

  /** Starts the computation. */
  public static <T> BackgroundTask<T> start(String name, Supplier<T> work) {
    BackgroundTask<T> beside = new BackgroundTask<>(name, work);
    beside.thread.start();
    return beside;
  }

  /** Waits for the result, or throws what the computation has thrown. */
  public T get() {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
    return result;
  }
}
