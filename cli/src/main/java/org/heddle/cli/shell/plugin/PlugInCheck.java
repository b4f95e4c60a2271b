package org.heddle.cli.shell.plugin;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.heddle.allocation.Allocator;
import org.heddle.cli.shell.Version;
import org.heddle.routing.RoutingEngine;

/**
 * What is wrong with the jars of plug-ins, before anything runs. A jar with which something is
 * wrong is named and left out as a whole, so that none of its names stands for anything; a command
 * that needs one of them says that there is none. Runs in a loader of the plug-ins. A jar that
 * names no plug-in is a library of one.
 */
public final class PlugInCheck {
  /** In a jar's manifest: the least Heddle that it needs. */
  public static final String NEEDS = "Heddle-Needs";

  private static final String SERVICES = "META-INF/services/";
  private static final String OURS = "org.heddle.";

  /** Broken plug-ins after which nobody looks for Heddle's own any more. */
  private static final int MOST_ERRORS = 1000;

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*");
  private static final Pattern VERSION = Pattern.compile("\\d{1,6}(\\.\\d{1,6}){0,3}");

  /** One kind of plug-in. */
  private record Kind<T>(
      Class<T> type,
      String word,
      Function<T, String> name,
      Function<T, String> description,
      Function<T, String> source,
      Function<T, Object> further) {}

  private static final List<Kind<?>> KINDS =
      List.of(
          new Kind<>(
              RoutingEngine.class,
              "engine",
              RoutingEngine::name,
              RoutingEngine::description,
              RoutingEngine::source,
              RoutingEngine::uses),
          new Kind<>(
              Allocator.class,
              "allocator",
              Allocator::name,
              Allocator::description,
              Allocator::source,
              Allocator::givesLinks));

  private final ClassLoader loader = PlugInCheck.class.getClassLoader();
  private final List<Path> jars;
  private final Map<String, String> problems = new LinkedHashMap<>();

  /** Who has a name, by kind and name. */
  private final Map<String, String> owners = new HashMap<>();

  private PlugInCheck(List<Path> jars) {
    this.jars = jars;
  }

  /**
   * What is wrong, by the path of the jar; jars that are fine are not in it. Takes and gives
   * classes of Java's own, because it is called from outside of the loader.
   */
  public static Map<String, String> problems(List<String> paths) {
    List<Path> jars = paths.stream().map(Path::of).toList();
    PlugInCheck check = new PlugInCheck(jars);
    KINDS.forEach(check::own);
    jars.forEach(check::jar);
    return check.problems;
  }

  private void jar(Path jar) {
    try (JarFile file = new JarFile(jar.toFile(), false)) {
      if (fits(jar, file)) {
        services(jar, file);
      }
    } catch (IOException e) {
      say(jar, "is no jar, or is broken: " + e.getMessage());
    } catch (RuntimeException e) { // of a manifest or an index that nobody can read
      say(jar, "is broken: " + e);
    }
  }

  private boolean fits(Path jar, JarFile file) throws IOException {
    String needs =
        file.getManifest() == null ? null : file.getManifest().getMainAttributes().getValue(NEEDS);
    if (needs == null) {
      return true;
    }
    if (!VERSION.matcher(needs.strip()).matches()) {
      say(jar, NEEDS + ": " + needs + " in its manifest is no version");
      return false;
    }
    if (compare(needs.strip(), Version.NUMBER) > 0) {
      say(jar, "needs Heddle " + needs.strip() + " or newer; this is " + Version.NUMBER);
      return false;
    }
    return true;
  }

  static int compare(String left, String right) {
    String[] a = left.split("\\.");
    String[] b = right.split("\\.");
    for (int i = 0; i < Math.max(a.length, b.length); i++) {
      int x = i < a.length ? Integer.parseInt(a[i]) : 0;
      int y = i < b.length ? Integer.parseInt(b[i]) : 0;
      if (x != y) {
        return Integer.compare(x, y);
      }
    }
    return 0;
  }

  private void services(Path jar, JarFile file) throws IOException {
    boolean any = false;
    for (Enumeration<JarEntry> all = file.entries(); all.hasMoreElements(); ) {
      JarEntry entry = all.nextElement();
      String service = entry.getName();
      if (!service.startsWith(SERVICES + OURS)) {
        continue;
      }
      any = true;
      String type = service.substring(SERVICES.length());
      Optional<Kind<?>> kind = KINDS.stream().filter(k -> k.type.getName().equals(type)).findAny();
      if (kind.isEmpty()) {
        say(jar, service + ": Heddle has no such kind of plug-in; there are " + kinds());
        continue;
      }
      List<String> names = names(file, entry);
      if (names.isEmpty()) {
        say(jar, service + " lists no class");
      }
      names.forEach(name -> plugIn(jar, service, name, kind.get()));
    }
    if (!any) {
      forgotten(jar, file);
    }
  }

  private static List<String> names(JarFile file, JarEntry entry) throws IOException {
    try (InputStream in = file.getInputStream(entry)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.contains("#") ? line.substring(0, line.indexOf('#')) : line)
          .map(String::strip)
          .filter(line -> !line.isEmpty())
          .toList();
    }
  }

  /** Classes that are plug-ins in a jar that does not list them. */
  private void forgotten(Path jar, JarFile file) throws IOException {
    for (Enumeration<JarEntry> all = file.entries(); all.hasMoreElements(); ) {
      JarEntry entry = all.nextElement();
      if (!entry.getName().endsWith(".class") || entry.getName().endsWith("-info.class")) {
        continue;
      }
      try (InputStream in = file.getInputStream(entry)) {
        var type = ClassFile.of().parse(in.readAllBytes());
        for (Kind<?> kind : KINDS) {
          String wanted = kind.type.getName().replace('.', '/');
          if (type.interfaces().stream().anyMatch(i -> i.asInternalName().equals(wanted))) {
            String name = type.thisClass().asInternalName().replace('/', '.');
            say(
                jar,
                "has %s %s and no %s%s that lists it"
                    .formatted(article(kind), name, SERVICES, kind.type.getName()));
          }
        }
      } catch (IllegalArgumentException _) {
        // a class file of a later Java: a library's affair
      }
    }
  }

  private <T> void plugIn(Path jar, String service, String name, Kind<T> kind) {
    String at = service + " lists " + name;
    Class<?> type;
    try {
      type = Class.forName(name, false, loader);
    } catch (ClassNotFoundException _) {
      say(jar, at + ", which is not in it");
      return;
    } catch (UnsupportedClassVersionError _) {
      say(jar, at + ", which was compiled for a newer Java than " + Runtime.version().feature());
      return;
    } catch (LinkageError e) {
      say(jar, at + ", which cannot be loaded: " + linkage(e));
      return;
    }
    if (PlugInOrigin.place(type).filter(place -> PlugInOrigin.same(jar, place)).isEmpty()) {
      say(
          jar,
          isInAJar(type)
              ? at + ", which comes from " + PlugInOrigin.place(type).get().getFileName()
              : at + ", which is Heddle's own: leave Heddle's jars out of yours (scope provided)");
      return;
    }
    if (!kind.type.isAssignableFrom(type)) {
      say(jar, at + ", which does not implement " + kind.type.getName());
      return;
    }
    Optional<T> made = made(jar, at, type.asSubclass(kind.type));
    made.ifPresent(plugIn -> says(jar, type, plugIn, kind));
  }

  private <T> Optional<T> made(Path jar, String at, Class<? extends T> type) {
    try {
      return Optional.of(type.getConstructor().newInstance());
    } catch (NoSuchMethodException _) {
      say(jar, at + ", which has no public constructor without parameters");
    } catch (InstantiationException | IllegalAccessException _) {
      say(jar, at + ", which is abstract or not public");
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      say(
          jar,
          at
              + ", whose constructor fails: "
              + (cause instanceof LinkageError linkage ? linkage(linkage) : cause));
    } catch (LinkageError e) {
      say(jar, at + ", which cannot be made: " + linkage(e));
    }
    return Optional.empty();
  }

  /** What it says about itself, and whether its name is free. */
  private <T> void says(Path jar, Class<?> type, T plugIn, Kind<T> kind) {
    String name;
    try {
      name = kind.name.apply(plugIn);
      if (kind.description.apply(plugIn) == null
          || kind.source.apply(plugIn) == null
          || kind.further.apply(plugIn) == null) {
        say(jar, type.getName() + " has no description, source or uses: null");
        return;
      }
    } catch (RuntimeException e) {
      say(jar, type.getName() + " fails when asked what it is: " + e);
      return;
    } catch (LinkageError e) {
      say(jar, type.getName() + " fails when asked what it is: " + linkage(e));
      return;
    }
    if (name == null || !NAME.matcher(name).matches()) {
      say(
          jar,
          "the name of %s, '%s', is not made of small letters, digits and '-'"
              .formatted(type.getName(), name));
      return;
    }
    String key = kind.word + " " + name;
    String owner = owners.putIfAbsent(key, "there is one in " + jar.getFileName());
    if (owner != null) {
      say(jar, "the name of its %s '%s' is taken: %s".formatted(kind.word, name, owner));
    }
  }

  /** Names that are taken before any jar comes: those of plug-ins that are in none of them. */
  private <T> void own(Kind<T> kind) {
    Iterator<T> all = ServiceLoader.load(kind.type, loader).iterator();
    for (int errors = 0; errors < MOST_ERRORS; ) {
      try {
        if (!all.hasNext()) {
          return;
        }
        T plugIn = all.next();
        if (!isInAJar(plugIn.getClass())) {
          owners.put(kind.word + " " + kind.name.apply(plugIn), "Heddle has one of its own");
        }
      } catch (ServiceConfigurationError | LinkageError _) {
        errors++; // a jar's, and said when its turn comes
      }
    }
  }

  private boolean isInAJar(Class<?> type) {
    return PlugInOrigin.place(type)
        .filter(at -> jars.stream().anyMatch(jar -> PlugInOrigin.same(jar, at)))
        .isPresent();
  }

  private static String linkage(LinkageError e) {
    return e + "; it may have been made for another version of Heddle";
  }

  private static String article(Kind<?> kind) {
    return "an " + kind.word;
  }

  private static String kinds() {
    return String.join(" and ", KINDS.stream().map(k -> k.type.getName()).toList());
  }

  private void say(Path jar, String message) {
    problems.merge(jar.toString(), message, (first, second) -> first + "; " + second);
  }
}
