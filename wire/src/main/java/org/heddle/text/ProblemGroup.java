package org.heddle.text;

/**
 * Warnings of one kind: the first few are kept word for word, the rest are counted, so that one
 * frequent oddity does not hide the others.
 */
final class ProblemGroup {
  static final int SHOWN = 8;

  private final Problems problems;
  private final String kind;
  private int count;

  /**
   * @param kind plural, completes "12 more ..."
   */
  ProblemGroup(Problems problems, String kind) {
    this.problems = problems;
    this.kind = kind;
  }

  /** True while messages are still kept; callers may skip composing one when it is false. */
  boolean wanted() {
    return count < SHOWN;
  }

  void warn(int line, String message) {
    if (count++ < SHOWN) {
      problems.warn(line, message);
    }
  }

  /** Counts one without text; only after {@link #wanted} said no. */
  void skip() {
    count++;
  }

  int count() {
    return count;
  }

  /** Reports how many were not kept. Call once, at the end. */
  void close() {
    if (count > SHOWN) {
      problems.warn(0, (count - SHOWN) + " more " + kind);
    }
  }
}
