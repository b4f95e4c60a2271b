package org.heddle.server.http;

/** The end of threads that work beside the answering of requests. */
public final class Threads {
  private Threads() {}

  /** Interrupts a thread that ends on that, and waits until it has. */
  public static void end(Thread thread) {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
