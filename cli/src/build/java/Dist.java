import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Packaging step of the build: lays out {@code dist/lib} so that the JVM starts fast from it.
 *
 * <p>The JVM's AOT cache refuses classes older than Java 6 ("Old class has been linked"), because
 * it cannot verify them ahead of time; picocli is compiled for Java 5, and would be the one library
 * that is parsed and verified at every start. So such classes are rewritten to Java 17's format
 * with stack maps generated for them; everything else is copied byte for byte.
 *
 * <p>Arguments: target directory, then class paths. The directory is built under another name and
 * renamed, so that programs that run from the old one keep their open files.
 */
final class Dist {
  /** Class files from major version 50 on have stack maps, and the cache takes them. */
  private static final int FIRST_CACHEABLE_MAJOR = 50;

  private static final int NEW_MAJOR = ClassFile.JAVA_17_VERSION;

  /** A transform that touches every method body: untouched ones would be copied without maps. */
  private static final ClassTransform NEW_FORMAT =
      ClassTransform.transformingMethodBodies((code, element) -> code.with(element))
          .andThen(ClassTransform.endHandler(type -> type.withVersion(NEW_MAJOR, 0)));

  private Dist() {}

  public static void main(String[] args) throws IOException {
    Path dist = Path.of(args[0]);
    List<Path> jars = jars(args);
    Files.createDirectories(dist);
    Path fresh = dist.resolve("lib.new-" + ProcessHandle.current().pid());
    delete(fresh);
    Files.createDirectories(fresh);
    for (Path jar : jars) {
      Path to = fresh.resolve(jar.getFileName().toString());
      if (hasOldClasses(jar)) {
        rewrite(jar, jars, to);
      } else {
        Files.copy(jar, to, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    Path lib = dist.resolve("lib");
    Path old = dist.resolve("lib.old-" + ProcessHandle.current().pid());
    if (Files.exists(lib)) {
      Files.move(lib, old);
    }
    Files.move(fresh, lib);
    delete(old);
    Files.writeString(dist.resolve("stamp"), String.join("\n", names(jars)) + "\n", UTF_8);
  }

  private static List<Path> jars(String[] args) {
    List<Path> jars = new ArrayList<>();
    for (int i = 1; i < args.length; i++) {
      for (String jar : args[i].split(File.pathSeparator)) {
        jars.add(Path.of(jar));
      }
    }
    jars.sort(Comparator.comparing(p -> p.getFileName().toString()));
    return jars;
  }

  private static List<String> names(List<Path> jars) {
    return jars.stream().map(j -> j.getFileName().toString()).toList();
  }

  private static boolean hasOldClasses(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        if (isClass(entry) && major(read(zip, entry)) < FIRST_CACHEABLE_MAJOR) {
          return true;
        }
      }
    }
    return false;
  }

  private static void rewrite(Path jar, List<Path> all, Path to) throws IOException {
    try (ClassPath classPath = new ClassPath(all);
        ZipFile zip = new ZipFile(jar.toFile());
        ZipOutputStream out =
            new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(to)))) {
      ClassFile compiler =
          ClassFile.of(
              StackMapsOption.GENERATE_STACK_MAPS,
              ClassHierarchyResolverOption.of(
                  ClassHierarchyResolver.ofResourceParsing(classPath::open)
                      .orElse(ClassHierarchyResolver.defaultResolver())));
      for (ZipEntry entry : Collections.list(zip.entries())) {
        byte[] bytes = read(zip, entry);
        if (isClass(entry) && major(bytes) < FIRST_CACHEABLE_MAJOR) {
          bytes = compiler.transformClass(compiler.parse(bytes), NEW_FORMAT);
        }
        ZipEntry copy = new ZipEntry(entry.getName());
        copy.setTime(0);
        out.putNextEntry(copy);
        out.write(bytes);
        out.closeEntry();
      }
    }
  }

  private static boolean isClass(ZipEntry entry) {
    return entry.getName().endsWith(".class") && !entry.getName().endsWith("module-info.class");
  }

  private static int major(byte[] classFile) {
    return (classFile[6] & 0xff) << 8 | classFile[7] & 0xff;
  }

  private static byte[] read(ZipFile zip, ZipEntry entry) throws IOException {
    try (InputStream in = zip.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> walk = Files.walk(directory)) {
      for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /** Finds the class files of all jars, for the common super classes that stack maps need. */
  private static final class ClassPath implements AutoCloseable {
    private final List<ZipFile> zips = new ArrayList<>();

    ClassPath(List<Path> jars) throws IOException {
      for (Path jar : jars) {
        zips.add(new ZipFile(jar.toFile()));
      }
    }

    InputStream open(ClassDesc type) {
      String descriptor = type.descriptorString();
      String name = descriptor.substring(1, descriptor.length() - 1) + ".class";
      for (ZipFile zip : zips) {
        ZipEntry entry = zip.getEntry(name);
        if (entry != null) {
          try {
            return zip.getInputStream(entry);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      }
      return null;
    }

    @Override
    public void close() throws IOException {
      for (ZipFile zip : zips) {
        zip.close();
      }
    }
  }
}
