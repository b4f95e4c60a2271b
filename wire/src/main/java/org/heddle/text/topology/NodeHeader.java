package org.heddle.text.topology;

import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.NodeType;
import org.heddle.text.Tokens;

/**
 * The line that opens a node: {@code Switch 36 "S-0002c903007b78b0" # "name" enhanced port 0 lid 19
 * lmc 0}; {@code Ca}, {@code Hca} and {@code Rt} likewise, with a name at most.
 *
 * @param failure what was expected where the line is none after all, or null
 */
record NodeHeader(
    NodeType type,
    int portCount,
    String id,
    long idGuid,
    String description,
    boolean enhancedPort0,
    int lid,
    int lmc,
    String failure) {

  private static final String[] WORDS = {"Switch", "Hca", "Ca", "Rt", "HCA", "CA", "Router"};

  /** The header, one with a {@code failure} if it is damaged, or null if it is another line. */
  static NodeHeader parse(String line) {
    for (String word : WORDS) {
      if (line.startsWith(word)) {
        return parse(line, word);
      }
    }
    return null;
  }

  private static NodeHeader parse(String line, String word) {
    NodeType type =
        switch (word.charAt(0)) {
          case 'S' -> NodeType.SWITCH;
          case 'R' -> NodeType.ROUTER;
          default -> NodeType.CA;
        };
    int at = skipSpace(line, word.length());
    int digits = at;
    while (at < line.length() && Character.isDigit(line.charAt(at))) {
      at++;
    }
    boolean counted = at > digits;
    int ports = Tokens.number(line.substring(digits, at));
    at = skipSpace(line, at);
    boolean quoted = at < line.length() && line.charAt(at) == '"';
    if (!counted && !quoted) {
      return null; // some other line that starts with the word
    }
    if (ports < 0 || ports > FabricBuilder.MAX_PORTS) {
      return failed("a number of ports, 0.." + FabricBuilder.MAX_PORTS);
    }
    int close = quoted ? line.indexOf('"', at + 1) : -1;
    if (close < 0 || close == at + 1) {
      return failed("a quoted node id");
    }
    String id = line.substring(at + 1, close);
    return withComment(type, ports, id, line.substring(close + 1));
  }

  private static NodeHeader failed(String expected) {
    return new NodeHeader(NodeType.CA, 0, "", 0, "", false, 0, 0, expected);
  }

  private static int skipSpace(String line, int from) {
    int at = from;
    while (at < line.length() && line.charAt(at) <= ' ') {
      at++;
    }
    return at;
  }

  private static NodeHeader withComment(NodeType type, int ports, String id, String rest) {
    int hash = rest.indexOf('#');
    String comment = hash < 0 ? "" : rest.substring(hash + 1);
    int open = comment.indexOf('"');
    int close = comment.lastIndexOf('"');
    String description;
    String tail;
    if (close > open) {
      description = comment.substring(open + 1, close);
      tail = comment.substring(close + 1);
    } else {
      // ibsim also takes descriptions without quotes.
      int end = endOfBare(comment);
      description = comment.substring(0, end).replace("\"", "").strip();
      tail = comment.substring(end);
    }
    return new NodeHeader(
        type,
        ports,
        id,
        NodeIds.guidOf(id),
        description,
        tail.contains("enhanced port 0"),
        numberAfter(tail, "lid "),
        Math.max(0, numberAfter(tail, "lmc ")),
        null);
  }

  private static int endOfBare(String comment) {
    for (String mark : new String[] {" enhanced port ", " base port ", " lid ", " lmc "}) {
      int at = comment.indexOf(mark);
      if (at >= 0) {
        return at;
      }
    }
    return comment.length();
  }

  private static int numberAfter(String text, String word) {
    int at = text.indexOf(word);
    if (at < 0) {
      return -1;
    }
    int from = at + word.length();
    int end = from;
    while (end < text.length() && Character.isDigit(text.charAt(end))) {
      end++;
    }
    return Tokens.number(text.substring(from, end));
  }
}
