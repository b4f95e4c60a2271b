package org.heddle.topology.generate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.Lid;

/**
 * Parameters of a parallel-ports generalised fat-tree (Zahavi, "Fat-trees routing and node ordering
 * providing contention free traffic for MPI global collectives", 2011), which covers XGFTs and
 * k-ary-n-trees too.
 *
 * <p>Position i-1 of each list describes the links between levels i-1 and i: a node of level i has
 * {@code m(i)} children, a node of level i-1 has {@code w(i)} parents, and {@code p(i)} parallel
 * links join each pair. Level 0 are the hosts. A host therefore has {@code w(1) * p(1)} ports, and
 * with w(1) &gt; 1 the switches form w(1) separate planes.
 *
 * @param m children of a node of level i, i = 1..h
 * @param w parents of a node of level i-1
 * @param p parallel links between a node of level i-1 and each of its parents
 */
public record TreeSpec(List<Integer> m, List<Integer> w, List<Integer> p) {
  private static final Pattern GFT =
      Pattern.compile("(XGFT|PGFT)\\((\\d+);([^;]*);([^;]*)(?:;([^;]*))?\\)");
  private static final Pattern KARY = Pattern.compile("(\\d+)-ARY-(\\d+)-TREE");
  private static final Pattern KARY_SHORT = Pattern.compile("KARY\\((\\d+),(\\d+)\\)");
  private static final String EXPECTED =
      "expected XGFT(h;m1,..,mh;w1,..,wh), PGFT(h;m1,..,mh;w1,..,wh;p1,..,ph) or 4-ary-3-tree";

  /** No taller tree is of use, and none can be generated. */
  public static final int MAX_LEVELS = 15;

  /**
   * Checks everything a generator relies on.
   *
   * @throws IllegalArgumentException if the lists differ in length or are empty, a number is below
   *     1, a node would need more than {@value FabricBuilder#MAX_PORTS} ports, or the endports
   *     would not fit into the unicast LIDs; the message names level and numbers
   */
  public TreeSpec {
    m = List.copyOf(m);
    w = List.copyOf(w);
    p = List.copyOf(p);
    int h = m.size();
    if (h < 1 || h > MAX_LEVELS) {
      throw new IllegalArgumentException("a tree has 1.." + MAX_LEVELS + " levels, not " + h);
    }
    checkList("m", m, h);
    checkList("w", w, h);
    checkList("p", p, h);
    checkRadix(m, w, p);
    checkLids(m, w, p);
  }

  private static void checkList(String name, List<Integer> list, int h) {
    if (list.size() != h) {
      throw new IllegalArgumentException(
          "height " + h + " needs " + h + " values of " + name + ", not " + list.size());
    }
    for (int i = 0; i < h; i++) {
      if (list.get(i) < 1) {
        throw new IllegalArgumentException(
            name + (i + 1) + " is " + list.get(i) + ", must be at least 1");
      }
    }
  }

  private static void checkRadix(List<Integer> m, List<Integer> w, List<Integer> p) {
    int h = m.size();
    for (int i = 0; i <= h; i++) {
      long down = i == 0 ? 0 : (long) m.get(i - 1) * p.get(i - 1);
      long up = i == h ? 0 : (long) w.get(i) * p.get(i);
      if (down + up > FabricBuilder.MAX_PORTS) {
        throw new IllegalArgumentException(
            (i == 0 ? "a host" : "a switch of level " + i)
                + " would have "
                + (down + up)
                + " ports, more than "
                + FabricBuilder.MAX_PORTS);
      }
    }
  }

  private static void checkLids(List<Integer> m, List<Integer> w, List<Integer> p) {
    int h = m.size();
    long endports = (long) w.get(0) * p.get(0);
    for (int i = 1; i <= h; i++) {
      endports = cap(endports * m.get(i - 1));
    }
    for (int i = 1; i <= h; i++) {
      long count = 1;
      for (int l = 1; l <= h; l++) {
        count = cap(count * (l <= i ? w.get(l - 1) : m.get(l - 1)));
      }
      endports = cap(endports + count);
    }
    if (endports > Lid.MAX_UNICAST) {
      throw new IllegalArgumentException(
          "the tree would have "
              + (endports == CAP ? "far more" : endports + " addressable ports, more")
              + " than the "
              + Lid.MAX_UNICAST
              + " unicast LIDs");
    }
  }

  private static final long CAP = 1L << 40;

  // Saturating, so that no product of numbers up to 2^31 overflows.
  private static long cap(long value) {
    return Math.min(value, CAP);
  }

  /** An XGFT: one link between each pair. */
  public static TreeSpec xgft(List<Integer> m, List<Integer> w) {
    return new TreeSpec(m, w, Collections.nCopies(m.size(), 1));
  }

  /**
   * A k-ary-n-tree: k^n hosts, n levels of k^(n-1) switches.
   *
   * @throws IllegalArgumentException as the constructor
   */
  public static TreeSpec kAryNTree(int k, int n) {
    if (n < 1 || n > MAX_LEVELS) {
      throw new IllegalArgumentException("a tree has 1.." + MAX_LEVELS + " levels, not " + n);
    }
    List<Integer> w = new ArrayList<>(Collections.nCopies(n, k));
    w.set(0, 1);
    return xgft(Collections.nCopies(n, k), w);
  }

  /**
   * Reads {@code XGFT(h;m1,..,mh;w1,..,wh)}, {@code PGFT(h;m..;w..;p..)}, {@code 4-ary-3-tree} or
   * {@code KARY(4,3)}; blanks and letter case do not matter.
   *
   * @throws IllegalArgumentException with a message that says what is wrong and where
   */
  public static TreeSpec parse(String text) {
    String compact = text.replaceAll("\\s+", "").toUpperCase(Locale.ROOT);
    try {
      return parseCompact(compact);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + text.strip() + "': " + e.getMessage(), e);
    }
  }

  private static TreeSpec parseCompact(String text) {
    Matcher kary = KARY.matcher(text);
    Matcher karyShort = KARY_SHORT.matcher(text);
    if (kary.matches() || karyShort.matches()) {
      Matcher match = kary.matches() ? kary : karyShort;
      return kAryNTree(number("k", match.group(1)), number("n", match.group(2)));
    }
    Matcher gft = GFT.matcher(text);
    if (!gft.matches()) {
      throw new IllegalArgumentException(EXPECTED);
    }
    boolean parallel = gft.group(1).equals("PGFT");
    if (parallel != (gft.group(5) != null)) {
      throw new IllegalArgumentException(
          parallel
              ? "a PGFT needs three lists, m, w and p, separated by ';'"
              : "an XGFT has two lists, m and w; with parallel links it is a PGFT");
    }
    int h = number("the height", gft.group(2));
    if (h < 1 || h > MAX_LEVELS) {
      throw new IllegalArgumentException("a tree has 1.." + MAX_LEVELS + " levels, not " + h);
    }
    List<Integer> m = numbers("m", gft.group(3), h);
    List<Integer> w = numbers("w", gft.group(4), h);
    return parallel ? new TreeSpec(m, w, numbers("p", gft.group(5), h)) : xgft(m, w);
  }

  private static List<Integer> numbers(String name, String text, int h) {
    String[] parts = text.split(",", -1);
    List<Integer> out = new ArrayList<>();
    for (int i = 0; i < parts.length; i++) {
      out.add(number(name + (i + 1), parts[i]));
    }
    checkList(name, out, h);
    return out;
  }

  private static int number(String name, String digits) {
    if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new IllegalArgumentException(name + " is '" + digits + "', must be a number");
    }
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " is too large: " + digits, e);
    }
  }

  /** Height h: number of switch levels. */
  public int levels() {
    return m.size();
  }

  /** Children of a node of level i, 1..h. */
  public int m(int i) {
    return m.get(i - 1);
  }

  /** Parents of a node of level i-1, i in 1..h. */
  public int w(int i) {
    return w.get(i - 1);
  }

  /** Parallel links between a node of level i-1 and each parent, i in 1..h. */
  public int p(int i) {
    return p.get(i - 1);
  }

  /** Number of hosts: the product of all m. */
  public int hosts() {
    return nodes(0);
  }

  /** Number of nodes of a level, 0 (hosts) .. h. */
  public int nodes(int level) {
    int count = 1;
    for (int l = 1; l <= levels(); l++) {
      count *= l <= level ? w(l) : m(l);
    }
    return count;
  }

  /** Number of switches: the nodes of levels 1..h. */
  public int switches() {
    int count = 0;
    for (int i = 1; i <= levels(); i++) {
      count += nodes(i);
    }
    return count;
  }

  /** Ports a node of level i uses towards its children; 0 for hosts. */
  public int downPorts(int i) {
    return i == 0 ? 0 : m(i) * p(i);
  }

  /** Ports a node of level i uses towards its parents; 0 for roots. */
  public int upPorts(int i) {
    return i == levels() ? 0 : w(i + 1) * p(i + 1);
  }

  /** Downward over upward links of the switches of level i, 1..h-1: 1 means not oversubscribed. */
  public double oversubscription(int i) {
    return (double) downPorts(i) / upPorts(i);
  }

  /** True if every pair is joined by one link, so that the tree is an XGFT. */
  public boolean isXgft() {
    for (int parallel : p) {
      if (parallel != 1) {
        return false;
      }
    }
    return true;
  }

  /** The shortest of the forms that {@link #parse} reads, except that k-ary-n-trees are XGFTs. */
  @Override
  public String toString() {
    String base = levels() + ";" + join(m) + ";" + join(w);
    return isXgft() ? "XGFT(" + base + ")" : "PGFT(" + base + ";" + join(p) + ")";
  }

  private static String join(List<Integer> list) {
    StringBuilder out = new StringBuilder();
    for (int value : list) {
      out.append(out.isEmpty() ? "" : ",").append(value);
    }
    return out.toString();
  }
}
