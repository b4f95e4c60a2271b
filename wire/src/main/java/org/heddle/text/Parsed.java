package org.heddle.text;

import java.util.List;
import java.util.NoSuchElementException;

/** What a reader made of a file: a value unless a problem is an error, and all problems. */
public final class Parsed<T> {
  private final T value;
  private final List<Problem> problems;

  public Parsed(T value, List<Problem> problems) {
    this.value = value;
    this.problems = problems;
  }

  /** True if the file can be used. */
  public boolean ok() {
    return value != null;
  }

  /**
   * The value.
   *
   * @throws NoSuchElementException if the file could not be used
   */
  public T get() {
    if (value == null) {
      throw new NoSuchElementException("unusable: " + problems);
    }
    return value;
  }

  /** Everything noticed, in file order. */
  public List<Problem> problems() {
    return problems;
  }
}
