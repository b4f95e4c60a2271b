package org.heddle.verify.transition;

/**
 * One packet that writes a block of a switch's forwarding table.
 *
 * @param sw switch
 * @param block number of the block, of 64 LIDs
 * @param entries its 64 new entries
 * @param afterDrain true if no packet is in flight any more when it is sent
 */
public record TableWrite(int sw, int block, byte[] entries, boolean afterDrain) {}
