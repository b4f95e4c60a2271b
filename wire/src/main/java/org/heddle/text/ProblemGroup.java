package org.heddle.text;

import java.util.List;

/**
 * Warnings or notes of one kind: the first few are kept word for word, the rest are counted, so
 * that one frequent oddity does not hide the others.
 */
public final class ProblemGroup {
  public static final int SHOWN = 8;

  private final Problems problems;
  private final String kind;
  private final boolean note;
  private int count;

  /**
   * @param kind plural, completes "12 more ..."
   */
  public ProblemGroup(Problems problems, String kind) {
    this(problems, kind, false);
  }

  private ProblemGroup(Problems problems, String kind, boolean note) {
    this.problems = problems;
    this.kind = kind;
    this.note = note;
  }

  /** A group of notes. @param kind plural, completes "12 more ..." */
  public static ProblemGroup ofNotes(Problems problems, String kind) {
    return new ProblemGroup(problems, kind, true);
  }

  /** True while messages are still kept; callers may skip composing one when it is false. */
  public boolean wanted() {
    return count < SHOWN;
  }

  /** Adds one, as a note in a group of notes. */
  public void warn(int line, String message) {
    if (count++ < SHOWN) {
      put(line, message);
    }
  }

  /** Adds a problem of identity, as severe as its code says. */
  public void identity(IdentityCode code, String message, List<Place> places) {
    if (count++ < SHOWN) {
      problems.identity(code, message, places);
    }
  }

  private void put(int line, String message) {
    if (note) {
      problems.note(line, message);
    } else {
      problems.warn(line, message);
    }
  }

  /** Counts one without text; only after {@link #wanted} said no. */
  public void skip() {
    count++;
  }

  public int count() {
    return count;
  }

  /** Reports how many were not kept. Call once, at the end. */
  public void close() {
    if (count > SHOWN) {
      put(0, (count - SHOWN) + " more " + kind);
    }
  }
}
