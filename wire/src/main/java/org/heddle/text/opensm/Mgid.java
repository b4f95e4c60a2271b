package org.heddle.text.opensm;

import java.util.Arrays;

/** Multicast GIDs as text, by the rules of the C function {@code inet_pton(AF_INET6)}. */
final class Mgid {
  private Mgid() {}

  /** Eight 16-bit groups, or null if the text is no IPv6 address. */
  static int[] parse(String text) {
    int gap = text.indexOf("::");
    if (gap < 0) {
      int[] all = groups(text);
      return all != null && all.length == 8 ? all : null;
    }
    int[] head = gap == 0 ? new int[0] : groups(text.substring(0, gap));
    String rest = text.substring(gap + 2);
    int[] tail = rest.isEmpty() ? new int[0] : groups(rest);
    if (head == null || tail == null || head.length + tail.length > 7) {
      return null;
    }
    int[] out = new int[8];
    System.arraycopy(head, 0, out, 0, head.length);
    System.arraycopy(tail, 0, out, 8 - tail.length, tail.length);
    return out;
  }

  private static int[] groups(String text) {
    int[] out = new int[9];
    int n = 0;
    int p = 0;
    while (n < 8) {
      int colon = text.indexOf(':', p);
      String part = text.substring(p, colon < 0 ? text.length() : colon);
      if (colon < 0 && part.indexOf('.') >= 0) {
        long address = dotted(part);
        if (address < 0 || n > 6) {
          return null;
        }
        out[n++] = (int) (address >>> 16);
        out[n++] = (int) (address & 0xffff);
      } else {
        int value = hexGroup(part);
        if (value < 0) {
          return null;
        }
        out[n++] = value;
      }
      if (colon < 0) {
        return Arrays.copyOf(out, n);
      }
      p = colon + 1;
    }
    return null;
  }

  private static int hexGroup(String part) {
    if (part.isEmpty() || part.length() > 4) {
      return -1;
    }
    int v = 0;
    for (int i = 0; i < part.length(); i++) {
      int d = part.charAt(i) < 128 ? Character.digit(part.charAt(i), 16) : -1;
      if (d < 0) {
        return -1;
      }
      v = v << 4 | d;
    }
    return v;
  }

  private static long dotted(String part) {
    String[] bytes = part.split("\\.", -1);
    if (bytes.length != 4) {
      return -1;
    }
    long v = 0;
    for (String b : bytes) {
      if (!b.matches("[0-9]{1,3}") || Integer.parseInt(b) > 255) {
        return -1;
      }
      v = v << 8 | Integer.parseInt(b);
    }
    return v;
  }

  /** Eight groups without leading zeros, none left out. */
  static String format(int[] groups) {
    StringBuilder out = new StringBuilder(39);
    for (int i = 0; i < 8; i++) {
      out.append(i == 0 ? "" : ":").append(Integer.toHexString(groups[i]));
    }
    return out.toString();
  }

  static boolean isIp(int[] groups) {
    return groups[1] == 0x401b || groups[1] == 0x601b;
  }

  /** The IPv4 broadcast group with the key left open. */
  static boolean isBroadcast(int[] groups) {
    return Arrays.equals(groups, new int[] {0xff12, 0x401b, 0xffff, 0, 0, 0, 0xffff, 0xffff});
  }
}
