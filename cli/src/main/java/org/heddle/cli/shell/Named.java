package org.heddle.cli.shell;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Values of a fixed list as users name them. */
public final class Named {
  private Named() {}

  /**
   * The value of that name.
   *
   * @param what such a value is called, its plural with an s
   * @throws Failure exit code 2, with the names there are
   */
  public static <T> T one(String what, String name, T[] values, Function<T, String> key) {
    return find(name, values, key, "there is no " + what + " '" + name + "'", what + "s: ");
  }

  /** The value of that name, for an option that is named in the message. */
  public static <T> T ofOption(String option, String name, T[] values, Function<T, String> key) {
    return find(name, values, key, option + " " + name + ": there is no such value", "values: ");
  }

  private static <T> T find(
      String name, T[] values, Function<T, String> key, String message, String list) {
    for (T value : values) {
      if (key.apply(value).equals(name)) {
        return value;
      }
    }
    String names = Arrays.stream(values).map(key).collect(Collectors.joining(", "));
    throw Failure.badInput(message, list + names);
  }

  /** The values of these names, in their order; all there are without a name. */
  public static <T> List<T> allOr(
      String what, List<String> names, T[] values, Function<T, String> key) {
    return names.isEmpty()
        ? List.of(values)
        : names.stream().map(name -> one(what, name, values, key)).toList();
  }
}
