package org.heddle.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.heddle.cli.shell.Version;
import org.heddle.cli.shell.plugin.PlugInDirectory;
import org.heddle.cli.shell.plugin.PlugInLoader;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Plug-ins in jars of their own: the example of {@code docs/plugins.md}, and broken ones. */
class PlugInsTest {
  private static final Path EXAMPLE = Path.of("../examples/spanning-tree");
  private static final String ENGINES = "META-INF/services/org.heddle.routing.RoutingEngine";
  private static final String ALLOCATORS = "META-INF/services/org.heddle.allocation.Allocator";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir static Path shared;

  @TempDir Path dir;

  /** The example as its own build would make it. */
  private static Path example;

  @BeforeAll
  static void packTheExample() throws IOException {
    Path classes = compile(shared.resolve("example"), sources(EXAMPLE.resolve("src/main/java")));
    Path resources = EXAMPLE.resolve("src/main/resources");
    Map<String, byte[]> content = files(classes);
    content.putAll(files(resources));
    example = jar(shared.resolve("spanning-tree.jar"), Map.of("Heddle-Needs", "0.1"), content);
  }

  @Test
  void aJarInADirectoryIsFoundListedAndUsed() throws IOException {
    Files.copy(example, dir.resolve("spanning-tree.jar"));
    Cli.Result list = Cli.run("--plugins", dir.toString(), "engines");
    assertThat(list.err()).isEmpty();
    assertThat(list.code()).isZero();
    assertThat(list.out().lines().filter(l -> l.startsWith("spanning-tree ")))
        .singleElement()
        .asString()
        .contains("  spanning-tree.jar  everything over one spanning tree");
    assertThat(list.out()).containsPattern("(?m)^ftree +Heddle +");

    Cli.Result json = Cli.run("engines", "--json", "--plugins=" + dir);
    for (JsonNode engine : JSON.readTree(json.out()).get("engines")) {
      boolean theirs = engine.get("name").asString().equals("spanning-tree");
      assertThat(engine.get("jar").isNull()).isEqualTo(!theirs);
      if (theirs) {
        assertThat(engine.get("jar").asString()).isEqualTo(dir.resolve("spanning-tree.jar") + "");
      }
    }

    String fabric = dir.resolve("a.net").toString();
    String tables = dir.resolve("a.hlft").toString();
    assertThat(Cli.run("fabric", "generate", "XGFT(2;4,8;1,4)", "-o", fabric).code()).isZero();
    Cli.Result routed =
        Cli.run(
            Map.of("HEDDLE_PLUGINS", dir.toString()),
            "",
            "route",
            fabric,
            "--engine",
            "spanning-tree",
            "-o",
            tables);
    assertThat(routed.err()).doesNotContain("error");
    assertThat(routed.code()).isZero();
    assertThat(Cli.run("audit", fabric, tables, "--fail-on", "error").code()).isZero();
    assertThat(Cli.run("route", fabric, "--engine", "spanning-tree", "-o", tables).err())
        .contains("there is no engine 'spanning-tree'");
  }

  @Test
  void theUsersOwnDirectoryIsTheDefault() throws IOException {
    Path own = Files.createDirectories(dir.resolve("heddle/plugins"));
    Files.copy(example, own.resolve("spanning-tree.jar"));
    assertThat(Cli.run(Map.of("XDG_DATA_HOME", dir.toString()), "", "engines").out())
        .contains("spanning-tree.jar");
    Path home = Files.createDirectories(dir.resolve("home"));
    assertThat(Cli.run(Map.of("HOME", home.toString()), "", "engines").out())
        .contains("ftree")
        .doesNotContain("spanning-tree.jar");
  }

  @Test
  void aConfigurationOfAServerNamesADirectory() throws IOException {
    Files.copy(example, dir.resolve("spanning-tree.jar"));
    Path file = dir.resolve("serve.yaml");
    Files.writeString(file, "version: 1\nplugins: " + dir + "\n");
    List<String> words = List.of("serve", "--config", file.toString());
    Map<String, String> env = Map.of("HEDDLE_PLUGINS", "/elsewhere");
    assertThat(PlugInDirectory.jars(words, env)).containsExactly(dir.resolve("spanning-tree.jar"));
    Path other = Files.createDirectory(dir.resolve("other"));
    List<String> both = List.of("--plugins", other.toString(), "serve", "--config", file + "");
    assertThat(PlugInDirectory.jars(both, env)).isEmpty();
  }

  @Test
  void theExampleKeepsTheContract() throws Exception {
    Path tests = compile(shared.resolve("tests"), sources(EXAMPLE.resolve("src/test/java")));
    Path library = jar(dir.resolve("tests.jar"), Map.of(), files(tests));
    Files.copy(example, dir.resolve("spanning-tree.jar"));
    assertThat(library).exists();
    ClassLoader loader =
        PlugInLoader.of(List.of("--plugins", dir.toString(), "engines"), Map.of()).orElseThrow();
    Object result =
        PlugInLoader.call(
            loader,
            ContractRun.class.getName(),
            "run",
            new Class<?>[] {String.class},
            "org.example.heddle.SpanningTreeTest");
    assertThat(result.toString()).matches("[1-9]\\d+ succeeded");
  }

  @Test
  void eachJarThatCannotBeUsedIsNamedWithItsReason() throws IOException {
    Map<String, String> wanted = new TreeMap<>();
    Files.writeString(dir.resolve("torn.jar"), "PK but no jar");
    wanted.put("torn.jar", "is no jar, or is broken");

    Files.copy(example, dir.resolve("a-first.jar")); // a good one, which the others come after
    Files.copy(example, dir.resolve("twice.jar"));
    wanted.put("twice.jar", "which comes from a-first.jar");

    jar(dir.resolve("newer.jar"), Map.of("Heddle-Needs", "99.1"), Map.of());
    wanted.put("newer.jar", "needs Heddle 99.1 or newer; this is " + Version.NUMBER);
    jar(dir.resolve("version.jar"), Map.of("Heddle-Needs", "soon"), Map.of());
    wanted.put("version.jar", "Heddle-Needs: soon in its manifest is no version");

    service("nowhere.jar", ENGINES, "# none\nsome.Missing\n");
    wanted.put("nowhere.jar", "lists some.Missing, which is not in it");
    service("nothing.jar", ALLOCATORS, "# some.Allocator\n");
    wanted.put("nothing.jar", ALLOCATORS + " lists no class");
    service("kind.jar", "META-INF/services/org.heddle.routing.Engine", "some.Engine");
    wanted.put("kind.jar", "Heddle has no such kind of plug-in");
    service("ours.jar", ENGINES, "org.heddle.routing.engine.MinHop");
    wanted.put("ours.jar", "which is Heddle's own: leave Heddle's jars out of yours");

    source("other.jar", "Other", ENGINES, "public class Other {}");
    wanted.put(
        "other.jar", "lists Other, which does not implement org.heddle.routing.RoutingEngine");
    source(
        "argument.jar", "Argument", ENGINES, engine("Argument", "x", "public Argument(int i) {}"));
    wanted.put("argument.jar", "which has no public constructor without parameters");
    source(
        "throwing.jar",
        "Throwing",
        ENGINES,
        engine("Throwing", "x", "public Throwing() { throw new IllegalStateException(\"no\"); }"));
    wanted.put("throwing.jar", "whose constructor fails: java.lang.IllegalStateException: no");
    source("taken.jar", "Taken", ENGINES, engine("Taken", "ftree", ""));
    wanted.put("taken.jar", "the name of its engine 'ftree' is taken: Heddle has one of its own");
    source("same.jar", "Same", ENGINES, engine("Same", "spanning-tree", ""));
    wanted.put("same.jar", "'spanning-tree' is taken: there is one in a-first.jar");
    source("loud.jar", "Loud", ENGINES, engine("Loud", "LOUD", ""));
    wanted.put("loud.jar", "'LOUD', is not made of small letters");
    source("forgotten.jar", "Forgotten", null, engine("Forgotten", "x", ""));
    wanted.put("forgotten.jar", "has an engine Forgotten and no " + ENGINES);
    tooNew("java.jar");
    wanted.put("java.jar", "which was compiled for a newer Java than");
    missingClass("linkage.jar");
    wanted.put("linkage.jar", "NoClassDefFoundError: Gone; it may have been made for another");

    Cli.Result result = Cli.run("engines", "--plugins", dir.toString());
    assertThat(result.code()).isZero();
    List<String> said = result.err().lines().toList();
    assertThat(said.stream().map(PlugInsTest::jarOf)).containsExactlyElementsOf(wanted.keySet());
    for (String line : said) {
      assertThat(line).contains(".jar: warning: this plug-in is left out: it ");
      assertThat(line).contains(wanted.get(jarOf(line)));
    }
    // what is right goes on, and nothing of what is wrong is there
    assertThat(result.out().lines().filter(l -> l.contains(".jar ")))
        .singleElement()
        .asString()
        .startsWith("spanning-tree  a-first.jar  ");
    assertThat(result.out()).containsPattern("(?m)^ftree +Heddle +");

    Cli.Result list = Cli.run("plugins", "--json", "--plugins", dir.toString());
    assertThat(list.code()).isEqualTo(1);
    JsonNode document = JSON.readTree(list.out());
    assertThat(document.get("left_out"))
        .extracting(left -> Path.of(left.get("jar").asString()).getFileName().toString())
        .containsExactlyElementsOf(wanted.keySet());
    assertThat(document.get("plugins")).hasSize(1);
    assertThat(document.get("plugins").get(0).get("name").asString()).isEqualTo("spanning-tree");
    assertThat(Cli.run("--plugins", dir.toString(), "--help").err()).isEmpty();
  }

  /** Who asks for what a broken jar would have brought is told that it is not there, and why. */
  @Test
  void whatIsLeftOutIsNotThere() throws IOException {
    source("taken.jar", "Taken", ENGINES, engine("Taken", "ftree", ""));
    Files.writeString(dir.resolve("spanning-tree.jar"), "torn");
    String fabric = dir.resolve("a.net").toString();
    assertThat(Cli.run("fabric", "generate", "XGFT(2;4,8;1,4)", "-o", fabric).code()).isZero();
    String tables = dir.resolve("a.hlft").toString();
    String[] route = {"route", fabric, "-o", tables, "--plugins", dir + "", "--engine"};
    Cli.Result none = Cli.run(with(route, "spanning-tree"));
    assertThat(none.code()).isEqualTo(2);
    assertThat(none.err()).contains("spanning-tree.jar: warning: ", "no engine 'spanning-tree'");
    assertThat(Cli.run(with(route, "ftree")).code()).isZero(); // Heddle's own
  }

  /** A jar that needs a class of one that is left out is left out with it. */
  @Test
  void whatNeedsALeftOutJarIsLeftOutToo() throws IOException {
    Path library = compile(dir.resolve("l.classes"), Map.of("Base", "public class Base {}"));
    Map<String, byte[]> content = files(library);
    content.put(ALLOCATORS, "Base".getBytes(UTF_8));
    jar(dir.resolve("library.jar"), Map.of(), content);
    Path classes =
        compile(
            dir.resolve("n.classes"),
            Map.of(
                "Base",
                "public class Base {}",
                "Needy",
                engine("Needy", "needy", "Base b = new Base();")));
    content = files(classes);
    content.remove("Base.class");
    content.put(ENGINES, "Needy".getBytes(UTF_8));
    jar(dir.resolve("needy.jar"), Map.of(), content);
    Cli.Result result = Cli.run("plugins", "--plugins", dir.toString());
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).contains("left out").contains("library.jar").contains("needy.jar");
    assertThat(result.err()).contains("library.jar: warning: ", "needy.jar: warning: ", "Base");
  }

  @Test
  void jarsAndWhatTheyBringAreListed() throws IOException {
    assertThat(Cli.run("plugins").out()).startsWith("no plug-ins; ");
    Files.copy(example, dir.resolve("spanning-tree.jar"));
    jar(dir.resolve("library.jar"), Map.of(), Map.of("a.txt", new byte[1]));
    Cli.Result result = Cli.run("plugins", "--plugins", dir.toString());
    assertThat(result.code()).isZero();
    assertThat(result.out().lines().toList().get(1))
        .matches("engine +spanning-tree +.*/spanning-tree\\.jar +everything over .*");
    assertThat(result.out().lines().toList().get(2)).matches("library +.*/library\\.jar *");
  }

  private static String[] with(String[] words, String last) {
    List<String> all = new ArrayList<>(List.of(words));
    all.add(last);
    return all.toArray(new String[0]);
  }

  private static String jarOf(String line) {
    return line.replaceFirst(".*/([a-z-]+\\.jar): warning: .*", "$1");
  }

  @Test
  void aDirectoryThatIsNotThereIsBadInput() {
    for (String missing : List.of(dir.resolve("none").toString(), example.toString())) {
      Cli.Result result = Cli.run("engines", "--json", "--plugins", missing);
      assertThat(result.code()).isEqualTo(2);
      assertThat(result.err()).contains(missing);
      assertThat(JSON.readTree(result.out()).get("format").asString()).isEqualTo("heddle.error/1");
    }
  }

  /** What only shows when the plug-in is used is the plug-in's fault, and says so. */
  @Test
  void aPlugInThatFailsInUseIsNamed() throws IOException {
    source("bad.jar", "Bad", ENGINES, engine("Bad", "bad", ""));
    String fabric = dir.resolve("a.net").toString();
    assertThat(Cli.run("fabric", "generate", "XGFT(2;4,8;1,4)", "-o", fabric).code()).isZero();
    String tables = dir.resolve("a.hlft").toString();
    Cli.Result result =
        Cli.run("route", fabric, "--engine", "bad", "-o", tables, "--plugins", dir.toString());
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err())
        .contains("the plug-in " + dir.resolve("bad.jar") + " failed: ")
        .contains("UnsupportedOperationException: not yet");
    assertThat(Path.of(tables)).doesNotExist();
  }

  private static String engine(String type, String name, String more) {
    return """
    public final class %s implements org.heddle.routing.RoutingEngine {
      %s
      public String name() { return "%s"; }
      public String description() { return "d"; }
      public String source() { return "s"; }
      public org.heddle.routing.RoutingResult route(org.heddle.routing.RoutingRequest r) {
        throw new UnsupportedOperationException("not yet");
      }
    }
    """
        .formatted(type, more, name);
  }

  private void service(String jar, String service, String content) throws IOException {
    jar(dir.resolve(jar), Map.of(), Map.of(service, content.getBytes(UTF_8)));
  }

  /** A jar with one class, listed in a service file unless that is null. */
  private void source(String jar, String type, String service, String text) throws IOException {
    Path classes = compile(dir.resolve(jar + ".classes"), Map.of(type, text));
    Map<String, byte[]> content = files(classes);
    if (service != null) {
      content.put(service, type.getBytes(UTF_8));
    }
    jar(dir.resolve(jar), Map.of(), content);
  }

  /** A class file of a Java to come. */
  private void tooNew(String jar) throws IOException {
    Path classes = compile(dir.resolve(jar + ".classes"), Map.of("New", engine("New", "new", "")));
    Map<String, byte[]> content = files(classes);
    content.get("New.class")[7] += 20; // the low byte of the major version
    content.put(ENGINES, "New".getBytes(UTF_8));
    jar(dir.resolve(jar), Map.of(), content);
  }

  /** An engine that needs a class which is not there. */
  private void missingClass(String jar) throws IOException {
    Path classes =
        compile(
            dir.resolve(jar + ".classes"),
            Map.of(
                "Gone",
                "public class Gone { public static int x() { return 1; } }",
                "Needy",
                engine("Needy", "needy", "public Needy() { Gone.x(); }")));
    Map<String, byte[]> content = files(classes);
    content.remove("Gone.class");
    content.put(ENGINES, "Needy".getBytes(UTF_8));
    jar(dir.resolve(jar), Map.of(), content);
  }

  private static Map<String, String> sources(Path root) throws IOException {
    Map<String, String> out = new TreeMap<>();
    files(root)
        .forEach(
            (name, text) -> out.put(name.substring(0, name.length() - 5), new String(text, UTF_8)));
    return out;
  }

  private static Map<String, byte[]> files(Path root) throws IOException {
    Map<String, byte[]> out = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(root)) {
      for (Path file : walk.filter(Files::isRegularFile).toList()) {
        out.put(root.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return out;
  }

  private static Path compile(Path to, Map<String, String> sources) throws IOException {
    Files.createDirectories(to);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<JavaFileObject> units = new ArrayList<>();
    sources.forEach(
        (name, text) ->
            units.add(
                new SimpleJavaFileObject(
                    URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
                  @Override
                  public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                    return text;
                  }
                }));
    List<String> options =
        List.of("-d", to.toString(), "-proc:none", "-cp", System.getProperty("java.class.path"));
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, UTF_8)) {
      assertThat(compiler.getTask(null, files, null, options, null, units).call()).isTrue();
    }
    return to;
  }

  private static Path jar(Path to, Map<String, String> attributes, Map<String, byte[]> content)
      throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.forEach(manifest.getMainAttributes()::putValue);
    try (OutputStream file = Files.newOutputStream(to);
        JarOutputStream jar = new JarOutputStream(file, manifest)) {
      for (Map.Entry<String, byte[]> entry : content.entrySet()) {
        jar.putNextEntry(new JarEntry(entry.getKey()));
        jar.write(entry.getValue());
        jar.closeEntry();
      }
    }
    return to;
  }
}
