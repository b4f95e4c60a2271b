package org.heddle.server.http;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The conditions of a request, as HTTP has them (RFC 9110, 13.1): {@code If-Match} and {@code
 * If-None-Match} are {@code *} or a list of entity-tags. A thing's tag is its version. For {@code
 * If-Match} a weak tag is none; what does not hold is 412.
 */
public final class Conditions {
  private static final Pattern TAG = Pattern.compile("(W/)?\"([\\x21\\x23-\\x7e\\x80-\\xff]*)\"");

  private static final Pattern LIST =
      // Possessive: thousands of tags would be a recursion as deep.
      Pattern.compile(
          "[\\s,]*+" + TAG.pattern() + "(\\s*+,[\\s,]*+" + TAG.pattern() + ")*+[\\s,]*+");

  private Conditions() {}

  /**
   * The version that has to be current when a change is decided.
   *
   * @param current of what is there now
   * @return empty if every version will do
   * @throws Problem 412 if a condition does not hold now
   */
  public static OptionalLong version(Call call, long current) {
    String none = call.header("if-none-match").orElse("");
    if (!none.isEmpty() && (none.equals("*") || named(none, current, true))) {
      throw stale(current);
    }
    String match = call.header("if-match").orElse("");
    if (match.isEmpty() || match.equals("*")) {
      return OptionalLong.empty();
    }
    if (!named(match, current, false)) {
      throw stale(current);
    }
    return OptionalLong.of(current);
  }

  /** True if something is to be made only if there is nothing of its name. */
  public static boolean absent(Call call) {
    return call.header("if-none-match").orElse("").equals("*");
  }

  /** What is to be made is there already. */
  public static Problem present(String name) {
    return new Problem(412, "stale", "there is '" + name + "' already, and If-None-Match is *");
  }

  /** True if a list of tags has one, weakly compared. */
  static boolean tags(String header, String tag) {
    String bare = tag.startsWith("W/") ? tag.substring(2) : tag;
    if (!LIST.matcher(header).matches()) {
      return false; // whatever it means, the whole answer is not wrong
    }
    return TAG.matcher(header).results().anyMatch(m -> ('"' + m.group(2) + '"').equals(bare));
  }

  private static Problem stale(long current) {
    return new Problem(412, "stale", "it is at version " + current + " meanwhile");
  }

  private static boolean named(String header, long version, boolean weakly) {
    if (!LIST.matcher(header).matches()) {
      throw Problem.malformed(
          "a condition is * or tags in quotes, as If-Match: \"" + version + "\"");
    }
    String wanted = Long.toString(version);
    for (Matcher m = TAG.matcher(header); m.find(); ) {
      // of what was read the tag says more than the version
      String said = m.group(2).replaceFirst("-[0-9a-f]+$", "");
      if (said.equals(wanted) && (weakly || m.group(1) == null)) {
        return true;
      }
    }
    return false;
  }
}
