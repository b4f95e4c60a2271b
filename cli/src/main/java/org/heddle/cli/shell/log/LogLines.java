package org.heddle.cli.shell.log;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.heddle.control.LogContext;
import org.heddle.text.TextOut;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lines of the log, as text or as JSON: time in UTC, level, who logs, message, what is known of the
 * context, and the stack of what was thrown. Text is for people, with {@code name=value} for the
 * context and a stack on further lines; a message is one line, whatever is in it. JSON is one
 * object a line, the stack in {@code stack}.
 */
final class LogLines extends Formatter {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final boolean json;

  LogLines(boolean json) {
    this.json = json;
  }

  @Override
  public String format(LogRecord r) {
    String message = formatMessage(r);
    String stack = r.getThrown() == null ? "" : stack(r.getThrown());
    return json ? json(r, message, stack) : text(r, message, stack);
  }

  private static String text(LogRecord r, String message, String stack) {
    StringBuilder out = new StringBuilder();
    out.append(TIME.format(r.getInstant()))
        .append(' ')
        .append("%-7s".formatted(level(r.getLevel())))
        .append(' ')
        .append(name(r))
        .append(": ")
        .append(TextOut.printable(message));
    for (Map.Entry<String, String> e : LogContext.current().entrySet()) {
      out.append(' ').append(e.getKey()).append('=').append(TextOut.printable(e.getValue()));
    }
    out.append('\n');
    return stack.isEmpty() ? out.toString() : out.append(stack).toString();
  }

  private static String json(LogRecord r, String message, String stack) {
    ObjectNode out = JSON.createObjectNode();
    out.put("time", TIME.format(r.getInstant()));
    out.put("level", level(r.getLevel()));
    out.put("logger", name(r));
    out.put("thread", Thread.currentThread().getName());
    out.put("message", message);
    LogContext.current().forEach(out::put);
    if (!stack.isEmpty()) {
      out.put("stack", stack);
    }
    return JSON.writeValueAsString(out) + "\n";
  }

  /** The class without its package. */
  private static String name(LogRecord r) {
    String name = r.getLoggerName() == null ? "" : r.getLoggerName();
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private static String level(Level level) {
    int value = level.intValue();
    if (value >= Level.SEVERE.intValue()) {
      return "error";
    }
    if (value >= Level.WARNING.intValue()) {
      return "warning";
    }
    return value >= Level.INFO.intValue() ? "info" : "debug";
  }

  private static String stack(Throwable thrown) {
    StringWriter out = new StringWriter();
    thrown.printStackTrace(new PrintWriter(out, true));
    return out.toString();
  }
}
