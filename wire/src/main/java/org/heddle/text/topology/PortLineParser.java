package org.heddle.text.topology;

import java.util.Arrays;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.text.Tokens;

/**
 * One port line of an ibnetdiscover-like file:
 *
 * <pre>
 * [3]&lt;TAB&gt;"S-0002c903007b78b0"[1]      # "name of the peer" lid 19 4xFDR
 * [1](c42a103008b40d0)&lt;TAB&gt;"S-0002..."[8]  # lid 101 lmc 0 "name" lid 19 4xFDR
 * [1](B57D0F0/0/0/1)(5c25...) "S-fc6a..."[9]   # ...      (ibdiagnet2: label, then GUID)
 * [5][ext 7]  "S-..."[3][ext 2]                # ...      (ibnetdiscover -g)
 * [2] "Hca2"[2] w=12 s=4                       (ibsim)
 * </pre>
 *
 * White space between the parts is free. The description may hold quotes and '#': it ends at the
 * last quote of the line.
 */
final class PortLineParser {
  /** More words than any tool prints behind a description. */
  private static final int MAX_WORDS = 12;

  private final String line;
  private int at;

  /** True if the line names width and speed, which a line cut off at its end does not. */
  private boolean rateSeen;

  /** True if the line names no port of the neighbour. */
  private boolean portDefaulted;

  /** What was expected where parsing failed. */
  private String failure = "";

  private PortLineParser(String line) {
    this.line = line;
  }

  /** What came out of a line: the port, or what was expected instead. */
  record Outcome(
      TopologyDraft.Port port, boolean rateSeen, boolean portDefaulted, String failure) {}

  /**
   * @param line from the opening bracket on
   * @param onSwitch whether the line belongs to a switch: its own parenthesis is then a label
   */
  static Outcome parse(String line, boolean onSwitch) {
    PortLineParser parser = new PortLineParser(line);
    TopologyDraft.Port port = parser.run(onSwitch);
    return new Outcome(port, parser.rateSeen, parser.portDefaulted, parser.failure);
  }

  private TopologyDraft.Port run(boolean onSwitch) {
    TopologyDraft.Port port = new TopologyDraft.Port();
    port.number = bracketed();
    if (port.number < 0) {
      return fail("a port number in brackets");
    }
    ownGroups(port, onSwitch);
    if (peek() != '"') {
      return fail("the quoted id of the neighbour");
    }
    int close = line.indexOf('"', at + 1);
    if (close < 0) {
      return fail("a closing quote behind the neighbour's id");
    }
    String id = line.substring(at + 1, close);
    at = close + 1;
    port.peerGuid = NodeIds.guidOf(id);
    port.peerName = port.peerGuid != 0 ? "" : id;
    if (peek() == '[' && !line.startsWith("[ext ", at)) {
      port.peerPort = bracketed();
      if (port.peerPort < 1) {
        return fail("the neighbour's port number in brackets");
      }
    } else if (port.peerGuid != 0) {
      return fail("the neighbour's port number in brackets");
    } else {
      port.peerPort = 1; // ibsim's default
      portDefaulted = true;
    }
    peerGroups(port);
    tail(port, onSwitch);
    return port;
  }

  private TopologyDraft.Port fail(String expected) {
    failure = expected;
    return null;
  }

  private char peek() {
    while (at < line.length() && line.charAt(at) <= ' ') {
      at++;
    }
    return at < line.length() ? line.charAt(at) : 0;
  }

  /** The number in {@code [n]} at the current place, or -1. */
  private int bracketed() {
    if (peek() != '[') {
      return -1;
    }
    int close = line.indexOf(']', at);
    if (close < 0 || close - at > 12) {
      return -1;
    }
    int value = Tokens.number(line.substring(at + 1, close).strip());
    at = close + 1;
    return value;
  }

  /** The text in the group that opens here, or null if it does not close. */
  private String group(char closing) {
    int close = line.indexOf(closing, at);
    if (close < 0) {
      return null;
    }
    String text = line.substring(at + 1, close).strip();
    at = close + 1;
    return text;
  }

  private void ownGroups(TopologyDraft.Port port, boolean onSwitch) {
    String first = null;
    String last = null;
    for (char c = peek(); c == '(' || c == '['; c = peek()) {
      String text = group(c == '(' ? ')' : ']');
      if (text == null) {
        return;
      }
      if (c == '[') {
        port.label = text;
      } else if (first == null) {
        first = text;
      } else {
        last = text;
      }
    }
    if (last != null) {
      port.label = first;
      port.guid = Tokens.hex(last);
    } else if (first != null && (onSwitch || !Tokens.isHex(Tokens.withoutPrefix(first)))) {
      port.label = first;
    } else if (first != null) {
      port.guid = Tokens.hex(first);
    }
  }

  private void peerGroups(TopologyDraft.Port port) {
    for (char c = peek(); c == '(' || c == '['; c = peek()) {
      String text = group(c == '(' ? ')' : ']');
      if (text == null) {
        return;
      }
      if (c == '(' && Tokens.isHex(Tokens.withoutPrefix(text))) {
        port.peerPortGuid = Tokens.hex(text);
      }
    }
  }

  private void tail(TopologyDraft.Port port, boolean onSwitch) {
    int hash = line.indexOf('#', at);
    options(port, line.substring(at, hash < 0 ? line.length() : hash));
    if (hash < 0) {
      return;
    }
    String comment = line.substring(hash + 1);
    int open = comment.indexOf('"');
    int close = comment.lastIndexOf('"');
    boolean described = close > open;
    String before = described ? comment.substring(0, open) : "";
    String after = described ? comment.substring(close + 1) : comment;
    // Generators leave the description out: then an adapter's own LID is the only one.
    boolean ownFirst = !onSwitch && !described;
    if (!onSwitch) {
      own(port, ownFirst ? comment : before);
    }
    String[] words = words(after);
    for (int i = 0; i < words.length; i++) {
      if (words[i].equals("lid") && i + 1 < words.length) {
        i++;
        if (!ownFirst) {
          port.peerLid = Tokens.number(words[i]);
        }
        ownFirst = false;
      } else if (words[i].indexOf('=') < 0) {
        i += rate(port, words, i);
      }
    }
    if (port.speed == LinkSpeed.UNKNOWN && (!rateSeen || after.contains(" e="))) {
      // Tools older than the speed print "4x???" and with -f its bit; s= alone would say QDR.
      options(port, after);
    }
  }

  private static void own(TopologyDraft.Port port, String text) {
    String[] words = words(text);
    boolean found = false;
    for (int i = 0; i + 1 < words.length; i++) {
      if (words[i].equals("lid") && !found) {
        port.lid = Tokens.number(words[i + 1]);
        found = true;
      } else if (words[i].equals("lmc")) {
        port.lmc = Tokens.number(words[i + 1]);
      }
    }
  }

  /** The first words of a text; by hand, since there are two calls a line. */
  private static String[] words(String text) {
    String[] found = new String[MAX_WORDS];
    int n = 0;
    int i = 0;
    while (n < MAX_WORDS) {
      while (i < text.length() && text.charAt(i) <= ' ') {
        i++;
      }
      int from = i;
      while (i < text.length() && text.charAt(i) > ' ') {
        i++;
      }
      if (i == from) {
        break;
      }
      found[n++] = text.substring(from, i);
    }
    return Arrays.copyOf(found, n);
  }

  /**
   * Reads {@code 4xHDR}, {@code ?????}, {@code 4x 10.0 Gbps}.
   *
   * @return how many further words were used
   */
  private int rate(TopologyDraft.Port port, String[] words, int i) {
    String word = words[i];
    if (word.startsWith("??")) {
      port.speed = LinkText.speed(word.substring(2));
      rateSeen = true;
      return 0;
    }
    int x = word.indexOf('x') >= 0 ? word.indexOf('x') : word.indexOf('X');
    if (x < 1 || x > 2 || Tokens.number(word.substring(0, x)) < 0) {
      return 0;
    }
    LinkWidth width = LinkText.width(word.substring(0, x));
    boolean apart = x + 1 == word.length() && i + 1 < words.length;
    String speedWord = apart ? words[i + 1] : word.substring(x + 1);
    LinkSpeed speed = LinkText.speed(speedWord);
    if (speed == LinkSpeed.UNKNOWN && !speedWord.equals("???")) {
      return 0; // a word like "2xfoo", or a line cut off inside the speed
    }
    port.width = width;
    port.speed = speed;
    rateSeen = true;
    return apart ? 1 : 0;
  }

  /** Reads {@code w=}, {@code s=}, {@code e=}: PortInfo bit masks, as ibsim and -f print them. */
  private static void options(TopologyDraft.Port port, String text) {
    if (text.indexOf('=') < 0) {
      return;
    }
    int speed = 0;
    int extended = 0;
    for (String word : words(text)) {
      int eq = word.indexOf('=');
      if (eq != 1) {
        continue;
      }
      int value = Math.max(0, Tokens.cNumber(word.substring(2)));
      switch (word.charAt(0)) {
        case 'w' -> port.width = LinkText.widthOfMask(value);
        case 's' -> speed = value;
        case 'e' -> extended = value;
        default -> {
          // not ours
        }
      }
    }
    port.speed = LinkText.speedOfMasks(speed, extended);
  }
}
