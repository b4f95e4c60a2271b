package org.heddle.text.opensm;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.heddle.text.Ascii;
import org.heddle.text.CNumber;
import org.heddle.text.Problems;
import org.heddle.text.TextOut;
import org.heddle.text.Tokens;
import org.heddle.text.opensm.PartitionsConf.Definition;
import org.heddle.text.opensm.PartitionsConf.GroupFlags;
import org.heddle.text.opensm.PartitionsConf.Member;
import org.heddle.text.opensm.PartitionsConf.Membership;
import org.heddle.text.opensm.PartitionsConf.MulticastGroup;

/**
 * One pass over partitions.conf that takes the very steps of OpenSM's parser ({@code
 * osm_prtn_config.c}), in a line buffer of the same size in which the same bytes are overwritten.
 *
 * <p>Only so are its oddities found: it reads lines in pieces of 4,094 characters, treats a line
 * feed in a port list like a comma, knows no carriage return, and behind a lone semicolon or an
 * {@code mgid} entry without a comma reads on into what earlier lines left in the buffer. The
 * buffer is zero at first here; in OpenSM it holds whatever the stack held.
 */
final class OsmPartitionParser {
  /** Characters of a line that OpenSM reads at once. */
  static final int LINE_LIMIT = 4094;

  private static final int BUFFER = 4096;

  private final byte[] buf = new byte[BUFFER + 1]; // the last byte is always 0
  private final Problems problems;
  private final PartitionKeys keys;
  private final PartitionFlags flagReader;
  private final List<Definition> definitions = new ArrayList<>();

  private int line;
  private int chunkEnd; // where the terminating zero of this line is
  private int semicolon; // where the one that ends the current part of the line was, or -1
  private boolean warnedLeftovers;
  private boolean failed;

  private Draft draft;
  private int tokenName; // offsets of the last token; value -1: there was no '='
  private int tokenValue;

  /** A definition that is being read. */
  private static final class Draft {
    final int line;
    final PartitionFlags.Values flags = new PartitionFlags.Values();
    final List<Member> members = new ArrayList<>();
    final List<MulticastGroup> groups = new ArrayList<>();
    String name;
    int pkey; // 0 until the header was read
    boolean autoKey;

    Draft(int line) {
      this.line = line;
    }
  }

  OsmPartitionParser(Problems problems) {
    this.problems = problems;
    this.keys = new PartitionKeys();
    this.flagReader = new PartitionFlags(problems);
  }

  /** Reads the whole file; the definitions are complete unless an error was noted. */
  List<Definition> parse(byte[] file) {
    line = 1;
    int p = 0;
    boolean continued = false;
    while (p < file.length && !failed) {
      int end = p;
      while (end < file.length && end - p < LINE_LIMIT && file[end] != '\n') {
        end++;
      }
      boolean whole = end < file.length && file[end] == '\n' && end - p < LINE_LIMIT;
      end += whole ? 1 : 0;
      if (!whole && end < file.length && !continued) {
        warnLong(file, end);
      }
      chunk(file, p, end);
      continued = !whole;
      line += whole ? 1 : 0;
      p = end;
    }
    if (!failed) {
      if (draft != null && draft.pkey != 0) {
        problems.warn(
            Math.max(1, line - (file[file.length - 1] == '\n' ? 1 : 0)),
            "the last definition, '"
                + TextOut.printable(draft.name)
                + "', does not end with ';': OpenSM takes it as far as it goes; "
                + PartitionsConfReader.CUT_OFF);
      }
      close();
      if (definitions.isEmpty()) {
        problems.error(
            0,
            "no partition defined: OpenSM takes this for an error, and makes every port a full"
                + " member of the default partition");
      }
    }
    return definitions;
  }

  private void warnLong(byte[] file, int cut) {
    boolean inToken = isTokenByte(file[cut - 1]) && isTokenByte(file[cut]);
    problems.warn(
        line,
        "line is longer than "
            + LINE_LIMIT
            + " characters, OpenSM reads the rest as a line of its own"
            + (inToken ? "; the cut is inside '" + around(file, cut) + "'" : ""));
  }

  private static boolean isTokenByte(byte b) {
    return b > ' ' && ",;:=#".indexOf(b) < 0;
  }

  private static String around(byte[] file, int cut) {
    int s = cut;
    int e = cut;
    while (s > 0 && cut - s < 30 && isTokenByte(file[s - 1])) {
      s--;
    }
    while (e < file.length && e - cut < 30 && isTokenByte(file[e])) {
      e++;
    }
    return Ascii.excerpt(file, s, e);
  }

  private void chunk(byte[] file, int from, int to) {
    System.arraycopy(file, from, buf, 0, to - from);
    chunkEnd = to - from;
    buf[chunkEnd] = 0;
    warnedLeftovers = false;
    int nul = Ascii.indexOf(buf, 0, 0, chunkEnd);
    if (nul >= 0) {
      problems.warn(line, "NUL character: OpenSM does not see the rest of the line");
      chunkEnd = nul;
    }
    int comment = find('#', 0);
    if (comment >= 0) {
      buf[comment] = 0;
      chunkEnd = comment;
    }
    int p = 0;
    boolean more = true;
    while (more && !failed) {
      p = skipBlanks(p);
      if (at(p) == 0) {
        return;
      }
      noteLeftovers(p);
      if (draft == null) {
        draft = new Draft(line);
      }
      semicolon = find(';', p);
      if (semicolon >= 0) {
        buf[semicolon] = 0;
      }
      int length = definition(p);
      if (length < 0) {
        failed = true;
        return;
      }
      p += length;
      more = semicolon >= 0;
      if (more) {
        close();
      }
    }
  }

  private void noteLeftovers(int p) {
    if (p > chunkEnd) {
      warnLeftovers();
    }
  }

  private void warnLeftovers() {
    if (!warnedLeftovers) {
      warnedLeftovers = true;
      problems.warn(
          line,
          "a ';' without an entry before it, or an mgid entry without a comma behind it, makes"
              + " OpenSM read on behind the end of the line, in comments and leftovers of earlier"
              + " lines");
    }
  }

  private void close() {
    if (draft != null && draft.pkey != 0) {
      PartitionFlags.Values f = draft.flags;
      definitions.add(
          new Definition(
              draft.line,
              TextOut.printable(draft.name),
              draft.pkey,
              draft.autoKey,
              f.indexZero,
              f.ipoib,
              f.group(),
              f.membership,
              draft.members,
              draft.groups));
    }
    draft = null;
  }

  /** {@code parse_part_conf}: bytes consumed, or -1 for what makes OpenSM give up. */
  private int definition(int start) {
    int p = start;
    if (at(p) == '\t' || at(p) == 0 || at(p) == '\n') {
      if (draft.pkey != 0) {
        warnLeftovers();
      }
      p++;
    }
    if (draft.pkey == 0) {
      int ports = header(p);
      if (ports < 0) {
        return -1;
      }
      p = ports;
    }
    boolean more = true;
    while (more) {
      int comma = find(',', p);
      if (comma >= 0) {
        buf[comma] = 0;
      }
      more = comma >= 0;
      int length = token(p);
      String name = text(tokenName);
      String value = tokenValue < 0 ? null : text(tokenValue);
      p += length;
      if (name.equals("mgid")) {
        int group = multicastGroup(p, value, more);
        return group < 0 ? -1 : p + group - start;
      }
      if (!member(name, value)) {
        return -1;
      }
    }
    return p - start;
  }

  /** Reads from the name to the colon; position behind it, or -1. */
  private int header(int start) {
    int p = start;
    int colon = find(':', p);
    if (colon < 0) {
      return fatal("no partition definition found, expected 'Name=0xKEY, flags : ports ;'", p);
    }
    buf[colon] = 0;
    int ports = colon + 1;
    int comma = find(',', p);
    if (comma >= 0) {
      buf[comma] = 0;
    }
    p += token(p);
    String name = text(tokenName);
    String id = tokenValue < 0 ? null : text(tokenValue);
    while (comma >= 0) {
      comma = find(',', p);
      if (comma >= 0) {
        buf[comma] = 0;
      }
      p += token(p);
      flagReader.partitionFlag(
          line, draft.flags, text(tokenName), tokenValue < 0 ? null : text(tokenValue));
    }
    if (p != ports || !create(name, id)) {
      boolean bare = id != null && Tokens.isHex(id) && !id.startsWith("0x");
      return fatal(
          "bad partition definition '"
              + name
              + (id == null ? "" : "=" + id)
              + (bare ? "' (a key is decimal, or hexadecimal after 0x)" : "'"),
          start);
    }
    return ports;
  }

  /** What is probably meant by a word that is no port, as a clause; empty if nothing is known. */
  private static String reason(String name) {
    if (name.equals("\\")) {
      return " (lines are not continued with a backslash; leave it out)";
    }
    if (name.startsWith("ALL_") || name.startsWith("SELF_")) {
      return " (a keyword that only NVIDIA's OpenSM knows, or none)";
    }
    if (Tokens.isHex(name) && name.length() > 8) {
      return " (0x is missing)";
    }
    return name.indexOf('[') >= 0 || name.indexOf('*') >= 0
        ? " (names, ranges and wildcards are not known; list each port's GUID)"
        : "";
  }

  private boolean create(String header, String keyText) {
    String name = header;
    String id = keyText;
    if (id == null && !name.isEmpty() && name.charAt(0) >= '0' && name.charAt(0) <= '9') {
      id = name;
      name = "";
    }
    int key = 0;
    if (id != null) {
      CNumber number = CNumber.parse(id);
      if (number.end() == 0 || number.end() != id.length()) {
        return false;
      }
      key = (int) number.value() & PartitionsConf.DEFAULT_PKEY;
      if ((number.value() & ~0xffffL) != 0) {
        problems.warn(line, "P_Key " + id + " has more than 16 bits, the lowest count");
      }
    }
    boolean named = keyText != null || id == null;
    draft.autoKey = key == 0;
    draft.name = name;
    draft.pkey = draft.autoKey ? keys.generate(named ? name : null) : key;
    if (draft.pkey == 0) {
      return false; // all keys are in use
    }
    String earlier = keys.define(draft.pkey, name);
    if (earlier != null && !earlier.equals(name) && !name.isEmpty()) {
      problems.warn(
          line,
          "P_Key 0x%04x is that of partition '%s'; OpenSM merges '%s' into it"
              .formatted(draft.pkey, earlier, name));
    }
    if (draft.flags.ipoib) {
      keys.ipoib(draft.pkey);
    }
    return true;
  }

  /** {@code partition_add_port}: false for what makes OpenSM give up. */
  private boolean member(String name, String flag) {
    if (PartitionFlags.abbreviates(name, "NONE")) {
      return true;
    }
    Membership membership = draft.flags.membership;
    if (flag != null) {
      membership = flagReader.membership(line, name, flag);
    }
    PartitionsConf.MemberKind kind = PartitionFlags.memberKind(name);
    if (kind != PartitionsConf.MemberKind.GUID) {
      draft.members.add(Member.of(kind, membership));
      return true;
    }
    CNumber guid = CNumber.parse(name);
    if (guid.value() == 0 || guid.end() != name.length()) {
      fatal("bad port GUID '" + name + "'" + reason(name), -1);
      return false;
    }
    if (name.length() > 1 && name.charAt(0) == '0' && (name.charAt(1) | 0x20) != 'x') {
      problems.warn(line, "port GUID " + name + " without 0x is read as an octal number");
    } else if (name.charAt(0) == '-') {
      problems.warn(line, "port GUID " + name + " is negative");
    }
    draft.members.add(Member.of(guid.value(), membership));
    return true;
  }

  /** {@code mgroup_create}: bytes consumed behind the mgid token, or -1. */
  private int multicastGroup(int start, String mgid, boolean comma) {
    if (mgid == null) {
      return fatal("mgid without a value makes OpenSM crash", -1);
    }
    int[] gid = Mgid.parse(mgid);
    if (gid == null || gid[0] >> 8 != 0xff) {
      problems.warn(line, "mgid '" + mgid + "' is not multicast, OpenSM ignores the group");
      return 0;
    }
    GroupFlags partition = draft.flags.group();
    PartitionFlags.Values flags = draft.flags.inherited();
    if (!comma) {
      warnNoComma(start);
    }
    int p = start;
    boolean more = true;
    while (more) {
      int next = find(',', p);
      if (next >= 0) {
        buf[next] = 0;
      }
      more = next >= 0;
      int length = token(p);
      String name = text(tokenName);
      if (comma || !name.isEmpty()) {
        flagReader.groupFlagOnly(line, flags, name, tokenValue < 0 ? null : text(tokenValue));
      }
      p += length;
    }
    MulticastGroup group = new MulticastGroup(Mgid.format(gid), flags.group());
    flagReader.checkGroup(line, gid, group, partition, draft.pkey, keys.hasIpoib(draft.pkey));
    draft.groups.add(group);
    return p - start;
  }

  private void warnNoComma(int p) {
    int s = skipBlanks(p);
    if (at(s) == 0) {
      if (p == semicolon + 1) {
        warnLeftovers();
      }
    } else {
      warnedLeftovers = true;
      problems.warn(
          line,
          "an mgid entry without a comma behind it takes what follows for flags: '"
              + Ascii.excerpt(buf, s, s + Math.min(40, text(s).length()))
              + "'");
    }
  }

  // ---- C strings in the buffer

  private int at(int p) {
    return p < BUFFER ? buf[p] : 0;
  }

  private int find(char c, int from) {
    for (int p = from; at(p) != 0; p++) {
      if (buf[p] == c) {
        return p;
      }
    }
    return -1;
  }

  private int skipBlanks(int from) {
    int p = from;
    while (at(p) == ' ' || at(p) == '\t' || at(p) == '\n') {
      p++;
    }
    return p;
  }

  private int end(int from) {
    int p = from;
    while (at(p) != 0) {
      p++;
    }
    return p;
  }

  private String text(int from) {
    return from >= BUFFER
        ? ""
        : new String(buf, from, end(from) - from, StandardCharsets.ISO_8859_1);
  }

  /** {@code parse_name_token}: splits {@code name = value}, trims both; bytes consumed. */
  private int token(int start) {
    if (at(skipBlanks(start)) != 0) {
      noteLeftovers(start);
    }
    int name = skipBlanks(start);
    int equals = find('=', name);
    if (equals >= 0) {
      buf[equals] = 0;
    }
    int length = end(start) - start + 1;
    trim(name);
    tokenName = name;
    tokenValue = -1;
    if (equals < 0) {
      return length;
    }
    int value = skipBlanks(equals + 1);
    length += end(value) - (equals + 1) + 1;
    trim(value);
    tokenValue = value;
    return length;
  }

  private void trim(int from) {
    int q = end(from);
    while (q != from && (at(q) == 0 || at(q) == ' ' || at(q) == '\t' || at(q) == '\n')) {
      if (q < BUFFER) {
        buf[q] = 0;
      }
      q--;
    }
  }

  private int fatal(String what, int seen) {
    String text = seen < 0 ? what : text(seen);
    String hint =
        text.indexOf('\r') >= 0
            ? " (the line ends in CR LF, and OpenSM knows no CR)"
            : warnedLeftovers ? " (read from leftovers of earlier lines)" : "";
    problems.error(
        line,
        what.replaceAll("\\p{Cntrl}", "?")
            + hint
            + "; OpenSM would drop the whole file and make every port a full member of the"
            + " default partition");
    return -1;
  }
}
