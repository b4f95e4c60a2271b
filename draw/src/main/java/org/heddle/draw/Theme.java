package org.heddle.draw;

/** Colours of a drawing. All of them print on white. */
public enum Theme {
  /** Dark on white. */
  LIGHT,
  /** Light on dark. */
  DARK,
  /** As the viewer's system prefers (CSS {@code prefers-color-scheme}); light where unknown. */
  AUTO
}
