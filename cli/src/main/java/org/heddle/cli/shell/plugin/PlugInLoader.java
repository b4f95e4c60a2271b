package org.heddle.cli.shell.plugin;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
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
    return jars.isEmpty() ? Optional.empty() : Optional.of(usable(jars));
  }

  /** Looks at the jars inside, and makes another loader without those that cannot be used. */
  private static ClassLoader usable(List<Path> jars) {
    Map<String, String> found = new LinkedHashMap<>();
    jars.forEach(jar -> found.put(jar.toString(), ""));
    while (true) {
      List<String> rest = found.keySet().stream().filter(j -> found.get(j).isEmpty()).toList();
      ClassLoader loader = new Loader(rest.stream().map(Path::of).toList(), found);
      Class<?>[] types = {List.class};
      Map<?, ?> wrong =
          (Map<?, ?>) call(loader, PlugInCheck.class.getName(), "problems", types, rest);
      if (wrong.isEmpty()) {
        return loader;
      }
      wrong.forEach((jar, why) -> found.put((String) jar, (String) why));
    }
  }

  /**
   * The jars of this run, each with what is wrong with it, for which it was left out; empty for one
   * that is used.
   */
  public static Map<String, String> jars() {
    Map<String, String> out = new LinkedHashMap<>();
    if (PlugInLoader.class.getClassLoader() instanceof Supplier<?> loader) {
      ((Map<?, ?>) loader.get()).forEach((jar, why) -> out.put((String) jar, (String) why));
    }
    return out;
  }

  /**
   * A loader that knows what was left out. Inside, its own class is another one: it is asked as
   * what Java has.
   */
  private static final class Loader extends URLClassLoader
      implements Supplier<Map<String, String>> {
    private final Map<String, String> found;

    Loader(List<Path> jars, Map<String, String> found) {
      super(NAME, urls(jars), ClassLoader.getPlatformClassLoader());
      this.found = found;
    }

    @Override
    public Map<String, String> get() {
      return Collections.unmodifiableMap(found);
    }
  }

  private static URL[] urls(List<Path> jars) {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      urls.add(url(Path.of(entry)));
    }
    jars.forEach(jar -> urls.add(url(jar)));
    return urls.toArray(new URL[0]);
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
