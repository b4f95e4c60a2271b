package org.heddle.reconfig.migration;

/**
 * One entry of the GUID table of a hypervisor's port that changes because a machine comes or goes:
 * one SubnSet(GUIDInfo) of the block that holds it (InfiniBand specification, section 14.2.5.5;
 * Tasoulas, thesis, paper II, section V-C: the vGUID moves with the machine).
 *
 * <p>Virtual function f has entry f + 1: entry 0 is the port's own GUID and cannot be set.
 *
 * @param port port id of the hypervisor
 * @param index entry in the port's table, from 1
 * @param guid what it becomes: the machine's vGUID, or 0 for none
 */
public record GuidUpdate(int port, int index, long guid) {
  /** Entries of a block. */
  public static final int BLOCK_SIZE = 8;

  public GuidUpdate {
    if (index < 1) {
      throw new IllegalArgumentException("entry " + index + " cannot be set");
    }
  }

  /** A virtual function, from 0, gets a machine's vGUID. */
  public static GuidUpdate give(int port, int function, long vguid) {
    return new GuidUpdate(port, function + 1, vguid);
  }

  /** A virtual function, from 0, loses its vGUID. */
  public static GuidUpdate take(int port, int function) {
    return new GuidUpdate(port, function + 1, 0);
  }

  /** True if a vGUID is given, false if it is taken away. */
  public boolean gives() {
    return guid != 0;
  }

  /** The block that holds the entry; the attribute modifier. */
  public int block() {
    return index / BLOCK_SIZE;
  }

  /** The entry within its block. */
  public int entry() {
    return index % BLOCK_SIZE;
  }
}
