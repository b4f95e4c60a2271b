package org.heddle.text;

import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.routing.ForwardingTables;

/** Small fabrics and their tables for the tests of table formats. */
public final class TableSamples {
  public static final long SWITCH = 0x200000;
  public static final long HOST = 0x100000;

  private TableSamples() {}

  /** Two switches with a link, two hosts on the first and one on the second; no LIDs. */
  public static Fabric twoSwitches() {
    FabricBuilder b = new FabricBuilder();
    int left = b.addSwitch(SWITCH, 4, "left; 'x'");
    int right = b.addSwitch(SWITCH + 1, 4, "right");
    b.connect(left, 4, right, 4, LinkWidth.X4, LinkSpeed.EDR);
    for (int i = 0; i < 3; i++) {
      int host = b.addCa(HOST + 2 * i, 1, "h" + i);
      b.setPortGuid(host, 1, HOST + 2 * i + 1);
      b.connect(host, 1, i < 2 ? left : right, i % 2 + 1, LinkWidth.X4, LinkSpeed.EDR);
    }
    return b.build();
  }

  /** The same with LIDs: hosts 1, 2, 3, switches 4, 5. */
  public static Fabric addressed() {
    return twoSwitches().withAssignedLids();
  }

  /** Correct tables for {@link #addressed()}. */
  public static ForwardingTables tables() {
    return ForwardingTables.ofRows(new byte[][] {{-1, 1, 2, 4, 0, 4}, {-1, 4, 4, 1, 4, 0}}, 5);
  }

  public static byte[] row(ForwardingTables tables, int sw) {
    byte[] out = new byte[tables.topLid() + 1];
    tables.copy(sw, 0, out, 0, out.length);
    return out;
  }
}
