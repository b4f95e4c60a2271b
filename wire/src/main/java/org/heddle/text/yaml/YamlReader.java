package org.heddle.text.yaml;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.text.Problems;
import org.heddle.text.Tokens;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Turns YAML 1.2 text into {@link YamlNode}s with line numbers.
 *
 * <p>Built from the parser's events rather than its object model, for three reasons: every key and
 * value keeps its line, nesting is limited before it can exhaust the stack, and an alias can only
 * name what is complete, so nothing contains itself. Any bytes give a tree or a positioned problem.
 */
public final class YamlReader {
  /** The file format needs six levels. */
  static final int MAX_DEPTH = 32;

  /** Aliases multiply what a file says; a tenants file needs a handful. */
  static final int MAX_ALIASES = 1000;

  static final int MAX_BYTES = 1 << 26;

  private final Problems problems;
  private final String kind;
  private final String expected;
  private final Map<String, YamlNode> anchors = new HashMap<>();
  private Iterator<Event> events;
  private int aliases;
  private int lastLine = 1;

  private YamlReader(Problems problems, String kind, String expected) {
    this.problems = problems;
    this.kind = kind;
    this.expected = expected;
  }

  /** Ends reading; the message is positioned and goes to the user. */
  private static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1L;
    final int line;

    Unreadable(int line, String message) {
      super(message, null, false, false);
      this.line = line;
    }
  }

  /** The only document of a tenants file, or null after an error was noted. */
  public static YamlNode parse(byte[] bytes, Problems problems) {
    return parse(
        bytes, problems, "a tenants file", "'version: 1' and a list of 'tenants:' are expected");
  }

  /**
   * The only document of the file, or null after an error was noted.
   *
   * @param kind what the file is, for messages
   * @param expected what an empty file lacks
   */
  public static YamlNode parse(byte[] bytes, Problems problems, String kind, String expected) {
    YamlReader yaml = new YamlReader(problems, kind, expected);
    try {
      return yaml.document(decoded(bytes));
    } catch (Unreadable e) {
      problems.error(e.line, e.getMessage());
      return null;
    } catch (MarkedYamlEngineException e) {
      problems.error(line(e.getProblemMark()), message(e));
      return null;
    } catch (YamlEngineException e) {
      // Without a position of its own: it came after the last event.
      problems.error(
          yaml.lastLine, "not valid YAML: " + Tokens.excerpt(e.getMessage().replace('\n', ' ')));
      return null;
    }
  }

  private static String decoded(byte[] bytes) throws Unreadable {
    if (bytes.length > MAX_BYTES) {
      throw new Unreadable(0, "larger than " + (MAX_BYTES >> 20) + " MiB");
    }
    boolean wide = bytes.length > 1 && (bytes[0] & bytes[1] & 0xfe) == 0xfe;
    boolean mark = bytes.length > 2 && (bytes[0] & 0xff) == 0xef && (bytes[1] & 0xff) == 0xbb;
    String text;
    if (wide) {
      text = new String(bytes, StandardCharsets.UTF_16);
    } else {
      int from = mark && (bytes[2] & 0xff) == 0xbf ? 3 : 0;
      CharsetDecoder decoder =
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT);
      ByteBuffer in = ByteBuffer.wrap(bytes, from, bytes.length - from);
      CharBuffer out = CharBuffer.allocate(bytes.length);
      if (decoder.decode(in, out, true).isError()) {
        throw new Unreadable(1 + count(out.flip()), "a byte that is not UTF-8 text");
      }
      text = out.flip().toString();
    }
    text = text.replace("\r\n", "\n");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!allowed(c)) {
        throw new Unreadable(
            1 + count(text.substring(0, i)),
            "character U+%04X is not allowed here".formatted((int) c));
      }
    }
    return text;
  }

  /** What YAML calls printable, without the bare carriage return. */
  private static boolean allowed(char c) {
    boolean control = c < 0x20 && c != '\n' && c != '\t' || c >= 0x7f && c < 0xa0 && c != 0x85;
    return !control && c < 0xfffe;
  }

  private static int count(CharSequence text) {
    return (int) text.chars().filter(c -> c == '\n').count();
  }

  private static int line(Optional<Mark> mark) {
    return mark.map(m -> m.getLine() + 1).orElse(0);
  }

  private static String message(MarkedYamlEngineException e) {
    StringBuilder out = new StringBuilder("not valid YAML: ");
    String problem = String.valueOf(e.getProblem()).replace('\n', ' ');
    out.append(problem);
    if (e.getContext() != null && !e.getContext().isBlank()) {
      out.append(", ").append(e.getContext().strip().replace('\n', ' '));
      if (e.getContextMark().isPresent()) {
        out.append(" that starts in line ").append(line(e.getContextMark()));
      }
    }
    if (problem.contains("TAB")) {
      out.append("; YAML indents with spaces, never with tabs");
    }
    return out.toString();
  }

  private YamlNode document(String text) throws Unreadable {
    LoadSettings settings =
        LoadSettings.builder().setUseMarks(true).setCodePointLimit(MAX_BYTES).build();
    events = new Parse(settings).parseString(text).iterator();
    YamlNode root = null;
    while (events.hasNext()) {
      Event event = events.next();
      switch (event.getEventId()) {
        case StreamStart, StreamEnd, DocumentStart, DocumentEnd, Comment -> {}
        default -> {
          if (root != null) {
            throw new Unreadable(
                line(event.getStartMark()), "a second document (---); " + kind + " has one");
          }
          root = node(event, 0);
        }
      }
    }
    if (root == null) {
      problems.error(0, "an empty file; " + expected);
    }
    return root;
  }

  private YamlNode node(Event event, int depth) throws Unreadable {
    int line = line(event.getStartMark());
    lastLine = Math.max(lastLine, line);
    if (depth > MAX_DEPTH) {
      throw new Unreadable(line, "nested deeper than " + MAX_DEPTH + " levels");
    }
    if (event instanceof AliasEvent alias) {
      return alias(alias, line);
    }
    YamlNode node =
        switch (event.getEventId()) {
          case Scalar -> {
            ScalarEvent scalar = (ScalarEvent) event;
            yield new YamlNode.Scalar(line, scalar.getValue(), scalar.isPlain());
          }
          case SequenceStart -> sequence(line, depth);
          case MappingStart -> mapping(line, depth);
          default -> throw new Unreadable(line, "unexpected " + event.getEventId());
        };
    ((NodeEvent) event).getAnchor().ifPresent(a -> anchors.put(a.getValue(), node));
    return node;
  }

  private YamlNode alias(AliasEvent event, int line) throws Unreadable {
    String name = event.getAlias().getValue();
    YamlNode node = anchors.get(name);
    if (node == null) {
      throw new Unreadable(
          line,
          "*"
              + name
              + " names no earlier &"
              + name
              + "; a name with wildcards needs quotes: '*"
              + name
              + "'");
    }
    if (++aliases > MAX_ALIASES) {
      throw new Unreadable(line, "more than " + MAX_ALIASES + " aliases (*name)");
    }
    return node;
  }

  private Event next() {
    Event event = events.next();
    while (event.getEventId() == Event.ID.Comment) {
      event = events.next();
    }
    return event;
  }

  private YamlNode sequence(int line, int depth) throws Unreadable {
    List<YamlNode> items = new ArrayList<>();
    for (Event e = next(); e.getEventId() != Event.ID.SequenceEnd; e = next()) {
      items.add(node(e, depth + 1));
    }
    return new YamlNode.Sequence(line, items);
  }

  private YamlNode mapping(int line, int depth) throws Unreadable {
    List<YamlNode.Pair> pairs = new ArrayList<>();
    for (Event e = next(); e.getEventId() != Event.ID.MappingEnd; e = next()) {
      int keyLine = line(e.getStartMark());
      YamlNode key = node(e, depth + 1);
      YamlNode value = node(next(), depth + 1);
      if (key instanceof YamlNode.Scalar s) {
        pairs.add(new YamlNode.Pair(keyLine, s.text(), value));
      } else {
        throw new Unreadable(keyLine, "a key must be a word, got: " + key.kind());
      }
    }
    return new YamlNode.Mapping(line, pairs);
  }
}
