/**
 * Addresses of virtual machines: who has a LID, a vGUID and a GID, from when to when, and how many
 * fit (Tasoulas, thesis, papers I, II and V). What routing and verification need of it is the
 * {@link org.heddle.fabric.VirtualLids} of the fabric a {@link org.heddle.addressing.VmPlacement}
 * makes.
 */
package org.heddle.addressing;
