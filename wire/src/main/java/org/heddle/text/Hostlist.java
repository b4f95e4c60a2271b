package org.heddle.text;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/**
 * Host list expressions as Slurm writes them: {@code node[01-16,20],login1}. Numbers in brackets
 * keep the width of the first of their range; several brackets in a name multiply. {@code *} and
 * {@code ?} are left as they are: they are wildcards. An expression with a blank is one whole node
 * description and is not expanded.
 */
public final class Hostlist {
  /** Largest number of names one expression may stand for: InfiniBand has no more LIDs. */
  public static final int MAX_NAMES = 0xbfff;

  private Hostlist() {}

  /**
   * What an expression stands for.
   *
   * @param names in the order of the expression; empty after an error
   * @param error what is wrong, or null
   */
  public record Expansion(List<String> names, String error) {}

  /** The names of an expression. O(names). */
  public static Expansion expand(String expression) {
    String text = expression.strip();
    if (text.indexOf(' ') > 0 && text.indexOf(',') < 0 && text.indexOf('[') < 0) {
      return new Expansion(List.of(text), null);
    }
    List<String> names = new ArrayList<>();
    try {
      for (String part : split(text)) {
        expandPart(part, names);
      }
    } catch (IllegalArgumentException e) {
      return new Expansion(List.of(), "hostlist " + Tokens.excerpt(text) + ": " + e.getMessage());
    }
    return new Expansion(names, null);
  }

  /** Parts between commas outside brackets. */
  private static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i <= text.length(); i++) {
      char c = i < text.length() ? text.charAt(i) : ',';
      if (c == '[') {
        depth++;
      } else if (c == ']') {
        depth--;
      }
      if (depth < 0 || depth > 1) {
        throw new IllegalArgumentException("brackets do not match");
      }
      if (i == text.length() && depth > 0) {
        throw new IllegalArgumentException("a ] is missing");
      }
      if (c == ',' && depth == 0) {
        String part = text.substring(from, i).strip();
        if (part.isEmpty()) {
          throw new IllegalArgumentException("an empty name");
        }
        parts.add(part);
        from = i + 1;
      }
    }
    return parts;
  }

  private static void expandPart(String part, List<String> out) {
    List<String> heads = List.of("");
    int at = 0;
    while (at < part.length()) {
      int open = part.indexOf('[', at);
      String plain = part.substring(at, open < 0 ? part.length() : open);
      if (plain.indexOf(' ') >= 0) {
        throw new IllegalArgumentException("a space in a name");
      }
      List<String> numbers = List.of("");
      int close = part.length() - 1;
      if (open >= 0) {
        close = part.indexOf(']', open);
        numbers = numbers(part.substring(open + 1, close));
      }
      if ((long) heads.size() * numbers.size() + out.size() > MAX_NAMES) {
        throw new IllegalArgumentException("more than " + MAX_NAMES + " names");
      }
      List<String> longer = new ArrayList<>();
      for (String head : heads) {
        for (String number : numbers) {
          longer.add(head + plain + number);
        }
      }
      heads = longer;
      at = close + 1;
    }
    out.addAll(heads);
  }

  private static List<String> numbers(String ranges) {
    List<String> out = new ArrayList<>();
    for (String range : ranges.split(",", -1)) {
      String text = range.strip();
      int dash = text.indexOf('-');
      String low = dash < 0 ? text : text.substring(0, dash).strip();
      String high = dash < 0 ? text : text.substring(dash + 1).strip();
      int from = Tokens.number(low);
      int to = Tokens.number(high);
      if (from < 0 || to < 0) {
        throw new IllegalArgumentException(
            "numbers or ranges such as 01-16 are expected in brackets, got: '" + text + "'");
      }
      if (to < from) {
        throw new IllegalArgumentException("the range " + text + " runs backwards");
      }
      if (to - from >= MAX_NAMES || out.size() > MAX_NAMES) {
        throw new IllegalArgumentException("more than " + MAX_NAMES + " names");
      }
      for (int i = from; i <= to; i++) {
        String digits = Integer.toString(i);
        out.add("0".repeat(Math.max(0, low.length() - digits.length())) + digits);
      }
    }
    return out;
  }

  /**
   * Expressions for names, one for each pattern with one number: {@code node[01-16]}. Sorted; names
   * that would be read as something else are left out by the caller. O(n log n).
   */
  public static List<String> compress(Collection<String> names) {
    TreeMap<String, List<Integer>> groups = new TreeMap<>();
    for (String name : names) {
      int end = name.length();
      while (end > 0 && !isDigit(name.charAt(end - 1))) {
        end--;
      }
      int from = end;
      while (from > 0 && end - from < 9 && isDigit(name.charAt(from - 1))) {
        from--;
      }
      // The width is part of the pattern, so that every number of a group is printed alike.
      String key = name.substring(0, from) + '\0' + name.substring(end) + '\0' + (end - from);
      List<Integer> numbers = groups.computeIfAbsent(key, k -> new ArrayList<>());
      numbers.add(end == from ? -1 : Integer.parseInt(name.substring(from, end)));
    }
    List<String> out = new ArrayList<>();
    groups.forEach(
        (key, numbers) -> {
          String[] parts = key.split("\0", -1);
          List<Integer> sorted = numbers.stream().sorted().distinct().toList();
          String middle = sorted.get(0) < 0 ? "" : ranges(sorted, Integer.parseInt(parts[2]));
          out.add(parts[0] + middle + parts[1]);
        });
    return out;
  }

  private static String ranges(List<Integer> numbers, int width) {
    if (numbers.size() == 1) {
      return padded(numbers.get(0), width);
    }
    StringBuilder out = new StringBuilder("[");
    for (int i = 0; i < numbers.size(); ) {
      int j = i;
      while (j + 1 < numbers.size() && numbers.get(j + 1) == numbers.get(j) + 1) {
        j++;
      }
      out.append(i == 0 ? "" : ",").append(padded(numbers.get(i), width));
      if (j > i) {
        out.append('-').append(padded(numbers.get(j), width));
      }
      i = j + 1;
    }
    return out.append(']').toString();
  }

  private static String padded(int number, int width) {
    String digits = Integer.toString(number);
    return "0".repeat(Math.max(0, width - digits.length())) + digits;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
