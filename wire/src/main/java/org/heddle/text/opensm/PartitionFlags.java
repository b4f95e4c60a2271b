package org.heddle.text.opensm;

import org.heddle.text.CNumber;
import org.heddle.text.Problems;
import org.heddle.text.TextOut;
import org.heddle.text.opensm.PartitionsConf.GroupFlags;
import org.heddle.text.opensm.PartitionsConf.MemberKind;
import org.heddle.text.opensm.PartitionsConf.Membership;
import org.heddle.text.opensm.PartitionsConf.MulticastGroup;

/**
 * Flags and keywords of partitions.conf by OpenSM's rules: any beginning of a keyword stands for
 * it, the first in OpenSM's order wins, and what does not fit is passed over. Warns of all that.
 */
final class PartitionFlags {
  private final Problems problems;

  PartitionFlags(Problems problems) {
    this.problems = problems;
  }

  /** Values of flags while a definition is read. */
  static final class Values {
    int mtu = GroupFlags.DEFAULT.mtu();
    int rate = GroupFlags.DEFAULT.rate();
    int sl;
    int scopes;
    int qKey;
    int trafficClass;
    int flowLabel;
    boolean ipoib;
    boolean indexZero;
    Membership membership = Membership.LIMITED;

    GroupFlags group() {
      return new GroupFlags(mtu, rate, sl, scopes, qKey, trafficClass, flowLabel);
    }

    /** What a multicast group of the partition starts from: all but the TClass. */
    Values inherited() {
      Values v = new Values();
      v.mtu = mtu;
      v.rate = rate;
      v.sl = sl;
      v.scopes = scopes;
      v.qKey = qKey;
      v.flowLabel = flowLabel;
      return v;
    }
  }

  /** True if the word is a beginning of the keyword; the empty word is. */
  static boolean abbreviates(String word, String keyword) {
    return keyword.startsWith(word);
  }

  /** What a member entry names; {@link MemberKind#GUID} for all that is no keyword. */
  static MemberKind memberKind(String name) {
    MemberKind[] inOrder = {
      MemberKind.ALL,
      MemberKind.ALL_CAS,
      MemberKind.ALL_SWITCHES,
      MemberKind.ALL_ROUTERS,
      MemberKind.SELF
    };
    for (MemberKind kind : inOrder) {
      if (abbreviates(name, kind.name())) {
        return kind;
      }
    }
    return MemberKind.GUID;
  }

  /** Membership behind a port; unknown words mean limited. */
  Membership membership(int line, String name, String word) {
    if (word.isEmpty()) {
      problems.warn(line, "'" + printable(name) + "=' without a word makes a full member");
    }
    Membership m = membershipOrNull(word);
    if (m == null) {
      problems.warn(line, "unknown membership '" + printable(word) + "', OpenSM takes limited");
    }
    return m == null ? Membership.LIMITED : m;
  }

  private static Membership membershipOrNull(String word) {
    if (abbreviates(word, "full")) {
      return Membership.FULL;
    }
    if (abbreviates(word, "both")) {
      return Membership.BOTH;
    }
    return abbreviates(word, "limited") ? Membership.LIMITED : null;
  }

  /** A flag in the head of a definition. */
  void partitionFlag(int line, Values v, String flag, String value) {
    if (groupFlag(line, v, flag, value)) {
      return;
    }
    if (abbreviates(flag, "ipoib")) {
      v.ipoib = true;
    } else if (abbreviates(flag, "defmember")) {
      Membership m = value == null ? null : membershipOrNull(value);
      if (m == null) {
        problems.warn(
            line, "defmember needs limited, full or both; OpenSM ignores '" + shown(value) + "'");
      } else {
        v.membership = m;
      }
    } else if (abbreviates(flag, "indx0")) {
      v.indexZero = true;
    } else {
      problems.warn(line, "unknown partition flag '" + printable(flag) + "', OpenSM ignores it");
    }
  }

  /** A flag of a multicast group. */
  void groupFlagOnly(int line, Values v, String flag, String value) {
    if (!groupFlag(line, v, flag, value)) {
      problems.warn(line, "unknown mgroup flag '" + printable(flag) + "', OpenSM ignores it");
    }
  }

  private boolean groupFlag(int line, Values v, String flag, String value) {
    if (flag.isEmpty()) {
      problems.warn(line, "empty flag, OpenSM takes it for mtu");
    }
    CNumber number = value == null ? new CNumber(0, 0) : CNumber.parse(value);
    int n = (int) number.value();
    if (abbreviates(flag, "mtu")) {
      if (value != null) {
        v.mtu = code(line, "mtu", n, 5, value);
      } else if (!flag.isEmpty()) {
        problems.warn(line, "mtu without a value");
      }
    } else if (abbreviates(flag, "rate")) {
      if (value != null) {
        v.rate = code(line, "rate", n, 24, value);
      } else {
        problems.warn(line, "rate without a value");
      }
    } else if (abbreviates(flag, "scope")) {
      if (n < 1 || n > 15) {
        skipped(line, "scope", "1..15", value);
      } else {
        v.scopes |= 1 << n;
      }
    } else if (abbreviates(flag, "Q_Key")) {
      v.qKey = nonZero(line, "Q_Key", n, value, v.qKey);
    } else if (abbreviates(flag, "TClass")) {
      v.trafficClass = nonZero(line, "TClass", n, value, v.trafficClass) & 0xff;
    } else if (abbreviates(flag, "sl")) {
      v.sl = bounded(line, "sl", number, 15, value, v.sl);
    } else if (abbreviates(flag, "FlowLabel")) {
      v.flowLabel = bounded(line, "FlowLabel", number, 0xfffff, value, v.flowLabel);
    } else {
      return false;
    }
    if (value != null && number.end() > 0 && number.end() < value.length()) {
      problems.warn(
          line,
          "'"
              + printable(value)
              + "' is more than the value of "
              + printable(flag)
              + ", OpenSM ignores what follows the number; flags are separated by commas");
    }
    return true;
  }

  private int code(int line, String name, int n, int largest, String value) {
    if (n < 1 || n > largest) {
      problems.warn(
          line,
          name
              + "="
              + printable(value)
              + " is no InfiniBand "
              + name
              + " code (1.."
              + largest
              + ")");
    }
    return n & 0xff;
  }

  private int nonZero(int line, String name, int n, String value, int old) {
    if (n == 0) {
      problems.warn(line, name + "='" + shown(value) + "' has no value OpenSM can use");
    }
    return value == null ? old : n;
  }

  private int bounded(int line, String name, CNumber number, int largest, String value, int old) {
    boolean tail =
        value != null
            && number.end() < value.length()
            && !CNumber.isSpace(value.charAt(number.end()));
    long n = number.value() & 0xffffffffL;
    if (value == null || value.isEmpty() || n > largest || tail) {
      skipped(line, name, "0.." + largest, value);
      return old;
    }
    return (int) n;
  }

  private void skipped(int line, String name, String expected, String value) {
    problems.warn(line, name + " needs " + expected + ", OpenSM ignores '" + shown(value) + "'");
  }

  /** Says why OpenSM would not make a group. */
  void checkGroup(
      int line, int[] gid, MulticastGroup group, GroupFlags partition, int pkey, boolean ipoib) {
    if (!Mgid.isIp(gid)) {
      return;
    }
    String why = null;
    if (gid[2] != 0 && gid[2] != pkey && !Mgid.isBroadcast(gid)) {
      why = "its P_Key bits are not 0 and not 0x%04x".formatted(pkey);
    } else if (group.flags().rate() != partition.rate() || group.flags().mtu() != partition.mtu()) {
      why = "IP groups need the rate and mtu of their partition";
    } else if (!ipoib) {
      why = "the partition is not ipoib, so that there is no broadcast group";
    }
    if (why != null) {
      problems.warn(line, "OpenSM does not make the group " + group.mgid() + ": " + why);
    }
  }

  private static String shown(String value) {
    return value == null ? "" : printable(value);
  }

  private static String printable(String text) {
    String clean = TextOut.printable(text);
    return clean.length() <= 60 ? clean : clean.substring(0, 60) + "...";
  }
}
