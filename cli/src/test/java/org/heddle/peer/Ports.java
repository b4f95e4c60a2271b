package org.heddle.peer;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * TCP ports for servers that must know theirs before they listen, or listen at the same one again.
 * They lie below those that the system gives to clients: a port of these could, while its server is
 * away, become the near end of somebody's connection, or of one to itself.
 */
final class Ports {
  private static final int FIRST = 12_000;
  private static final int COUNT = 7_000;
  private static final AtomicInteger NEXT =
      new AtomicInteger((int) (ProcessHandle.current().pid() * 37 % COUNT));

  private Ports() {}

  /** One at which nobody listens, another one each time; other processes begin elsewhere. */
  static int free() {
    for (int i = 0; i < COUNT; i++) {
      int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
      try (ServerSocket socket = new ServerSocket(port)) {
        return socket.getLocalPort();
      } catch (IOException _) {
        // taken: the next one
      }
    }
    throw new AssertionError("no free port");
  }
}
