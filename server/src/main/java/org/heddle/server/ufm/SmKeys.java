package org.heddle.server.ufm;

/**
 * Keys of the subnet manager as its configuration has them: they guard management datagrams.
 *
 * @param subnetPrefix upper half of every GID
 */
public record SmKeys(long subnetPrefix, long mKey, long smKey, long saKey, boolean mKeyPerPort) {
  /** What OpenSM has if nobody says otherwise. */
  public static final SmKeys OPENSM = new SmKeys(0xfe80000000000000L, 0, 1, 1, false);
}
