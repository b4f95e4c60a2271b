package org.heddle.cli.shell.plugin;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.cli.shell.Failure;

/**
 * The class loader of a run with plug-ins: Heddle's jars and then theirs, beside the loader of the
 * program that has been started, and with classes of its own. So {@code
 * Catalog.class.getClassLoader()} knows both, and a run without plug-ins is what it was. It costs
 * the fast start: classes of the JVM's cache are those of the other loader.
 */
public final class PlugInLoader {
  private static final String NAME = "heddle-plugins";

  private PlugInLoader() {}

  /** True in a run with plug-ins. */
  public static boolean inside() {
    return NAME.equals(PlugInLoader.class.getClassLoader().getName());
  }

  /**
   * The loader for a command line; empty if it has no plug-ins, is inside already, or names a
   * directory that cannot be read, which the run itself reports.
   */
  public static Optional<ClassLoader> of(List<String> args, Map<String, String> env) {
    if (inside()) {
      return Optional.empty();
    }
    List<Path> jars;
    try {
      jars = PlugInDirectory.jars(args, env);
    } catch (Failure _) {
      return Optional.empty();
    }
    return jars.isEmpty() ? Optional.empty() : Optional.of(with(jars));
  }

  private static ClassLoader with(List<Path> jars) {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      urls.add(url(Path.of(entry)));
    }
    jars.forEach(jar -> urls.add(url(jar)));
    return new URLClassLoader(NAME, urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /**
   * Calls a static method of a class of Heddle as that loader has it.
   *
   * @param types its parameters, all classes of Java's own
   */
  public static Object call(
      ClassLoader loader, String type, String method, Class<?>[] types, Object... arguments) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader); // by which drivers of databases are found
    try {
      return loader.loadClass(type).getMethod(method, types).invoke(null, arguments);
    } catch (InvocationTargetException e) {
      throw unchecked(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static RuntimeException unchecked(Throwable thrown) {
    return switch (thrown) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> new IllegalStateException(thrown);
    };
  }
}
