package org.heddle.opensm;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.fabric.Counted;
import org.heddle.text.Parsed;
import org.heddle.text.Source;
import org.heddle.text.opensm.PartitionsConf;
import org.heddle.text.opensm.PartitionsConf.Definition;
import org.heddle.text.opensm.PartitionsConf.Member;
import org.heddle.text.opensm.PartitionsConf.MemberKind;
import org.heddle.text.opensm.PartitionsConf.Membership;
import org.heddle.text.opensm.PartitionsConfReader;

/**
 * In what a file for OpenSM differs from what was written, for people. Of partitions, what that
 * means: who is a member and should not be, or the other way round; of other files the first line.
 */
public final class FileDifference {
  private static final int MOST = 3;
  private static final int LINE = 60;

  private FileDifference() {}

  /**
   * Differences in one clause, such as "0x2 is a full member of 0x0101".
   *
   * @param name one of {@link OpensmFiles}
   * @param written what should be there
   * @param now what is
   */
  public static String of(String name, byte[] written, byte[] now) {
    return name.equals(OpensmFiles.PARTITIONS) ? partitions(written, now) : line(written, now);
  }

  private static String line(byte[] written, byte[] now) {
    String[] should = text(written);
    String[] is = text(now);
    int at = 0;
    while (at < Math.min(should.length, is.length) && should[at].equals(is[at])) {
      at++;
    }
    return at == is.length
        ? "it ends after line " + at
        : "line " + (at + 1) + " is '" + shown(is[at]) + "'";
  }

  private static String[] text(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    return text.isEmpty() ? new String[0] : text.split("\n", -1);
  }

  /** Nobody else's control characters get into the log. */
  private static String shown(String line) {
    String clean = line.strip().replaceAll("[^\\x20-\\x7e]", "?");
    return clean.length() <= LINE ? clean : clean.substring(0, LINE) + "..";
  }

  private static String partitions(byte[] written, byte[] now) {
    Parsed<PartitionsConf> read = read(now);
    if (!read.ok()) {
      return "OpenSM cannot read it and lets every port into the default partition as a full"
          + " member ("
          + shown(read.problems().getFirst().toString())
          + ")";
    }
    Map<Integer, Map<String, Membership>> should = members(read(written).get());
    Map<Integer, Map<String, Membership>> is = members(read.get());
    List<String> out = new ArrayList<>();
    TreeSet<Integer> keys = new TreeSet<>(should.keySet());
    keys.addAll(is.keySet());
    for (int key : keys) {
      String partition = "0x%04x".formatted(key);
      if (!is.containsKey(key)) {
        out.add("partition " + partition + " is gone");
      } else if (!should.containsKey(key)) {
        out.add("partition " + partition + " is new");
      }
      compare(
          partition,
          should.getOrDefault(key, Map.of()),
          is.containsKey(key) ? is.get(key) : should.getOrDefault(key, Map.of()),
          out);
    }
    if (out.isEmpty()) {
      return line(written, now); // flags, names, comments
    }
    int more = out.size() - MOST;
    return String.join(", ", out.subList(0, Math.min(MOST, out.size())))
        + (more > 0 ? " and " + Counted.of(more, "other difference", "other differences") : "");
  }

  private static Parsed<PartitionsConf> read(byte[] bytes) {
    return PartitionsConfReader.read(new Source(OpensmFiles.PARTITIONS, bytes));
  }

  /** What is new comes first: a member too many is worse than one that is missing. */
  private static void compare(
      String partition,
      Map<String, Membership> should,
      Map<String, Membership> is,
      List<String> out) {
    is.forEach(
        (who, how) -> {
          if (how != should.get(who)) {
            out.add(who + " is a " + word(how) + " member of " + partition);
          }
        });
    should.forEach(
        (who, how) -> {
          if (!is.containsKey(who)) {
            out.add(who + " is no member of " + partition);
          }
        });
  }

  private static String word(Membership how) {
    return how.name().toLowerCase(Locale.ROOT);
  }

  /** Members by partition; of an entry that is there twice the last. */
  private static Map<Integer, Map<String, Membership>> members(PartitionsConf conf) {
    Map<Integer, Map<String, Membership>> out = new TreeMap<>();
    for (Definition d : conf.definitions()) {
      Map<String, Membership> members = out.computeIfAbsent(d.pkey(), _ -> new TreeMap<>());
      for (Member m : d.members()) {
        String who =
            m.kind() == MemberKind.GUID
                ? "0x" + HexFormat.of().toHexDigits(m.guid())
                : m.kind().name();
        members.put(who, m.membership());
      }
    }
    return out;
  }
}
