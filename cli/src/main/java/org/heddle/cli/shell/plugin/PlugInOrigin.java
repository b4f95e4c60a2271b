package org.heddle.cli.shell.plugin;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Optional;
import org.heddle.catalog.Catalog;

/** Which jar something comes from. */
public final class PlugInOrigin {
  private PlugInOrigin() {}

  /** The jar of a plug-in; empty for what is Heddle's own. */
  public static Optional<Path> jar(Class<?> type) {
    Optional<Path> own = place(Catalog.class);
    return place(type).filter(at -> !Optional.of(at).equals(own));
  }

  /** For programs: the path of the jar, or null for what is Heddle's own. */
  public static String path(Object plugIn) {
    return jar(plugIn.getClass()).map(Path::toString).orElse(null);
  }

  /**
   * The plug-in that something was thrown in; empty if none had a part in it.
   *
   * @param jars those of the plug-ins
   */
  public static Optional<Path> culprit(Throwable thrown, List<Path> jars) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      for (StackTraceElement frame : t.getStackTrace()) {
        Optional<Path> place = type(frame.getClassName()).flatMap(PlugInOrigin::place);
        for (Path jar : jars) {
          if (place.isPresent() && same(jar, place.get())) {
            return Optional.of(jar);
          }
        }
      }
    }
    return Optional.empty();
  }

  static boolean same(Path jar, Path place) {
    return jar.toAbsolutePath().normalize().equals(place.toAbsolutePath().normalize());
  }

  private static Optional<Class<?>> type(String name) {
    try {
      return Optional.of(Class.forName(name, false, PlugInOrigin.class.getClassLoader()));
    } catch (ClassNotFoundException | LinkageError _) {
      return Optional.empty();
    }
  }

  /** The jar or directory a class was loaded from; empty for Java's own. */
  static Optional<Path> place(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Path.of(source.getLocation().toURI()));
    } catch (URISyntaxException | IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
