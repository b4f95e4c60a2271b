package org.heddle.server.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.heddle.control.port.Part;

/** Lists of which a sender sees a part: read from the store until there are enough of that. */
public final class Pages {
  /** What is read at once. */
  public static final int READ = 1000;

  private Pages() {}

  /**
   * Up to {@code limit} of those that are shown, in their order.
   *
   * @param asked which of them
   * @param read a part of the things
   * @param id of a thing
   * @param shown the thing as it is shown; empty if it is not
   */
  public static <T, R> List<R> of(
      Listing asked,
      Function<Part, List<T>> read,
      ToLongFunction<T> id,
      Function<T, Optional<R>> shown) {
    List<R> out = new ArrayList<>();
    List<T> part;
    long from = asked.from();
    do {
      part = read.apply(new Part(from, asked.descending(), READ));
      for (int i = 0; i < part.size() && out.size() < asked.limit(); i++) {
        shown.apply(part.get(i)).ifPresent(out::add);
      }
      from = part.isEmpty() ? from : id.applyAsLong(part.getLast());
    } while (out.size() < asked.limit() && part.size() == READ);
    return out;
  }
}
