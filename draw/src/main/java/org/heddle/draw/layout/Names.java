package org.heddle.draw.layout;

import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;

/** Names as they are drawn: fitted to the room there is, by an estimate of the text's width. */
public final class Names {
  /** Mean advance of a sans-serif letter as a fraction of the font size, on the safe side. */
  private static final double ADVANCE = 0.58;

  private static final double WIDE_ADVANCE = 1.05;
  private static final String MAKER = " Mellanox Technologies";

  private Names() {}

  /** Description of a node, or its GUID where that is blank. */
  public static String of(Fabric fabric, int node) {
    String text = fabric.description(node).strip();
    return text.isEmpty() ? Guid.format(fabric.nodeGuid(node)) : text;
  }

  /**
   * The part of a description that tells a node from others: {@code MF0;leaf-7:MQM8700/U1}, which
   * managed switches call themselves, is {@code leaf-7}; a maker's name at the end goes.
   */
  public static String brief(Fabric fabric, int node) {
    String text = of(fabric, node);
    int name = text.indexOf(';') + 1;
    int model = text.indexOf(':', name);
    if (text.startsWith("MF") && name > 0 && model > name) {
      return text.substring(name, model);
    }
    return text.endsWith(MAKER) ? text.substring(0, text.length() - MAKER.length()) : text;
  }

  /** Description and GUID, for tooltips. */
  public static String full(Fabric fabric, int node) {
    String text = fabric.description(node).strip();
    String guid = Guid.format(fabric.nodeGuid(node));
    return text.isEmpty() ? guid : text + " (" + guid + ")";
  }

  /** Estimated width of a text. */
  public static double width(String text, double fontSize) {
    double em = 0;
    for (int i = 0; i < text.length(); i++) {
      em += text.charAt(i) < 0x1100 ? ADVANCE : WIDE_ADVANCE;
    }
    return em * fontSize;
  }

  /**
   * The text, shortened in the middle if it is wider than {@code room}: what tells names of one
   * fabric apart is mostly at their ends. Empty if fewer than four characters would be left.
   */
  public static String fit(String text, double room, double fontSize) {
    if (width(text, fontSize) <= room) {
      return text;
    }
    int keep = (int) (room / (ADVANCE * fontSize)) - 1;
    while (keep >= 4) {
      int head = keep / 2;
      String cut = cut(text, head, keep - head);
      if (width(cut, fontSize) <= room) {
        return cut;
      }
      keep--;
    }
    return "";
  }

  private static String cut(String text, int head, int tail) {
    int from = Math.min(head, text.length());
    int to = Math.max(from, text.length() - tail);
    if (from > 0 && Character.isHighSurrogate(text.charAt(from - 1))) {
      from--;
    }
    if (to < text.length() && Character.isLowSurrogate(text.charAt(to))) {
      to++;
    }
    return text.substring(0, from) + "\u2026" + text.substring(to);
  }

  /** The largest font size from 11 down to 8 at which a text fits, or 0 if it fits at none. */
  public static double fontSize(String text, double room) {
    for (double size = 11; size >= 8; size--) {
      if (width(text, size) <= room) {
        return size;
      }
    }
    return 0;
  }

  /** {@code 11664} as {@code 11,664}. */
  public static String count(long n) {
    String digits = Long.toString(n);
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < digits.length(); i++) {
      if (i > 0 && (digits.length() - i) % 3 == 0) {
        out.append(',');
      }
      out.append(digits.charAt(i));
    }
    return out.toString();
  }

  /** {@code 1 host}, {@code 2 hosts}. */
  public static String count(long n, String one, String many) {
    return count(n) + " " + (n == 1 ? one : many);
  }
}
