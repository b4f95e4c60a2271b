package org.heddle.catalog;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.heddle.allocation.Allocator;
import org.heddle.routing.RoutingEngine;

/**
 * The plug-ins of this installation, by name. {@link ServiceLoader} finds engines on the class
 * path, so an engine in a separate jar works too.
 */
public final class Catalog {
  private Catalog() {}

  /** All routing engines, ordered by name. */
  public static List<RoutingEngine> engines() {
    List<RoutingEngine> found = new ArrayList<>();
    ServiceLoader.load(RoutingEngine.class, Catalog.class.getClassLoader()).forEach(found::add);
    found.sort(Comparator.comparing(RoutingEngine::name));
    return List.copyOf(found);
  }

  /** The engine of that name, or empty. */
  public static Optional<RoutingEngine> engine(String name) {
    return engines().stream().filter(e -> e.name().equals(name)).findFirst();
  }

  /** All allocators, ordered by name. */
  public static List<Allocator> allocators() {
    List<Allocator> found = new ArrayList<>();
    ServiceLoader.load(Allocator.class, Catalog.class.getClassLoader()).forEach(found::add);
    found.sort(Comparator.comparing(Allocator::name));
    return List.copyOf(found);
  }

  /** The allocator of that name, or empty. */
  public static Optional<Allocator> allocator(String name) {
    return allocators().stream().filter(a -> a.name().equals(name)).findFirst();
  }
}
