package org.heddle.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;

/** Guesses what a file is that a reader could not use, to say so in the message. */
public final class FileKinds {
  /** How much of a file is looked at, in bytes. */
  private static final int LOOK = 1 << 16;

  /** What compact tables begin with: {@code CompactTables.MAGIC}. This package knows no format. */
  private static final byte[] COMPACT = {(byte) 0x89, 'H', 'L', 'F', 'T', 0x0d, 0x0a, 0x1a};

  private static final String SAME_RUN =
      " (take ibdiagnet2.ibnetdiscover or ibdiagnet2.lst of the same run)";

  private record Kind(String name, Pattern mark) {
    Kind(String name, String regex) {
      this(name, Pattern.compile(regex, Pattern.MULTILINE));
    }
  }

  // Bounded repetitions within one line only: the text may be anything and must not take long.
  private static final Kind[] KINDS = {
    new Kind("forwarding tables (an LFT dump)", "^Unicast lids \\["),
    new Kind("forwarding tables (opensm.fdbs)", "^(osm_ucast_mgr_)?dump_ucast_routes: "),
    new Kind("multicast tables (dump_fts writes the others without -M)", "^Multicast mlids \\["),
    new Kind("multicast tables (opensm.mcfdbs)", "^LID {1,8}: Out Port\\(s\\)"),
    new Kind(
        "hop counts (opensm-lid-matrix.dump; the tables are in opensm-lfts.dump)",
        "^Switch: guid 0x"),
    new Kind("opensm-subnet.lst", "^\\{ ?(SW|CA|Rt)(-SM)? Ports:"),
    new Kind(
        "ibnetdiscover -l output (a list of nodes; without -l it writes the topology)",
        "^(Switch|Ca|Router)[ \\t]{1,4}: 0x"),
    new Kind(
        "ibnetdiscover -p output (a list of ports; without -p it writes the topology)",
        "^(SW|CA|RT) {1,6}\\d{1,5} {1,3}\\d"),
    new Kind(
        "ibnetdiscover --diff output (without --diff it writes the topology)",
        "^[<>] (vendid=|devid=|switchguid=|caguid=|Switch\\t|Ca\\t|\\[\\d)"),
    new Kind("iblinkinfo output (ibnetdiscover writes the topology)", "==\\( {1,3}\\d{1,2}X"),
    new Kind(
        "ibdiagnet2.net_dump" + SAME_RUN, "^\"[^\"\\n]{0,80}\", [^,\\n]{1,40}, 0x\\w{1,16}, LID "),
    new Kind("ibdiagnet2.db_csv" + SAME_RUN, "^START_[A-Z0-9_]{1,60}\\r?$"),
    new Kind(
        "an ibnetdiscover topology",
        "^[ \\t]{0,8}(Switch|Ca|Hca|Rt)[ \\t]{0,9}\\d{1,3}[ \\t]{0,9}\""),
    new Kind(
        "an OpenSM partitions.conf",
        "^[ \\t]{0,8}\\w{1,40} {0,4}= {0,4}0x[0-9a-fA-F]{1,4}.{0,200}:"),
    new Kind(
        "OpenSM's guid2lid", "\\A\\s{0,80}0x[0-9a-fA-F]{16} 0x[0-9a-fA-F]{4} 0x[0-9a-fA-F]{4}\\s"),
    new Kind("a Slurm topology.conf", "^[ \\t]{0,8}SwitchName="),
    new Kind(
        "a list of GUIDs",
        "\\A([ \\t]{0,8}(#.{0,200})?\\r?\\n){0,50}[ \\t]{0,8}0x[0-9a-fA-F]{8,16}[ \\t]{0,8}\\r?$"),
  };

  private FileKinds() {}

  /**
   * A clause to append to a message: what the file looks like, or nothing.
   *
   * @param expected the beginning of what was expected: to say that it looks like that is no help
   */
  public static String hint(Source source, String expected) {
    String kind = describe(source.bytes());
    return kind.isEmpty() || kind.startsWith(expected) ? "" : ", but this looks like " + kind;
  }

  /** What the bytes look like, or an empty string. */
  public static String describe(byte[] bytes) {
    if (bytes.length == 0) {
      return "an empty file";
    }
    if (Sources.isGzip(bytes)) {
      return "a gzip file (unpack it first)";
    }
    if (Arrays.equals(
        bytes, 0, Math.min(bytes.length, COMPACT.length), COMPACT, 0, COMPACT.length)) {
      return "compact forwarding tables (.hlft)";
    }
    String packed = packed(bytes);
    if (!packed.isEmpty()) {
      return packed;
    }
    int n = Math.min(bytes.length, LOOK);
    String head = new String(bytes, 0, n, StandardCharsets.ISO_8859_1);
    if (head.startsWith("\u007fELF") || controls(bytes, n)) {
      return "a binary file";
    }
    if (head.isBlank()) {
      return "a file of blank lines";
    }
    for (Kind kind : KINDS) {
      if (kind.mark.matcher(head).find()) {
        return kind.name;
      }
    }
    return markup(head.strip());
  }

  /** Files of other packers, and other files that their first bytes tell; empty if none of them. */
  private static String packed(byte[] bytes) {
    long start = 0;
    for (int i = 0; i < 4; i++) {
      start = start << 8 | (i < bytes.length ? bytes[i] & 0xff : 0);
    }
    if (start == 0xfd377a58L) {
      return "an xz file (xz -dc FILE unpacks it, - reads it from a pipe)";
    }
    if (start == 0x28b52ffdL) {
      return "a zstd file (zstd -dc FILE unpacks it, - reads it from a pipe)";
    }
    if (start >>> 8 == 0x425a68L && bytes.length > 10) {
      return "a bzip2 file (bzip2 -dc FILE unpacks it, - reads it from a pipe)";
    }
    if (start == 0x504b0304L) {
      return "a zip archive (unzip -p FILE unpacks it, - reads it from a pipe)";
    }
    if (start == 0x2b83e78fL) {
      return "a cache of ibnetdiscover (ibnetdiscover --load-cache FILE writes the topology)";
    }
    return start >>> 16 == 0xfffeL || start >>> 16 == 0xfeffL
        ? "UTF-16 text (iconv -f UTF-16 -t UTF-8 FILE converts it, - reads it from a pipe)"
        : "";
  }

  private static String markup(String head) {
    String lower = head.substring(0, Math.min(200, head.length())).toLowerCase(Locale.ROOT);
    if (lower.startsWith("<!doctype html") || lower.startsWith("<html")) {
      return "an HTML page";
    }
    if (lower.startsWith("<?xml")) {
      return "an XML file";
    }
    return lower.startsWith("{") || lower.startsWith("[{") || lower.startsWith("[\n")
        ? "a JSON file"
        : "";
  }

  /** True if more than one byte in twenty is a control byte other than white space and escape. */
  private static boolean controls(byte[] bytes, int n) {
    int odd = 0;
    for (int i = 0; i < n; i++) {
      int b = bytes[i];
      boolean space = b >= 9 && b <= 13 || b == 0x1b;
      odd += b >= 0 && b < 0x20 && !space ? 1 : 0;
    }
    return odd > n / 20;
  }
}
