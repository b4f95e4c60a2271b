package org.heddle.smp.write;

import java.util.Arrays;
import org.heddle.fabric.Guid;
import org.heddle.mad.AttributeId;
import org.heddle.mad.LinearForwardingBlock;
import org.heddle.mad.Smp;

/**
 * One SMP that sets an attribute of a node.
 *
 * @param phase SMPs of a phase may arrive in any order, phases not; from 0 on
 * @param nodeGuid the node that is told; for GUIDInfo, which ports have, the GUID of the port
 * @param attributeId one of {@link AttributeId}
 * @param modifier attribute modifier: the block of a forwarding table, ...
 * @param data the attribute, 64 bytes; copied
 */
public record PlannedSmp(int phase, long nodeGuid, int attributeId, int modifier, byte[] data) {
  public PlannedSmp {
    if (phase < 0) {
      throw new IllegalArgumentException("phase " + phase);
    }
    if (data.length != Smp.DATA_SIZE) {
      throw new IllegalArgumentException("an attribute of " + data.length + " bytes, not 64");
    }
    data = data.clone();
  }

  /** Writes one block of a linear forwarding table: 64 output ports, 255 for none. */
  public static PlannedSmp block(int phase, long switchGuid, int block, byte[] ports) {
    return new PlannedSmp(phase, switchGuid, AttributeId.LINEAR_FORWARDING_TABLE, block, ports);
  }

  /** Writes one block of the GUID table of a port: eight GUIDs, 0 for none. */
  public static PlannedSmp guids(int phase, long portGuid, int block, byte[] guids) {
    return new PlannedSmp(phase, portGuid, AttributeId.GUID_INFO, block, guids);
  }

  @Override
  public byte[] data() {
    return data.clone();
  }

  /** The attribute itself, for reading only. */
  byte[] bytes() {
    return data;
  }

  /** True if both write to the same place. */
  boolean samePlace(PlannedSmp other) {
    return nodeGuid == other.nodeGuid
        && attributeId == other.attributeId
        && modifier == other.modifier;
  }

  /** True for a block of a linear forwarding table. */
  public boolean isForwardingBlock() {
    return attributeId == AttributeId.LINEAR_FORWARDING_TABLE;
  }

  /** True for a block of a port's GUID table. */
  boolean isGuidBlock() {
    return attributeId == AttributeId.GUID_INFO;
  }

  /** The largest LID of the block. */
  int lastLid() {
    return modifier * LinearForwardingBlock.ENTRIES + LinearForwardingBlock.ENTRIES - 1;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof PlannedSmp p
        && phase == p.phase
        && samePlace(p)
        && Arrays.equals(data, p.data);
  }

  @Override
  public int hashCode() {
    return 31 * (int) nodeGuid + 17 * modifier + Arrays.hashCode(data);
  }

  @Override
  public String toString() {
    return AttributeId.name(attributeId) + " " + modifier + " of " + Guid.format(nodeGuid);
  }
}
