package org.heddle.control.port;

/**
 * A part of a list of things with ascending numbers.
 *
 * @param from the number behind which it begins, in its order
 * @param descending true if the last thing is its first
 * @param limit things at most
 */
public record Part(long from, boolean descending, int limit) {
  /** Those after a number, ascending. */
  public static Part after(long from, int limit) {
    return new Part(from, false, limit);
  }

  /** True if a thing may be in it. */
  public boolean holds(long number) {
    return descending ? number < from : number > from;
  }
}
