package org.heddle.server;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.control.Reconciler;
import org.heddle.control.model.Actor;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.server.store.SqlStore;
import org.heddle.text.Source;
import org.heddle.text.topology.IbnetdiscoverReader;
import org.heddle.text.topology.IbnetdiscoverWriter;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;

/**
 * A conversation with a server, kept in a file with what was answered. Lines begin with
 *
 * <ul>
 *   <li>{@code #} for people,
 *   <li>{@code !} for what happens besides: {@code fabric XGFT(...)} or {@code database NAME}
 *       first, {@code link GUID PORT down}, {@code node GUID up}, {@code disturb GUID LID PORT},
 *       {@code look} for one look of the reconciler, {@code settle} for looks until it has nothing
 *       to do,
 *   <li>{@code >} for a request: {@code SENDER METHOD PATH}, then its headers, then its body; the
 *       methods {@code STREAM N} (a stream's first N events), {@code UNTIL 0} (a job, asked for
 *       until it is decided) and {@code UNTIL N} (a list, until it has N items) are this test's,
 *   <li>{@code <} for the answer: status and headers that count, then the body,
 *   <li>{@code -} for the body that revision 31472de gave where that one was wrong.
 * </ul>
 *
 * <p>The controller's clock stands still, so its times are among what is compared. Times that come
 * from elsewhere, secrets and the port are replaced by words.
 */
public final class RecordedCase {
  /** Opens a database that was made by statements in SQL. */
  @FunctionalInterface
  public interface Databases {
    /** The database of a name. */
    SqlStore open(String sql) throws Exception;
  }

  private static final Path DATABASES =
      Path.of("..", "server", "src/test/resources/org/heddle/server/store/fixtures");

  static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  /** Real ones are large: as signed numbers half of them are negative. */
  private static final long SWITCHES = 0xb8599f0300a00000L;

  private static final long HOSTS = 0x0002c903000b0000L;

  /** A generated GUID, in each of the three ways in which the format writes them. */
  private static final Pattern SMALL =
      Pattern.compile("(0x|[SH]-|\\()0*([12]0[0-9a-f]{4})(?=[)\"\\s(])");

  private static final Pattern REQUEST = Pattern.compile("> [a-z]+ [A-Z]+ (\\d+ )?/.*");

  private static final Pattern TIME =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");

  private static final Pattern SECRET = Pattern.compile("(\"access_token\":\")[^\"]+");
  private static final Pattern REMOTE = Pattern.compile("127\\.0\\.0\\.1:\\d+");

  private static final Pattern PROGRESS =
      Pattern.compile("\"state\":.*(?=,\"created\":)|\"finished\":[^,}]*");

  private static final Pattern FIGURE = Pattern.compile("^(?!#)(\\S+) \\S+$", Pattern.MULTILINE);

  /** Figures that other systems may not have. */
  private static final Pattern OF_THE_SYSTEM =
      Pattern.compile("^.*\\b(process|jvm)_.*\\n?", Pattern.MULTILINE);

  /** Headers of an answer that clients go by. */
  private static final Set<String> COUNT =
      new TreeSet<>(
          List.of(
              "ETag", "Location", "Allow", "Retry-After", "Preference-Applied", "Content-Type"));

  private static final int LOOKS = 50;

  /** Characters of a line that are shown on either side of a difference. */
  private static final int SHOWN = 100;

  private final Path directory;
  private final Databases databases;

  /** Of a database that is there already, what it says; else empty. */
  private final Set<String> known = new HashSet<>(Set.of(NOW.toString()));

  private RecordedCase(Path directory, Databases databases) {
    this.directory = directory;
    this.databases = databases;
  }

  /** Plays a case; returns it with what was answered now. */
  public static List<String> play(List<String> lines, Path directory, Databases databases)
      throws Exception {
    return new RecordedCase(directory, databases).play(lines);
  }

  /**
   * Fails at the first answer that is another one than was recorded, and says which and what to do.
   * With {@code -Dheddle.record=true} the file is written anew before that.
   */
  public static void compare(Path file, List<String> recorded, List<String> now)
      throws IOException {
    if (now.equals(recorded)) {
      return;
    }
    boolean written = Boolean.getBoolean("heddle.record");
    if (written) {
      Files.write(file, now);
    }
    int line = 0;
    while (line < Math.min(now.size(), recorded.size())
        && now.get(line).equals(recorded.get(line))) {
      line++;
    }
    String request = "";
    for (int i = 0; i <= line && i < now.size(); i++) {
      request = REQUEST.matcher(now.get(i)).matches() ? now.get(i) : request;
    }
    String was = line < recorded.size() ? recorded.get(line) : "";
    String is = line < now.size() ? now.get(line) : "";
    int same = 0;
    while (same < Math.min(was.length(), is.length()) && was.charAt(same) == is.charAt(same)) {
      same++;
    }
    throw new AssertionError(
        "%s, line %d, answer to '%s':%nrecorded: %s%nnow:      %s%n%s"
            .formatted(
                file.getFileName(),
                line + 1,
                request,
                around(was, same),
                around(is, same),
                written
                    ? "The file has been written anew. Read its diff; the next run passes."
                    : "If it is on purpose, run once with -Dheddle.record=true: it writes the file."));
  }

  /** The part of a long line where a difference begins. */
  private static String around(String line, int at) {
    int from = Math.max(0, at - SHOWN);
    int to = Math.min(line.length(), at + SHOWN);
    return (from > 0 ? "..." : "")
        + line.substring(Math.min(from, to), to)
        + (to < line.length() ? "..." : "");
  }

  private List<String> play(List<String> lines) throws Exception {
    List<String> out = new ArrayList<>();
    TestServer at = null;
    List<String> request = new ArrayList<>();
    try {
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        if (line.startsWith("<")) {
          continue;
        }
        out.add(line);
        if (line.startsWith("! fabric ")) {
          at = start(line.substring("! fabric ".length()));
        } else if (line.startsWith("! database ")) {
          at = open(line.substring("! database ".length()));
        } else if (line.startsWith("! ")) {
          happen(at, line.substring(2).split(" "));
        } else if (line.startsWith("> ")) {
          request.add(line.substring(2));
          String after = i + 1 == lines.size() ? "" : lines.get(i + 1);
          if (!after.startsWith("> ") || REQUEST.matcher(after).matches()) {
            int kept = i + 1;
            while (kept < lines.size() && lines.get(kept).startsWith("- ")) {
              out.add(lines.get(kept++));
            }
            i = kept - 1;
            out.addAll(answer(at, request));
            request.clear();
          }
        }
      }
    } finally {
      if (at != null) {
        at.close();
      }
    }
    return out;
  }

  private TestServer open(String name) throws Exception {
    String sql = Files.readString(DATABASES.resolve(name + ".sql"));
    TIME.matcher(sql).results().forEach(m -> known.add(m.group()));
    Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);
    return TestServer.start(databases.open(sql), clock, TestServer.ROOT, TestServer.RED);
  }

  private TestServer start(String tree) throws IOException {
    return TestServer.start(
        directory,
        fabric(tree),
        Clock.fixed(NOW, ZoneOffset.UTC),
        TestServer.ROOT,
        TestServer.RED,
        new TestServer.Token("blue", Actor.Role.TENANT, "blue"),
        TestServer.EYE);
  }

  /** A tree whose GUIDs are as large as real ones. */
  private static Fabric fabric(String tree) throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    IbnetdiscoverWriter.write(TreeGenerator.generate(TreeSpec.parse(tree)), text);
    String real =
        SMALL.matcher(text.toString(StandardCharsets.UTF_8)).replaceAll(RecordedCase::large);
    Source source = new Source("recorded", real.getBytes(StandardCharsets.UTF_8));
    return IbnetdiscoverReader.read(source).get().withAssignedLids();
  }

  private static String large(MatchResult m) {
    long small = Long.parseLong(m.group(2), 16);
    boolean sw = small >= TreeGenerator.FIRST_SWITCH_GUID;
    long large =
        sw
            ? SWITCHES + (small - TreeGenerator.FIRST_SWITCH_GUID)
            : HOSTS + (small - TreeGenerator.FIRST_HOST_GUID);
    return Matcher.quoteReplacement(m.group(1) + "%016x".formatted(large));
  }

  private static void happen(TestServer at, String... words) {
    switch (words[0]) {
      case "look" -> at.look();
      case "settle" -> {
        for (int i = 0; i < LOOKS && !settled(at); i++) {
          at.look();
        }
        check(settled(at));
      }
      case "link" ->
          check(at.emulator.setLink(guid(words[1]), number(words[2]), words[3].equals("up")));
      case "node" -> check(at.emulator.setNode(guid(words[1]), words[2].equals("up")));
      case "disturb" -> at.emulator.disturb(guid(words[1]), number(words[2]), number(words[3]));
      default -> throw new IllegalArgumentException(String.join(" ", words));
    }
  }

  private static boolean settled(TestServer at) {
    Reconciler.Status now = at.reconciler.status();
    return now.inSync() && now.epoch() == at.controller.view().epoch();
  }

  private static void check(boolean there) {
    if (!there) {
      throw new IllegalArgumentException("no such node or port");
    }
  }

  private static long guid(String text) {
    return Guid.parse(text).value();
  }

  private static int number(String text) {
    return Integer.parseInt(text);
  }

  private List<String> answer(TestServer at, List<String> request) throws Exception {
    String[] head = request.getFirst().split(" ", 3);
    int next = 1;
    boolean stream = head[1].equals("STREAM");
    boolean job = head[1].equals("UNTIL");
    int wanted = stream || job ? Integer.parseInt(head[2].split(" ")[0]) : 0;
    String path = stream || job ? head[2].split(" ")[1] : head[2];
    HttpRequest.Builder builder = at.request(head[0].equals("nobody") ? "" : head[0], path);
    for (; next < request.size() && request.get(next).matches("[A-Za-z-]+: .*"); next++) {
      String[] header = request.get(next).split(": ", 2);
      builder.header(header[0], header[1]);
    }
    String body = String.join("\n", request.subList(next, request.size()));
    if (stream) {
      return stream(at, builder.header("Accept", "text/event-stream").build(), wanted);
    }
    String method = job ? "GET" : head[1];
    builder.method(method, HttpRequest.BodyPublishers.ofString(body));
    HttpResponse<String> answer = send(at, builder.build());
    while (job && !reached(answer.body(), wanted)) {
      Thread.onSpinWait();
      answer = send(at, builder.build());
    }
    return shown(answer);
  }

  /** A job is decided, or there are so many items. */
  private static boolean reached(String body, int items) {
    return items == 0
        ? body.matches(".*\"state\":\"(applying|done|failed|cancelled)\".*")
        : body.split("\"id\":", -1).length > items;
  }

  private static HttpResponse<String> send(TestServer at, HttpRequest request) throws Exception {
    return at.client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private List<String> shown(HttpResponse<String> answer) {
    StringBuilder head = new StringBuilder("< " + answer.statusCode());
    for (String name : COUNT) {
      answer
          .headers()
          .firstValue(name)
          .map(v -> name.equals("ETag") ? version(v) : v)
          .filter(v -> !v.isEmpty())
          .ifPresent(v -> head.append(' ').append(name + ": " + v));
    }
    List<String> out = new ArrayList<>(List.of(head.toString()));
    if (!answer.body().isEmpty()) {
      String body = plain(answer.body());
      if (answer.statusCode() == 202) { // it may be decided already
        body = PROGRESS.matcher(body).replaceAll("(how far it is)");
      }
      if (answer.uri().getPath().equals("/metrics")) {
        body = FIGURE.matcher(body).replaceAll("$1");
        body = OF_THE_SYSTEM.matcher(body).replaceAll("");
      }
      body.lines().forEach(l -> out.add("< " + l));
    }
    return out;
  }

  /** What a tag says of a version; of the content, which is there itself, nothing. */
  private static String version(String tag) {
    return tag.startsWith("W/") ? "" : tag.replaceFirst("-[0-9a-f]+\"$", "\"");
  }

  /** So many lines of data of a stream, with what is between them. */
  private List<String> stream(TestServer at, HttpRequest request, int wanted) throws Exception {
    HttpResponse<InputStream> answer =
        at.client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    List<String> out = new ArrayList<>();
    out.add("< " + answer.statusCode());
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
      int seen = 0;
      while (seen < wanted) {
        String line = in.readLine();
        seen += line.startsWith("data: ") ? 1 : 0;
        out.add(("< " + plain(line)).stripTrailing());
      }
    }
    return out;
  }

  private String plain(String text) {
    String out =
        TIME.matcher(text).replaceAll(m -> known.contains(m.group()) ? m.group() : "(a time)");
    out = SECRET.matcher(out).replaceAll(m -> Matcher.quoteReplacement(m.group(1) + "(a secret)"));
    return REMOTE.matcher(out).replaceAll("127.0.0.1:(a port)");
  }
}
