package org.heddle.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A controller in a process of its own, on an emulated fabric and a SQLite database of its own. */
final class ServeProcess implements AutoCloseable {
  private static final Pattern ADDRESS = Pattern.compile("serving at (http://[0-9.:]+)/v1");
  private static final String HEAP = "-Xmx256m";
  private static final int KIB = 1024;

  private final Path directory;
  private final Process process;
  private final String base;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final boolean own;

  private ServeProcess(Path directory, boolean own, Process process, String base) {
    this.directory = directory;
    this.own = own;
    this.process = process;
    this.base = base;
  }

  /** Starts one on this tree and waits until it serves. */
  static ServeProcess start(String tree) throws IOException {
    return start(Files.createTempDirectory("heddle-bench-serve"), true, tree);
  }

  /** Starts one with the database in a directory, which stays, and waits until it serves. */
  static ServeProcess start(Path directory, String tree) throws IOException {
    return start(directory, false, tree);
  }

  private static ServeProcess start(Path directory, boolean own, String tree) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            HEAP,
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            "org.heddle.cli.Main",
            "serve",
            "--open",
            "--data",
            directory.toString(),
            "--fabric",
            tree,
            "--listen",
            "127.0.0.1:0");
    Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    Matcher address = ADDRESS.matcher(String.valueOf(out.readLine()));
    if (!address.find()) {
      process.destroyForcibly();
      throw new IOException("the controller does not serve");
    }
    return new ServeProcess(directory, own, process, address.group(1));
  }

  /** Where it serves, without a path. */
  String base() {
    return base;
  }

  /** A figure of {@code /metrics}. */
  double metric(String name) throws IOException, InterruptedException {
    String text =
        http.send(
                HttpRequest.newBuilder(URI.create(base + "/metrics")).build(),
                HttpResponse.BodyHandlers.ofString())
            .body();
    return text.lines()
        .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElseThrow(() -> new IOException("no " + name));
  }

  /** Has it collect garbage, so that what is in use then is what it holds. */
  void collectGarbage() throws IOException, InterruptedException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    int code =
        new ProcessBuilder(jcmd, String.valueOf(process.pid()), "GC.run")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor();
    if (code != 0) {
      throw new IOException("jcmd ended with " + code);
    }
  }

  /** What it has of the machine's memory; 0 where there is no /proc. */
  long residentBytes() throws IOException {
    Path status = Path.of("/proc", String.valueOf(process.pid()), "status");
    if (!Files.exists(status)) {
      return 0;
    }
    List<String> lines = Files.readAllLines(status);
    return lines.stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * KIB)
        .findFirst()
        .orElse(0);
  }

  /** Tells it to end, and waits for that; returns the seconds it took. */
  double stop() throws IOException, InterruptedException {
    long began = System.nanoTime();
    process.destroy();
    if (!process.waitFor(1, TimeUnit.MINUTES)) {
      throw new IOException("the controller has not ended a minute after SIGTERM");
    }
    return (System.nanoTime() - began) / 1e9;
  }

  @Override
  public void close() {
    process.destroy();
    try (Stream<Path> files =
        process.waitFor(1, TimeUnit.MINUTES) && own ? Files.walk(directory) : null) {
      if (files != null) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
