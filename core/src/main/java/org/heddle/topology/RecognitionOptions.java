package org.heddle.topology;

import java.util.List;
import org.heddle.fabric.Guid;

/**
 * What the operator knows about the tree; empty lists leave it to the recogniser.
 *
 * @param roots node GUIDs of root switches: levels are counted from them
 * @param leaves node GUIDs of leaf switches
 */
public record RecognitionOptions(List<Guid> roots, List<Guid> leaves) {
  /** Nothing known. */
  public static final RecognitionOptions NONE = new RecognitionOptions(List.of(), List.of());

  public RecognitionOptions {
    roots = List.copyOf(roots);
    leaves = List.copyOf(leaves);
  }

  /** Roots known. */
  public static RecognitionOptions ofRoots(List<Guid> roots) {
    return new RecognitionOptions(roots, List.of());
  }

  /** Leaves known. */
  public static RecognitionOptions ofLeaves(List<Guid> leaves) {
    return new RecognitionOptions(List.of(), leaves);
  }
}
