package org.heddle.topology;

import java.util.Set;

/**
 * Something noticed during the search for a tree.
 *
 * @param code stable key, kebab-case, for machines ({@code same-level-link})
 * @param message one sentence for people, naming switch and port
 * @param node node id it is about, or {@link org.heddle.fabric.Fabric#NONE}
 * @param port port number on that node, or 0
 */
public record TreeFinding(String code, String message, int node, int port) {
  /** Codes that say how the fabric was built, not that something is missing or misplaced. */
  private static final Set<String> FACTS =
      Set.of("aggregation-nodes", "routers", "plane", "upper-hosts", "cascade", "shape");

  /** True if it is a fact about the fabric and nothing is wrong. */
  public boolean informative() {
    return FACTS.contains(code);
  }
}
