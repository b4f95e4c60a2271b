import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Packaging step: completes the list of what a package holds, and collects its licences.
 *
 * <p>The build's list (CycloneDX) knows libraries as they were published. What is packaged is
 * rewritten in part (see {@code Dist}) and comes with a Java runtime, so checksums are those of the
 * packaged files, and the runtime is added, and SQLite, which its driver contains. A jar that is
 * not in the list, an entry without its jar, or a library without the text of its licence ends the
 * build.
 *
 * <p>Arguments: the build's list, the root of the package (with {@code lib/order}, {@code runtime}
 * and {@code LICENSE}). Writes {@code sbom.cdx.json} and {@code licenses/LIBRARY/...} there.
 */
final class Sbom {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final Pattern LICENCE =
      Pattern.compile("(?i)META-INF/(.*/)?[^/]*(LICEN[CS]E|NOTICE|COPYING)[^/]*");

  private final Path root;
  private final ObjectNode list;
  private final ArrayNode components;

  private Sbom(Path bom, Path root) throws IOException {
    this.root = root;
    this.list = (ObjectNode) JSON.readTree(Files.readString(bom));
    this.components = (ArrayNode) list.get("components");
  }

  public static void main(String[] args) throws IOException {
    Sbom sbom = new Sbom(Path.of(args[0]), Path.of(args[1]));
    sbom.subject();
    sbom.jars();
    sbom.runtime();
    DefaultPrettyPrinter lines =
        new DefaultPrettyPrinter()
            .withObjectIndenter(new DefaultIndenter(" ", "\n"))
            .withArrayIndenter(new DefaultIndenter(" ", "\n"));
    String text = JSON.writer().with(lines).writeValueAsString(sbom.list);
    Files.writeString(sbom.root.resolve("sbom.cdx.json"), text + "\n", UTF_8);
  }

  /** The package instead of the module that assembles it, which is one of its parts. */
  private void subject() {
    ObjectNode metadata = (ObjectNode) list.get("metadata");
    ObjectNode cli = (ObjectNode) metadata.get("component");
    components.insert(0, cli.deepCopy());
    metadata.remove("properties");
    cli.put("type", "application");
    cli.put("bom-ref", "heddle");
    cli.put("name", "heddle");
    cli.put("description", "Keeps the tenants of an InfiniBand fabric apart");
    cli.put("purl", "pkg:generic/heddle@" + cli.get("version").asString());
  }

  private void jars() throws IOException {
    TreeMap<String, ObjectNode> left = new TreeMap<>();
    for (JsonNode component : components) {
      String jar = component.get("name").asString() + "-" + component.get("version").asString();
      left.put(jar + ".jar", (ObjectNode) component);
    }
    String sqlite = null;
    for (String jar : Files.readAllLines(root.resolve("lib/order"))) {
      ObjectNode component = left.remove(jar);
      if (component == null) {
        throw new IllegalStateException(jar + " is packaged, but the build's list lacks it");
      }
      component.set("hashes", hashes(root.resolve("lib").resolve(jar)));
      component.remove("externalReferences");
      String name = component.get("name").asString();
      if (!component.path("group").asString("").equals("org.heddle")) {
        licences(root.resolve("lib").resolve(jar), component);
      }
      if (name.equals("sqlite-jdbc")) {
        sqlite = component.get("version").asString().replaceFirst("\\.\\d+$", "");
      }
    }
    if (!left.isEmpty()) {
      throw new IllegalStateException("listed, but not packaged: " + left.keySet());
    }
    if (sqlite != null) {
      ObjectNode library = component("SQLite", sqlite, "blessing", "pkg:generic/sqlite@" + sqlite);
      library.set("hashes", hashes(root.resolve("lib/native/libsqlitejdbc.so")));
    }
  }

  private void licences(Path jar, ObjectNode component) throws IOException {
    String name = component.get("name").asString();
    Path directory = Files.createDirectories(root.resolve("licenses").resolve(name));
    boolean any = false;
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        String path = entry.getName();
        if (entry.isDirectory() || path.endsWith(".class") || !LICENCE.matcher(path).matches()) {
          continue;
        }
        String file =
            path.replaceFirst("META-INF/(maven/[^/]+/[^/]+/)?", "").replace("META-INF/", "");
        Path to = directory.resolve(file.replace('/', '-'));
        try (InputStream in = zip.getInputStream(entry)) {
          Files.write(to, in.readAllBytes());
        }
        any |= !path.toUpperCase().contains("NOTICE");
      }
    }
    if (any) {
      return;
    }
    boolean apache = component.get("licenses").toString().contains("\"Apache-2.0\"");
    if (!apache) {
      throw new IllegalStateException(jar + " has no text of its licence");
    }
    Files.copy(root.resolve("LICENSE"), directory.resolve("LICENSE"));
  }

  private void runtime() throws IOException {
    Properties release = new Properties();
    try (InputStream in = Files.newInputStream(root.resolve("runtime/release"))) {
      release.load(in);
    }
    String version =
        release.getProperty("JAVA_RUNTIME_VERSION", release.getProperty("JAVA_VERSION"));
    version = version.replace("\"", "");
    component(
        "OpenJDK runtime",
        version,
        "GPL-2.0-only WITH Classpath-exception-2.0",
        "pkg:generic/openjdk@" + version.replace("+", "%2B"));
  }

  private ObjectNode component(String name, String version, String licence, String purl) {
    ObjectNode component = components.addObject();
    component.put("type", "library");
    component.put("bom-ref", purl);
    component.put("name", name);
    component.put("version", version);
    component.put("scope", "required");
    ObjectNode in = component.putArray("licenses").addObject();
    if (licence.contains(" ")) {
      in.put("expression", licence);
    } else {
      in.putObject("license").put("id", licence);
    }
    component.put("purl", purl);
    ObjectNode depends = ((ArrayNode) list.get("dependencies")).addObject();
    depends.put("ref", purl);
    return component;
  }

  private static ArrayNode hashes(Path file) throws IOException {
    ArrayNode out = JSON.createArrayNode();
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      out.addObject().put("alg", "SHA-256").put("content", HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
    return out;
  }
}
