package org.heddle.text.topology;

import org.heddle.fabric.Guid;
import org.heddle.fabric.NodeType;
import org.heddle.text.Tokens;

/** Node ids of ibnetdiscover: {@code S-}, {@code H-} or {@code R-} and sixteen digits. */
final class NodeIds {
  private NodeIds() {}

  /** The GUID in an id, or 0 if the id is a free name as in ibsim netlists. */
  static long guidOf(String id) {
    if (id.length() != 18 || id.charAt(1) != '-' || "SHR".indexOf(id.charAt(0)) < 0) {
      return 0;
    }
    String digits = id.substring(2);
    return Tokens.isHex(digits) ? Long.parseUnsignedLong(digits, 16) : 0;
  }

  /** True for an id that says GUID 0, which no node can have. */
  static boolean isZero(String id) {
    return id.length() == 18 && id.endsWith("-0000000000000000");
  }

  /** The id of a node. */
  static String format(NodeType type, long guid) {
    return switch (type) {
          case SWITCH -> "S-";
          case CA -> "H-";
          case ROUTER -> "R-";
        }
        + Guid.hex16(guid);
  }
}
