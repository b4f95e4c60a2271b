package org.heddle.topology;

import java.util.List;

/**
 * The outcome of a search for a fat-tree: the tree, or the reason why there is none. Both explain
 * themselves.
 */
public sealed interface Recognition {

  /** What was noticed on the way, each naming a switch and a port where there is one. */
  List<TreeFinding> findings();

  /** A tree was found; the findings are the damage and the oddities it has. */
  record Found(FatTree tree, List<TreeFinding> findings) implements Recognition {
    public Found {
      findings = List.copyOf(findings);
    }
  }

  /** No tree; the findings are the reasons, the first is the one to start with. */
  record Refused(List<TreeFinding> findings) implements Recognition {
    public Refused {
      findings = List.copyOf(findings);
    }
  }
}
