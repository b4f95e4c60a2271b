package org.heddle.server.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

/** Lists of which a sender sees a part: read from the store until there are enough of that. */
public final class Pages {
  /** What is read at once. */
  public static final int READ = 1000;

  private Pages() {}

  /**
   * Up to {@code limit} of those that are shown, in their order.
   *
   * @param read up to {@link #READ} things after an id
   * @param id of a thing
   * @param shown the thing as it is shown; empty if it is not
   */
  public static <T, R> List<R> of(
      long after,
      int limit,
      LongFunction<List<T>> read,
      ToLongFunction<T> id,
      Function<T, Optional<R>> shown) {
    List<R> out = new ArrayList<>();
    List<T> part;
    long from = after;
    do {
      part = read.apply(from);
      for (int i = 0; i < part.size() && out.size() < limit; i++) {
        shown.apply(part.get(i)).ifPresent(out::add);
      }
      from = part.isEmpty() ? from : id.applyAsLong(part.getLast());
    } while (out.size() < limit && part.size() == READ);
    return out;
  }
}
