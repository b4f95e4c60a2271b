package org.heddle.cli.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.heddle.allocation.Allocator;
import org.heddle.catalog.Catalog;

/** Allocators as users name them. */
public final class Allocators {
  private static final int FARTHEST_SUGGESTION = 3;

  private Allocators() {}

  /** The allocator of that name, in any case; else a failure that lists the names there are. */
  public static Allocator named(String name) {
    return Catalog.allocator(name.toLowerCase(Locale.ROOT)).orElseThrow(() -> unknown(name));
  }

  private static Failure unknown(String name) {
    List<String> names = names();
    String near = Suggestions.closest(name, names, FARTHEST_SUGGESTION);
    List<String> hints = new ArrayList<>();
    if (near != null) {
      hints.add("did you mean " + near + "?");
    }
    hints.add("allocators: " + String.join(", ", names));
    return Failure.badInput("there is no allocator '" + name + "'", hints.toArray(new String[0]));
  }

  /** Names of the allocators. */
  public static List<String> names() {
    return Catalog.allocators().stream().map(Allocator::name).toList();
  }
}
